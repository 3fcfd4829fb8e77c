/* What md5.h promises, tried through its public functions: on the models of models_md5.h, and on
   every one under $MODELS.

   test_md5                     all of it, with 10^6 random spellings of numbers
   test_md5 --numbers 10000000  the spellings alone
   test_md5 --quick             all of it, with fewer spellings

   The reference is here: a reader of MD5 text and a skinning of its own, in double precision. */
#include "md5.h"

#include "check.h"
#include "models_md5.h"
#include "support.h"

#include <ctype.h>
#include <locale.h>

md5_model *scalar_load_model(const void *text, size_t size, const md5_options *options);
md5_anim  *scalar_load_anim(const void *text, size_t size, const md5_options *options);
void       scalar_free(md5_model *model, md5_anim *anim);
void       scalar_pose_at(const md5_anim *anim, md5_mode mode, double seconds, md5_xform *local);
void scalar_pose_mix(const md5_xform *a, const md5_xform *b, float t, size_t count, md5_xform *out);
void scalar_pose_add(const md5_xform *base, const md5_xform *pose, const md5_xform *reference,
                     float t, size_t count, md5_xform *out);
void scalar_model_space(const md5_model *model, const md5_xform *local, md5_xform *out);
void scalar_palette(const md5_model *model, const md5_xform *model_space, float *out12);
void scalar_vertices(const md5_model *model, uint32_t mesh, const md5_xform *model_space,
                     float *positions, float *normals, float *tangents);
void scalar_bounds(const md5_model *model, const md5_xform *model_space, float min[3],
                   float max[3]);

/* -- Reference: reading ---------------------------------------------------- */

typedef struct ref_token {
    const char *at;
    size_t      size;
} ref_token;

typedef struct ref_text {
    ref_token *token;
    size_t     count, next;
} ref_text;

static bool ref_blank(char c) { return c == '\0' || c == ' ' || (c >= '\t' && c <= '\r'); }

static bool ref_bracket(char c) { return c == '(' || c == ')' || c == '{' || c == '}'; }

static size_t ref_token_end(const char *bytes, size_t size, size_t at)
{
    if (ref_bracket(bytes[at])) return at + 1;
    while (at < size && !ref_blank(bytes[at]) && !ref_bracket(bytes[at]) && bytes[at] != '"') at++;
    return at;
}

static ref_text ref_split(const char *bytes, size_t size)
{
    ref_text text = { NULL, 0, 0 };
    size_t   at = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    text.token = (ref_token *)malloc_or_abort((size + 1) * sizeof *text.token);
    while (at < size) {
        size_t start = at;
        if (ref_blank(bytes[at])) {
            at++;
        } else if (bytes[at] == '/' && at + 1 < size && bytes[at + 1] == '/') {
            while (at < size && bytes[at] != '\n') at++;
        } else if (bytes[at] == '"') {
            for (at++; at < size && bytes[at] != '"';) at++;
            text.token[text.count].at = bytes + start + 1;
            text.token[text.count++].size = at - start - 1;
            at++;
        } else {
            at = ref_token_end(bytes, size, at);
            text.token[text.count].at = bytes + start;
            text.token[text.count++].size = at - start;
        }
    }
    return text;
}

static ref_token ref_next(ref_text *text)
{
    ref_token none = { "", 0 };
    return text->next < text->count ? text->token[text->next++] : none;
}

static bool ref_is(ref_token token, const char *word)
{
    size_t i;
    if (token.size != strlen(word)) return false;
    for (i = 0; i < token.size; i++)
        if (tolower((unsigned char)token.at[i]) != tolower((unsigned char)word[i])) return false;
    return true;
}

/* A float, as the header reads numbers away from the middle of two; the rest is in double precision. */
static double ref_value(ref_token token)
{
    char   digits[256];
    size_t size = token.size < sizeof digits - 1 ? token.size : sizeof digits - 1;
    memcpy(digits, token.at, size);
    digits[size] = '\0';
    return (double)strtof(digits, NULL);
}

static double ref_number(ref_text *text) { return ref_value(ref_next(text)); }

static int ref_int(ref_text *text)
{
    ref_token token = ref_next(text);
    return token.size ? (int)strtol(token.at, NULL, 10) : 0;
}

static void ref_tuple(ref_text *text, double *out, int count)
{
    int k;
    ref_next(text);
    for (k = 0; k < count; k++) out[k] = ref_number(text);
    ref_next(text);
}

static void ref_name(ref_text *text, char *out, size_t size)
{
    ref_token token = ref_next(text);
    snprintf(out, size, "%.*s", (int)token.size, token.at);
}

/* Passes over a block whose `{` comes next. */
static void ref_skip_block(ref_text *text)
{
    int depth = 0;
    do {
        ref_token token = ref_next(text);
        depth += ref_is(token, "{");
        depth -= ref_is(token, "}");
    } while (depth > 0 && text->next < text->count);
}

typedef struct ref_joint {
    char     name[128];
    int      parent, start;
    unsigned flags;
    m5_xform bind;    /* of a mesh: model space */
    double   base[6]; /* of an animation */
} ref_joint;

typedef struct ref_weight {
    int    joint;
    double bias, p[3];
} ref_weight;

typedef struct ref_vertex {
    double u, v;
    int    first, count;
} ref_vertex;

typedef struct ref_mesh {
    char        shader[256];
    int         vertex_count, triangle_count, weight_count;
    ref_vertex *vertex;
    ref_weight *weight;
    int        *corner;
} ref_mesh;

typedef struct ref_model {
    int        joint_count, mesh_count;
    ref_joint *joint;
    ref_mesh  *mesh;
} ref_model;

typedef struct ref_anim {
    int        joint_count, frame_count, component_count;
    double     rate;
    ref_joint *joint;
    double    *component;
} ref_anim;

static void *ref_array(int count, size_t size)
{
    void *array = malloc_or_abort(((size_t)(count > 0 ? count : 0) + 1) * size);
    memset(array, 0, ((size_t)(count > 0 ? count : 0) + 1) * size);
    return array;
}

static void ref_read_joints(ref_text *text, ref_model *model)
{
    int j;
    ref_next(text);
    model->joint = (ref_joint *)ref_array(model->joint_count, sizeof *model->joint);
    for (j = 0; j < model->joint_count; j++) {
        ref_joint *joint = &model->joint[j];
        ref_name(text, joint->name, sizeof joint->name);
        joint->parent = ref_int(text);
        ref_tuple(text, joint->bind.p, 3);
        ref_tuple(text, joint->bind.q, 3);
        m5_complete(joint->bind.q);
    }
    ref_next(text);
}

static void ref_read_verts(ref_text *text, ref_mesh *mesh)
{
    int i;
    mesh->vertex_count = ref_int(text);
    mesh->vertex = (ref_vertex *)ref_array(mesh->vertex_count, sizeof *mesh->vertex);
    for (i = 0; i < mesh->vertex_count; i++) {
        double      uv[2];
        ref_vertex *vertex;
        ref_next(text);
        vertex = &mesh->vertex[ref_int(text)];
        ref_tuple(text, uv, 2);
        vertex->u = uv[0];
        vertex->v = uv[1];
        vertex->first = ref_int(text);
        vertex->count = ref_int(text);
        while (text->next < text->count && ref_is(text->token[text->next], "(")) {
            while (!ref_is(ref_next(text), ")")) continue;
        }
    }
}

static void ref_read_tris(ref_text *text, ref_mesh *mesh)
{
    int i, k;
    mesh->triangle_count = ref_int(text);
    mesh->corner = (int *)ref_array(mesh->triangle_count * 3, sizeof *mesh->corner);
    for (i = 0; i < mesh->triangle_count; i++) {
        int at;
        ref_next(text);
        at = ref_int(text);
        for (k = 0; k < 3; k++) mesh->corner[3 * at + k] = ref_int(text);
    }
}

static void ref_read_weights(ref_text *text, ref_mesh *mesh)
{
    int i;
    mesh->weight_count = ref_int(text);
    mesh->weight = (ref_weight *)ref_array(mesh->weight_count, sizeof *mesh->weight);
    for (i = 0; i < mesh->weight_count; i++) {
        ref_weight *weight;
        ref_next(text);
        weight = &mesh->weight[ref_int(text)];
        weight->joint = ref_int(text);
        weight->bias = ref_number(text);
        ref_tuple(text, weight->p, 3);
    }
}

static void ref_read_mesh(ref_text *text, ref_mesh *mesh)
{
    ref_next(text);
    while (text->next < text->count) {
        ref_token token = ref_next(text);
        if (ref_is(token, "}")) return;
        if (ref_is(token, "shader"))
            ref_name(text, mesh->shader, sizeof mesh->shader);
        else if (ref_is(token, "numverts"))
            ref_read_verts(text, mesh);
        else if (ref_is(token, "numtris"))
            ref_read_tris(text, mesh);
        else if (ref_is(token, "numweights"))
            ref_read_weights(text, mesh);
        else if (ref_is(token, "name"))
            ref_next(text);
        else if (ref_is(token, "flags"))
            ref_skip_block(text);
        else if (ref_is(token, "("))
            while (!ref_is(ref_next(text), ")")) continue;
    }
}

static ref_model ref_read_model(const void *bytes, size_t size)
{
    ref_text  text = ref_split((const char *)bytes, size);
    ref_model model = { 0, 0, NULL, NULL };
    int       declared = 0;
    while (text.next < text.count && (!declared || model.mesh_count < declared)) {
        ref_token token = ref_next(&text);
        if (ref_is(token, "commandline"))
            ref_next(&text);
        else if (ref_is(token, "numJoints"))
            model.joint_count = ref_int(&text);
        else if (ref_is(token, "numMeshes"))
            declared = ref_int(&text);
        else if (ref_is(token, "joints"))
            ref_read_joints(&text, &model);
        else if (ref_is(token, "meshDisabled"))
            ref_skip_block(&text);
        else if (ref_is(token, "mesh")) {
            if (!model.mesh) model.mesh = (ref_mesh *)ref_array(declared, sizeof *model.mesh);
            ref_read_mesh(&text, &model.mesh[model.mesh_count++]);
        }
    }
    free(text.token);
    return model;
}

static void ref_free_model(ref_model *model)
{
    int m;
    for (m = 0; m < model->mesh_count; m++) {
        free(model->mesh[m].vertex);
        free(model->mesh[m].corner);
        free(model->mesh[m].weight);
    }
    free(model->mesh);
    free(model->joint);
}

static void ref_read_hierarchy(ref_text *text, ref_anim *anim)
{
    int j;
    ref_next(text);
    anim->joint = (ref_joint *)ref_array(anim->joint_count, sizeof *anim->joint);
    for (j = 0; j < anim->joint_count; j++) {
        ref_joint *joint = &anim->joint[j];
        ref_name(text, joint->name, sizeof joint->name);
        joint->parent = ref_int(text);
        joint->flags = (unsigned)ref_int(text);
        joint->start = ref_int(text);
    }
    ref_next(text);
}

/* Frames are counted from the lowest number there is; `number` starts as that of the first met. */
static void ref_read_frames(ref_text *text, ref_anim *anim)
{
    int    i, k, lowest = 1 << 30;
    size_t start = text->next;
    anim->component =
        (double *)ref_array(anim->frame_count * anim->component_count, sizeof *anim->component);
    for (i = 0; i < 2 * anim->frame_count; i++) {
        bool second = i >= anim->frame_count;
        int  number;
        if (i == anim->frame_count) text->next = start;
        if (i % anim->frame_count) ref_next(text);
        number = ref_int(text);
        if (!second && number < lowest) lowest = number;
        ref_next(text);
        for (k = 0; k < anim->component_count; k++) {
            double value = ref_number(text);
            if (second) anim->component[(number - lowest) * anim->component_count + k] = value;
        }
        ref_next(text);
    }
}

static ref_anim ref_read_anim(const void *bytes, size_t size)
{
    ref_text text = ref_split((const char *)bytes, size);
    ref_anim anim = { 0, 0, 0, 0.0, NULL, NULL };
    int      j;
    while (text.next < text.count && !anim.component) {
        ref_token token = ref_next(&text);
        if (ref_is(token, "commandline"))
            ref_next(&text);
        else if (ref_is(token, "numFrames"))
            anim.frame_count = ref_int(&text);
        else if (ref_is(token, "numJoints"))
            anim.joint_count = ref_int(&text);
        else if (ref_is(token, "frameRate"))
            anim.rate = ref_number(&text);
        else if (ref_is(token, "numAnimatedComponents"))
            anim.component_count = ref_int(&text);
        else if (ref_is(token, "hierarchy"))
            ref_read_hierarchy(&text, &anim);
        else if (ref_is(token, "bounds"))
            ref_skip_block(&text);
        else if (ref_is(token, "baseframe")) {
            ref_next(&text);
            for (j = 0; j < anim.joint_count; j++) {
                ref_tuple(&text, anim.joint[j].base, 3);
                ref_tuple(&text, anim.joint[j].base + 3, 3);
            }
            ref_next(&text);
        } else if (ref_is(token, "frame"))
            ref_read_frames(&text, &anim);
    }
    free(text.token);
    return anim;
}

static void ref_free_anim(ref_anim *anim)
{
    free(anim->joint);
    free(anim->component);
}

/* -- Reference: posing and skinning ---------------------------------------- */

static double quaternion_distance(const double a[4], const double b[4])
{
    double minus = 0.0, plus = 0.0;
    int    k;
    for (k = 0; k < 4; k++) {
        minus += (a[k] - b[k]) * (a[k] - b[k]);
        plus += (a[k] + b[k]) * (a[k] + b[k]);
    }
    return 2.0 * atan2(sqrt(minus), sqrt(plus));
}

/* Radians between two rotations; q and -q are the same one. */
static double rotation_distance(const double a[4], const double b[4])
{
    double       between = quaternion_distance(a, b);
    const double half_turn = 3.14159265358979323846;
    return 2.0 * (between > half_turn / 2.0 ? half_turn - between : between);
}

static void ref_slerp(const double a[4], const double b[4], double t, double out[4])
{
    double dot = 0.0, angle, from = 1.0 - t, to = t;
    int    k;
    for (k = 0; k < 4; k++) dot += a[k] * b[k];
    angle = quaternion_distance(a, b);
    if (dot < 0.0) angle = 3.14159265358979323846 - angle;
    if (angle > 1e-9) {
        from = sin((1.0 - t) * angle) / sin(angle);
        to = sin(t * angle) / sin(angle);
    }
    if (dot < 0.0) to = -to;
    for (k = 0; k < 4; k++) out[k] = from * a[k] + to * b[k];
    m5_normalize(out, 4);
}

static m5_xform ref_mix(const m5_xform *a, const m5_xform *b, double t)
{
    m5_xform out;
    int      k;
    for (k = 0; k < 3; k++) out.p[k] = a->p[k] + (b->p[k] - a->p[k]) * t;
    ref_slerp(a->q, b->q, t, out.q);
    return out;
}

static m5_xform ref_joint_at(const ref_anim *anim, int joint, int frame)
{
    const ref_joint *j = &anim->joint[joint];
    const double *next = anim->component + (size_t)frame * (size_t)anim->component_count + j->start;
    m5_xform      out;
    double        six[6];
    int           k;
    for (k = 0; k < 6; k++) six[k] = j->flags >> k & 1 ? *next++ : j->base[k];
    memcpy(out.p, six, sizeof out.p);
    memcpy(out.q, six + 3, sizeof out.p);
    m5_complete(out.q);
    return out;
}

/* Where a time lies: between frames *from and *to. */
static double ref_time(int frames, bool closed, double rate, md5_mode mode, double seconds,
                       int *from, int *to)
{
    double steps = mode == MD5_LOOP && !closed ? frames : frames - 1;
    double at = seconds * rate;
    if (steps < 1.0)
        at = 0.0;
    else if (mode == MD5_LOOP)
        at -= floor(at / steps) * steps;
    else if (mode == MD5_ONCE)
        at = at < 0.0 ? 0.0 : at > steps ? steps : at;
    else {
        at -= floor(at / (2.0 * steps)) * 2.0 * steps;
        if (at > steps) at = 2.0 * steps - at;
    }
    *from = (int)floor(at);
    if (*from > frames - 1) *from = frames - 1;
    *to = *from + 1 < frames ? *from + 1 : mode == MD5_LOOP ? 0 : frames - 1;
    return at - *from;
}

static void ref_pose_at(const ref_anim *anim, bool closed, md5_mode mode, double seconds,
                        m5_xform *local)
{
    int    j, from, to;
    double rate = anim->rate > 0.0 ? anim->rate : 24.0;
    double t = ref_time(anim->frame_count, closed, rate, mode, seconds, &from, &to);
    for (j = 0; j < anim->joint_count; j++) {
        m5_xform a = ref_joint_at(anim, j, from), b = ref_joint_at(anim, j, to);
        local[j] = ref_mix(&a, &b, t);
    }
}

static void ref_to_model_space(const ref_joint *joint, int count, const m5_xform *local,
                               m5_xform *out)
{
    int j;
    for (j = 0; j < count; j++) {
        int      parent = joint[j].parent;
        m5_xform x = local[j];
        out[j] = parent < 0 ? x : m5_compose(&out[parent], &x);
    }
}

static void ref_skin(const ref_mesh *mesh, int vertex, const m5_xform *model_space, double out[3])
{
    const ref_vertex *v = &mesh->vertex[vertex];
    int               i, k;
    out[0] = out[1] = out[2] = 0.0;
    for (i = v->first; i < v->first + v->count; i++) {
        double p[3];
        m5_transform(&model_space[mesh->weight[i].joint], mesh->weight[i].p, p);
        for (k = 0; k < 3; k++) out[k] += mesh->weight[i].bias * p[k];
    }
}

/* -- Small helpers --------------------------------------------------------- */

static struct worst {
    double vertex, bone, slerp, norm, palette, bind, normal;
} worst;

static void keep_worst(double *kept, double value)
{
    if (!(value <= *kept)) *kept = value;
}

static m5_xform widen(const md5_xform *x)
{
    m5_xform out;
    int      k;
    for (k = 0; k < 3; k++) out.p[k] = (double)x->position[k];
    for (k = 0; k < 4; k++) out.q[k] = (double)x->rotation[k];
    return out;
}

static double distance3(const double a[3], const double b[3])
{
    double sum = 0.0;
    int    k;
    for (k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static double length3f(const float v[3])
{
    double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    return sqrt(x * x + y * y + z * z);
}

static double dot3f(const float a[3], const float b[3])
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

/* The larger of the difference of the positions and that of the rotations, in radians. */
static double xform_distance(const md5_xform *got, const m5_xform *want)
{
    m5_xform x = widen(got);
    double   p = distance3(x.p, want->p), q = rotation_distance(x.q, want->q);
    return p > q ? p : q;
}

static double pose_distance(const md5_xform *a, const md5_xform *b, size_t count)
{
    double most = 0.0;
    size_t i;
    for (i = 0; i < count; i++) {
        m5_xform x = widen(&b[i]);
        keep_worst(&most, xform_distance(&a[i], &x));
    }
    return most;
}

static bool same_bits(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

static double extent_of(const float min[3], const float max[3])
{
    double most = 0.0;
    int    k;
    for (k = 0; k < 3; k++) keep_worst(&most, (double)max[k] - (double)min[k]);
    return most;
}

static md5_xform *new_pose(size_t count)
{
    md5_xform *pose = (md5_xform *)malloc_or_abort((count + 1) * sizeof *pose);
    memset(pose, 0, (count + 1) * sizeof *pose);
    return pose;
}

static float *new_floats(size_t count)
{
    float *floats = (float *)malloc_or_abort((count + 1) * sizeof *floats);
    memset(floats, 0, (count + 1) * sizeof *floats);
    return floats;
}

static md5_options with_flags(uint32_t flags, float scale)
{
    md5_options options;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    options.scale = scale;
    return options;
}

static md5_model *model_of(m5_text *text, const md5_options *options)
{
    md5_error  error;
    md5_model *model = md5_load_model_memory(text->bytes, text->size, options, &error);
    if (!CHECK(model != NULL)) printf("  %s\n", error.message);
    m5_free(text);
    return model;
}

static md5_anim *anim_of(m5_text *text, const md5_options *options)
{
    md5_error error;
    md5_anim *anim = md5_load_anim_memory(text->bytes, text->size, "own", options, &error);
    if (!CHECK(anim != NULL)) printf("  %s\n", error.message);
    m5_free(text);
    return anim;
}

static md5_model *arm_with(uint32_t style, const md5_options *options)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    m5_arm_mesh(&text, style);
    return model_of(&text, options);
}

static md5_model *arm(void) { return arm_with(0, NULL); }

static md5_anim *clip_with(int clip, uint32_t style, const md5_options *options)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    m5_arm_anim(&text, clip, style);
    return anim_of(&text, options);
}

static md5_anim *clip(int number) { return clip_with(number, 0, NULL); }

/* A pose in model space, in a new array. */
static md5_xform *posed(const md5_model *model, const md5_anim *anim, md5_mode mode, double seconds)
{
    md5_xform *pose = new_pose(model->joint_count);
    if (anim)
        md5_pose_at(anim, mode, seconds, pose);
    else
        md5_pose_bind(model, pose);
    md5_pose_to_model_space(model, pose, pose);
    return pose;
}

/* -- Skeletons of any shape ------------------------------------------------ */

typedef m5_xform (*pose_function)(int joint, int frame);

static void put_exact(m5_text *text, const double *v)
{
    m5_put(text, " ( %.9g %.9g %.9g )", v[0], v[1], v[2]);
}

static void put_chain_head(m5_text *text, int joints, int frames)
{
    m5_put(text, "MD5Version 10\ncommandline \"\"\nnumJoints %d\n", joints);
    m5_put(text, "numFrames %d\nframeRate 16\nnumAnimatedComponents %d\n", frames, 6 * joints);
}

/* Joint i hangs from joint i - 1. All six components of each are animated. */
static void put_chain_anim(m5_text *text, int joints, int frames, pose_function pose)
{
    int     j, f, k;
    put_chain_head(text, joints, frames);
    m5_put_text(text, "hierarchy {\n");
    for (j = 0; j < joints; j++) m5_put(text, "\"j%d\" %d 63 %d\n", j, j - 1, 6 * j);
    m5_put_text(text, "}\nbounds {\n");
    for (f = 0; f < frames; f++) m5_put_text(text, "( 0 0 0 ) ( 0 0 0 )\n");
    m5_put_text(text, "}\nbaseframe {\n");
    for (j = 0; j < joints; j++) m5_put_text(text, "( 0 0 0 ) ( 0 0 0 )\n");
    m5_put_text(text, "}\n");
    for (f = 0; f < frames; f++) {
        m5_put(text, "frame %d {\n", f);
        for (j = 0; j < joints; j++) {
            m5_xform x = pose(j, f);
            double   sign = x.q[3] > 0.0 ? -1.0 : 1.0;
            for (k = 0; k < 3; k++) m5_put(text, " %.9g", x.p[k]);
            for (k = 0; k < 3; k++) m5_put(text, " %.9g", sign * x.q[k]);
        }
        m5_put_text(text, "\n}\n");
    }
}

static md5_anim *chain_anim(int joints, int frames, pose_function pose)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    put_chain_anim(&text, joints, frames, pose);
    return anim_of(&text, NULL);
}

static m5_xform xform_at(double x, double y, double z, double axis_x, double axis_y, double axis_z,
                         double degrees)
{
    m5_xform out;
    out.p[0] = x;
    out.p[1] = y;
    out.p[2] = z;
    m5_axis_angle(axis_x, axis_y, axis_z, degrees, out.q);
    return out;
}

/* The same joints as a mesh file, one unit apart along x, with a triangle at the last. */
static md5_model *chain_model(int joints)
{
    m5_text text;
    int     j;
    memset(&text, 0, sizeof text);
    m5_put(&text, "MD5Version 10\ncommandline \"\"\nnumJoints %d\nnumMeshes 1\njoints {\n", joints);
    for (j = 0; j < joints; j++) {
        m5_xform x = xform_at(j, 0, 0, 0, 0, 1, 0);
        m5_put(&text, "\"j%d\" %d", j, j - 1);
        put_exact(&text, x.p);
        put_exact(&text, x.q);
        m5_put_text(&text, "\n");
    }
    m5_put_text(&text, "}\nmesh {\nshader \"chain\"\nnumverts 3\n");
    for (j = 0; j < 3; j++) m5_put(&text, "vert %d ( %d %d ) %d 1\n", j, j == 1, j == 2, j);
    m5_put_text(&text, "numtris 1\ntri 0 0 2 1\nnumweights 3\n");
    for (j = 0; j < 3; j++)
        m5_put(&text, "weight %d %d 1 ( %d %d 0 )\n", j, joints - 1, j == 1, j == 2);
    m5_put_text(&text, "}\n");
    return model_of(&text, NULL);
}

/* -- Numbers --------------------------------------------------------------- */

enum { NUMBERS_PER_FRAME = 300, NUMBERS_AT_ONCE = 300 * 300 };

/* Spellings, one after another with a NUL behind each. */
typedef struct spellings {
    m5_text text;
    size_t  count;
    float  *want;
    size_t  near_middle, one_off;     /* of all spellings tried so far */
} spellings;

static void add_spelling(spellings *list, const char *digits, size_t size)
{
    char copy[512];
    if (!list->want) list->want = new_floats(NUMBERS_AT_ONCE);
    if (size > sizeof copy - 1) size = sizeof copy - 1;
    memcpy(copy, digits, size);
    copy[size] = '\0';
    list->want[list->count++] = strtof(copy, NULL);
    m5_put_bytes(&list->text, copy, size + 1);
}

/* An animation whose frames hold the spellings, all as positions: those are kept as they are. */
static void put_numbers(m5_text *out, const spellings *list)
{
    const char *digits = list->text.bytes;
    size_t      i, frames = (list->count + NUMBERS_PER_FRAME - 1) / NUMBERS_PER_FRAME;
    int         j;
    m5_put(out, "MD5Version 10\nnumJoints %d\n", NUMBERS_PER_FRAME / 3);
    m5_put(out, "numFrames %u\nframeRate 24\nnumAnimatedComponents %d\nhierarchy {\n",
           (unsigned)frames, NUMBERS_PER_FRAME);
    for (j = 0; j < NUMBERS_PER_FRAME / 3; j++) m5_put(out, "\"j%d\" -1 7 %d\n", j, 3 * j);
    m5_put_text(out, "}\nbounds {\n");
    for (i = 0; i < frames; i++) m5_put_text(out, "( 0 0 0 ) ( 0 0 0 )\n");
    m5_put_text(out, "}\nbaseframe {\n");
    for (j = 0; j < NUMBERS_PER_FRAME / 3; j++) m5_put_text(out, "( 0 0 0 ) ( 0 0 0 )\n");
    m5_put_text(out, "}\n");
    for (i = 0; i < frames * NUMBERS_PER_FRAME; i++) {
        if (i % NUMBERS_PER_FRAME == 0)
            m5_put(out, "%sframe %u {\n", i ? "}\n" : "", (unsigned)(i / NUMBERS_PER_FRAME));
        m5_put_text(out, i < list->count ? digits : "0");
        m5_put_bytes(out, i % 6 == 5 ? "\n" : " ", 1);
        if (i < list->count) digits += strlen(digits) + 1;
    }
    m5_put_text(out, "}\n");
}

/* The number is so near to the middle of two floats that the header may round it to either. */
static bool is_near_middle(const char *digits, float nearest)
{
    double exact = fabs(strtod(digits, NULL)), value = fabs((double)nearest);
    double up = (double)nextafterf((float)value, HUGE_VALF), down = (double)nextafterf((float)value, 0.0f);
    if (value > (double)FLT_MAX) return fabs(exact - 3.4028235677973366e38) <= exact * 0x1p-50;
    if (up > (double)FLT_MAX) up = 0x1p128;
    return fabs(exact - (value + up) / 2) <= exact * 0x1p-50 ||
           fabs(exact - (value + down) / 2) <= exact * 0x1p-50;
}

/* The same float, or beside it one of its neighbours. */
static bool is_within_one_ulp(float a, float b)
{
    return same_bits(&a, &b, sizeof a) || nextafterf(a, b) == b;
}

/* Loads them under the locale at hand, compares every bit, and empties the list. Returns how many
   are wrong: one unit in the last place is allowed next to the middle of two floats. */
static size_t try_numbers(spellings *list, const char *locale)
{
    m5_text     text;
    md5_anim   *anim;
    const char *digits = list->text.bytes;
    size_t      i, wrong = 0;
    memset(&text, 0, sizeof text);
    if (list->count == 0) return 0;
    put_numbers(&text, list);
    setlocale(LC_ALL, locale);
    anim = anim_of(&text, NULL);
    setlocale(LC_ALL, "C");
    for (i = 0; anim && i < list->count; i++) {
        float value = anim->components[i], want = list->want[i];
        bool  same = same_bits(&value, &want, sizeof value), either = is_near_middle(digits, want);
        list->near_middle += either;
        list->one_off += !same;
        if (!same && !(either && is_within_one_ulp(value, want)) && wrong++ < 5)
            printf("  %s is read as %.9g, not %.9g\n", digits, (double)value, (double)want);
        digits += strlen(digits) + 1;
    }
    md5_free_anim(anim);
    list->count = 0;
    list->text.size = 0;
    return anim ? wrong : 1;
}

/* The locale of a reader who writes 1,5: German, where the machine has it. */
static const char *comma_locale(void)
{
    static const char *const names[4] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                          "German_Germany.1252" };
    int                      i;
    for (i = 0; i < 4; i++) {
        bool has = setlocale(LC_ALL, names[i]) != NULL && localeconv()->decimal_point[0] == ',';
        setlocale(LC_ALL, "C");
        if (has) return names[i];
    }
    return "C";
}

static void add_random_bits(spellings *list, random_source *random)
{
    char     digits[128];
    uint32_t bits = random_next(random);
    float    value;
    int      size, decimals = (int)random_below(random, 12);
    memcpy(&value, &bits, sizeof value);
    if (!(fabsf(value) < 3.0e38f)) value = 1.5f;
    size = snprintf(digits, sizeof digits, "%.*e", decimals, (double)value);
    add_spelling(list, digits, (size_t)size);
}

/* Just at, just below or just above the middle between two floats: what a careless reader rounds
   twice. */
static void add_middle(spellings *list, random_source *random)
{
    char     digits[256];
    uint32_t bits = random_next(random) & 0x7FFFFFFFu, next;
    float    low, high;
    int      size, which = (int)random_below(random, 3);
    if (random_below(random, 2)) bits = 0x3A000000u + bits % 0x0C000000u;
    if (bits >= 0x7F000000u) bits -= 0x01000000u;
    next = bits + 1;
    memcpy(&low, &bits, sizeof low);
    memcpy(&high, &next, sizeof high);
    size = snprintf(digits, sizeof digits, "%.*e", 120, ((double)low + (double)high) / 2.0);
    if (which) {
        char *e = strchr(digits, 'e');
        if (which == 1)
            e[-1] = '1';
        else
            snprintf(digits, sizeof digits, "%.17e", ((double)low + (double)high) / 2.0);
        size = (int)strlen(digits);
    }
    add_spelling(list, digits, (size_t)size);
}

static void add_fixed(spellings *list, random_source *random)
{
    static const double scale[6] = { 0.001, 0.1, 1.0, 100.0, 1e4, 1e8 };
    char                digits[128];
    double value = (random_unit(random) * 2.0 - 1.0) * scale[random_below(random, 6)];
    int size = snprintf(digits, sizeof digits, "%.*f", (int)random_below(random, 18), value);
    add_spelling(list, digits, (size_t)size);
}

/* A sign or none, up to 30 digits with a point among them or not, an exponent or not. */
static void add_digits(spellings *list, random_source *random)
{
    char     digits[128];
    uint32_t count = 1 + random_below(random, 30), point = random_below(random, 40), i;
    uint32_t sign = random_below(random, 3), size = 0;
    if (sign) digits[size++] = sign == 1 ? '-' : '+';
    for (i = 0; i < count; i++) {
        if (i == point) digits[size++] = '.';
        digits[size++] = (char)('0' + random_below(random, 10));
    }
    if (random_below(random, 2))
        size += (uint32_t)snprintf(digits + size, 16, "%c%+d",
                                   random_below(random, 2) ? 'e' : 'E',
                                   (int)random_below(random, 60) - 52);
    add_spelling(list, digits, size);
}

static void test_random_numbers(size_t count)
{
    random_source random = { 20 };
    spellings    list = { { NULL, 0, 0 }, 0, NULL, 0, 0 };
    const char  *comma = comma_locale();
    size_t       i, wrong = 0;
    check_section("random numbers");
    for (i = 0; i < count; i++) {
        switch (random_below(&random, 4)) {
            case 0: add_random_bits(&list, &random); break;
            case 1: add_middle(&list, &random); break;
            case 2: add_fixed(&list, &random); break;
            default: add_digits(&list, &random); break;
        }
        if (list.count == NUMBERS_AT_ONCE) wrong += try_numbers(&list, comma);
    }
    wrong += try_numbers(&list, comma);
    CHECK_EQ(wrong, 0);
    printf("locale while reading numbers: %s\n", comma);
    CHECK_FLOOR(i, 1000, "random spellings of numbers");
    CHECK_FLOOR(list.near_middle, 100, "of these next to the middle of two floats");
    CHECK_FLOOR(i - list.near_middle, 500, "of these elsewhere, the same as by strtof");
    printf("one unit in the last place off: %u\n", (unsigned)list.one_off);
    m5_free(&list.text);
    free(list.want);
}

static void test_number_spellings(void)
{
    static const char *const good[] = {
        "0",
        "-0",
        "+0",
        "0.0",
        "-0.000000",
        "00",
        "007",
        "1",
        "-1",
        "+1",
        "1.",
        ".5",
        "-.5",
        "+.5",
        "0.5",
        "00.50",
        "1e0",
        "1E0",
        "1e+0",
        "1e-0",
        "1.5e3",
        "1.5E+03",
        "-1.5e-3",
        "1e-05",
        "1e5",
        "5e-1",
        ".5e1",
        "5.e1",
        "1e-45",
        "1e-46",
        "7e-46",
        "7.1e-46",
        "1.4e-45",
        "-1e-99",
        "1e-400",
        "1e-99999",
        "0e99999",
        "0e-99999",
        "0.0000000000000000000000000000000000000000000000000000001e55",
        "1000000000000000000000000000000000000000e-38",
        "3.4028234e38",
        "3.4028235e38",
        "340282346638528859811704183484516925440",
        "3.40282356e38",
        "-3.4028235e+38",
        "1.17549435e-38",
        "1.17549429e-38",
        "16777215",
        "16777216",
        "16777217",
        "16777219",
        "33554433",
        "4294967295",
        "4294967296",
        "18446744073709551615",
        "18446744073709551616",
        "9007199254740993",
        "9007199254740992.5",
        "0.1",
        "0.2",
        "0.3",
        "0.7",
        "1.1",
        "3.14159265358979323846264338327950288",
        "1.00000005960464477539062500000",
        "1.00000005960464477539062500001",
        "1.00000005960464477539062499999",
        "0.999999970197677612304687500",
        "0.999999970197677612304687501",
        "2.00000011920928955078125",
        "8388608.5",
        "8388609.5",
        "8388608.5000000000000000000000000000001",
        "0.000000000000000000000000000000000000011754942807573643",
        "123456789012345678901234567890",
        "0.123456789012345678901234567890",
        "1e22",
        "1e23",
        "6.0221e23"
    };
    static const char *const bad[] = { "nan",
                                       "NaN",
                                       "-nan",
                                       "inf",
                                       "-inf",
                                       "+infinity",
                                       "1.#IND",
                                       "-1.#IND",
                                       "1.#QNAN",
                                       "1.#INF",
                                       "1e39",
                                       "-1e39",
                                       "3.4028236e38",
                                       "1e400",
                                       "1e99999999999999999999",
                                       "1000000000000000000000000000000000000000",
                                       "0x10",
                                       "0x1p3",
                                       "1,5",
                                       "1.5f",
                                       "1.5.5",
                                       "--1",
                                       "+-1",
                                       "-+1",
                                       "-",
                                       "+",
                                       ".",
                                       "-.",
                                       "e5",
                                       "E5",
                                       ".e5",
                                       "1e",
                                       "1e+",
                                       "1e-",
                                       "1e+-5",
                                       "1e5.5",
                                       "1_000",
                                       "1'000",
                                       "1 e5",
                                       "1-",
                                       "1+1",
                                       "abc",
                                       "1a",
                                       "#",
                                       "1/2",
                                       "\xD9\xA1",
                                       "\"1\"x" };
    spellings                list = { { NULL, 0, 0 }, 0, NULL, 0, 0 };
    size_t                   i;
    check_section("spellings of numbers");
    for (i = 0; i < sizeof good / sizeof good[0]; i++)
        add_spelling(&list, good[i], strlen(good[i]));
    CHECK_EQ(try_numbers(&list, "C"), 0);
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        m5_text   text;
        md5_error error;
        md5_anim *anim;
        memset(&text, 0, sizeof text);
        add_spelling(&list, bad[i], strlen(bad[i]));
        put_numbers(&text, &list);
        list.count = 0;
        list.text.size = 0;
        check_subject(bad[i]);
        anim = md5_load_anim_memory(text.bytes, text.size, NULL, NULL, &error);
        CHECK(anim == NULL);
        CHECK(error.code == MD5_ERROR_SYNTAX || error.code == MD5_ERROR_CORRUPT);
        md5_free_anim(anim);
        m5_free(&text);
    }
    CHECK_FLOOR(sizeof good / sizeof good[0] + sizeof bad / sizeof bad[0], 100,
                "spellings by hand");
    m5_free(&list.text);
    free(list.want);
}

/* -- Own models: spellings and flaws --------------------------------------- */

static bool same_floats(const float *a, const float *b, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        if (a[i] < b[i] || a[i] > b[i] || a[i] != a[i]) return false;
    return true;
}

static bool same_vertex(const md5_vertex *a, const md5_vertex *b)
{
    return same_floats(&a->u, &b->u, 1) && same_floats(&a->v, &b->v, 1) &&
           a->first_weight == b->first_weight && a->weight_count == b->weight_count &&
           same_floats(a->position, b->position, 3) && same_floats(a->normal, b->normal, 3) &&
           same_floats(a->tangent, b->tangent, 4);
}

static bool same_mesh(const md5_mesh *a, const md5_mesh *b)
{
    uint32_t i;
    if (strcmp(a->shader, b->shader) != 0 || a->vertex_count != b->vertex_count ||
        a->weight_count != b->weight_count || a->index_count != b->index_count ||
        a->max_influences != b->max_influences)
        return false;
    for (i = 0; i < a->vertex_count; i++)
        if (!same_vertex(&a->vertices[i], &b->vertices[i])) return false;
    for (i = 0; i < a->weight_count; i++) {
        const md5_weight *x = &a->weights[i], *y = &b->weights[i];
        if (x->joint != y->joint || !same_floats(&x->bias, &y->bias, 1) ||
            !same_floats(x->position, y->position, 3))
            return false;
    }
    return same_bits(a->indices, b->indices, a->index_count * sizeof(uint32_t));
}

static bool same_joints(const md5_model *a, const md5_model *b)
{
    uint32_t i;
    if (a->joint_count != b->joint_count) return false;
    for (i = 0; i < a->joint_count; i++) {
        const md5_joint *x = &a->joints[i], *y = &b->joints[i];
        if (strcmp(x->name, y->name) != 0 || x->parent != y->parent ||
            !same_floats(x->bind.position, y->bind.position, 3) ||
            !same_floats(x->bind.rotation, y->bind.rotation, 4) ||
            !same_floats(x->inverse_bind, y->inverse_bind, 12))
            return false;
    }
    return true;
}

/* The meshes that are not empty, one by one. */
static bool same_meshes(const md5_model *a, const md5_model *b)
{
    uint32_t i = 0, j = 0;
    while (i < a->mesh_count || j < b->mesh_count) {
        if (i < a->mesh_count && a->meshes[i].vertex_count == 0)
            i++;
        else if (j < b->mesh_count && b->meshes[j].vertex_count == 0)
            j++;
        else if (i >= a->mesh_count || j >= b->mesh_count ||
                 !same_mesh(&a->meshes[i++], &b->meshes[j++]))
            return false;
    }
    return true;
}

static bool same_anim(const md5_anim *a, const md5_anim *b)
{
    uint32_t i;
    if (a->frame_count != b->frame_count || a->joint_count != b->joint_count ||
        a->component_count != b->component_count || !same_floats(&a->fps, &b->fps, 1) ||
        a->closed != b->closed)
        return false;
    for (i = 0; i < a->joint_count; i++)
        if (strcmp(a->joint_names[i], b->joint_names[i]) != 0 || a->parents[i] != b->parents[i] ||
            a->joint_flags[i] != b->joint_flags[i] ||
            (a->joint_flags[i] && a->joint_start[i] != b->joint_start[i]))
            return false;
    for (i = 0; i < a->frame_count; i++)
        if (!same_floats(a->bounds[i].min, b->bounds[i].min, 3) ||
            !same_floats(a->bounds[i].max, b->bounds[i].max, 3))
            return false;
    return same_floats(a->base, b->base, (size_t)a->joint_count * 6) &&
           same_floats(a->components, b->components, (size_t)a->frame_count * a->component_count);
}

static void test_styles(void)
{
    md5_model *plain_model = arm();
    md5_anim  *plain_anim = clip(M5_WAVE);
    int        i;
    check_section("spellings of exporters");
    for (i = 0; i < M5_STYLES; i++) {
        uint32_t   style = m5_styles[i].flags;
        md5_model *model;
        md5_anim  *anim;
        check_subject(m5_styles[i].name);
        model = arm_with(style, NULL);
        anim = clip_with(M5_WAVE, style, NULL);
        if (model && plain_model) {
            CHECK(same_joints(model, plain_model));
            CHECK(same_meshes(model, plain_model));
            CHECK_EQ(model->mesh_count, M5_MESHES + (style & M5_EMPTY_MESH ? 2 : 0));
        }
        if (anim && plain_anim) CHECK(same_anim(anim, plain_anim));
        md5_free_model(model);
        md5_free_anim(anim);
    }
    CHECK_FLOOR(2 * i, 60, "spellings of exporters");
    md5_free_model(plain_model);
    md5_free_anim(plain_anim);
}

/* Everything that loads can be posed and drawn without a further check. Returns whether all of it
   is finite. */
static bool all_finite(const float *values, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= 3.402823466e38f)) return false;
    return true;
}

static bool model_is_finite(const md5_model *model)
{
    uint32_t i, m;
    for (i = 0; i < model->joint_count; i++)
        if (!all_finite(model->joints[i].bind.position, 3) ||
            !all_finite(model->joints[i].bind.rotation, 4) ||
            !all_finite(model->joints[i].inverse_bind, 12))
            return false;
    for (m = 0; m < model->mesh_count; m++)
        for (i = 0; i < model->meshes[m].vertex_count; i++)
            if (!all_finite(model->meshes[m].vertices[i].position, 3) ||
                !all_finite(model->meshes[m].vertices[i].normal, 3) ||
                !all_finite(model->meshes[m].vertices[i].tangent, 4))
                return false;
    return all_finite(model->min, 3) && all_finite(model->max, 3);
}

static size_t squeeze(char *out, size_t size, const char *text)
{
    size_t n = 0;
    for (; *text && n < size - 1; text++)
        if (*text != ' ') out[n++] = (char)tolower((unsigned char)*text);
    out[n] = '\0';
    return n;
}

/* Whether the text names the word, blanks (12 345), a minus and upper case aside. */
static bool message_names(const char *message, const char *word)
{
    char text[128], wanted[64];
    squeeze(text, sizeof text, message);
    squeeze(wanted, sizeof wanted, word + (*word == '-'));
    return strstr(text, wanted) != NULL;
}

static bool is_sentence(const char *message)
{
    size_t i;
    for (i = 0; i < 120 && message[i]; i++)
        if (message[i] < ' ' || message[i] > '~') return false;
    return i > 8 && i < 120;
}

static uint32_t lines_of(const m5_text *text)
{
    uint32_t lines = 1;
    size_t   i;
    for (i = 0; i < text->size; i++) lines += text->bytes[i] == '\n';
    return lines;
}

static void check_flaw(const m5_flaw *flaw)
{
    m5_text    text;
    md5_error  error;
    uint32_t   line, lines;
    md5_model *model = NULL;
    md5_anim  *anim = NULL;
    memset(&text, 0, sizeof text);
    line = m5_flawed(flaw, &text);
    lines = lines_of(&text);
    CHECK(line > 0 || flaw->edit == M5_WHOLE);
    if (!text.bytes) m5_put_text(&text, "");
    if (flaw->kind == M5_MESH)
        model = md5_load_model_memory(text.bytes, text.size, NULL, &error);
    else
        anim = md5_load_anim_memory(text.bytes, text.size, "flaw", NULL, &error);
    CHECK((model || anim) == (error.code == MD5_OK));
    if (flaw->expected[0] == '\0' && !CHECK(model || anim)) printf("  %s\n", error.message);
    if (model) CHECK(model_is_finite(model));
    if (!model && !anim) {
        const char *name = md5_result_name(error.code);
        CHECK(is_sentence(error.message));
        CHECK(error.line <= lines);
        if (flaw->expected[0] != '?' &&
            !CHECK(strlen(name) > 10 && strstr(flaw->expected, name + 10)))
            printf("  %s: %s\n", name, error.message);
        if (flaw->word && !CHECK(message_names(error.message, flaw->word)))
            printf("  %s\n", error.message);
        if (flaw->there) CHECK_EQ(error.line, line);
    } else {
        CHECK(flaw->expected[0] == '\0' || flaw->expected[0] == '?');
    }
    md5_free_model(model);
    md5_free_anim(anim);
    m5_free(&text);
}

static void test_flaws(void)
{
    int i;
    check_section("flaws");
    for (i = 0; i < M5_FLAWS; i++) {
        check_subject(m5_flaws[i].name);
        check_flaw(&m5_flaws[i]);
    }
    CHECK_FLOOR(i, 140, "malformed and odd files");
}

static md5_model *flawed_model(const char *name)
{
    m5_text text;
    int     i;
    memset(&text, 0, sizeof text);
    for (i = 0; i < M5_FLAWS; i++)
        if (strcmp(m5_flaws[i].name, name) == 0) m5_flawed(&m5_flaws[i], &text);
    return model_of(&text, NULL);
}

static md5_anim *flawed_anim(const char *name)
{
    m5_text text;
    int     i;
    memset(&text, 0, sizeof text);
    for (i = 0; i < M5_FLAWS; i++)
        if (strcmp(m5_flaws[i].name, name) == 0) m5_flawed(&m5_flaws[i], &text);
    return anim_of(&text, NULL);
}

/* What is salvaged comes out as every viewer shows it. */
static void test_salvage(void)
{
    static const char *const rates[3] = { "rate_zero", "rate_minus", "rate_float" };
    static const double      want[3] = { 24.0, 24.0, 29.97 };
    md5_model               *one, *five, *many;
    md5_anim                *plain = clip(M5_WAVE), *anim;
    int                      i;
    check_section("salvage");
    one = flawed_model("meshes_one_listed_three");
    five = flawed_model("meshes_five_listed_three");
    many = flawed_model("vert_64_weights");
    if (one) CHECK_EQ(one->mesh_count, 1);
    if (five) CHECK_EQ(five->mesh_count, 3);
    if (many) CHECK_EQ(many->meshes[0].max_influences, 64);
    for (i = 0; i < 3; i++) {
        anim = flawed_anim(rates[i]);
        if (anim) CHECK_NEAR(anim->fps, want[i], 1e-5);
        md5_free_anim(anim);
    }
    anim = flawed_anim("start_meaningless");
    if (anim && plain) CHECK(same_anim(anim, plain));
    md5_free_anim(anim);
    anim = flawed_anim("anim_junk_behind");
    if (anim && plain) CHECK(same_anim(anim, plain));
    md5_free_anim(anim);
    anim = flawed_anim("frames_one_less");
    if (anim) CHECK_EQ(anim->frame_count, 12);
    md5_free_anim(anim);
    md5_free_anim(plain);
    md5_free_model(one);
    md5_free_model(five);
    md5_free_model(many);
}

/* -- Loading --------------------------------------------------------------- */

typedef struct source {
    const char *bytes;
    size_t      size, at, step, fail_at;
} source;

static size_t read_source(void *user, void *dst, size_t size)
{
    source *from = (source *)user;
    size_t  left = from->size - from->at;
    if (from->fail_at && from->at >= from->fail_at) return SIZE_MAX;
    if (size > left) size = left;
    if (size > from->step) size = from->step;
    if (size) memcpy(dst, from->bytes + from->at, size);
    from->at += size;
    return size;
}

static void test_readers(void)
{
    static const size_t steps[5] = { 1, 7, 64, 4096, 1000000 };
    m5_text             mesh, anim;
    md5_model          *plain = arm();
    md5_anim           *plain_anim = clip(M5_WAVE);
    size_t              i;
    check_section("readers");
    memset(&mesh, 0, sizeof mesh);
    memset(&anim, 0, sizeof anim);
    m5_arm_mesh(&mesh, 0);
    m5_arm_anim(&anim, M5_WAVE, 0);
    for (i = 0; i < 10; i++) {
        source     from = { NULL, 0, 0, 0, 0 };
        md5_reader reader;
        md5_error  error;
        reader.read = read_source;
        reader.user = &from;
        from.step = steps[i % 5];
        if (i < 5) {
            md5_model *model;
            from.bytes = mesh.bytes;
            from.size = mesh.size;
            model = md5_load_model_reader(&reader, NULL, &error);
            CHECK(model && plain && same_joints(model, plain) && same_meshes(model, plain));
            md5_free_model(model);
        } else {
            md5_anim *read;
            from.bytes = anim.bytes;
            from.size = anim.size;
            read = md5_load_anim_reader(&reader, "walk", NULL, &error);
            CHECK(read && plain_anim && same_anim(read, plain_anim));
            if (read) CHECK_TEXT(read->name, "walk");
            md5_free_anim(read);
        }
        CHECK_EQ(error.code, MD5_OK);
        from.at = 0;
        from.fail_at = 1 + from.size / 2;
        CHECK(i < 5 ? !md5_load_model_reader(&reader, NULL, &error)
                    : !md5_load_anim_reader(&reader, NULL, NULL, &error));
        if (from.step < from.size) CHECK_EQ(error.code, MD5_ERROR_READ);
    }
    m5_free(&mesh);
    m5_free(&anim);
    md5_free_model(plain);
    md5_free_anim(plain_anim);
}

static size_t read_too_much(void *user, void *dst, size_t size)
{
    (void)user;
    memset(dst, ' ', size);
    return size + 1;
}

static void test_files(void)
{
    m5_text    mesh, anim;
    md5_model *model, *plain = arm();
    md5_anim  *loaded;
    md5_error  error;
    check_section("files");
    memset(&mesh, 0, sizeof mesh);
    memset(&anim, 0, sizeof anim);
    m5_arm_mesh(&mesh, 0);
    m5_arm_anim(&anim, M5_WALK, 0);
    CHECK(write_file("test_md5_\xC3\xA4rm.md5mesh", mesh.bytes, mesh.size));
    CHECK(write_file("test_md5.walk.md5anim", anim.bytes, anim.size));
    model = md5_load_model_file("test_md5_\xC3\xA4rm.md5mesh", NULL, &error);
    CHECK(model && plain && same_meshes(model, plain));
    loaded = md5_load_anim_file("./test_md5.walk.md5anim", NULL, &error);
    if (CHECK(loaded != NULL)) CHECK_TEXT(loaded->name, "test_md5.walk");
    md5_free_model(model);
    md5_free_model(plain);
    md5_free_anim(loaded);
    remove_file("test_md5_\xC3\xA4rm.md5mesh");
    remove("test_md5.walk.md5anim");
    CHECK(!md5_load_model_file("no such folder/no.md5mesh", NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_OPEN);
    CHECK(is_sentence(error.message));
    CHECK(!md5_load_anim_file("no such folder/no.md5anim", NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_OPEN);
    CHECK(!md5_load_model_file(".", NULL, &error));
    CHECK_TEXT(error.message, error.code == MD5_ERROR_OPEN ? "cannot open ."
                                                          : "cannot read .: is it a folder?");
    CHECK(!md5_load_model_file(NULL, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    CHECK(!md5_load_anim_file(NULL, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    m5_free(&mesh);
    m5_free(&anim);
}

static void check_options(const m5_text *mesh, const m5_text *anim, const md5_options *options,
                          md5_result want)
{
    md5_error  error;
    md5_model *model = md5_load_model_memory(mesh->bytes, mesh->size, options, &error);
    md5_anim  *loaded;
    CHECK_EQ(error.code, want);
    CHECK((model != NULL) == (want == MD5_OK));
    md5_free_model(model);
    loaded = md5_load_anim_memory(anim->bytes, anim->size, NULL, options, &error);
    CHECK_EQ(error.code, want);
    CHECK((loaded != NULL) == (want == MD5_OK));
    md5_free_anim(loaded);
}

static void test_arguments(void)
{
    m5_text      mesh, anim;
    md5_options  options;
    md5_error    error;
    md5_reader   reader;
    md5_model   *model;
    counting_allocator memory;
    check_section("arguments");
    memset(&mesh, 0, sizeof mesh);
    memset(&anim, 0, sizeof anim);
    memset(&memory, 0, sizeof memory);
    m5_arm_mesh(&mesh, 0);
    m5_arm_anim(&anim, M5_WALK, 0);
    memset(&options, 0, sizeof options);
    check_options(&mesh, &anim, NULL, MD5_OK);
    check_options(&mesh, &anim, &options, MD5_OK);
    options.scale = -1.0f;
    check_options(&mesh, &anim, &options, MD5_ERROR_ARGUMENT);
    options.scale = (float)HUGE_VAL;
    check_options(&mesh, &anim, &options, MD5_ERROR_ARGUMENT);
    options.scale = options.scale - options.scale;
    check_options(&mesh, &anim, &options, MD5_ERROR_ARGUMENT);
    options = with_flags(0, 1.0f);
    options.allocator.alloc = counting_alloc;
    check_options(&mesh, &anim, &options, MD5_ERROR_ARGUMENT);
    options.allocator.alloc = NULL;
    options.allocator.release = counting_release;
    check_options(&mesh, &anim, &options, MD5_ERROR_ARGUMENT);
    options.allocator.alloc = counting_alloc;
    options.allocator.user = &memory;
    check_options(&mesh, &anim, &options, MD5_OK);
    CHECK(counting_is_clean(&memory));
    options.max_bytes = 100;
    check_options(&mesh, &anim, &options, MD5_ERROR_LIMIT);
    options.max_bytes = (size_t)1 << 20;
    check_options(&mesh, &anim, &options, MD5_OK);
    CHECK(!md5_load_model_memory(NULL, 5, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    CHECK(!md5_load_anim_memory(NULL, 5, "x", NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    CHECK(!md5_load_model_reader(NULL, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    memset(&reader, 0, sizeof reader);
    CHECK(!md5_load_model_reader(&reader, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    CHECK(!md5_load_anim_reader(&reader, NULL, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    reader.read = read_too_much;
    CHECK(!md5_load_model_reader(&reader, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_READ);
    CHECK(!md5_load_model_memory("", 0, NULL, NULL));
    CHECK(!md5_load_anim_memory("junk", 4, NULL, NULL, NULL));
    model = md5_load_model_memory(mesh.bytes, mesh.size, NULL, NULL);
    CHECK(model != NULL);
    md5_free_model(model);
    md5_free_model(NULL);
    md5_free_anim(NULL);
    m5_free(&mesh);
    m5_free(&anim);
}

/* One block stays, released with its own size; at most one more while loading; the bytes may be
   lent in a block of exactly their size. */
static void test_memory(void)
{
    m5_text      mesh, anim;
    md5_options  options;
    counting_allocator memory;
    md5_model   *model;
    md5_anim    *loaded;
    int          pass;
    check_section("memory");
    memset(&mesh, 0, sizeof mesh);
    memset(&anim, 0, sizeof anim);
    m5_arm_mesh(&mesh, 0);
    m5_arm_anim(&anim, M5_WALK, 0);
    memset(&options, 0, sizeof options);
    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    for (pass = 0; pass < 2; pass++) {
        char  *exact = (char *)malloc_or_abort(pass ? anim.size : mesh.size);
        size_t bytes;
        memcpy(exact, pass ? anim.bytes : mesh.bytes, pass ? anim.size : mesh.size);
        memset(&memory, 0, sizeof memory);
        model = pass ? NULL : md5_load_model_memory(exact, mesh.size, &options, NULL);
        loaded = pass ? md5_load_anim_memory(exact, anim.size, "a", &options, NULL) : NULL;
        free(exact);
        CHECK(model || loaded);
        bytes = model ? model->bytes : loaded ? loaded->bytes : 0;
        CHECK_EQ(memory.live_blocks, 1);
        CHECK_EQ(memory.live_bytes, bytes);
        CHECK(memory.peak_blocks <= 2);
        md5_free_model(model);
        md5_free_anim(loaded);
        CHECK(counting_is_clean(&memory));
    }
    m5_free(&mesh);
    m5_free(&anim);
}

static md5_anim *empty_frames(unsigned count, md5_error *error)
{
    m5_text   text;
    md5_anim *anim;
    unsigned  i;
    memset(&text, 0, sizeof text);
    m5_put(&text,
           "MD5Version 10\nnumFrames %u\nnumJoints 1\nframeRate 24\nnumAnimatedComponents 0\n",
           count);
    m5_put_text(&text, "hierarchy { \"root\" -1 0 0 }\nbounds {\n");
    for (i = 0; i < count; i++) m5_put_text(&text, "( 0 0 0 ) ( 0 0 0 )\n");
    m5_put_text(&text, "}\nbaseframe { ( 1 2 3 ) ( 0 0 0 ) }\n");
    for (i = 0; i < count; i++) m5_put(&text, "frame %u {\n}\n", i);
    anim = md5_load_anim_memory(text.bytes, text.size, NULL, NULL, error);
    m5_free(&text);
    return anim;
}

static void test_frame_limit(void)
{
    md5_error error;
    md5_anim *anim = empty_frames(65536, &error);
    md5_xform pose;
    check_section("65,536 frames");
    if (CHECK(anim != NULL)) {
        CHECK_EQ(anim->frame_count, 65536);
        md5_pose_at(anim, MD5_LOOP, 1e6, &pose);
        CHECK_NEAR(pose.position[2], 3, 0);
    }
    md5_free_anim(anim);
    anim = empty_frames(65537, &error);
    CHECK(anim == NULL);
    CHECK_EQ(error.code, MD5_ERROR_LIMIT);
    md5_free_anim(anim);
}

/* Names of any length, also those that end with the file's longest line. */
static void test_long_names(void)
{
    enum { LENGTH = 9000 };
    static char name[LENGTH + 1];
    m5_text text;
    md5_model *model;
    check_section("long names");
    memset(name, 'n', LENGTH);
    memset(&text, 0, sizeof text);
    m5_put_text(&text, "MD5Version 10 numJoints 1 numMeshes 1 joints { \"");
    m5_put_text(&text, name);
    m5_put_text(&text, "\" -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { shader \"");
    m5_put_text(&text, name);
    m5_put_text(&text, "\" numverts 0 numtris 0 numweights 0 }");
    model = model_of(&text, NULL);
    if (!model) return;
    CHECK_TEXT(model->joints[0].name, name);
    CHECK_TEXT(model->meshes[0].shader, name);
    CHECK_EQ(md5_find_joint(model, name), 0);
    CHECK_TEXT(model->commandline, "");
    name[LENGTH - 1] = '\0';
    CHECK_EQ(md5_find_joint(model, name), -1);
    md5_free_model(model);
}

static void test_result_names(void)
{
    int i, k;
    check_section("result names");
    for (i = 0; i < MD5_RESULT_COUNT; i++) {
        const char *name = md5_result_name((md5_result)i);
        CHECK(name && strncmp(name, "MD5_", 4) == 0);
        for (k = 0; k < i; k++) CHECK(strcmp(name, md5_result_name((md5_result)k)) != 0);
    }
    CHECK_TEXT(md5_result_name(MD5_OK), "MD5_OK");
    CHECK_TEXT(md5_result_name(MD5_ERROR_MISMATCH), "MD5_ERROR_MISMATCH");
    CHECK(md5_result_name(MD5_RESULT_COUNT) != NULL);
}

/* -- Skeleton and poses ---------------------------------------------------- */

static void test_model_fields(void)
{
    md5_model *model = arm();
    m5_xform   bind[M5_JOINTS];
    int        j;
    check_section("model");
    if (!model) return;
    m5_arm_bind(bind);
    CHECK_EQ(model->joint_count, M5_JOINTS);
    CHECK_EQ(model->mesh_count, M5_MESHES);
    for (j = 0; j < M5_JOINTS; j++) {
        CHECK_TEXT(model->joints[j].name, m5_arm[j].name);
        CHECK_EQ(model->joints[j].parent, m5_arm[j].parent);
        CHECK_NEAR(xform_distance(&model->joints[j].bind, &bind[j]), 0, 3e-6);
    }
    CHECK_TEXT(model->meshes[0].shader, "models/arm/sleeve");
    CHECK_TEXT(model->meshes[1].shader, "f:\\models\\arm\\glove_local.tga");
    CHECK_TEXT(model->meshes[2].shader, "");
    CHECK_EQ(model->meshes[0].vertex_count, M5_RINGS * M5_CORNERS);
    CHECK_EQ(model->meshes[0].max_influences, 6);
    CHECK_EQ(model->meshes[1].max_influences, 1);
    CHECK_EQ(model->meshes[2].max_influences, 3);
    CHECK_EQ(model->meshes[0].vertices[6].u, 0.25);
    CHECK_EQ(model->meshes[0].vertices[6].v, 0.125);
    CHECK_EQ(model->meshes[2].vertices[1].v, 7.25);
    CHECK_EQ(model->meshes[0].weights[10].joint, M5_UPPER);
    CHECK_EQ(model->meshes[0].weights[10].bias, 0.875);
    CHECK_TEXT(model->commandline, "mesh models/arm/arm.mb -dest models/arm -game Doom");
    CHECK_EQ(model->flags, 0);
    CHECK_EQ(model->scale, 1);
    CHECK_EQ(md5_find_joint(model, "finger_01"), M5_FINGER);
    CHECK_EQ(md5_find_joint(model, "upper arm"), M5_UPPER);
    CHECK_EQ(md5_find_joint(model, "Upper Arm"), -1);
    CHECK_EQ(md5_find_joint(model, "finger"), -1);
    CHECK_EQ(md5_find_joint(model, ""), -1);
    md5_free_model(model);
}

static void test_anim_fields(void)
{
    md5_anim *anim = clip(M5_WAVE);
    int       j, k, start = 0;
    check_section("animation");
    if (!anim) return;
    CHECK_EQ(anim->frame_count, 13);
    CHECK_EQ(anim->joint_count, M5_JOINTS);
    CHECK_EQ(anim->component_count, m5_component_count());
    CHECK_EQ(anim->fps, 24);
    CHECK_EQ(anim->scale, 1);
    CHECK_TEXT(anim->name, "own");
    for (j = 0; j < M5_JOINTS; j++) {
        CHECK_TEXT(anim->joint_names[j], m5_arm[j].name);
        CHECK_EQ(anim->parents[j], m5_arm[j].parent);
        CHECK_EQ(anim->joint_flags[j], m5_arm[j].flags);
        if (m5_arm[j].flags) CHECK_EQ(anim->joint_start[j], start);
        for (k = 0; k < 6; k++) start += (int)(m5_arm[j].flags >> k) & 1;
    }
    CHECK_EQ(anim->bounds[2].min[1], -32.5);
    CHECK_EQ(anim->bounds[2].max[1], 42.25);
    CHECK_NEAR(md5_anim_length(anim, MD5_LOOP), 12.0 / 24.0, 1e-12);
    CHECK_NEAR(md5_anim_length(anim, MD5_ONCE), 12.0 / 24.0, 1e-12);
    CHECK_NEAR(md5_anim_length(anim, MD5_PING_PONG), 24.0 / 24.0, 1e-12);
    md5_free_anim(anim);
    anim = clip(M5_REACH);
    CHECK_NEAR(md5_anim_length(anim, MD5_LOOP), 8.0 / 30.0, 1e-12);
    CHECK_NEAR(md5_anim_length(anim, MD5_ONCE), 7.0 / 30.0, 1e-12);
    CHECK_NEAR(md5_anim_length(anim, MD5_PING_PONG), 14.0 / 30.0, 1e-12);
    md5_free_anim(anim);
    anim = clip(M5_STILL);
    CHECK_NEAR(md5_anim_length(anim, MD5_LOOP), 1.0 / 24.0, 1e-12);
    CHECK_NEAR(md5_anim_length(anim, MD5_ONCE), 0, 0);
    CHECK_NEAR(md5_anim_length(anim, MD5_PING_PONG), 0, 0);
    md5_free_anim(anim);
}

/* The hand's place, from nothing but the angles. */
static void hand_in_plane(const m5_clip *c, int frame, double hand_offset, double out[3])
{
    double a = m5_bend(c, M5_UPPER, frame) / 57.29577951308232,
           b = a + m5_bend(c, M5_LOWER, frame) / 57.29577951308232;
    out[0] = c->travel * frame + 4.0 + M5_UPPER_LENGTH * cos(a) + hand_offset * cos(b);
    out[1] = M5_UPPER_LENGTH * sin(a) + hand_offset * sin(b);
    out[2] = 1.5 + 0.5 * m5_wave_at(c, frame, 0.3);
}

/* w is minus the root; what no flag moves comes from the baseframe; poses are local. One wrong, and
   the hand is elsewhere. */
static void test_closed_form(void)
{
    md5_model *model = arm();
    int        number, frame;
    check_section("closed form");
    for (number = 0; number < M5_CLIPS; number++) {
        const m5_clip *c = &m5_clips[number];
        md5_anim      *anim = clip(number);
        check_subject(c->name);
        for (frame = 0; anim && model && frame < c->frames; frame++) {
            md5_xform *pose = posed(model, anim, MD5_ONCE, frame / c->rate);
            double     want[3], length = M5_LOWER_LENGTH + 0.25 * m5_wave_at(c, frame, 0.6);
            m5_xform   hand = widen(&pose[M5_HAND]);
            hand_in_plane(c, frame, length, want);
            CHECK_NEAR(distance3(hand.p, want), 0, 5e-5);
            free(pose);
        }
        md5_free_anim(anim);
    }
    md5_free_model(model);
}

/* Trap: the sign of w. A bind pose and a baseframe of the same skeleton agree only with minus. */
static void test_w_sign(void)
{
    static const char mesh[] =
        "MD5Version 10 numJoints 2 numMeshes 0 joints { \"a\" -1 ( 1 2 3 ) ( 0.5 0.5 0.5 ) "
        "\"b\" 0 ( 1 2 13 ) ( 0 0 0.70710678 ) }";
    md5_model *model = md5_load_model_memory(mesh, sizeof mesh - 1, NULL, NULL);
    md5_xform  local[2];
    check_section("the sign of w");
    if (!CHECK(model != NULL)) return;
    CHECK_NEAR(model->joints[0].bind.rotation[3], -0.5, 1e-6);
    CHECK_NEAR(model->joints[1].bind.rotation[3], -0.70710678, 1e-6);
    md5_pose_bind(model, local);
    /* 120 degrees about (-1, -1, -1) turn x into z; about (1, 1, 1), which plus would mean, y does.
       */
    CHECK_NEAR(local[1].position[0], 10, 1e-5);
    CHECK_NEAR(local[1].position[1], 0, 1e-5);
    CHECK_NEAR(local[1].position[2], 0, 1e-5);
    md5_free_model(model);
}

/* Trap: x y z longer than one means a half turn, and is shortened. */
static void test_too_long(void)
{
    static const char mesh[] =
        "MD5Version 10 numJoints 1 numMeshes 0 joints { \"a\" -1 ( 0 0 0 ) ( 0.6 0 0.8001 ) }";
    static const char anim[] =
        "MD5Version 10 numFrames 1 numJoints 1 frameRate 24 numAnimatedComponents 3 hierarchy { "
        "\"a\" -1 56 0 } "
        "bounds { ( 0 0 0 ) ( 0 0 0 ) } baseframe { ( 0 0 0 ) ( 0.9 0.9 0.9 ) } frame 0 { 0 -3 4 }";
    md5_model *model = md5_load_model_memory(mesh, sizeof mesh - 1, NULL, NULL);
    md5_anim  *loaded = md5_load_anim_memory(anim, sizeof anim - 1, NULL, NULL, NULL);
    m5_xform   want = { { 0, 0, 0 }, { 0.6, 0, 0.8001, 0 } };
    check_section("x y z longer than one");
    m5_normalize(want.q, 4);
    if (CHECK(model != NULL)) {
        CHECK_NEAR(xform_distance(&model->joints[0].bind, &want), 0, 1e-6);
        CHECK_NEAR(model->joints[0].bind.rotation[3], 0, 0);
    }
    if (CHECK(loaded != NULL)) {
        md5_xform pose;
        md5_pose_at(loaded, MD5_LOOP, 0.0, &pose);
        want.q[0] = 0;
        want.q[1] = -0.6;
        want.q[2] = 0.8;
        CHECK_NEAR(xform_distance(&pose, &want), 0, 1e-6);
    }
    md5_free_model(model);
    md5_free_anim(loaded);
}

static void test_bind_pose(void)
{
    md5_model *model = arm();
    md5_xform *pose = posed(model, NULL, MD5_LOOP, 0);
    float      min[3], max[3];
    uint32_t   i, m;
    int        k;
    check_section("bind pose");
    for (i = 0; i < model->joint_count; i++) {
        m5_xform want = widen(&model->joints[i].bind);
        CHECK_NEAR(xform_distance(&pose[i], &want), 0, 2e-5);
    }
    for (m = 0; m < model->mesh_count; m++) {
        const md5_mesh *mesh = &model->meshes[m];
        float          *positions = new_floats(3 * (size_t)mesh->vertex_count);
        double          most = 0.0;
        md5_pose_vertices(model, m, pose, positions, 0, NULL, 0, NULL, 0);
        for (i = 0; i < mesh->vertex_count; i++)
            for (k = 0; k < 3; k++)
                keep_worst(&most, fabs((double)positions[3 * i + (uint32_t)k] -
                                       (double)mesh->vertices[i].position[k]));
        CHECK_NEAR(most / extent_of(model->min, model->max), 0, 1e-5);
        free(positions);
    }
    md5_pose_bounds(model, pose, min, max);
    for (m = 0; m < model->mesh_count; m++) {
        for (i = 0; i < model->meshes[m].vertex_count; i++) {
            const float *p = model->meshes[m].vertices[i].position;
            for (k = 0; k < 3; k++) CHECK(p[k] >= model->min[k] && p[k] <= model->max[k]);
        }
    }
    for (k = 0; k < 3; k++) {
        CHECK_NEAR(min[k], model->min[k], 1e-4);
        CHECK_NEAR(max[k], model->max[k], 1e-4);
    }
    free(pose);
    md5_free_model(model);
}

/* The sleeve's corners lie where they were put: biases, weight positions and joints together. */
static void test_bind_vertices(void)
{
    md5_model *model = arm();
    m5_xform   bind[M5_JOINTS];
    int        ring, corner, k;
    check_section("bind vertices");
    m5_arm_bind(bind);
    for (ring = 0; ring < M5_RINGS; ring++) {
        for (corner = 0; corner < M5_CORNERS; corner++) {
            const md5_vertex *vertex = &model->meshes[0].vertices[ring * M5_CORNERS + corner];
            double            want[3], got[3];
            m5_ring_point(bind, ring, corner, want);
            for (k = 0; k < 3; k++) got[k] = (double)vertex->position[k];
            CHECK_NEAR(distance3(got, want), 0, 2e-5);
        }
    }
    md5_free_model(model);
}

/* Times before the start, beyond the end, on frames, between them, at every seam; NaN and infinity
   count as 0. */
static void test_times(void)
{
    static const double times[] = { 0,       0.03125, 0.0625, 0.1, 0.25,  0.3,  0.3125,
                                    0.34375, 0.375,   0.4,    0.5, 1,     17.3, 1e6 + 0.1,
                                    -0.01,   -0.0625, -0.3,   -1,  -77.77 };
    int                 number, mode;
    size_t              i, pairs = 0;
    check_section("times");
    for (number = 0; number < M5_CLIPS; number++) {
        m5_text   text;
        ref_anim  ref;
        md5_anim *anim;
        memset(&text, 0, sizeof text);
        m5_arm_anim(&text, number, 0);
        ref = ref_read_anim(text.bytes, text.size);
        anim = anim_of(&text, NULL);
        if (!anim) continue;
        CHECK_EQ(anim->closed, m5_clips[number].repeats);
        for (mode = 0; mode < 3; mode++) {
            md5_xform *zero = new_pose(anim->joint_count), *pose = new_pose(anim->joint_count + 1);
            md5_pose_at(anim, (md5_mode)mode, 0.0, zero);
            for (i = 0; i < sizeof times / sizeof times[0]; i++, pairs++) {
                m5_xform want[M5_JOINTS];
                double   most = 0.0;
                uint32_t j;
                ref_pose_at(&ref, anim->closed, (md5_mode)mode, times[i], want);
                md5_pose_at(anim, (md5_mode)mode, times[i], pose);
                for (j = 0; j < anim->joint_count; j++)
                    keep_worst(&most, xform_distance(&pose[j], &want[j]));
                CHECK_NEAR(most, 0, 1e-5);
            }
            md5_pose_at(anim, (md5_mode)mode, HUGE_VAL, pose);
            CHECK(same_bits(pose, zero, anim->joint_count * sizeof *pose));
            md5_pose_at(anim, (md5_mode)mode, -HUGE_VAL, pose);
            CHECK(same_bits(pose, zero, anim->joint_count * sizeof *pose));
            md5_pose_at(anim, (md5_mode)mode, HUGE_VAL - HUGE_VAL, pose);
            CHECK(same_bits(pose, zero, anim->joint_count * sizeof *pose));
            free(zero);
            free(pose);
        }
        md5_free_anim(anim);
        ref_free_anim(&ref);
    }
    CHECK_FLOOR(pairs, 250, "times against the reference");
}

/* 10^6 steps are as good as one of 10^6 steps' length, and posing leaves nothing behind. */
static void test_no_drift(void)
{
    md5_anim  *anim = clip(M5_WAVE);
    md5_xform  a[M5_JOINTS], b[M5_JOINTS];
    md5_player player;
    int        i;
    check_section("no drift");
    memset(&player, 0, sizeof player);
    md5_play(&player, anim, MD5_LOOP, 0.0f);
    for (i = 0; i < 1000000; i++) md5_advance(&player, 0.015625f);
    CHECK_NEAR(player.track[0].time, 15625.0, 1e-6);
    md5_pose_at(anim, MD5_LOOP, player.track[0].time, a);
    md5_pose_at(anim, MD5_LOOP, 15625.0, b);
    CHECK(pose_distance(a, b, M5_JOINTS) < 1e-5);
    md5_pose_at(anim, MD5_LOOP, 0.1, a);
    md5_pose_at(anim, MD5_LOOP, 33.3, b);
    md5_pose_at(anim, MD5_LOOP, 0.1, b);
    CHECK(same_bits(a, b, sizeof a));
    md5_free_anim(anim);
}

/* -- Is the last frame the first again? ------------------------------------ */

static struct {
    double angle, position, root;
    int    frames;
} repeat;

static m5_xform repeated_pose(int joint, int frame)
{
    bool     last = frame == repeat.frames - 1;
    int      step = last ? 0 : frame;
    m5_xform x = xform_at(joint ? 10 : 0, step, 0, 0, 0, 1, 20.0 * step + 15.0);
    if (joint == 2 && last)
        x = xform_at(10 + repeat.position, step, 0, 0, 0, 1,
                     15.0 + repeat.angle * 57.29577951308232);
    if (joint == 0) x.p[1] = repeat.root * frame;
    return x;
}

static bool repeats(int frames, double angle, double position, double root)
{
    md5_anim *anim;
    bool      closed;
    repeat.frames = frames;
    repeat.angle = angle;
    repeat.position = position;
    repeat.root = root;
    anim = chain_anim(4, frames, repeated_pose);
    closed = anim && anim->closed;
    md5_free_anim(anim);
    return closed;
}

static void test_closed(void)
{
    check_section("closed");
    CHECK(repeats(6, 0, 0, 0));
    CHECK(repeats(6, 0, 0, 50));
    CHECK(repeats(2, 0, 0, 0));
    CHECK(repeats(6, 0.015, 0, 0));
    CHECK(repeats(6, -0.015, 0, 3));
    CHECK(!repeats(6, 0.03, 0, 0));
    CHECK(!repeats(6, -0.03, 0, 0));
    CHECK(!repeats(6, 3.0, 0, 0));
    CHECK(repeats(6, 0, 0.01, 0));
    CHECK(!repeats(6, 0, 1.0, 0));
    CHECK(!repeats(6, 0, -2.0, 50));
    CHECK(!repeats(1, 0, 0, 0));
}

/* -- Slerp ----------------------------------------------------------------- */

static void random_rotation(random_source *random, float out[4])
{
    double q[4];
    int    k;
    do {
        for (k = 0; k < 4; k++) q[k] = random_unit(random) * 2.0 - 1.0;
    } while (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 0.01);
    m5_normalize(q, 4);
    for (k = 0; k < 4; k++) out[k] = (float)q[k];
}

/* A second rotation: anywhere, near, near the opposite, or almost a half turn away. */
static void related_rotation(random_source *random, const float a[4], float out[4])
{
    double   q[4], other[4], size = pow(10.0, -7.0 * random_unit(random)), dot = 0.0;
    uint32_t kind = random_below(random, 4);
    int      k;
    random_rotation(random, out);
    if (kind == 0) return;
    for (k = 0; k < 4; k++) {
        other[k] = (double)out[k];
        dot += (double)a[k] * other[k];
    }
    for (k = 0; k < 4; k++) q[k] = (kind == 2 ? -1.0 : 1.0) * (double)a[k] + size * other[k];
    for (k = 0; kind == 3 && k < 4; k++)
        q[k] = other[k] - dot * (double)a[k] + (size + 1e-3) * (double)a[k];
    m5_normalize(q, 4);
    for (k = 0; k < 4; k++) out[k] = (float)q[k];
}

static void check_slerp(const md5_xform *a, const md5_xform *b, float t)
{
    md5_xform out;
    m5_xform  x = widen(a), y = widen(b), got;
    double    want[4], norm = 0.0;
    int       k;
    md5_pose_mix(a, b, t, NULL, 1, &out);
    m5_normalize(x.q, 4);
    m5_normalize(y.q, 4);
    ref_slerp(x.q, y.q, (double)t, want);
    got = widen(&out);
    for (k = 0; k < 4; k++) norm += got.q[k] * got.q[k];
    keep_worst(&worst.norm, fabs(sqrt(norm) - 1.0));
    keep_worst(&worst.slerp, rotation_distance(got.q, want));
}

static void test_slerp(void)
{
    random_source random = { 7 };
    md5_xform    a, b;
    int          i;
    check_section("slerp");
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (i = 0; i < 200000; i++) {
        random_rotation(&random, a.rotation);
        related_rotation(&random, a.rotation, b.rotation);
        check_slerp(&a, &b,
                    i % 10 ? (float)random_unit(&random) : (float)(i / 10 % 5) * 0.25f);
    }
    CHECK_FLOOR(i, 200000, "pairs of rotations");
    CHECK_NEAR(worst.slerp, 0, 1e-6);
    CHECK_NEAR(worst.norm, 0, 1e-6);
    for (i = 0; i < 4; i++) b.rotation[i] = -a.rotation[i];
    md5_pose_mix(&a, &b, 0.5f, NULL, 1, &b);
    CHECK(pose_distance(&a, &b, 1) < 1e-6);
    /* exactly a half turn apart: either way round will do, as long as it is a rotation */
    a.rotation[0] = b.rotation[1] = 1.0f;
    a.rotation[1] = a.rotation[2] = a.rotation[3] = 0.0f;
    b.rotation[0] = b.rotation[2] = b.rotation[3] = 0.0f;
    md5_pose_mix(&a, &b, 0.5f, NULL, 1, &a);
    CHECK_NEAR(dot3f(a.rotation, a.rotation) + (double)a.rotation[3] * (double)a.rotation[3], 1,
               1e-6);
}

/* Trap: from 170 to -170 degrees is 20 degrees on, not 340 back; in a file all w are negative. */
static m5_xform past_half_turn(int joint, int frame)
{
    (void)joint;
    return xform_at(0, 0, 0, 0, 0, 1, frame ? -170.0 : 170.0);
}

static void test_short_arc(void)
{
    md5_anim *anim = chain_anim(1, 2, past_half_turn);
    m5_xform half_turn = xform_at(0, 0, 0, 0, 0, 1, 180.0);
    md5_xform pose;
    check_section("the short way round");
    if (!anim) return;
    md5_pose_at(anim, MD5_ONCE, 0.5 / 16.0, &pose);
    CHECK_NEAR(xform_distance(&pose, &half_turn), 0, 1e-5);
    md5_free_anim(anim);
}

/* -- Mixing, adding, masks ------------------------------------------------- */

static void random_pose(random_source *random, md5_xform *pose, size_t count)
{
    size_t i;
    int    k;
    for (i = 0; i < count; i++) {
        for (k = 0; k < 3; k++)
            pose[i].position[k] = (float)(random_unit(random) * 8.0 - 4.0);
        random_rotation(random, pose[i].rotation);
    }
}

static double mix_error(const md5_xform *a, const md5_xform *b, const md5_xform *out, size_t count,
                        float t, const float *mask)
{
    double most = 0.0;
    size_t i;
    for (i = 0; i < count; i++) {
        m5_xform x = widen(&a[i]), y = widen(&b[i]),
                 want = ref_mix(&x, &y, (double)t * (mask ? (double)mask[i] : 1.0));
        keep_worst(&most, xform_distance(&out[i], &want));
    }
    return most;
}

static void test_mix(void)
{
    enum { COUNT = 67 };
    random_source random = { 3 };
    md5_xform    a[COUNT], b[COUNT], out[COUNT], again[COUNT];
    float        mask[COUNT];
    size_t       i, count;
    check_section("mix");
    random_pose(&random, a, COUNT);
    random_pose(&random, b, COUNT);
    for (i = 0; i < COUNT; i++) mask[i] = (float)(i % 5) * 0.25f;
    for (count = 0; count <= COUNT; count += count < 9 ? 1 : 29) {
        memset(out, 0x5A, sizeof out);
        md5_pose_mix(a, b, 0.3f, NULL, count, out);
        CHECK_NEAR(mix_error(a, b, out, count, 0.3f, NULL), 0, 2e-6);
        if (count < COUNT) CHECK(((const unsigned char *)&out[count])[0] == 0x5A);
        md5_pose_mix(a, b, 0.7f, mask, count, out);
        CHECK_NEAR(mix_error(a, b, out, count, 0.7f, mask), 0, 2e-6);
    }
    md5_pose_mix(a, b, 0.0f, NULL, COUNT, out);
    CHECK_NEAR(pose_distance(a, out, COUNT), 0, 1e-6);
    md5_pose_mix(a, b, 1.0f, NULL, COUNT, out);
    CHECK_NEAR(pose_distance(b, out, COUNT), 0, 1e-6);
    memset(mask, 0, sizeof mask);
    md5_pose_mix(a, b, 1.0f, mask, COUNT, out);
    CHECK_NEAR(pose_distance(a, out, COUNT), 0, 1e-6);
    md5_pose_mix(a, b, 0.4f, NULL, COUNT, out);
    memcpy(again, a, sizeof a);
    md5_pose_mix(again, b, 0.4f, NULL, COUNT, again);
    CHECK(same_bits(again, out, sizeof out));
    memcpy(again, b, sizeof b);
    md5_pose_mix(a, again, 0.4f, NULL, COUNT, again);
    CHECK(same_bits(again, out, sizeof out));
}

static m5_xform ref_add(const md5_xform *base, const md5_xform *pose, const md5_xform *reference,
                        double t)
{
    static const m5_xform nothing = { { 0, 0, 0 }, { 0, 0, 0, 1 } };
    m5_xform              from = widen(reference), to = widen(pose), onto = widen(base), change;
    from = m5_inverse(&from);
    change = m5_compose(&from, &to);
    change = ref_mix(&nothing, &change, t);
    return m5_compose(&onto, &change);
}

static void test_add(void)
{
    enum { COUNT = 23 };
    random_source random = { 5 };
    md5_xform    base[COUNT], pose[COUNT], reference[COUNT], out[COUNT], again[COUNT];
    float        mask[COUNT];
    double       most = 0.0, masked = 0.0;
    size_t       i;
    check_section("add");
    random_pose(&random, base, COUNT);
    random_pose(&random, pose, COUNT);
    random_pose(&random, reference, COUNT);
    for (i = 0; i < COUNT; i++) mask[i] = (float)(i % 3) * 0.5f;
    md5_pose_add(base, pose, reference, 0.6f, NULL, COUNT, out);
    md5_pose_add(base, pose, reference, 0.6f, mask, COUNT, again);
    for (i = 0; i < COUNT; i++) {
        m5_xform want = ref_add(&base[i], &pose[i], &reference[i], (double)0.6f);
        keep_worst(&most, xform_distance(&out[i], &want));
        want = ref_add(&base[i], &pose[i], &reference[i], (double)0.6f * (double)mask[i]);
        keep_worst(&masked, xform_distance(&again[i], &want));
    }
    CHECK_NEAR(most, 0, 1e-5);
    CHECK_NEAR(masked, 0, 1e-5);
    md5_pose_add(base, pose, reference, 0.0f, NULL, COUNT, out);
    CHECK_NEAR(pose_distance(base, out, COUNT), 0, 2e-6);
    md5_pose_add(base, pose, pose, 1.0f, NULL, COUNT, out);
    CHECK_NEAR(pose_distance(base, out, COUNT), 0, 1e-5);
    md5_pose_add(reference, pose, reference, 1.0f, NULL, COUNT, out);
    CHECK_NEAR(pose_distance(pose, out, COUNT), 0, 1e-5);
    md5_pose_add(base, pose, reference, 0.6f, NULL, COUNT, out);
    memcpy(again, base, sizeof base);
    md5_pose_add(again, pose, reference, 0.6f, NULL, COUNT, again);
    CHECK(same_bits(again, out, sizeof out));
    memcpy(again, pose, sizeof pose);
    md5_pose_add(base, again, reference, 0.6f, NULL, COUNT, again);
    CHECK(same_bits(again, out, sizeof out));
}

static void test_mask_branch(void)
{
    md5_model         *model = arm();
    static const float want[M5_JOINTS] = { 0.0f, 0.0f, 0.5f, 0.25f, 0.25f, 1.0f };
    float              mask[M5_JOINTS];
    int                j;
    check_section("mask of a branch");
    memset(mask, 0, sizeof mask);
    md5_mask_branch(model, M5_LOWER, 0.5f, mask);
    md5_mask_branch(model, M5_HAND, 0.25f, mask);
    md5_mask_branch(model, M5_FINGER, 1.0f, mask);
    for (j = 0; j < M5_JOINTS; j++) CHECK_EQ(mask[j], want[j]);
    md5_mask_branch(model, M5_JOINTS, 7.0f, mask);
    md5_mask_branch(model, 4294967295u, 7.0f, mask);
    for (j = 0; j < M5_JOINTS; j++) CHECK_EQ(mask[j], want[j]);
    md5_mask_branch(model, M5_ORIGIN, 3.0f, mask);
    for (j = 0; j < M5_JOINTS; j++) CHECK_EQ(mask[j], 3);
    md5_free_model(model);
}

/* An upper body that waves while the legs run: the branch follows one animation, the rest the
   other. */
static void test_masked_branch(void)
{
    md5_model *model = arm();
    md5_anim  *wave = clip(M5_WAVE), *reach = clip(M5_REACH);
    md5_xform  a[M5_JOINTS], b[M5_JOINTS], out[M5_JOINTS];
    float      mask[M5_JOINTS];
    check_section("a masked branch");
    memset(mask, 0, sizeof mask);
    md5_mask_branch(model, M5_HAND, 1.0f, mask);
    md5_pose_at(wave, MD5_LOOP, 0.2, a);
    md5_pose_at(reach, MD5_LOOP, 0.2, b);
    md5_pose_mix(a, b, 1.0f, mask, M5_JOINTS, out);
    CHECK_NEAR(pose_distance(out, a, M5_HAND), 0, 1e-6);
    CHECK_NEAR(pose_distance(out + M5_HAND, b + M5_HAND, M5_JOINTS - M5_HAND), 0, 1e-6);
    md5_free_anim(wave);
    md5_free_anim(reach);
    md5_free_model(model);
}

/* Wart of the article: blending composed joints shortens the bones, by up to a quarter. Local poses
   do not. */
static void test_bone_lengths(void)
{
    md5_model *model = arm();
    int        from, to, step, j;
    check_section("bone lengths through a crossfade");
    for (from = 0; from < M5_CLIPS; from++) {
        for (to = 0; to < M5_CLIPS; to++) {
            md5_anim *a = clip(from), *b = clip(to);
            md5_xform x[M5_JOINTS], y[M5_JOINTS], mixed[M5_JOINTS];
            for (step = 0; step <= 16; step++) {
                md5_pose_at(a, MD5_LOOP, 0.03 * step, x);
                md5_pose_at(b, MD5_LOOP, 0.2 + 0.03 * step, y);
                md5_pose_mix(x, y, (float)step / 16.0f, NULL, M5_JOINTS, mixed);
                md5_pose_to_model_space(model, mixed, mixed);
                for (j = 1; j < M5_JOINTS; j++) {
                    m5_xform child = widen(&mixed[j]), parent = widen(&mixed[m5_arm[j].parent]);
                    double   length = distance3(child.p, parent.p), want = length3f(x[j].position);
                    if (j != M5_HAND) keep_worst(&worst.bone, fabs(length - want) / want);
                }
            }
            md5_free_anim(a);
            md5_free_anim(b);
        }
    }
    CHECK_NEAR(worst.bone, 0, 1e-5);
    md5_free_model(model);
}

/* Trap: what moves is in the pose and in the player. Not a byte of model or animation changes. */
static void test_read_only(void)
{
    counting_allocator memory; /* fills what it gives, gaps between the lists too */
    md5_options filled;
    md5_model *model;
    md5_anim *anim;
    unsigned char *before, *anim_before;
    md5_xform pose[M5_JOINTS], scratch[M5_JOINTS];
    float out[M5_RINGS * M5_CORNERS * 3];
    md5_player one, two;
    check_section("read-only");
    memset(&memory, 0, sizeof memory);
    memset(&filled, 0, sizeof filled);
    filled.allocator.alloc = counting_alloc;
    filled.allocator.release = counting_release;
    filled.allocator.user = &memory;
    model = arm_with(0, &filled);
    anim = clip_with(M5_WALK, 0, &filled);
    before = (unsigned char *)malloc_or_abort(model->bytes);
    anim_before = (unsigned char *)malloc_or_abort(anim->bytes);
    memcpy(before, model, model->bytes);
    memcpy(anim_before, anim, anim->bytes);
    memset(&one, 0, sizeof one);
    md5_play(&one, anim, MD5_LOOP, 0.0f);
    two = one;
    md5_advance(&one, 0.3f);
    md5_player_pose(model, &one, pose, scratch);
    md5_pose_to_model_space(model, pose, pose);
    md5_pose_vertices(model, 0, pose, out, 0, NULL, 0, NULL, 0);
    md5_advance(&two, 0.1f);
    CHECK_NEAR(one.track[0].time, 0.3, 1e-6);
    CHECK_NEAR(two.track[0].time, 0.1, 1e-6);
    CHECK(same_bits(before, model, model->bytes));
    CHECK(same_bits(anim_before, anim, anim->bytes));
    free(before);
    free(anim_before);
    md5_free_anim(anim);
    md5_free_model(model);
}

/* -- Matrices -------------------------------------------------------------- */

static void test_matrix(void)
{
    md5_model *model = arm();
    md5_anim  *anim = clip(M5_REACH);
    md5_xform *pose = posed(model, anim, MD5_ONCE, 0.11);
    float      matrix[16];
    int        j, k;
    check_section("attachment matrix");
    for (j = 0; j < M5_JOINTS; j++) {
        static const double point[3] = { 1.5, -2.0, 0.75 };
        m5_xform            x = widen(&pose[j]);
        double              want[3];
        m5_transform(&x, point, want);
        md5_pose_matrix(&pose[j], matrix);
        for (k = 0; k < 3; k++) {
            CHECK_NEAR((double)matrix[k] * point[0] + (double)matrix[4 + k] * point[1] +
                           (double)matrix[8 + k] * point[2] + (double)matrix[12 + k],
                       want[k], 1e-5);
            CHECK_EQ(matrix[4 * k + 3], 0);
            CHECK_EQ(matrix[12 + k], pose[j].position[k]);
        }
        CHECK_EQ(matrix[15], 1);
    }
    free(pose);
    md5_free_anim(anim);
    md5_free_model(model);
}

static void apply_rows(const float rows[12], const double p[3], double out[3])
{
    int k;
    for (k = 0; k < 3; k++)
        out[k] = (double)rows[4 * k] * p[0] + (double)rows[4 * k + 1] * p[1] +
                 (double)rows[4 * k + 2] * p[2] + (double)rows[4 * k + 3];
}

static void test_palette(void)
{
    md5_model *model = arm();
    md5_anim  *anim = clip(M5_WAVE);
    md5_xform *bind = posed(model, NULL, MD5_LOOP, 0), *pose = posed(model, anim, MD5_LOOP, 0.3);
    float      palette[M5_JOINTS * 12 + 1];
    int        j, k;
    check_section("palette");
    palette[M5_JOINTS * 12] = 77.0f;
    md5_pose_palette(model, bind, palette);
    for (j = 0; j < M5_JOINTS; j++)
        for (k = 0; k < 12; k++) CHECK_NEAR(palette[12 * j + k], k % 5 == 0 ? 1.0 : 0.0, 2e-5);
    md5_pose_palette(model, pose, palette);
    for (j = 0; j < M5_JOINTS; j++) {
        static const double point[3] = { 0.5, -1.25, 2.0 };
        m5_xform            x = widen(&pose[j]), rest = widen(&model->joints[j].bind);
        double              at[3], want[3], got[3];
        m5_transform(&rest, point, at);
        m5_transform(&x, point, want);
        apply_rows(palette + 12 * j, at, got);
        CHECK_NEAR(distance3(got, want), 0, 5e-5);
        apply_rows(model->joints[j].inverse_bind, at, got);
        CHECK_NEAR(distance3(got, point), 0, 2e-5);
    }
    CHECK_EQ(palette[M5_JOINTS * 12], 77);
    free(bind);
    free(pose);
    md5_free_anim(anim);
    md5_free_model(model);
}

/* -- Skinning -------------------------------------------------------------- */

/* Positions and, for models whose weights agree on where a vertex is, the same through the palette.
   Every weight counts. */
static void test_skinning(void)
{
    m5_text    text;
    ref_model  ref;
    md5_model *model;
    md5_anim  *anim = clip(M5_REACH);
    md5_xform *pose;
    float      palette[12 * M5_JOINTS];
    m5_xform   wide[M5_JOINTS];
    uint32_t   m, i, w;
    int        j;
    check_section("skinning");
    memset(&text, 0, sizeof text);
    m5_arm_mesh(&text, 0);
    ref = ref_read_model(text.bytes, text.size);
    model = model_of(&text, NULL);
    pose = posed(model, anim, MD5_LOOP, 0.123);
    md5_pose_palette(model, pose, palette);
    for (j = 0; j < M5_JOINTS; j++) wide[j] = widen(&pose[j]);
    for (m = 0; m < model->mesh_count; m++) {
        const md5_mesh *mesh = &model->meshes[m];
        float          *positions = new_floats(3 * (size_t)mesh->vertex_count);
        md5_pose_vertices(model, m, pose, positions, 0, NULL, 0, NULL, 0);
        for (i = 0; i < mesh->vertex_count; i++) {
            double want[3], got[3], by_palette[3] = { 0, 0, 0 };
            int    k;
            for (w = 0; w < mesh->vertices[i].weight_count; w++) {
                const md5_weight *weight = &mesh->weights[mesh->vertices[i].first_weight + w];
                m5_xform          rest = widen(&model->joints[weight->joint].bind);
                double            local[3], at[3], moved[3];
                for (k = 0; k < 3; k++) local[k] = (double)weight->position[k];
                m5_transform(&rest, local, at);
                apply_rows(palette + 12 * weight->joint, at, moved);
                for (k = 0; k < 3; k++) by_palette[k] += (double)weight->bias * moved[k];
            }
            ref_skin(&ref.mesh[m], (int)i, wide, want);
            for (k = 0; k < 3; k++) got[k] = (double)positions[3 * i + (uint32_t)k];
            CHECK_NEAR(distance3(got, want), 0, 1e-4);
            CHECK_NEAR(distance3(got, by_palette), 0, 2e-4);
        }
        free(positions);
    }
    free(pose);
    ref_free_model(&ref);
    md5_free_anim(anim);
    md5_free_model(model);
}

static bool same_loaded(const md5_model *a, const md5_model *b);
static bool same_poses(const md5_model *model, const md5_model *scalar, const md5_anim *a,
                       const md5_anim *b, double seconds);

static void bounds_of(const md5_model *model, const md5_xform *pose, float min[3], float max[3]);
static void check_directions(const md5_model *model, const md5_xform *pose);

enum { MANY_JOINTS = 131, MANY_VERTICES = 77, SHARED = 64, MOST_VERTICES = 3 * SHARED + 21 };

static m5_xform many_pose(int joint, int frame)
{
    return xform_at(joint ? 1 : 0, 0.25 * frame, 0.125 * (joint % 5), joint % 7 - 3, joint % 4, 1,
                    7.0 * frame * (joint % 3) - 2.0 * joint);
}

static void put_many_joints(m5_text *text)
{
    int i;
    m5_put(text, "MD5Version 10\nnumJoints %d\nnumMeshes 1\njoints {\n", MANY_JOINTS);
    for (i = 0; i < MANY_JOINTS; i++)
        m5_put(text, "\"j%d\" %d ( %d 0 0 ) ( 0 0 0 )\n", i, i - 1, i);
    m5_put_text(text, "}\n");
}

static void put_many_mesh(m5_text *text)
{
    int i, w;
    put_many_joints(text);
    m5_put(text, "mesh {\nshader \"many\"\nnumverts %d\n", MANY_VERTICES);
    for (i = 0; i < MANY_VERTICES; i++)
        m5_put(text, "vert %d ( 0 %d ) %d %d\n", i, i, i, 1 + i % 5);
    m5_put(text, "numtris %d\n", MANY_VERTICES - 2);
    for (i = 0; i < MANY_VERTICES - 2; i++) m5_put(text, "tri %d %d %d %d\n", i, i, i + 1, i + 2);
    m5_put(text, "numweights %d\n", MANY_VERTICES + 5);
    for (i = 0; i < MANY_VERTICES + 5; i++) {
        w = i * 37 % MANY_JOINTS;
        m5_put(text, "weight %d %d %d.25 ( %d %d.5 %d )\n", i, w, i % 2, i % 3, i % 4, i % 7);
    }
    m5_put_text(text, "}\n");
}

/* 128 joints, as many as a palette holds, and `last_joint`. Vertices share weights: one vertex has a weight
   alone, others have it together with its neighbours. The last weight is that of the last vertex. */
static void put_shared_mesh(m5_text *text, int last_joint)
{
    int i;
    put_many_joints(text);
    m5_put(text, "mesh {\nshader \"shared\"\nnumverts %d\n", MOST_VERTICES);
    for (i = 0; i < 2 * SHARED; i++)
        m5_put(text, "vert %d ( 0 %d ) %d 1\n", i, i, i % SHARED * 2 + i / SHARED);
    for (; i < 3 * SHARED; i++)
        m5_put(text, "vert %d ( 0 %d ) %d 2\n", i, i, i % SHARED * 2);
    for (; i < MOST_VERTICES - 1; i++)
        m5_put(text, "vert %d ( 0 %d ) %d 3\n", i, i, i % SHARED * 2 + 1);
    m5_put(text, "vert %d ( 0 %d ) %d 2\n", i, i, 2 * SHARED);
    m5_put(text, "numtris %d\n", MOST_VERTICES - 2);
    for (i = 0; i < MOST_VERTICES - 2; i++) m5_put(text, "tri %d %d %d %d\n", i, i, i + 1, i + 2);
    m5_put(text, "numweights %d\n", 2 * SHARED + 2);
    for (i = 0; i < 2 * SHARED + 2; i++)
        m5_put(text, "weight %d %d 0.5 ( %d %d.5 %d )\n", i,
               i < 2 * SHARED ? i / 2 + i % 2 * SHARED : i % 2 ? last_joint : 36, i % 3, i % 4, i % 7);
    m5_put_text(text, "}\n");
}

static void put_full_palette_mesh(m5_text *text) { put_shared_mesh(text, 2 * SHARED - 1); }
static void put_private_palette_mesh(m5_text *text) { put_shared_mesh(text, 2 * SHARED); }

/* More joints than are posed at once: a palette holds those of the mesh, or they are one too many for it. */
static void test_many_joints(void put_mesh(m5_text *text), int vertices)
{
    m5_text    mesh_text, anim_text;
    ref_model  ref;
    ref_anim   ref_clip;
    md5_model *model, *scalar;
    md5_anim  *anim, *scalar_anim;
    md5_xform *pose;
    m5_xform   local[MANY_JOINTS], want[MANY_JOINTS];
    float      positions[3 * MOST_VERTICES], low[3], high[3], min[3], max[3];
    double     most = 0.0;
    int        i, k;
    check_section("many joints");
    memset(&mesh_text, 0, sizeof mesh_text);
    memset(&anim_text, 0, sizeof anim_text);
    put_mesh(&mesh_text);
    put_chain_anim(&anim_text, MANY_JOINTS, 4, many_pose);
    ref = ref_read_model(mesh_text.bytes, mesh_text.size);
    ref_clip = ref_read_anim(anim_text.bytes, anim_text.size);
    scalar = scalar_load_model(mesh_text.bytes, mesh_text.size, NULL);
    scalar_anim = scalar_load_anim(anim_text.bytes, anim_text.size, NULL);
    model = model_of(&mesh_text, NULL);
    anim = anim_of(&anim_text, NULL);
    if (!CHECK(model && anim && scalar && scalar_anim)) return;
    ref_pose_at(&ref_clip, anim->closed, MD5_LOOP, 0.1, local);
    ref_to_model_space(ref.joint, MANY_JOINTS, local, want);
    pose = posed(model, anim, MD5_LOOP, 0.1);
    md5_pose_vertices(model, 0, pose, positions, 0, NULL, 0, NULL, 0);
    for (i = 0; i < vertices; i++) {
        double right[3], got[3];
        ref_skin(&ref.mesh[0], i, want, right);
        for (k = 0; k < 3; k++) got[k] = (double)positions[3 * i + k];
        keep_worst(&most, distance3(got, right));
    }
    CHECK_NEAR(most, 0, 2e-3); /* a chain of 131 joints, 131 long */
    check_directions(model, pose);
    bounds_of(model, pose, low, high);
    md5_pose_bounds(model, pose, min, max);
    CHECK(same_floats(low, min, 3) && same_floats(high, max, 3));
    CHECK(same_loaded(model, scalar));
    CHECK(same_poses(model, scalar, anim, scalar_anim, 0.07));
    free(pose);
    ref_free_model(&ref);
    ref_free_anim(&ref_clip);
    md5_free_model(model);
    md5_free_anim(anim);
    scalar_free(scalar, scalar_anim);
}

static void bounds_of(const md5_model *model, const md5_xform *pose, float min[3], float max[3])
{
    uint32_t m, i;
    int      k;
    bool     any = false;
    for (m = 0; m < model->mesh_count; m++) {
        uint32_t count = model->meshes[m].vertex_count;
        float   *positions = new_floats(3 * (size_t)count);
        md5_pose_vertices(model, m, pose, positions, 0, NULL, 0, NULL, 0);
        for (i = 0; i < count; i++) {
            for (k = 0; k < 3; k++) {
                float x = positions[3 * i + (uint32_t)k];
                if (!any || x < min[k]) min[k] = x;
                if (!any || x > max[k]) max[k] = x;
            }
            any = true;
        }
        free(positions);
    }
}

static void test_bounds(void)
{
    md5_model *model = arm();
    md5_anim  *anim = clip(M5_WALK);
    int        step;
    check_section("bounds");
    for (step = 0; step < 20; step++) {
        md5_xform *pose = posed(model, anim, MD5_LOOP, 0.037 * step);
        float      min[3] = { 0, 0, 0 }, max[3] = { 0, 0, 0 }, got_min[3], got_max[3];
        bounds_of(model, pose, min, max);
        md5_pose_bounds(model, pose, got_min, got_max);
        CHECK(same_floats(min, got_min, 3));
        CHECK(same_floats(max, got_max, 3));
        free(pose);
    }
    md5_free_anim(anim);
    md5_free_model(model);
}

enum { STRIDE_FLOATS = 16 };

/* Any stride, any output left out; not a byte beside what is asked for is touched. */
static void check_strides(const md5_model *model, const md5_xform *pose, uint32_t m, int without)
{
    uint32_t count = model->meshes[m].vertex_count, i;
    size_t   bytes = (size_t)count * STRIDE_FLOATS * sizeof(float);
    float   *tight_p = new_floats(3 * (size_t)count), *tight_n = new_floats(3 * (size_t)count),
          *tight_t = new_floats(4 * (size_t)count);
    unsigned char *mixed = (unsigned char *)malloc_or_abort(bytes + 1),
                  *want = (unsigned char *)malloc_or_abort(bytes + 1);
    size_t stride = STRIDE_FLOATS * sizeof(float);
    memset(mixed, 0xC3, bytes);
    memset(want, 0xC3, bytes);
    md5_pose_vertices(model, m, pose, tight_p, 0, tight_n, 0, tight_t, 0);
    for (i = 0; i < count; i++) {
        if (!(without & 1)) memcpy(want + i * stride + 4, tight_p + 3 * i, 12);
        if (!(without & 2)) memcpy(want + i * stride + 20, tight_n + 3 * i, 12);
        if (!(without & 4)) memcpy(want + i * stride + 36, tight_t + 4 * i, 16);
    }
    md5_pose_vertices(model, m, pose, without & 1 ? NULL : (float *)(void *)(mixed + 4), stride,
                      without & 2 ? NULL : (float *)(void *)(mixed + 20), stride,
                      without & 4 ? NULL : (float *)(void *)(mixed + 36), stride);
    CHECK(same_bits(mixed, want, bytes));
    free(tight_p);
    free(tight_n);
    free(tight_t);
    free(mixed);
    free(want);
}

static void test_strides(void)
{
    md5_model *model = arm_with(M5_EMPTY_MESH, NULL);
    md5_anim  *anim = clip(M5_WAVE);
    md5_xform *pose = posed(model, anim, MD5_LOOP, 0.2);
    uint32_t   m;
    int        without;
    check_section("strides and outputs left out");
    for (m = 0; m < model->mesh_count; m++)
        for (without = 0; without < 8; without++) check_strides(model, pose, m, without);
    md5_pose_vertices(model, model->mesh_count, pose, NULL, 0, NULL, 0, NULL, 0);
    free(pose);
    md5_free_anim(anim);
    md5_free_model(model);
}

/* Every normal and tangent of a mesh: unit, at right angles, w one or minus one. */
static bool frame_is_right(const float normal[3], const float tangent[4])
{
    return fabs(length3f(normal) - 1.0) < 1e-5 && fabs(length3f(tangent) - 1.0) < 1e-5 &&
           fabs(dot3f(normal, tangent)) < 1e-3 && fabs(fabs((double)tangent[3]) - 1.0) <= 0.0;
}

static void test_normals(void)
{
    md5_model      *model = arm();
    const md5_mesh *sleeve = &model->meshes[0], *box = &model->meshes[1];
    m5_xform        thumb = widen(&model->joints[M5_THUMB].bind);
    uint32_t        i, m;
    int             ring, k;
    check_section("normals");
    for (m = 0; m < model->mesh_count; m++)
        for (i = 0; i < model->meshes[m].vertex_count; i++)
            CHECK(frame_is_right(model->meshes[m].vertices[i].normal,
                                 model->meshes[m].vertices[i].tangent));
    /* welded across the seam of the sleeve, and outward */
    for (ring = 0; ring < M5_RINGS; ring++) {
        const md5_vertex *first = &sleeve->vertices[ring * M5_CORNERS], *last = first + 4;
        const float      *across = first[2].position;
        float             out[3];
        for (k = 0; k < 3; k++) {
            CHECK_NEAR(first->normal[k], last->normal[k], 1e-6);
            out[k] = first->position[k] - across[k];
        }
        CHECK(dot3f(first->normal, out) > 0.5 * length3f(out));
    }
    /* the cube: weighted by angle every corner points along its diagonal, however its sides are cut
       into triangles */
    for (i = 0; i < box->vertex_count; i++) {
        double p[3], want[3];
        m5_box_corner((int)i / 4, (int)i % 4, p);
        m5_normalize(p, 3);
        m5_rotate(thumb.q, p, want);
        for (k = 0; k < 3; k++) {
            CHECK_NEAR(box->vertices[i].normal[k], want[k], 1e-4);
            keep_worst(&worst.normal, fabs((double)box->vertices[i].normal[k] - want[k]));
        }
    }
    md5_free_model(model);
}

/* d position / d u of the cube's side, made orthogonal to the normal; the side with the mirrored
   texture has the other hand. */
static void test_tangents(void)
{
    md5_model      *model = arm();
    const md5_mesh *box = &model->meshes[1];
    uint32_t        i;
    check_section("tangents");
    for (i = 0; i < box->vertex_count; i++) {
        const md5_vertex *v = &box->vertices[i], *side = &box->vertices[i / 4 * 4];
        float             along_u[3], along_v[3], bitangent[3];
        double            hand;
        int               k;
        for (k = 0; k < 3; k++) {
            along_u[k] = (side[1].position[k] - side[0].position[k]) * (side[1].u - side[0].u);
            along_v[k] = (side[3].position[k] - side[0].position[k]) * (side[3].v - side[0].v);
        }
        for (k = 0; k < 3; k++)
            bitangent[k] = (v->normal[(k + 1) % 3] * v->tangent[(k + 2) % 3] -
                            v->normal[(k + 2) % 3] * v->tangent[(k + 1) % 3]) *
                           v->tangent[3];
        hand = dot3f(bitangent, along_v);
        CHECK(hand > 0.5);
        CHECK(dot3f(v->tangent, along_u) > 0.5);
        CHECK_EQ(v->tangent[3] > 0, (i / 4 == 5) != (box->vertices[0].tangent[3] > 0));
    }
    md5_free_model(model);
}

/* The sum over the weights of what each joint makes of a direction in bind pose. */
static void ref_turn(const md5_mesh *mesh, const md5_vertex *vertex, const m5_xform *turns,
                     const float direction[3], double out[3])
{
    uint32_t w;
    int      k;
    memset(out, 0, 3 * sizeof *out);
    for (w = 0; w < vertex->weight_count; w++) {
        const md5_weight *weight = &mesh->weights[vertex->first_weight + w];
        double            rest[3], turned[3];
        for (k = 0; k < 3; k++) rest[k] = (double)direction[k];
        m5_rotate(turns[weight->joint].q, rest, turned);
        for (k = 0; k < 3; k++) out[k] += (double)weight->bias * turned[k];
    }
}

/* Where much is left of the sum: little has no direction that two ways of summing agree on. */
static void check_direction(const float got[3], double sum[3])
{
    int k;
    CHECK_NEAR(length3f(got), 1, 1e-5);
    if (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] < 0.01) return;
    m5_normalize(sum, 3);
    for (k = 0; k < 3; k++) CHECK_NEAR(got[k], sum[k], 1e-4);
}

/* Normals and tangents turn with the joints, blended by the same weights, and stay of unit length. */
static void check_directions(const md5_model *model, const md5_xform *pose)
{
    m5_xform *turns = (m5_xform *)malloc_or_abort(model->joint_count * sizeof *turns);
    uint32_t  m, i;
    for (i = 0; i < model->joint_count; i++) {
        m5_xform rest = widen(&model->joints[i].bind), now = widen(&pose[i]);
        rest = m5_inverse(&rest);
        turns[i] = m5_compose(&now, &rest);
    }
    for (m = 0; m < model->mesh_count; m++) {
        const md5_mesh *mesh = &model->meshes[m];
        float          *normals = new_floats(3 * (size_t)mesh->vertex_count);
        float          *tangents = new_floats(4 * (size_t)mesh->vertex_count);
        md5_pose_vertices(model, m, pose, NULL, 0, normals, 0, tangents, 0);
        for (i = 0; i < mesh->vertex_count; i++) {
            const md5_vertex *v = &mesh->vertices[i];
            double            sum[3];
            ref_turn(mesh, v, turns, v->normal, sum);
            check_direction(normals + 3 * i, sum);
            ref_turn(mesh, v, turns, v->tangent, sum);
            check_direction(tangents + 4 * i, sum);
            CHECK_EQ(tangents[4 * i + 3], v->tangent[3]);
        }
        free(normals);
        free(tangents);
    }
    free(turns);
}

static void test_posed_normals(void)
{
    md5_model *model = arm();
    md5_anim  *anim = clip(M5_REACH);
    md5_xform *pose = posed(model, anim, MD5_LOOP, 0.09);
    check_section("posed normals");
    check_directions(model, pose);
    free(pose);
    md5_free_anim(anim);
    md5_free_model(model);
}

/* -- Options --------------------------------------------------------------- */

static void test_winding(void)
{
    md5_options keep = with_flags(MD5_KEEP_WINDING, 0.0f);
    md5_model  *model = arm(), *kept = arm_with(0, &keep);
    uint32_t    m, i;
    check_section("winding");
    for (m = 0; m < model->mesh_count; m++) {
        const md5_mesh *a = &model->meshes[m], *b = &kept->meshes[m];
        for (i = 0; i < a->index_count; i += 3) {
            const float *p = a->vertices[a->indices[i]].position,
                        *q = a->vertices[a->indices[i + 1]].position,
                        *r = a->vertices[a->indices[i + 2]].position;
            float x[3], y[3], across[3];
            int   k;
            CHECK(a->indices[i] == b->indices[i] && a->indices[i + 1] == b->indices[i + 2] &&
                  a->indices[i + 2] == b->indices[i + 1]);
            for (k = 0; k < 3; k++) {
                x[k] = q[k] - p[k];
                y[k] = r[k] - p[k];
            }
            for (k = 0; k < 3; k++)
                across[k] = x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
            if (m < 2) CHECK(dot3f(across, a->vertices[a->indices[i]].normal) > 0.0);
        }
        for (i = 0; i < a->vertex_count; i++) {
            const md5_vertex *v = &a->vertices[i], *w = &b->vertices[i];
            int               k;
            CHECK(same_floats(v->position, w->position, 3));
            for (k = 0; k < 3; k++) CHECK_NEAR(v->normal[k], w->normal[k], 1e-5);
            for (k = 0; k < 4; k++) CHECK_NEAR(v->tangent[k], w->tangent[k], 1e-5);
        }
    }
    CHECK_EQ(kept->meshes[0].indices[0], 0);
    CHECK_EQ(kept->meshes[0].indices[1], 6);
    CHECK_EQ(kept->meshes[0].indices[2], 1);
    CHECK_EQ(kept->flags, MD5_KEEP_WINDING);
    md5_free_model(model);
    md5_free_model(kept);
}

static void test_flip_v(void)
{
    md5_options flip = with_flags(MD5_FLIP_V, 0.0f);
    md5_model  *model = arm(), *flipped = arm_with(0, &flip);
    uint32_t    m, i;
    check_section("flip v");
    for (m = 0; m < model->mesh_count; m++) {
        for (i = 0; i < model->meshes[m].vertex_count; i++) {
            const md5_vertex *a = &model->meshes[m].vertices[i],
                             *b = &flipped->meshes[m].vertices[i];
            CHECK_EQ(b->u, a->u);
            CHECK_NEAR(b->v, 1.0 - (double)a->v, 1e-6);
            CHECK(same_floats(a->position, b->position, 3) && same_floats(a->normal, b->normal, 3));
            if (m < 2) CHECK_EQ(b->tangent[3], -a->tangent[3]);
        }
    }
    md5_free_model(model);
    md5_free_model(flipped);
}

static void check_turned(const float *got, const float *plain, double scale, bool y_up,
                         double tolerance)
{
    int k;
    for (k = 0; k < 3; k++)
        CHECK_NEAR(got[k], scale * (double)plain[y_up ? (k + 1) % 3 : k], tolerance);
}

/* Y_UP and scale: the whole pipeline moves and turns alike, from the file to the vertices. */
static void check_axes(uint32_t flags, float scale)
{
    md5_options options = with_flags(flags, scale);
    bool        y_up = (flags & MD5_Y_UP) != 0;
    double      s = scale > 0.0f ? (double)scale : 1.0;
    md5_model  *plain = arm(), *model = arm_with(0, &options);
    md5_anim   *plain_anim = clip(M5_WALK), *anim = clip_with(M5_WALK, 0, &options);
    md5_xform  *plain_pose = posed(plain, plain_anim, MD5_LOOP, 0.41),
              *pose = posed(model, anim, MD5_LOOP, 0.41);
    float     a_min[3], a_max[3], b_min[3], b_max[3];
    md5_xform a, b;
    uint32_t  m, i, j;
    CHECK_EQ(model->flags, flags);
    CHECK_EQ(anim->flags, flags);
    CHECK_EQ(model->scale, s);
    CHECK_EQ(anim->scale, s);
    CHECK_EQ(md5_check_anim(model, anim, NULL), MD5_OK);
    for (j = 0; j < plain->joint_count; j++) {
        check_turned(pose[j].position, plain_pose[j].position, s, y_up, 5e-5 * s);
        check_turned(model->joints[j].bind.position, plain->joints[j].bind.position, s, y_up,
                     1e-5 * s);
        check_turned(pose[j].rotation, plain_pose[j].rotation, 1.0, y_up, 1e-5);
        CHECK_NEAR(pose[j].rotation[3], plain_pose[j].rotation[3], 1e-5);
    }
    for (m = 0; m < plain->mesh_count; m++) {
        uint32_t count = plain->meshes[m].vertex_count;
        float   *p = new_floats(10 * (size_t)count), *q = new_floats(10 * (size_t)count);
        md5_pose_vertices(plain, m, plain_pose, p, 0, p + 3 * count, 0, p + 6 * count, 0);
        md5_pose_vertices(model, m, pose, q, 0, q + 3 * count, 0, q + 6 * count, 0);
        for (i = 0; i < count; i++) {
            const md5_vertex *v = &plain->meshes[m].vertices[i], *w = &model->meshes[m].vertices[i];
            check_turned(q + 3 * i, p + 3 * i, s, y_up, 2e-4 * s);
            check_turned(q + 3 * count + 3 * i, p + 3 * count + 3 * i, 1.0, y_up, 1e-4);
            if (m < 2) check_turned(q + 6 * count + 4 * i, p + 6 * count + 4 * i, 1.0, y_up, 1e-4);
            check_turned(w->position, v->position, s, y_up, 5e-5 * s);
            check_turned(w->normal, v->normal, 1.0, y_up, 1e-4);
        }
        free(p);
        free(q);
    }
    md5_pose_bounds(plain, plain_pose, a_min, a_max);
    md5_pose_bounds(model, pose, b_min, b_max);
    check_turned(b_min, a_min, s, y_up, 2e-4 * s);
    check_turned(b_max, a_max, s, y_up, 2e-4 * s);
    check_turned(model->min, plain->min, s, y_up, 1e-4 * s);
    check_turned(anim->bounds[3].min, plain_anim->bounds[3].min, s, y_up, 1e-4 * s);
    check_turned(anim->bounds[3].max, plain_anim->bounds[3].max, s, y_up, 1e-4 * s);
    md5_root_motion(plain_anim, MD5_LOOP, 0.0, 7.3, &a);
    md5_root_motion(anim, MD5_LOOP, 0.0, 7.3, &b);
    check_turned(b.position, a.position, s, y_up, 1e-4 * s);
    free(plain_pose);
    free(pose);
    md5_free_anim(plain_anim);
    md5_free_anim(anim);
    md5_free_model(plain);
    md5_free_model(model);
}

static void test_axes(void)
{
    check_section("axes and scale");
    check_axes(0, 0.0f);
    check_axes(0, 2.5f);
    check_axes(MD5_Y_UP, 0.0f);
    check_axes(MD5_Y_UP | MD5_KEEP_WINDING, 0.0254f);
}

/* -- Does the animation fit? ----------------------------------------------- */

static m5_text joint_edit(int kind, const char *key, const char *line)
{
    m5_flaw flaw = { "edit", 0, M5_LINE, NULL, NULL, "", NULL, false };
    m5_text text;
    memset(&text, 0, sizeof text);
    flaw.kind = kind;
    flaw.key = key;
    flaw.replacement = line;
    CHECK(m5_flawed(&flaw, &text) > 0);
    return text;
}

static void check_mismatch(const md5_model *model, const char *key, const char *line,
                           const char *word)
{
    m5_text   text = joint_edit(M5_ANIM, key, line);
    md5_anim *anim = anim_of(&text, NULL);
    md5_error error;
    if (!anim) return;
    CHECK_EQ(md5_check_anim(model, anim, &error), MD5_ERROR_MISMATCH);
    CHECK_EQ(error.code, MD5_ERROR_MISMATCH);
    CHECK(is_sentence(error.message));
    if (!CHECK(message_names(error.message, word))) printf("  %s\n", error.message);
    md5_free_anim(anim);
}

static void test_check_anim(void)
{
    md5_options y_up = with_flags(MD5_Y_UP, 0.0f), large = with_flags(0, 3.0f),
                kept = with_flags(MD5_KEEP_WINDING | MD5_FLIP_V, 0.0f);
    md5_model *model = arm(), *other = chain_model(4), *turned = arm_with(0, &kept);
    md5_anim  *anim = clip(M5_WAVE), *a, *b;
    md5_error  error;
    check_section("does the animation fit");
    CHECK_EQ(md5_check_anim(model, anim, &error), MD5_OK);
    CHECK_EQ(error.code, MD5_OK);
    CHECK_EQ(md5_check_anim(model, anim, NULL), MD5_OK);
    CHECK_EQ(md5_check_anim(turned, anim, NULL), MD5_OK);
    check_mismatch(model, "\"hand\"", "\"paw\" 2 63 5", "paw");
    check_mismatch(model, "\"hand\"", "\"paw\" 2 63 5", "hand");
    check_mismatch(model, "\"hand\"", "\"Hand\" 2 63 5", "Hand");
    check_mismatch(model, "\"finger_01\"", "\"finger_01\" 2 56 11", "finger_01");
    check_mismatch(model, "\"upper arm\"", "\"upper arm\" -1 32 3", "upper arm");
    CHECK_EQ(md5_check_anim(other, anim, &error), MD5_ERROR_MISMATCH);
    CHECK(message_names(error.message, "4") && message_names(error.message, "6"));
    a = clip_with(M5_WAVE, 0, &y_up);
    b = clip_with(M5_WAVE, 0, &large);
    CHECK_EQ(md5_check_anim(model, a, &error), MD5_ERROR_MISMATCH);
    CHECK(is_sentence(error.message));
    CHECK_EQ(md5_check_anim(model, b, &error), MD5_ERROR_MISMATCH);
    CHECK_EQ(md5_check_anim(NULL, anim, &error), MD5_ERROR_ARGUMENT);
    CHECK_EQ(md5_check_anim(model, NULL, &error), MD5_ERROR_ARGUMENT);
    md5_free_anim(a);
    md5_free_anim(b);
    md5_free_anim(anim);
    md5_free_model(model);
    md5_free_model(other);
    md5_free_model(turned);
}

/* The wave with thumb and finger exchanged, the hand missing, and a tail that the model has not. */
static md5_anim *foreign_wave(void)
{
    static const int order[M5_JOINTS] = { M5_ORIGIN, M5_UPPER, M5_LOWER, M5_FINGER, M5_THUMB, -1 };
    m5_text          text;
    int              j, f, k;
    memset(&text, 0, sizeof text);
    put_chain_head(&text, M5_JOINTS, m5_clips[M5_WAVE].frames);
    m5_put_text(&text, "hierarchy {\n");
    for (j = 0; j < M5_JOINTS; j++)
        m5_put(&text, "\"%s\" %d 63 %d\n", order[j] < 0 ? "tail" : m5_arm[order[j]].name,
               j < 3   ? j - 1
               : j < 5 ? 2
                       : 0,
               6 * j);
    m5_put_text(&text, "}\nbounds {\n");
    for (f = 0; f < m5_clips[M5_WAVE].frames; f++) m5_put_text(&text, "( 1 2 3 ) ( 4 5 6 )\n");
    m5_put_text(&text, "}\nbaseframe {\n");
    for (j = 0; j < M5_JOINTS; j++) m5_put_text(&text, "( 9 9 9 ) ( 0.1 0.1 0.1 )\n");
    m5_put_text(&text, "}\n");
    for (f = 0; f < m5_clips[M5_WAVE].frames; f++) {
        m5_put(&text, "frame %d {\n", f);
        for (j = 0; j < M5_JOINTS; j++) {
            m5_xform x = m5_arm_local(&m5_clips[M5_WAVE], order[j] < 0 ? 0 : order[j], f);
            for (k = 0; k < 3; k++) m5_put(&text, " %.6f", x.p[k]);
            for (k = 0; k < 3; k++) m5_put(&text, " %.6f", x.q[k]);
        }
        m5_put_text(&text, "\n}\n");
    }
    return anim_of(&text, NULL);
}

static void test_retarget(void)
{
    md5_model   *model = arm();
    md5_anim    *wave = clip(M5_WAVE), *foreign = foreign_wave(), *fitted, *same;
    md5_xform    bind[M5_JOINTS], want[M5_JOINTS], got[M5_JOINTS], raw[M5_JOINTS];
    md5_options  options;
    counting_allocator memory;
    md5_error    error;
    uint32_t     missing = 99, extra = 99;
    int          step, j;
    md5_player player;
    check_section("retarget");
    memset(&memory, 0, sizeof memory);
    memset(&options, 0, sizeof options);
    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    CHECK_EQ(md5_check_anim(model, foreign, NULL), MD5_ERROR_MISMATCH);
    fitted = md5_retarget_anim(model, foreign, &missing, &options, &error);
    same = md5_retarget_anim(model, wave, &extra, NULL, NULL);
    if (!CHECK(fitted && same)) return;
    CHECK_EQ(error.code, MD5_OK);
    CHECK_EQ(missing, 1);
    CHECK_EQ(extra, 0);
    CHECK_EQ(memory.live_blocks, 1);
    CHECK_EQ(memory.live_bytes, fitted->bytes);
    CHECK_EQ(md5_check_anim(model, fitted, &error), MD5_OK);
    CHECK_EQ(md5_check_anim(model, same, &error), MD5_OK);
    CHECK_TEXT(fitted->name, foreign->name);
    CHECK_EQ(fitted->fps, foreign->fps);
    CHECK_EQ(fitted->frame_count, foreign->frame_count);
    CHECK_EQ(fitted->closed, foreign->closed);
    CHECK(same_floats(fitted->bounds[2].max, foreign->bounds[2].max, 3));
    md5_pose_bind(model, bind);
    for (step = 0; step < 24; step++) {
        md5_pose_at(wave, MD5_LOOP, 0.05 * step, want);
        md5_pose_at(same, MD5_LOOP, 0.05 * step, got);
        CHECK(pose_distance(want, got, M5_JOINTS) <= 0.0);
        md5_pose_at(foreign, MD5_LOOP, 0.05 * step, raw);
        md5_pose_at(fitted, MD5_LOOP, 0.05 * step, got);
        want[M5_ORIGIN] = raw[0];
        want[M5_UPPER] = raw[1];
        want[M5_LOWER] = raw[2];
        want[M5_FINGER] = raw[3];
        want[M5_THUMB] = raw[4];
        want[M5_HAND] = bind[M5_HAND];
        for (j = 0; j < M5_JOINTS; j++) CHECK_NEAR(pose_distance(want + j, got + j, 1), 0, 2e-6);
    }
    memset(&player, 0, sizeof player);
    md5_play(&player, fitted, MD5_LOOP, 0.0f);
    md5_advance(&player, 0.25f);
    md5_player_pose(model, &player, got, raw);
    md5_pose_at(fitted, MD5_LOOP, 0.25, want);
    CHECK(pose_distance(want, got, M5_JOINTS) < 1e-6);
    CHECK(pose_distance(bind, got, M5_JOINTS) > 0.01);
    md5_free_anim(fitted);
    CHECK(counting_is_clean(&memory));
    CHECK(!md5_retarget_anim(NULL, wave, NULL, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    CHECK(!md5_retarget_anim(model, NULL, NULL, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    memset(&memory, 0, sizeof memory);
    memory.fail_at = 1;
    CHECK(!md5_retarget_anim(model, wave, NULL, &options, &error));
    CHECK_EQ(error.code, MD5_ERROR_MEMORY);
    CHECK(counting_is_clean(&memory));
    md5_free_anim(same);
    md5_free_anim(wave);
    md5_free_anim(foreign);
    md5_free_model(model);
}

/* -- Root motion ----------------------------------------------------------- */

static void travel(const md5_anim *anim, md5_mode mode, double from, double to, double out[3])
{
    md5_xform x;
    int       k;
    memset(&x, 0x5A, sizeof x);
    md5_root_motion(anim, mode, from, to, &x);
    for (k = 0; k < 3; k++) out[k] = (double)x.position[k];
    CHECK_NEAR(fabs((double)x.rotation[3]), 1, 1e-6);
}

/* The walk takes 3 units a frame, 12 frames a second, so 36 a second for ever. */
static void test_root_motion(void)
{
    static const double times[] = { 0,    0.1,   0.5,       0.6666666, 0.7,  1.0,
                                    7.77, 100.0, 12345.678, -0.1,      -1.0, -99.9 };
    md5_anim           *walk = clip(M5_WALK), *march = clip(M5_REACH);
    size_t              i, k, count = sizeof times / sizeof times[0];
    double              d[3], e[3], f[3];
    check_section("root motion");
    for (i = 0; i < count; i++) {
        for (k = 0; k < count; k++) {
            double want = 36.0 * (times[k] - times[i]);
            travel(walk, MD5_LOOP, times[i], times[k], d);
            CHECK_NEAR(d[0], want, 1e-4 + 1e-6 * fabs(want));
            CHECK_NEAR(d[1], 0, 1e-5);
            travel(march, MD5_LOOP, 0, times[i], d);
            travel(march, MD5_LOOP, times[i], times[k], e);
            travel(march, MD5_LOOP, 0, times[k], f);
            CHECK_NEAR(d[0] + e[0], f[0], 1e-4 + 1e-6 * fabs(f[0]));
        }
    }
    travel(walk, MD5_ONCE, -5.0, 1e9, d);
    CHECK_NEAR(d[0], 24, 1e-4);
    travel(walk, MD5_ONCE, 0.25, 0.5, d);
    CHECK_NEAR(d[0], 9, 1e-4);
    travel(walk, MD5_ONCE, 1e9, 1e9 + 1, d);
    CHECK_NEAR(d[0], 0, 1e-6);
    travel(walk, MD5_PING_PONG, 0.0, 8.0 / 12.0, d);
    CHECK_NEAR(d[0], 24, 1e-4);
    travel(walk, MD5_PING_PONG, 0.0, 16.0 / 12.0 * 5.0, d);
    CHECK_NEAR(d[0], 0, 1e-4);
    travel(walk, MD5_PING_PONG, 0.0, 12.0 / 12.0, d);
    CHECK_NEAR(d[0], 12, 1e-4);
    travel(walk, MD5_LOOP, 0.0, HUGE_VAL, d);
    CHECK(d[0] - d[0] >= 0.0);
    md5_free_anim(walk);
    md5_free_anim(march);
}

static double march_step; /* 0: the root sways and comes back */

static m5_xform march_pose(int joint, int frame)
{
    static const double sway[6] = { 0.0, 2.0, 3.0, 1.0, -1.0, -0.5 };
    m5_xform x = xform_at(joint, 0, joint, 0, 0, 1, joint ? 25.0 * frame : 0.0);
    if (joint == 0) x.p[1] = march_step > 0.0 ? march_step * frame : sway[frame];
    return x;
}

/* A loop whose last frame does not repeat the first: a march goes on at its pace through the step
   that leads back to the first frame; who sways on the spot is on the spot after any number. */
static void test_open_motion(void)
{
    static const double times[] = { 0,    0.1,   0.3,   0.33,  0.374, 0.376,
                                    0.75, 10.01, 999.9, -0.01, -7 };
    md5_anim *anim;
    size_t i;
    double d[3];
    check_section("root motion of open loops");
    march_step = 2.0;
    anim = chain_anim(3, 6, march_pose);
    CHECK(anim && !anim->closed);
    for (i = 0; anim && i < sizeof times / sizeof times[0]; i++) {
        travel(anim, MD5_LOOP, 0.0, times[i], d);
        CHECK_NEAR(d[1], 32.0 * times[i], 1e-4 + 1e-6 * fabs(32.0 * times[i]));
        travel(anim, MD5_LOOP, times[i], 3.1, d);
        CHECK_NEAR(d[1], 32.0 * (3.1 - times[i]), 1e-4 + 1e-6 * fabs(32.0 * times[i]));
    }
    md5_free_anim(anim);
    march_step = 0.0;
    anim = chain_anim(3, 6, march_pose);
    for (i = 0; anim && i < 1000; i++) {
        md5_xform pose[3], first[3];
        md5_pose_at(anim, MD5_LOOP, 0.0371 * (double)i, pose);
        md5_pose_at(anim, MD5_LOOP, 0.0, first);
        travel(anim, MD5_LOOP, 0.0, 0.0371 * (double)i, d);
        CHECK_NEAR(d[1], (double)pose[0].position[1] - (double)first[0].position[1], 1e-4);
    }
    md5_free_anim(anim);
}

/* The travel over the ground is taken out, and nothing else: the root's height, its rotation and
   all other joints stay. Within a round, the pose in place moved by the travel is the pose. */
static void test_in_place(void)
{
    md5_anim *walk = clip(M5_WALK);
    md5_xform first[M5_JOINTS], pose[M5_JOINTS], still[M5_JOINTS];
    double    d[3];
    int       step;
    check_section("in place");
    md5_pose_in_place(walk, MD5_LOOP, 0.0, first);
    for (step = 0; step < 60; step++) {
        double seconds = 0.0109 * step;
        md5_pose_at(walk, MD5_LOOP, seconds, pose);
        md5_pose_in_place(walk, MD5_LOOP, seconds, still);
        CHECK(pose_distance(pose + 1, still + 1, M5_JOINTS - 1) <= 0.0);
        CHECK(same_floats(pose[0].rotation, still[0].rotation, 4));
        CHECK_NEAR(still[0].position[0], first[0].position[0], 1e-5);
        CHECK_NEAR(still[0].position[1], first[0].position[1], 1e-5);
        CHECK_NEAR(still[0].position[2], pose[0].position[2], 1e-5);
        travel(walk, MD5_LOOP, 0.0, seconds, d);
        CHECK_NEAR((double)still[0].position[0] + d[0], pose[0].position[0], 1e-4);
        CHECK_NEAR((double)still[0].position[2] + d[2], pose[0].position[2], 1e-5);
        md5_pose_in_place(walk, MD5_LOOP, seconds + 8.0 / 12.0 * 1000.0, pose);
        CHECK(pose_distance(pose, still, M5_JOINTS) < 1e-4);
    }
    md5_free_anim(walk);
}

/* -- Textures -------------------------------------------------------------- */

static md5_model *model_with_shader(const char *shader)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    m5_put_text(&text, "MD5Version 10 numJoints 1 numMeshes 1 joints { \"a\" -1 ( 0 0 0 ) ( 0 0 0 "
                       ") } mesh { shader \"");
    m5_put_text(&text, shader);
    m5_put_text(&text, "\" numverts 0 numtris 0 numweights 0 }");
    return model_of(&text, NULL);
}

static bool has_attempt(const md5_model *model, const char *model_path, const char *path)
{
    char     out[512];
    uint32_t i;
    for (i = 0; md5_texture_path(model, model_path, 0, i, out, sizeof out); i++)
        if (strcmp(out, path) == 0) return true;
    return false;
}

/* Whatever the file says, each attempt lies in the model's folder or below it, none comes twice,
   and they end. */
static uint32_t check_attempts(const char *shader, const char *model_path, const char *folder)
{
    static char seen[64][256];
    md5_model  *model = model_with_shader(shader);
    char        out[256];
    uint32_t    i, k;
    if (!model) return 0;
    for (i = 0; i < 64 && md5_texture_path(model, model_path, 0, i, out, sizeof out); i++) {
        const char *rest = out + strlen(folder);
        bool        ok = strncmp(out, folder, strlen(folder)) == 0 && rest[0] && rest[0] != '/' &&
                  !strchr(rest, '\\') && !strchr(rest, ':') && !strstr(rest, "//") &&
                  strncmp(rest, "../", 3) != 0 && !strstr(rest, "/../") && strcmp(rest, "..") != 0;
        if (!CHECK(ok)) printf("  %s\n", out);
        for (k = 0; k < i; k++) CHECK(strcmp(seen[k], out) != 0);
        memcpy(seen[i], out, sizeof out);
    }
    CHECK(i < 64);
    for (k = 0; k < i; k++) {
        CHECK(md5_texture_path(model, model_path, 0, k, out, strlen(seen[k]) + 1));
        CHECK(!md5_texture_path(model, model_path, 0, k, out, strlen(seen[k])));
    }
    CHECK(!md5_texture_path(model, model_path, 0, 0, out, 0));
    md5_texture_path(model, model_path, 1, 0, out, sizeof out);
    md5_free_model(model);
    return i;
}

static void test_texture_paths(void)
{
    static const char *const shaders[] = { "models/monsters/zfat/zfat",
                                           "f:\\md5viewer\\data\\guard1_body.tga",
                                           "/home/geartrooper/Desktop/skin.png",
                                           "",
                                           ".",
                                           "..",
                                           "../../etc/passwd",
                                           "..\\..\\windows\\win.ini",
                                           "a/../../b.tga",
                                           "c:skin.tga",
                                           "C:",
                                           "/",
                                           "\\\\server\\share\\x.png",
                                           "//x",
                                           "./x.tga",
                                           "a/./b",
                                           "name with spaces.png",
                                           "skin_local",
                                           "skin_local.tga",
                                           "skin_d.tga",
                                           "skin.with.dots.jpg",
                                           "textures/",
                                           "...",
                                           "a:b:c",
                                           "x/..",
                                           "~/x.tga",
                                           "\xC3\xA9.png" };
    static const char *const paths[][2] = { { "data/zfat.md5mesh", "data/" },
                                            { "zfat.md5mesh", "" },
                                            { "/a/b.c/zfat", "/a/b.c/" },
                                            { "c:\\data\\zfat.md5mesh", "c:\\data\\" },
                                            { "../up/zfat.md5mesh", "../up/" } };
    md5_model               *model;
    size_t                   i, k;
    uint32_t                 attempts = 0;
    char                     out[64];
    check_section("texture paths");
    for (i = 0; i < sizeof shaders / sizeof shaders[0]; i++) {
        check_subject(shaders[i]);
        for (k = 0; k < sizeof paths / sizeof paths[0]; k++)
            attempts += check_attempts(shaders[i], paths[k][0], paths[k][1]);
    }
    check_subject("");
    CHECK_FLOOR(attempts, 500, "texture paths");
    model = model_with_shader("models/monsters/zfat/zfat");
    CHECK(has_attempt(model, "data/zfat.md5mesh", "data/zfat.tga"));
    CHECK(has_attempt(model, "data/zfat.md5mesh", "data/zfat.png"));
    CHECK(has_attempt(model, "data/zfat.md5mesh", "data/zfat_d.tga"));
    md5_free_model(model);
    model = model_with_shader("f:\\md5viewer\\data\\guard1_body.tga");
    CHECK(has_attempt(model, "data/guard.md5mesh", "data/guard1_body.tga"));
    CHECK(has_attempt(model, "data/guard.md5mesh", "data/guard1_body.png"));
    md5_free_model(model);
    model = model_with_shader("models/arm_local");
    CHECK(has_attempt(model, "arm.md5mesh", "arm.tga"));
    CHECK(has_attempt(model, "arm.md5mesh", "arm_d.tga"));
    md5_free_model(model);
    model = model_with_shader("models/armTop");
    CHECK(has_attempt(model, "arm.md5mesh", "armTop.tga"));
    CHECK(has_attempt(model, "arm.md5mesh", "armtop.tga"));
    md5_free_model(model);
    model = model_with_shader("skin.png");
    CHECK(md5_texture_path(model, "a/b.md5mesh", 0, 0, out, sizeof out));
    CHECK_TEXT(out, "a/skin.png");
    CHECK(!md5_texture_path(model, "a/b.md5mesh", 0, 4000000000u, out, sizeof out));
    md5_free_model(model);
}

/* All attempts one after another, as far as there is room. */
static void join_attempts(const char *shader, char *out, size_t size)
{
    md5_model *model = model_with_shader(shader);
    char       path[64];
    uint32_t   i;
    size_t     used = 0;
    out[0] = '\0';
    for (i = 0; model && md5_texture_path(model, "m/arm.md5mesh", 0, i, path, sizeof path); i++) {
        if (used + strlen(path) + 2 > size) break;
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "", path);
    }
    md5_free_model(model);
}

/* Best guess first: as listed, then what Doom's suffixes tell, then the model's own name, then all
   in lower case. */
static void test_texture_sequences(void)
{
    static const char *const cases[][2] = {
        { "models/imp/imp_local",
          "m/imp_d.tga m/imp_d.png m/imp_d.jpg m/imp_d.jpeg m/imp_d.bmp "
          "m/imp.tga m/imp.png m/imp.jpg m/imp.jpeg m/imp.bmp "
          "m/imp_local.tga m/imp_local.png m/imp_local.jpg m/imp_local.jpeg m/imp_local.bmp "
          "m/arm.tga m/arm.png m/arm.jpg m/arm.jpeg m/arm.bmp" },
        { "models/imp/imp",
          "m/imp.tga m/imp.png m/imp.jpg m/imp.jpeg m/imp.bmp "
          "m/imp_d.tga m/imp_d.png m/imp_d.jpg m/imp_d.jpeg m/imp_d.bmp "
          "m/arm.tga m/arm.png m/arm.jpg m/arm.jpeg m/arm.bmp" },
        { "f:\\md5viewer\\guard1.tga",
          "m/guard1.tga m/guard1.png m/guard1.jpg m/guard1.jpeg m/guard1.bmp "
          "m/guard1_d.tga m/guard1_d.png m/guard1_d.jpg m/guard1_d.jpeg m/guard1_d.bmp "
          "m/arm.tga m/arm.png m/arm.jpg m/arm.jpeg m/arm.bmp" },
        { "Skin_d",
          "m/Skin_d.tga m/Skin_d.png m/Skin_d.jpg m/Skin_d.jpeg m/Skin_d.bmp "
          "m/Skin.tga m/Skin.png m/Skin.jpg m/Skin.jpeg m/Skin.bmp "
          "m/arm.tga m/arm.png m/arm.jpg m/arm.jpeg m/arm.bmp "
          "m/skin_d.tga m/skin_d.png m/skin_d.jpg m/skin_d.jpeg m/skin_d.bmp "
          "m/skin.tga m/skin.png m/skin.jpg m/skin.jpeg m/skin.bmp" },
        { "/home/x/arm.v2.png",
          "m/arm.v2.png m/arm.v2.tga m/arm.v2.jpg m/arm.v2.jpeg m/arm.v2.bmp "
          "m/arm.v2_d.tga m/arm.v2_d.png m/arm.v2_d.jpg m/arm.v2_d.jpeg m/arm.v2_d.bmp "
          "m/arm.tga m/arm.png m/arm.jpg m/arm.jpeg m/arm.bmp" },
        { "", "m/arm.tga m/arm.png m/arm.jpg m/arm.jpeg m/arm.bmp" },
        { "..\\..", "m/arm.tga m/arm.png m/arm.jpg m/arm.jpeg m/arm.bmp" }
    };
    size_t i;
    char   all[1024];
    check_section("texture sequences");
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_subject(cases[i][0]);
        join_attempts(cases[i][0], all, sizeof all);
        CHECK_TEXT(all, cases[i][1]);
    }
}

/* -- Player: against a slow one -------------------------------------------- */

enum { CHAIN_JOINTS = 3, CHAIN_CLIPS = 5 };
#define CHAIN_RATE 16.0

/* Clip i moves component i of the six of the upper two joints, one unit a frame; the third repeats
   its first frame, the fourth has one frame. */
static const int chain_frames[CHAIN_CLIPS] = { 5, 8, 4, 1, 2 };
static int       chain_clip;

static m5_xform chain_pose(int joint, int frame)
{
    m5_xform x = xform_at(0, 0, 0, 0, 0, 1, 0);
    if (chain_clip == 2) frame %= 3;
    if (chain_clip / 3 + 1 == joint) x.p[chain_clip % 3] = 1 + frame;
    return x;
}

static md5_anim *new_chain_clip(int number)
{
    chain_clip = number;
    return chain_anim(CHAIN_JOINTS, chain_frames[number], chain_pose);
}

typedef struct slow_track {
    double time, fade, fade_length;
    int    mode, clip; /* clip -1 = no animation */
} slow_track;

typedef struct slow_player {
    int        count;
    double     speed, before;
    bool       begun, first, forwards, paused, finished;
    slow_track track[4];
} slow_player;

static int slow_steps(const slow_track *track)
{
    int frames = track->clip < 0 ? 1 : chain_frames[track->clip];
    if (track->mode == MD5_ONCE) return frames - 1;
    if (track->mode == MD5_PING_PONG) return 2 * (frames - 1);
    return track->clip == 2 ? frames - 1 : frames;
}

static double slow_in(const slow_track *track)
{
    double in = track->fade_length > 0.0 ? track->fade / track->fade_length : 1.0;
    return in < 1.0 ? in : 1.0;
}

static void slow_set_time(slow_track *track, double time)
{
    double end = (double)slow_steps(track) / CHAIN_RATE;
    if (track->mode == MD5_ONCE) time = time < 0.0 ? 0.0 : time > end ? end : time;
    track->time = time;
}

static void slow_play(slow_player *player, int clip_number, int mode, double fade)
{
    slow_track track = { 0, 0, 0, 0, 0 };
    if (!(fade > 0.0)) player->count = 0;
    track.mode = mode;
    track.clip = clip_number;
    track.fade_length = player->count ? fade : 0.0;
    player->track[player->count++] = track;
    player->speed = 1.0;
    player->paused = player->finished = player->begun = false;
}

static uint32_t slow_advance(slow_player *player, double delta)
{
    slow_track *newest = &player->track[player->count - 1];
    double      step = delta * player->speed, period;
    uint32_t    events = 0;
    bool        at_end;
    int         i, k;
    if (player->count == 0) return 0;
    player->first = false;
    if (player->paused) {
        player->before = newest->time;
        return 0;
    }
    player->before = newest->time;
    player->first = !player->begun;
    player->forwards = step >= 0.0;
    player->begun = true;
    for (i = 0; i < player->count; i++) {
        slow_set_time(&player->track[i], player->track[i].time + step);
        player->track[i].fade += fabs(delta);
    }
    period = (double)slow_steps(newest) / CHAIN_RATE;
    if (newest->mode != MD5_ONCE && period > 0.0 &&
        (floor(player->before / period) < floor(newest->time / period) ||
         floor(player->before / period) > floor(newest->time / period)))
        events |= MD5_LOOPED;
    at_end = newest->mode == MD5_ONCE &&
             (player->forwards ? newest->time >= period : newest->time <= 0.0);
    if (at_end && !player->finished) events |= MD5_FINISHED;
    player->finished = at_end;
    for (i = player->count - 1; i > 0; i--) {
        if (slow_in(&player->track[i]) < 1.0) continue;
        for (k = i; k < player->count; k++) player->track[k - i] = player->track[k];
        player->count -= i;
        break;
    }
    return events;
}

static bool slow_passed(const slow_player *player, double at)
{
    double from = player->before * CHAIN_RATE,
           to = player->track[player->count - 1].time * CHAIN_RATE;
    if (player->first && fabs(at - from) <= 0.0) return true;
    return player->forwards ? at > from && at <= to : at < from && at >= to;
}

/* Every round near the two times is looked at, one by one. */
static int slow_crossed(const slow_player *player, int frame)
{
    const slow_track *track = &player->track[player->count - 1];
    int               steps = slow_steps(track), count = 0, round, low, high;
    if (player->count == 0 || !player->begun || track->clip < 0) return 0;
    if (track->mode == MD5_ONCE || steps == 0) return slow_passed(player, frame);
    low = (int)floor((player->before < track->time ? player->before : track->time) * CHAIN_RATE /
                     steps) -
          2;
    high = (int)floor((player->before > track->time ? player->before : track->time) * CHAIN_RATE /
                      steps) +
           2;
    for (round = low; round <= high; round++) {
        count += slow_passed(player, (double)round * steps + frame);
        if (track->mode == MD5_PING_PONG && frame > 0 && 2 * frame != steps)
            count += slow_passed(player, (double)round * steps + steps - frame);
    }
    return count;
}

/* What one clip adds to component c of the pose. */
static double slow_component(const slow_track *track, int c)
{
    int    from, to;
    double t;
    if (track->clip < 0) return c % 3 == 0 ? 1.0 : 0.0;
    if (track->clip != c) return 0.0;
    t = ref_time(chain_frames[track->clip], track->clip == 2, CHAIN_RATE, (md5_mode)track->mode,
                 track->time, &from, &to);
    if (track->clip == 2) {
        from %= 3;
        to %= 3;
    }
    return 1.0 + from + (to - from) * t;
}

static double slow_shown(const slow_player *player, int c)
{
    double shown = c % 3 == 0 ? 1.0 : 0.0; /* the bind pose: bones of length one */
    int    i;
    for (i = 0; i < player->count; i++) {
        double in = i ? slow_in(&player->track[i]) : 1.0;
        shown += (slow_component(&player->track[i], c) - shown) * in;
    }
    return shown;
}

static void compare_players(const md5_player *player, const slow_player *slow,
                            const md5_model *model, md5_anim *const *anims)
{
    md5_xform pose[CHAIN_JOINTS], scratch[CHAIN_JOINTS];
    bool same = player->track_count == (uint32_t)slow->count && player->paused == slow->paused &&
                player->finished == slow->finished;
    int i, frame;
    for (i = 0; same && i < slow->count; i++) {
        const md5_track *track = &player->track[i];
        same = fabs(track->time - slow->track[i].time) <= 0.0 &&
               (int)track->mode == slow->track[i].mode &&
               track->anim == (slow->track[i].clip < 0 ? NULL : anims[slow->track[i].clip]);
    }
    CHECK(same);
    if (slow->count && slow->track[slow->count - 1].clip >= 0) {
        int frames = chain_frames[slow->track[slow->count - 1].clip];
        if (slow->track[slow->count - 1].clip == 2 && slow->track[slow->count - 1].mode == MD5_LOOP)
            frames--;
        for (frame = 0; frame < frames; frame++)
            CHECK_EQ(md5_crossed(player, (uint32_t)frame), slow_crossed(slow, frame));
    }
    CHECK_EQ(md5_crossed(player, 1000), 0);
    if (slow->count > 3) return; /* four at once: see the fades below */
    md5_player_pose(model, player, pose, scratch);
    for (i = 0; i < 6; i++) CHECK_NEAR(pose[1 + i / 3].position[i % 3], slow_shown(slow, i), 1e-5);
}

static void random_act(random_source *random, md5_player *player, slow_player *slow,
                       md5_anim *const *anims)
{
    static const double speeds[6] = { 1.0, 2.0, 0.5, -1.0, -0.25, 0.0 };
    double              amount = (double)random_below(random, 65) / 64.0;
    int                 number = (int)random_below(random, CHAIN_CLIPS + 1) - 1,
        mode = (int)random_below(random, 3);
    uint32_t events, wanted;
    switch (random_below(random, 24)) {
        case 0:
        case 1:
            if (slow->count > 3) break;
            if (random_below(random, 4) == 0) amount = 0.0;
            md5_play(player, number < 0 ? NULL : anims[number], (md5_mode)mode, (float)amount);
            slow_play(slow, number, mode, amount);
            break;
        case 2: player->speed = (float)(slow->speed = speeds[random_below(random, 6)]); break;
        case 3:
            slow->paused = random_below(random, 2) != 0;
            md5_pause(player, slow->paused);
            break;
        case 4:
            amount = amount * 4.0 - 2.0;
            md5_seek(player, amount);
            slow->finished = false;
            if (slow->count) {
                slow_set_time(&slow->track[slow->count - 1], amount);
                slow->before = slow->track[slow->count - 1].time;
                slow->begun = true;
                slow->first = false;
            }
            break;
        case 5:
            if (random_below(random, 3)) break;
            md5_stop(player);
            slow->paused = true;
            slow->finished = slow->begun = false;
            if (slow->count) {
                slow->track[0] = slow->track[slow->count - 1];
                slow->track[0].time = 0.0;
                slow->track[0].fade = slow->track[0].fade_length;
                slow->count = 1;
            }
            break;
        default:
            if (random_below(random, 8) == 0) amount *= 20.0;
            if (random_below(random, 8) == 0) amount = -amount;
            events = md5_advance(player, (float)amount);
            wanted = slow_advance(slow, amount);
            if (slow->count && slow->track[slow->count - 1].clip >= 0) CHECK_EQ(events, wanted);
            break;
    }
}

static void test_player(void)
{
    random_source random = { 11 };
    md5_model   *model = chain_model(CHAIN_JOINTS);
    md5_anim    *anims[CHAIN_CLIPS];
    md5_player   player;
    slow_player  slow;
    int          i;
    check_section("player against a slow one");
    memset(&player, 0, sizeof player);
    memset(&slow, 0, sizeof slow);
    for (i = 0; i < CHAIN_CLIPS; i++) anims[i] = new_chain_clip(i);
    compare_players(&player, &slow, model, anims);
    for (i = 0; i < 20000; i++) {
        random_act(&random, &player, &slow, anims);
        compare_players(&player, &slow, model, anims);
    }
    CHECK_FLOOR(i, 20000, "acts of players");
    for (i = 0; i < CHAIN_CLIPS; i++) md5_free_anim(anims[i]);
    md5_free_model(model);
}

/* -- Player: by hand ------------------------------------------------------- */

/* Footsteps on frame 2 of a loop of five at 16 a second: once each 5/16 s, whatever the steps, and
   both ways. */
static void test_events(void)
{
    md5_anim  *anim = new_chain_clip(0);
    md5_player player;
    int        steps = 0, firsts = 0, i;
    check_section("events");
    memset(&player, 0, sizeof player);
    md5_play(&player, anim, MD5_LOOP, 0.0f);
    CHECK_EQ(md5_crossed(&player, 0), 0);
    md5_advance(&player, 0.0f);
    CHECK_EQ(md5_crossed(&player, 0), 1);
    CHECK_EQ(md5_crossed(&player, 4), 0);
    md5_advance(&player, 0.0f);
    CHECK_EQ(md5_crossed(&player, 0), 0);
    for (i = 0; i < 1000; i++) {
        md5_advance(&player, 0.013f);
        steps += md5_crossed(&player, 2);
        firsts += md5_crossed(&player, 0);
    }
    CHECK_EQ(steps, 42); /* 13 s = 208 frames: 2, 7 ... 207 */
    CHECK_EQ(firsts, 41);
    md5_advance(&player, 10.0f);
    CHECK_EQ(md5_crossed(&player, 3), 32);
    player.speed = -1.0f;
    md5_advance(&player, 10.0f);
    CHECK_EQ(md5_crossed(&player, 3), 32);
    md5_play(&player, anim, MD5_LOOP, 0.0f);
    player.speed = -1.0f;
    md5_advance(&player, 1.0f / 16.0f);
    CHECK_EQ(md5_crossed(&player, 0), 1);
    CHECK_EQ(md5_crossed(&player, 4), 1);
    CHECK_EQ(md5_crossed(&player, 3), 0);
    md5_play(&player, anim, MD5_PING_PONG, 0.0f);
    md5_advance(&player, 0.5f);
    CHECK_EQ(md5_crossed(&player, 0), 2);
    CHECK_EQ(md5_crossed(&player, 2), 2);
    CHECK_EQ(md5_crossed(&player, 4), 1);
    md5_free_anim(anim);
}

static void test_once(void)
{
    md5_anim  *anim = new_chain_clip(0);
    md5_player player;
    check_section("once");
    memset(&player, 0, sizeof player);
    md5_play(&player, anim, MD5_ONCE, 0.0f);
    CHECK_EQ(md5_advance(&player, 0.125f), 0);
    CHECK_EQ(md5_advance(&player, 9.0f), MD5_FINISHED);
    CHECK(player.finished);
    CHECK_EQ(player.track[0].time, 0.25);
    CHECK_EQ(md5_crossed(&player, 4), 1);
    CHECK_EQ(md5_advance(&player, 1.0f), 0);
    CHECK_EQ(md5_crossed(&player, 4), 0);
    player.speed = -1.0f;
    CHECK_EQ(md5_advance(&player, 0.0625f), 0);
    CHECK(!player.finished);
    CHECK_EQ(player.track[0].time, 0.1875);
    CHECK_EQ(md5_advance(&player, 5.0f), MD5_FINISHED);
    CHECK_EQ(player.track[0].time, 0);
    md5_play(&player, anim, MD5_ONCE, 0.0f);
    CHECK(!player.finished);
    md5_free_anim(anim);
}

/* NaN and infinite steps count as none; a huge one does no harm. */
static void test_odd_steps(void)
{
    md5_model *model = chain_model(CHAIN_JOINTS);
    md5_anim  *anim = new_chain_clip(1);
    md5_xform  pose[CHAIN_JOINTS], scratch[CHAIN_JOINTS];
    float      infinite = (float)HUGE_VAL;
    md5_player player;
    int        i;
    check_section("odd steps");
    memset(&player, 0, sizeof player);
    md5_play(&player, anim, MD5_LOOP, (float)(infinite - infinite));
    md5_advance(&player, 0.25f);
    md5_advance(&player, infinite);
    md5_advance(&player, -infinite);
    md5_advance(&player, infinite - infinite);
    CHECK_EQ(player.track[0].time, 0.25);
    player.speed = infinite - infinite;
    md5_advance(&player, 0.25f);
    CHECK_EQ(player.track[0].time, 0.25);
    player.speed = infinite;
    md5_advance(&player, 0.25f);
    CHECK(player.track[0].time - player.track[0].time >= 0.0);
    player.speed = 1e30f;
    for (i = 0; i < 4; i++) md5_advance(&player, 3e38f);
    md5_seek(&player, HUGE_VAL);
    md5_player_pose(model, &player, pose, scratch);
    CHECK(all_finite(pose[0].position, 3) && all_finite(pose[0].rotation, 4));
    md5_crossed(&player, 3);
    md5_free_anim(anim);
    md5_free_model(model);
}

/* Exactly joint_count transforms are written, into arrays of exactly that size, whatever plays;
   what does not fit shows the bind pose. */
static void test_player_pose(void)
{
    md5_model *model = arm();
    md5_anim  *wave = clip(M5_WAVE), *longer = chain_anim(40, 3, chain_pose),
             *shorter = new_chain_clip(0), *renamed;
    m5_text         text = joint_edit(M5_ANIM, "\"hand\"", "\"paw\" 2 63 5");
    const md5_anim *playing[5];
    md5_xform       bind[M5_JOINTS], want[M5_JOINTS];
    int             i;
    check_section("pose of a player");
    renamed = anim_of(&text, NULL);
    playing[0] = NULL;
    playing[1] = longer;
    playing[2] = shorter;
    playing[3] = renamed;
    playing[4] = wave;
    md5_pose_bind(model, bind);
    for (i = 0; i < 5; i++) {
        md5_xform *pose = (md5_xform *)malloc_or_abort(M5_JOINTS * sizeof *pose),
                  *scratch = (md5_xform *)malloc_or_abort(M5_JOINTS * sizeof *scratch);
        md5_player player;
        memset(&player, 0, sizeof player);
        if (i == 0) {
            md5_player_pose(model, &player, pose, scratch);
            CHECK(pose_distance(pose, bind, M5_JOINTS) <= 0.0);
        }
        md5_play(&player, playing[i], MD5_LOOP, 0.0f);
        md5_advance(&player, 0.1f);
        md5_player_pose(model, &player, pose, scratch);
        if (i < 4)
            CHECK(pose_distance(pose, bind, M5_JOINTS) <= 0.0);
        else {
            md5_pose_at(wave, MD5_LOOP, player.track[0].time, want);
            CHECK(pose_distance(pose, want, M5_JOINTS) < 1e-6);
            CHECK(pose_distance(pose, bind, M5_JOINTS) > 0.1);
        }
        md5_play(&player, playing[(i + 1) % 5], MD5_LOOP, 1.0f);
        md5_advance(&player, 0.5f);
        md5_player_pose(model, &player, pose, scratch);
        CHECK(all_finite(pose[0].position, 3) && all_finite(pose[M5_JOINTS - 1].rotation, 4));
        free(pose);
        free(scratch);
    }
    md5_free_anim(wave);
    md5_free_anim(longer);
    md5_free_anim(shorter);
    md5_free_anim(renamed);
    md5_free_model(model);
}

/* -- Fades without jumps --------------------------------------------------- */

static double track_in(const md5_track *track)
{
    double in = track->fade_length > 0.0f ? (double)track->fade / (double)track->fade_length : 1.0;
    return in < 1.0 ? in : 1.0;
}

/* How fast the weights of the tracks may change, per second. The share of each follows the fades:
   together no faster than the sum of their rates. Of four the lightest shows nothing, its share
   taken from all: what is left is stretched by 1 / (1 - 4 x lightest). */
static double fade_rate(const md5_player *player)
{
    double   rate = 0.0, rest = 1.0, least = 1.0;
    uint32_t i;
    for (i = player->track_count; i-- > 0;) {
        double share = i ? rest * track_in(&player->track[i]) : rest;
        rest -= share;
        if (share < least) least = share;
        if (i && track_in(&player->track[i]) < 1.0)
            rate += 1.0 / (double)player->track[i].fade_length;
    }
    if (player->track_count == 4) rate *= 4.0 / (1.0001 - 4.0 * (least < 0.25 ? least : 0.25));
    return rate;
}

static m5_xform still_pose(int joint, int frame)
{
    m5_xform x = xform_at(0, 0, 0, 0, 0, 1, 0);
    (void)frame;
    if (chain_clip / 3 + 1 == joint) x.p[chain_clip % 3] = 1.0;
    return x;
}

/* Six poses, each with a component of its own: what the player shows is the weights themselves.
   They sum to one, none is negative, a play with a fade changes nothing at that moment, and a step
   of time changes them no faster than the fades run. */
static void test_fades(void)
{
    enum { STILLS = 6 };
    random_source random = { 17 };
    md5_model   *model = chain_model(CHAIN_JOINTS);
    md5_anim    *anims[STILLS];
    md5_player   player;
    double       last[STILLS], allowed = 0.0;
    int          i, k, plays = 0, full = 0;
    check_section("fades without jumps");
    memset(&player, 0, sizeof player);
    for (chain_clip = 0; chain_clip < STILLS; chain_clip++)
        anims[chain_clip] = chain_anim(CHAIN_JOINTS, 1, still_pose);
    md5_play(&player, anims[0], MD5_LOOP, 0.0f);
    for (i = 0; i < 40000; i++) {
        md5_xform pose[CHAIN_JOINTS], scratch[CHAIN_JOINTS];
        double    sum = 0.0;
        if (i && random_below(&random, 40) == 0) {
            full += player.track_count == 4;
            plays++;
            md5_play(&player, anims[random_below(&random, STILLS)], MD5_LOOP,
                     0.125f + (float)random_unit(&random));
            allowed = 0.0;
        } else if (i) {
            float delta = (float)random_unit(&random) * 0.01f;
            allowed = fade_rate(&player) * (double)delta;
            md5_advance(&player, delta);
            if (fade_rate(&player) * (double)delta > allowed)
                allowed = fade_rate(&player) * (double)delta;
        }
        md5_player_pose(model, &player, pose, scratch);
        for (k = 0; k < STILLS; k++) {
            double now = (double)pose[1 + k / 3].position[k % 3];
            CHECK(now >= -1e-6);
            sum += now;
            if (i) CHECK_NEAR(now, last[k], allowed + 2e-5);
            last[k] = now;
        }
        CHECK_NEAR(sum, 1, 1e-5);
    }
    printf("fades: %d plays, %d of them while four were on\n", plays, full);
    CHECK(full >= 100);
    for (i = 0; i < STILLS; i++) md5_free_anim(anims[i]);
    md5_free_model(model);
}

static void joint_places(const md5_model *model, const md5_xform *local, double out[M5_JOINTS][3])
{
    md5_xform pose[M5_JOINTS];
    int       j, k;
    md5_pose_to_model_space(model, local, pose);
    for (j = 0; j < M5_JOINTS; j++)
        for (k = 0; k < 3; k++) out[j][k] = (double)pose[j].position[k];
}

static double farthest(double a[M5_JOINTS][3], double b[M5_JOINTS][3])
{
    double most = 0.0;
    int    j;
    for (j = 0; j < M5_JOINTS; j++) keep_worst(&most, distance3(a[j], b[j]));
    return most;
}

/* The same with moving arms. The bound: twice what the fastest animation moves a joint in the step,
   plus twice the share of the fades in the step times the farthest that any two poses are apart. */
static void test_moving_fades(void)
{
    enum { SAMPLES = 60 };
    random_source  random = { 23 };
    static double places[3 * SAMPLES][M5_JOINTS][3];
    md5_model    *model = arm();
    md5_anim     *anims[3];
    md5_xform     pose[M5_JOINTS], scratch[M5_JOINTS];
    double        apart = 0.0, fastest = 0.0, last[M5_JOINTS][3], now[M5_JOINTS][3], used = 0.0;
    md5_player    player;
    int           i, k;
    check_section("moving fades");
    for (i = 0; i < 3; i++) {
        static const int numbers[3] = { M5_WAVE, M5_REACH, M5_NOD };
        anims[i] = clip(numbers[i]);
        for (k = 0; k < SAMPLES; k++) {
            md5_pose_at(anims[i], MD5_LOOP, 0.01 * k, pose);
            joint_places(model, pose, places[i * SAMPLES + k]);
            if (k)
                keep_worst(&fastest,
                           farthest(places[i * SAMPLES + k], places[i * SAMPLES + k - 1]) / 0.01);
        }
    }
    for (i = 0; i < 3 * SAMPLES; i++)
        for (k = 0; k < i; k++) keep_worst(&apart, farthest(places[i], places[k]));
    memset(&player, 0, sizeof player);
    md5_play(&player, anims[0], MD5_LOOP, 0.0f);
    for (i = 0; i < 20000; i++) {
        float  delta = 0.0f;
        double bound;
        if (i % 23 == 22)
            md5_play(&player, anims[random_below(&random, 3)], MD5_LOOP,
                     0.25f + (float)random_unit(&random));
        else
            delta = 1.0f / 240.0f;
        bound = fade_rate(&player);
        md5_advance(&player, delta);
        if (fade_rate(&player) > bound) bound = fade_rate(&player);
        bound = 2.0 * (double)delta * (fastest + bound * apart) + 1e-4;
        md5_player_pose(model, &player, pose, scratch);
        joint_places(model, pose, now);
        if (i && !CHECK(farthest(now, last) <= bound))
            printf("  moved %g of %g at step %d\n", farthest(now, last), bound, i);
        if (i) keep_worst(&used, farthest(now, last) / bound);
        memcpy(last, now, sizeof last);
    }
    CHECK(used > 0.05);
    for (i = 0; i < 3; i++) md5_free_anim(anims[i]);
    md5_free_model(model);
}

/* -- Scalar and SIMD ------------------------------------------------------- */

static bool same_loaded(const md5_model *a, const md5_model *b)
{
    uint32_t i, m;
    bool     same = a->joint_count == b->joint_count && a->mesh_count == b->mesh_count &&
                same_bits(a->min, b->min, sizeof a->min) &&
                same_bits(a->max, b->max, sizeof a->max);
    for (i = 0; same && i < a->joint_count; i++)
        same = same_bits(&a->joints[i].bind, &b->joints[i].bind, sizeof(md5_xform)) &&
               same_bits(a->joints[i].inverse_bind, b->joints[i].inverse_bind,
                         sizeof a->joints[i].inverse_bind);
    for (m = 0; same && m < a->mesh_count; m++) {
        const md5_mesh *x = &a->meshes[m], *y = &b->meshes[m];
        same = x->vertex_count == y->vertex_count && x->weight_count == y->weight_count &&
               x->index_count == y->index_count &&
               same_bits(x->vertices, y->vertices, x->vertex_count * sizeof(md5_vertex)) &&
               same_bits(x->weights, y->weights, x->weight_count * sizeof(md5_weight)) &&
               same_bits(x->indices, y->indices, x->index_count * sizeof(uint32_t));
    }
    return same;
}

static bool same_vertices(const md5_model *a, const md5_model *b, const md5_xform *pose)
{
    float    a_min[3], a_max[3], b_min[3], b_max[3];
    bool     same = true;
    uint32_t m;
    for (m = 0; same && m < a->mesh_count; m++) {
        size_t count = a->meshes[m].vertex_count;
        float *p = new_floats(10 * count), *q = new_floats(10 * count);
        md5_pose_vertices(a, m, pose, p, 0, p + 3 * count, 0, p + 6 * count, 0);
        scalar_vertices(b, m, pose, q, q + 3 * count, q + 6 * count);
        same = same_bits(p, q, 10 * count * sizeof(float));
        md5_pose_vertices(a, m, pose, p, 0, NULL, 0, NULL, 0);
        same = same && same_bits(p, q, 3 * count * sizeof(float));
        free(p);
        free(q);
    }
    md5_pose_bounds(a, pose, a_min, a_max);
    scalar_bounds(b, pose, b_min, b_max);
    return same && same_bits(a_min, b_min, sizeof a_min) && same_bits(a_max, b_max, sizeof a_max);
}

static bool same_poses(const md5_model *model, const md5_model *scalar, const md5_anim *a,
                       const md5_anim *b, double seconds)
{
    size_t     count = a->joint_count;
    md5_xform *x = new_pose(count), *y = new_pose(count), *x2 = new_pose(count),
              *y2 = new_pose(count);
    float *p = new_floats(12 * count), *q = new_floats(12 * count);
    bool   same;
    md5_pose_at(a, MD5_LOOP, seconds, x);
    scalar_pose_at(b, MD5_LOOP, seconds, y);
    same = same_bits(x, y, count * sizeof *x);
    md5_pose_at(a, MD5_PING_PONG, seconds * 1.7, x2);
    scalar_pose_at(b, MD5_PING_PONG, seconds * 1.7, y2);
    md5_pose_mix(x, x2, 0.37f, NULL, count, x2);
    scalar_pose_mix(y, y2, 0.37f, count, y2);
    same = same && same_bits(x2, y2, count * sizeof *x);
    md5_pose_add(x, x2, x, 0.61f, NULL, count, x);
    scalar_pose_add(y, y2, y, 0.61f, count, y);
    same = same && same_bits(x, y, count * sizeof *x);
    if (model->joint_count == count) {
        md5_pose_to_model_space(model, x, x);
        scalar_model_space(scalar, y, y);
        md5_pose_palette(model, x, p);
        scalar_palette(scalar, y, q);
        same = same && same_bits(x, y, count * sizeof *x) &&
               same_bits(p, q, 12 * count * sizeof *p) && same_vertices(model, scalar, x);
    }
    free(x);
    free(y);
    free(x2);
    free(y2);
    free(p);
    free(q);
    return same;
}

static void test_scalar(void)
{
    static const uint32_t flags[4] = { 0, MD5_Y_UP, MD5_KEEP_WINDING | MD5_FLIP_V,
                                       MD5_Y_UP | MD5_FLIP_V };
    int                   f, number, step, compared = 0;
    check_section("scalar and SIMD");
    for (f = 0; f < 4; f++) {
        md5_options options = with_flags(flags[f], f == 3 ? 0.3f : 0.0f);
        m5_text     text;
        md5_model  *model, *scalar;
        memset(&text, 0, sizeof text);
        m5_arm_mesh(&text, 0);
        scalar = scalar_load_model(text.bytes, text.size, &options);
        model = model_of(&text, &options);
        CHECK(model && scalar && same_loaded(model, scalar));
        for (number = 0; number < M5_CLIPS; number++) {
            md5_anim *a, *b;
            m5_arm_anim(&text, number, 0);
            b = scalar_load_anim(text.bytes, text.size, &options);
            a = anim_of(&text, &options);
            for (step = 0; step < 40; step++, compared++)
                CHECK(same_poses(model, scalar, a, b, 0.0173 * step));
            scalar_free(NULL, b);
            md5_free_anim(a);
        }
        scalar_free(scalar, NULL);
        md5_free_model(model);
    }
    CHECK_FLOOR(compared, 800, "poses compared bit for bit");
}

/* -- The models at hand ---------------------------------------------------- */

static struct {
    unsigned long meshes, anims, pairs, misfits, vertices, numbers, wrong, fades;
} seen;

typedef struct loaded_anim {
    char     *path;
    md5_anim *anim, *scalar;
    ref_anim  ref;
    bool      exact; /* fits the mesh in question */
} loaded_anim;

static bool is_plain_number(ref_token token)
{
    size_t i;
    for (i = 0; i < token.size; i++)
        if (!strchr("+-.0123456789eE", token.at[i])) return false;
    return token.size > 0 && strpbrk(token.at, "0123456789") < token.at + token.size;
}

static spellings seen_numbers;

static void try_seen_numbers(void)
{
    static const char *locale;
    if (!locale) locale = comma_locale();
    seen.numbers += seen_numbers.count;
    seen.wrong += try_numbers(&seen_numbers, locale);
}

/* Every number of a file goes through the reader once more, and out as a float. */
static void collect_numbers(const char *bytes, size_t size)
{
    ref_text text = ref_split(bytes, size);
    while (text.next < text.count) {
        ref_token token = ref_next(&text);
        if (!is_plain_number(token)) continue;
        add_spelling(&seen_numbers, token.at, token.size);
        if (seen_numbers.count == NUMBERS_AT_ONCE) try_seen_numbers();
    }
    free(text.token);
}

static void check_model_against(const md5_model *model, const ref_model *ref)
{
    int j, m, i, k;
    CHECK_EQ(model->joint_count, ref->joint_count);
    CHECK_EQ(model->mesh_count, ref->mesh_count);
    if ((int)model->joint_count != ref->joint_count || (int)model->mesh_count != ref->mesh_count)
        return;
    for (j = 0; j < ref->joint_count; j++) {
        CHECK_TEXT(model->joints[j].name, ref->joint[j].name);
        CHECK_EQ(model->joints[j].parent, ref->joint[j].parent);
        for (k = 0; k < 3; k++)
            CHECK_EQ(model->joints[j].bind.position[k], (float)ref->joint[j].bind.p[k]);
        for (k = 0; k < 4; k++)
            CHECK_NEAR(model->joints[j].bind.rotation[k], ref->joint[j].bind.q[k], 2e-4);
    }
    for (m = 0; m < ref->mesh_count; m++) {
        const md5_mesh *mesh = &model->meshes[m];
        const ref_mesh *want = &ref->mesh[m];
        bool            same = (int)mesh->vertex_count == want->vertex_count &&
                    (int)mesh->weight_count == want->weight_count &&
                    (int)mesh->index_count == 3 * want->triangle_count;
        uint32_t most = 0;
        CHECK_TEXT(mesh->shader, want->shader);
        CHECK(same);
        for (i = 0; same && i < want->vertex_count; i++) {
            const md5_vertex *v = &mesh->vertices[i];
            if (v->weight_count > most) most = v->weight_count;
            same = (int)v->first_weight == want->vertex[i].first &&
                   (int)v->weight_count == want->vertex[i].count &&
                   v->u >= (float)want->vertex[i].u && v->u <= (float)want->vertex[i].u &&
                   v->v >= (float)want->vertex[i].v && v->v <= (float)want->vertex[i].v;
            CHECK(fabs(length3f(v->normal) - 1.0) < 1e-5 &&
                  fabs(length3f(v->tangent) - 1.0) < 1e-5 &&
                  fabs(fabs((double)v->tangent[3]) - 1.0) <= 0.0);
            CHECK(fabs(dot3f(v->normal, v->tangent)) < 1e-3);
        }
        CHECK(same);
        CHECK_EQ(mesh->max_influences, most);
        for (i = 0; same && i < want->weight_count; i++) {
            same = (int)mesh->weights[i].joint == want->weight[i].joint;
            for (k = 0; same && k < 3; k++) {
                float p = (float)want->weight[i].p[k];
                same = same_floats(&mesh->weights[i].position[k], &p, 1);
            }
        }
        for (i = 0; same && i < want->triangle_count; i++)
            same = (int)mesh->indices[3 * i] == want->corner[3 * i] &&
                   (int)mesh->indices[3 * i + 1] == want->corner[3 * i + 2] &&
                   (int)mesh->indices[3 * i + 2] == want->corner[3 * i + 1];
        CHECK(same);
    }
}

/* One pair at one time: every vertex against the reference, bounds against vertices, the palette
   against the weights. */
static void check_pair_at(const md5_model *model, const ref_model *ref, const loaded_anim *clip_at,
                          double seconds)
{
    size_t     joints = model->joint_count;
    md5_xform *pose = posed(model, clip_at->anim, MD5_LOOP, seconds);
    m5_xform  *want = (m5_xform *)malloc_or_abort(2 * joints * sizeof *want), *local = want + joints;
    float *palette = new_floats(12 * joints), low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 }, min[3],
          max[3];
    double   most = 0.0, by_palette = 0.0, extent;
    uint32_t m;
    int      i, k, w;
    ref_pose_at(&clip_at->ref, clip_at->anim->closed, MD5_LOOP, seconds, local);
    ref_to_model_space(ref->joint, ref->joint_count, local, want);
    md5_pose_palette(model, pose, palette);
    for (m = 0; m < model->mesh_count; m++) {
        const ref_mesh *mesh = &ref->mesh[m];
        float          *positions = new_floats(3 * (size_t)mesh->vertex_count);
        md5_pose_vertices(model, m, pose, positions, 0, NULL, 0, NULL, 0);
        seen.vertices += (unsigned long)mesh->vertex_count;
        for (i = 0; i < mesh->vertex_count; i++) {
            double right[3], got[3], through[3] = { 0, 0, 0 };
            ref_skin(mesh, i, want, right);
            for (k = 0; k < 3; k++) got[k] = (double)positions[3 * i + k];
            keep_worst(&most, distance3(got, right));
            for (w = mesh->vertex[i].first; w < mesh->vertex[i].first + mesh->vertex[i].count;
                 w++) {
                const ref_weight *weight = &mesh->weight[w];
                double            at[3], moved[3];
                m5_transform(&ref->joint[weight->joint].bind, weight->p, at);
                apply_rows(palette + 12 * weight->joint, at, moved);
                for (k = 0; k < 3; k++) through[k] += weight->bias * moved[k];
            }
            keep_worst(&by_palette, distance3(got, through));
        }
        free(positions);
    }
    bounds_of(model, pose, low, high);
    md5_pose_bounds(model, pose, min, max);
    CHECK(same_floats(low, min, 3) && same_floats(high, max, 3));
    extent = extent_of(low, high);
    if (extent > 0.0) {
        keep_worst(&worst.vertex, most / extent);
        keep_worst(&worst.palette, by_palette / extent);
        CHECK_NEAR(most / extent, 0, 1e-5);
        CHECK_NEAR(by_palette / extent, 0, 5e-5);
    }
    free(pose);
    free(want);
    free(palette);
}

static bool fits(const ref_model *model, const ref_anim *anim)
{
    int j;
    if (model->joint_count != anim->joint_count) return false;
    for (j = 0; j < model->joint_count; j++)
        if (strcmp(model->joint[j].name, anim->joint[j].name) != 0 ||
            model->joint[j].parent != anim->joint[j].parent)
            return false;
    return true;
}

/* Halfway through a crossfade of two animations each bone is as long as its local position says: as
   ever, where both agree on that. */
static void check_crossfade(const md5_model *model, const md5_anim *a, const md5_anim *b)
{
    size_t     joints = model->joint_count, j;
    md5_xform *x = new_pose(joints), *y = new_pose(joints), *mixed = new_pose(joints);
    double     extent = extent_of(model->min, model->max), most = 0.0;
    md5_pose_at(a, MD5_LOOP, 0.11, x);
    md5_pose_at(b, MD5_LOOP, 0.37, y);
    md5_pose_mix(x, y, 0.5f, NULL, joints, mixed);
    md5_pose_to_model_space(model, mixed, mixed);
    for (j = 0; j < joints; j++) {
        m5_xform here = widen(&mixed[j]), there;
        if (model->joints[j].parent < 0 ||
            !same_bits(x[j].position, y[j].position, sizeof x[j].position))
            continue;
        there = widen(&mixed[model->joints[j].parent]);
        keep_worst(&most, fabs(distance3(here.p, there.p) - length3f(x[j].position)));
        seen.fades++;
    }
    if (extent > 0.0) {
        keep_worst(&worst.bone, most / extent);
        CHECK_NEAR(most / extent, 0, 1e-5);
    }
    free(x);
    free(y);
    free(mixed);
}

static bool has_duplicate_names(const ref_anim *anim)
{
    int i, j;
    for (i = 0; i < anim->joint_count; i++)
        for (j = 0; j < i; j++)
            if (strcmp(anim->joint[i].name, anim->joint[j].name) == 0) return true;
    return false;
}

/* Fitted to the model's joints, an animation that fits already stays what it is, and every other
   one is safe to use. */
static void check_retargeted(const md5_model *model, const loaded_anim *clip_at)
{
    uint32_t   missing = 0, joints = model->joint_count;
    md5_anim  *fitted = md5_retarget_anim(model, clip_at->anim, &missing, NULL, NULL);
    md5_xform *x = new_pose(joints), *y = new_pose(clip_at->anim->joint_count);
    if (CHECK(fitted != NULL)) {
        CHECK_EQ(md5_check_anim(model, fitted, NULL), MD5_OK);
        CHECK(missing <= joints);
        md5_pose_at(fitted, MD5_LOOP, 0.123, x);
        md5_pose_at(clip_at->anim, MD5_LOOP, 0.123, y);
        CHECK(all_finite(x[0].position, 3));
        if (clip_at->exact && !has_duplicate_names(&clip_at->ref)) {
            CHECK_EQ(missing, 0);
            CHECK(pose_distance(x, y, joints) <= 0.0);
        }
    }
    free(x);
    free(y);
    md5_free_anim(fitted);
}

static void check_mesh_file(const char *path, loaded_anim *anims, size_t count)
{
    static random_source random = { 99 };
    size_t              size = 0, i, last = count;
    char               *bytes = (char *)read_file(path, &size);
    md5_error           error;
    md5_model          *model = md5_load_model_memory(bytes, size, NULL, &error),
              *scalar = scalar_load_model(bytes, size, NULL);
    ref_model ref;
    check_subject(path);
    if (!CHECK(model && scalar)) {
        printf("  line %u: %s\n", (unsigned)error.line, error.message);
        free(bytes);
        return;
    }
    ref = ref_read_model(bytes, size);
    seen.meshes++;
    collect_numbers(bytes, size);
    check_model_against(model, &ref);
    CHECK(same_loaded(model, scalar));
    for (i = 0; i < count; i++) {
        md5_result result = md5_check_anim(model, anims[i].anim, &error);
        anims[i].exact = fits(&ref, &anims[i].ref);
        CHECK_EQ(result, anims[i].exact ? MD5_OK : MD5_ERROR_MISMATCH);
        check_retargeted(model, &anims[i]);
        if (!anims[i].exact) {
            seen.misfits++;
            CHECK(is_sentence(error.message));
            continue;
        }
        seen.pairs++;
        check_pair_at(model, &ref, &anims[i], 100.0 * random_unit(&random));
        check_pair_at(model, &ref, &anims[i],
                      (anims[i].anim->frame_count - 0.7) / (double)anims[i].anim->fps);
        CHECK(
            same_poses(model, scalar, anims[i].anim, anims[i].scalar, random_unit(&random)));
        if (last < count) check_crossfade(model, anims[last].anim, anims[i].anim);
        last = i;
    }
    ref_free_model(&ref);
    md5_free_model(model);
    scalar_free(scalar, NULL);
    free(bytes);
}

static bool load_anim_file(loaded_anim *out, char *path)
{
    size_t    size = 0;
    char     *bytes = (char *)read_file(path, &size);
    md5_error error;
    int       i, j, k;
    bool      same = true;
    check_subject(path);
    out->path = path;
    out->anim = md5_load_anim_file(path, NULL, &error);
    out->scalar = scalar_load_anim(bytes, size, NULL);
    if (!CHECK(out->anim && out->scalar)) {
        printf("  line %u: %s\n", (unsigned)error.line, error.message);
        free(bytes);
        return false;
    }
    out->ref = ref_read_anim(bytes, size);
    seen.anims++;
    collect_numbers(bytes, size);
    CHECK_EQ(out->anim->frame_count, out->ref.frame_count);
    CHECK_EQ(out->anim->joint_count, out->ref.joint_count);
    CHECK_NEAR(out->anim->fps, out->ref.rate > 0.0 ? out->ref.rate : 24.0, 0);
    for (j = 0; j < out->ref.joint_count; j++) {
        CHECK_TEXT(out->anim->joint_names[j], out->ref.joint[j].name);
        CHECK_EQ(out->anim->parents[j], out->ref.joint[j].parent);
        CHECK_EQ(out->anim->joint_flags[j], out->ref.joint[j].flags);
        for (k = 0; k < 6; k++)
            if (!(out->ref.joint[j].flags >> k & 1))
                CHECK_EQ(out->anim->base[6 * j + k], (float)out->ref.joint[j].base[k]);
    }
    for (i = 0; same && i < out->ref.frame_count; i++) {
        for (j = 0; same && j < out->ref.joint_count; j++) {
            const float *got = out->anim->components + (size_t)i * out->anim->component_count +
                               out->anim->joint_start[j];
            const double *want =
                out->ref.component + i * out->ref.component_count + out->ref.joint[j].start;
            int bits = 0;
            for (k = 0; k < 6; k++) bits += (int)(out->ref.joint[j].flags >> k) & 1;
            for (k = 0; same && k < bits; k++)
                same = (double)got[k] >= want[k] && (double)got[k] <= want[k];
        }
    }
    CHECK(same);
    free(bytes);
    return true;
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool same_folder(const char *a, const char *b)
{
    return folder_length(a) == folder_length(b) && strncmp(a, b, folder_length(a)) == 0;
}

/* All that lies together in one folder: each mesh against each animation. Folders mix models, so
   not every pair fits. */
static void check_folders(file_list *meshes, file_list *paths)
{
    size_t       first, i, m, count;
    loaded_anim *anims = (loaded_anim *)malloc_or_abort((paths->count + 1) * sizeof *anims);
    for (first = 0; first < paths->count; first += count) {
        size_t loaded = 0;
        for (count = 0; first + count < paths->count &&
                        same_folder(paths->path[first], paths->path[first + count]);)
            count++;
        for (i = 0; i < count; i++)
            loaded += load_anim_file(&anims[loaded], paths->path[first + i]);
        for (m = 0; m < meshes->count; m++)
            if (same_folder(meshes->path[m], paths->path[first]))
                check_mesh_file(meshes->path[m], anims, loaded);
        for (i = 0; i < loaded; i++) {
            md5_free_anim(anims[i].anim);
            scalar_free(NULL, anims[i].scalar);
            ref_free_anim(&anims[i].ref);
        }
    }
    for (m = 0; m < meshes->count; m++) {
        for (i = 0; i < paths->count && !same_folder(meshes->path[m], paths->path[i]);) i++;
        if (i == paths->count) check_mesh_file(meshes->path[m], NULL, 0);
    }
    free(anims);
}

static void test_bad_models(void)
{
    file_list    bad = list_models("bad", "");
    unsigned long refused = 0, loaded = 0;
    size_t        i;
    check_section("bad models");
    for (i = 0; i < bad.count; i++) {
        size_t size = 0;
        char  *bytes;
        int    pass;
        if (!strstr(bad.path[i], ".md5")) continue;
        bytes = (char *)read_file(bad.path[i], &size);
        check_subject(bad.path[i]);
        for (pass = 0; pass < 2; pass++) {
            md5_error  error;
            md5_model *model = pass ? NULL : md5_load_model_memory(bytes, size, NULL, &error);
            md5_anim  *anim = pass ? md5_load_anim_memory(bytes, size, "bad", NULL, &error) : NULL;
            bool       version_12 =
                !pass && strstr(bad.path[i], "_v12"); /* says more than Doom 3 needs, and loads */
            CHECK((model || anim) == version_12);
            if (version_12 && model) CHECK_EQ(model->meshes[0].vertex_count, 4);
            if (!model && !anim) CHECK(error.code != MD5_OK && is_sentence(error.message));
            if (strstr(bad.path[i], "lamp"))
                CHECK(error.code == MD5_ERROR_VERSION && message_names(error.message, "alpha"));
            if (strstr(bad.path[i], "index") && !pass)
                CHECK(error.code == MD5_ERROR_CORRUPT || error.code == MD5_ERROR_SYNTAX);
            if (!version_12)
                printf("%s as %s: line %u: %s\n", strrchr(bad.path[i], '/') + 1,
                       pass ? "anim" : "mesh", (unsigned)error.line, error.message);
            refused += !model && !anim;
            loaded += model || anim;
            md5_free_model(model);
            md5_free_anim(anim);
        }
        free(bytes);
    }
    CHECK_FLOOR(refused, 13, "bad models refused, as a mesh and as an animation");
    CHECK_EQ(loaded, 1);
    file_list_free(&bad);
}

static void test_models_at_hand(void)
{
    file_list meshes = list_models("md5", ".md5mesh"), anims = list_models("md5", ".md5anim");
    if (!getenv("MODELS")) {
        printf("MODELS is not set: own models alone\n");
        return;
    }
    check_section("models at hand");
    check_folders(&meshes, &anims);
    check_subject("");
    try_seen_numbers();
    m5_free(&seen_numbers.text);
    free(seen_numbers.want);
    CHECK_FLOOR(seen.meshes, 95, "meshes loaded");
    CHECK_FLOOR(seen.anims, 150, "animations loaded");
    CHECK_FLOOR(seen.pairs, 100, "pairs that fit");
    CHECK_FLOOR(seen.misfits, 10, "pairs that do not fit");
    CHECK_FLOOR(seen.vertices, 100000, "vertices against the reference");
    CHECK_FLOOR(seen.fades, 1000, "bones of constant length crossfaded");
    CHECK_FLOOR(seen.numbers, 1000000, "numbers bit for bit");
    CHECK_EQ(seen.wrong, 0);
    file_list_free(&meshes);
    file_list_free(&anims);
    test_bad_models();
}

static void test_poses(void)
{
    test_model_fields();
    test_anim_fields();
    test_closed_form();
    test_w_sign();
    test_too_long();
    test_bind_pose();
    test_bind_vertices();
    test_times();
    test_no_drift();
    test_closed();
    test_slerp();
    test_short_arc();
    test_mix();
    test_add();
    test_mask_branch();
    test_masked_branch();
    test_bone_lengths();
    test_read_only();
    test_matrix();
    test_palette();
}

static void test_drawing(void)
{
    test_skinning();
    test_many_joints(put_many_mesh, MANY_VERTICES);
    test_many_joints(put_full_palette_mesh, MOST_VERTICES);
    test_many_joints(put_private_palette_mesh, MOST_VERTICES);
    test_bounds();
    test_strides();
    test_normals();
    test_tangents();
    test_posed_normals();
    test_winding();
    test_flip_v();
    test_axes();
    test_check_anim();
    test_retarget();
    test_root_motion();
    test_open_motion();
    test_in_place();
    test_texture_paths();
    test_texture_sequences();
}

static void test_playing(void)
{
    test_player();
    test_events();
    test_once();
    test_odd_steps();
    test_player_pose();
    test_fades();
    test_moving_fades();
}

static void test_loading(void)
{
    test_number_spellings();
    test_styles();
    test_flaws();
    test_salvage();
    test_readers();
    test_files();
    test_arguments();
    test_memory();
    test_frame_limit();
    test_long_names();
    test_result_names();
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--numbers") == 0) {
        test_random_numbers((size_t)strtoul(argv[2], NULL, 10));
        return check_finish();
    }
    test_loading();
    test_random_numbers(argc == 2 && strcmp(argv[1], "--quick") == 0 ? 20000 : 1000000);
    test_poses();
    test_drawing();
    test_playing();
    test_scalar();
    test_models_at_hand();
    printf("worst: vertex %.3g of the extent, palette %.3g, bone %.3g, slerp %.3g rad, length of a "
           "rotation %.3g, normal %.3g\n",
           worst.vertex, worst.palette, worst.bone, worst.slerp, worst.norm, worst.normal);
    return check_finish();
}
