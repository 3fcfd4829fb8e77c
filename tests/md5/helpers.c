/* The functions of test_md5.h. Public domain. */
#include "test_md5.h"

/* -- Objects that live until the test ends ---------------------------------- */

typedef void (*release_function)(void *object);

struct kept_object {
    void *object;
    release_function release;
};

static struct kept_objects {
    struct kept_object *at;
    size_t count, capacity;
} kept;

static void keep(void *object, release_function release)
{
    if (kept.count == kept.capacity) {
        kept.capacity = kept.capacity ? kept.capacity * 2 : 64;
        kept.at = (struct kept_object *)realloc(kept.at, kept.capacity * sizeof *kept.at);
        if (!kept.at) abort();
    }
    kept.at[kept.count].object = object;
    kept.at[kept.count++].release = release;
}

static void release_model(void *model) { md5_free_model((md5_model *)model); }
static void release_anim(void *anim) { md5_free_anim((md5_anim *)anim); }

static void release_text(void *text)
{
    m5_free((m5_text *)text);
    free(text);
}

size_t count_kept(void) { return kept.count; }

void free_kept(size_t from)
{
    while (kept.count > from) {
        --kept.count;
        kept.at[kept.count].release(kept.at[kept.count].object);
    }
    if (from == 0) {
        free(kept.at);
        memset(&kept, 0, sizeof kept);
    }
}

void *keep_block(size_t size)
{
    void *block = malloc_or_abort(size);
    memset(block, 0, size);
    keep(block, free);
    return block;
}

md5_model *keep_model(md5_model *model)
{
    keep(model, release_model);
    return model;
}

md5_anim *keep_anim(md5_anim *anim)
{
    keep(anim, release_anim);
    return anim;
}

m5_text *new_text(void)
{
    m5_text *text = (m5_text *)malloc_or_abort(sizeof *text);
    memset(text, 0, sizeof *text);
    keep(text, release_text);
    return text;
}

md5_xform *new_pose(size_t count) { return (md5_xform *)keep_block(count * sizeof(md5_xform)); }

float *new_floats(size_t count) { return (float *)keep_block(count * sizeof(float)); }

void free_all_kept(void) { free_kept(0); }

/* -- Models and animations -------------------------------------------------- */

/* Fails the test if a file did not load. */
static void require(bool loaded, const md5_error *error)
{
    if (!loaded) check_step("it does not load: line %u: %s", (unsigned)error->line, error->message);
    CHECK(loaded);
}

md5_model *model_of(const m5_text *text, const md5_options *options)
{
    md5_error error;
    md5_model *model = md5_load_model_memory(text->bytes, text->size, options, &error);
    require(model != NULL, &error);
    return keep_model(model);
}

md5_anim *anim_of(const m5_text *text, const md5_options *options)
{
    md5_error error;
    md5_anim *anim = md5_load_anim_memory(text->bytes, text->size, "own", options, &error);
    require(anim != NULL, &error);
    return keep_anim(anim);
}

m5_text *text_from(const char *string)
{
    m5_text *text = new_text();
    m5_put_text(text, string);
    return text;
}

md5_model *model_from(const char *text) { return model_of(text_from(text), NULL); }
md5_anim *anim_from(const char *text) { return anim_of(text_from(text), NULL); }

m5_text *arm_text(uint32_t style)
{
    m5_text *text = new_text();
    m5_arm_mesh(text, style);
    return text;
}

m5_text *clip_text(int number, uint32_t style)
{
    m5_text *text = new_text();
    m5_arm_anim(text, number, style);
    return text;
}

md5_model *arm_with(const md5_options *options) { return model_of(arm_text(0), options); }
md5_model *arm(void) { return arm_with(NULL); }

md5_anim *clip_with(int number, const md5_options *options)
{
    return anim_of(clip_text(number, 0), options);
}

md5_anim *clip(int number) { return clip_with(number, NULL); }

md5_model *body_of(const md5_anim *anim)
{
    md5_options options = options_of(anim->flags & MD5_Y_UP, anim->scale);
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numJoints %u numMeshes 0 joints {", (unsigned)anim->joint_count);
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        m5_put(text, " j%u %d ( 0 0 0 ) ( 0 0 0 )", (unsigned)i, (int)anim->parents[i]);
    }
    m5_put_text(text, " }");
    return model_of(text, &options);
}

md5_xform *posed(const md5_model *model, const md5_anim *anim, md5_mode mode, double seconds)
{
    md5_xform *pose = new_pose(model->joint_count);
    md5_pose_at(model, anim, mode, seconds, pose);
    md5_pose_to_model_space(model, pose, pose);
    return pose;
}

md5_options options_of(uint32_t flags, float scale)
{
    const md5_options options = { flags, scale, 0, NULL, 0, { NULL, NULL, NULL } };
    return options;
}

md5_options counting_options(counting_allocator *memory)
{
    const md5_allocator counting = { counting_alloc, counting_release, memory };
    md5_options options = options_of(0, 0.0f);
    memset(memory, 0, sizeof *memory);
    options.allocator = counting;
    return options;
}

/* -- Texts of either kind, from memory or in pieces -------------------------- */

static loaded_text loaded_of(md5_model *model, md5_anim *anim)
{
    size_t bytes = model ? model->bytes : anim ? anim->bytes : 0;
    loaded_text text = { model, anim, model || anim, bytes };
    return text;
}

loaded_text load_text(int kind, const void *bytes, size_t size, const md5_options *options,
                      md5_error *error)
{
    return kind == M5_MESH
               ? loaded_of(md5_load_model_memory(bytes, size, options, error), NULL)
               : loaded_of(NULL, md5_load_anim_memory(bytes, size, "tiny", options, error));
}

loaded_text load_pieces(int kind, feed *from, const md5_options *options, md5_error *error)
{
    md5_reader reader = { read_feed, from };
    return kind == M5_MESH ? loaded_of(md5_load_model_reader(&reader, options, error), NULL)
                           : loaded_of(NULL, md5_load_anim_reader(&reader, "tiny", options, error));
}

void free_text(const loaded_text *text)
{
    md5_free_model(text->model);
    md5_free_anim(text->anim);
}

/* Returns the peak of allocated bytes, divided by the size of the file. Loads from `bytes`, or from the path if
   `bytes` is NULL. */
static double peak_per_byte(int kind, const char *path, const void *bytes, size_t size)
{
    counting_allocator memory;
    md5_options options = counting_options(&memory);
    md5_error error;
    loaded_text loaded;
    if (bytes) loaded = load_text(kind, bytes, size, &options, &error);
    else if (kind == M5_MESH) loaded = loaded_of(md5_load_model_file(path, &options, &error), NULL);
    else loaded = loaded_of(NULL, md5_load_anim_file(path, &options, &error));
    require(loaded.loads, &error);
    free_text(&loaded);
    return (double)memory.peak_bytes / (double)size;
}

void check_peaks(int kind, const char *path)
{
    size_t size = 0;
    void *bytes = read_file(path, &size);
    CHECK(bytes != NULL);
    double from_memory = peak_per_byte(kind, path, bytes, size);
    double from_file = peak_per_byte(kind, path, NULL, size);
    free(bytes);

    const double most = kind == M5_MESH ? 2.9 : 2;
    check_step("%.2f bytes of memory per byte of text, from a file %.2f", from_memory, from_file);
    CHECK(from_memory <= most);
    CHECK(from_file <= most + 1);
}

/* -- Texts with one line replaced ------------------------------------------- */

const char tiny_mesh[] = "MD5Version 10\n"                /*  1 */
                         "numJoints 2\n"                  /*  2 */
                         "numMeshes 1\n"                  /*  3 */
                         "joints {\n"                     /*  4 */
                         "\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n" /*  5 */
                         "\"b\" 0 ( 1 2 3 ) ( 0 0 0 )\n"  /*  6 */
                         "}\n"                            /*  7 */
                         "mesh {\n"                       /*  8 */
                         "shader \"s\"\n"                 /*  9 */
                         "numverts 3\n"                   /* 10 */
                         "vert 0 ( 0 0 ) 0 1\n"           /* 11 */
                         "vert 1 ( 1 0 ) 1 1\n"           /* 12 */
                         "vert 2 ( 0 1 ) 2 1\n"           /* 13 */
                         "numtris 1\n"                    /* 14 */
                         "tri 0 0 2 1\n"                  /* 15 */
                         "numweights 3\n"                 /* 16 */
                         "weight 0 0 1 ( 0 0 0 )\n"       /* 17 */
                         "weight 1 0 1 ( 1 0 0 )\n"       /* 18 */
                         "weight 2 1 1 ( 0 1 0 )\n"       /* 19 */
                         "}\n";                           /* 20 */

const char tiny_anim[] = "MD5Version 10\n"           /*  1 */
                         "numFrames 2\n"             /*  2 */
                         "numJoints 2\n"             /*  3 */
                         "frameRate 24\n"            /*  4 */
                         "numAnimatedComponents 3\n" /*  5 */
                         "hierarchy {\n"             /*  6 */
                         "\"a\" -1 7 0\n"            /*  7 */
                         "\"b\" 0 0 0\n"             /*  8 */
                         "}\n"                       /*  9 */
                         "bounds {\n"                /* 10 */
                         "( 0 0 0 ) ( 1 1 1 )\n"     /* 11 */
                         "( 0 0 0 ) ( 1 1 1 )\n"     /* 12 */
                         "}\n"                       /* 13 */
                         "baseframe {\n"             /* 14 */
                         "( 0 0 0 ) ( 0 0 0 )\n"     /* 15 */
                         "( 1 0 0 ) ( 0 0 0 )\n"     /* 16 */
                         "}\n"                       /* 17 */
                         "frame 0 {\n"               /* 18 */
                         "1 2 3\n"                   /* 19 */
                         "}\n"                       /* 20 */
                         "frame 1 {\n"               /* 21 */
                         "4 5 6\n"                   /* 22 */
                         "}\n";                      /* 23 */

char *edit_line(const char *base, int line, const char *text, size_t *size)
{
    const char *start = base, *rest;
    size_t before, length = strlen(text);
    while (--line > 0) start = strchr(start, '\n') + 1;
    rest = strchr(start, '\n');
    if (length >= 3 && strcmp(text + length - 3, "...") == 0) {
        length -= 3;
        rest = "";
    }
    before = (size_t)(start - base);
    *size = before + length + strlen(rest);
    char *out = (char *)malloc_or_abort(*size);
    if (before) memcpy(out, base, before);
    if (length) memcpy(out + before, text, length);
    if (*rest) memcpy(out + before + length, rest, strlen(rest));
    return out;
}

loaded_text load_edited(int kind, int line, const char *text, md5_error *error)
{
    size_t size;
    char *edited = edit_line(kind == M5_MESH ? tiny_mesh : tiny_anim, line, text, &size);
    loaded_text loaded = load_text(kind, edited, size, NULL, error);
    free(edited);
    return loaded;
}

static loaded_text require_edited(int kind, int line, const char *text)
{
    md5_error error;
    check_scene("line %d of the smallest %s is %s", line, kind == M5_MESH ? "mesh" : "animation",
                *text ? text : "empty");
    loaded_text loaded = load_edited(kind, line, text, &error);
    require(loaded.loads, &error);
    return loaded;
}

md5_model *mesh_with(int line, const char *text)
{
    return keep_model(require_edited(M5_MESH, line, text).model);
}

md5_anim *anim_with(int line, const char *text)
{
    return keep_anim(require_edited(M5_ANIM, line, text).anim);
}

/* -- Skeletons of any shape ------------------------------------------------- */

void put_chain_joint(m5_text *text, int joint) { m5_put(text, "\"j%d\" %d", joint, joint - 1); }

void put_anim_head(m5_text *text, int joints, int frames, unsigned flags, joint_writer put_joint)
{
    int components = 0;
    for (int i = 0; i < 6; ++i) components += (int)(flags >> i & 1u);
    m5_put(text, "MD5Version 10\ncommandline \"\"\nnumJoints %d\nnumFrames %d\nframeRate 16\n",
           joints, frames);
    m5_put(text, "numAnimatedComponents %d\nhierarchy {\n", components * joints);
    for (int i = 0; i < joints; ++i) {
        put_joint(text, i);
        m5_put(text, " %u %d\n", flags, components * i);
    }
    m5_put_text(text, "}\nbounds {\n");
    for (int i = 0; i < frames; ++i) m5_put_text(text, "( 1 2 3 ) ( 4 5 6 )\n");
    m5_put_text(text, "}\nbaseframe {\n");
    for (int i = 0; i < joints; ++i) m5_put_text(text, "( 9 8 7 ) ( 0.1 0.1 0.1 )\n");
    m5_put_text(text, "}\n");
}

void put_anim(m5_text *text, int joints, int frames, joint_writer put_joint, pose_function pose)
{
    put_anim_head(text, joints, frames, 63, put_joint);
    for (int frame = 0; frame < frames; ++frame) {
        m5_put(text, "frame %d {\n", frame);
        for (int joint = 0; joint < joints; ++joint) {
            m5_xform x = pose(joint, frame);
            double sign = x.q[3] > 0.0 ? -1.0 : 1.0;
            for (int k = 0; k < 3; ++k) m5_put(text, " %.9g", x.p[k]);
            for (int k = 0; k < 3; ++k) m5_put(text, " %.9g", sign * x.q[k]);
        }
        m5_put_text(text, "\n}\n");
    }
}

md5_anim *chain_anim(int joints, int frames, pose_function pose)
{
    m5_text *text = new_text();
    put_anim(text, joints, frames, put_chain_joint, pose);
    return anim_of(text, NULL);
}

m5_xform xform_at(double x, double y, double z, double axis_x, double axis_y, double axis_z,
                  double degrees)
{
    m5_xform out = { { x, y, z }, { 0, 0, 0, 1 } };
    m5_axis_angle(axis_x, axis_y, axis_z, degrees, out.q);
    return out;
}

void put_mesh_head(m5_text *text, int joints, int meshes, joint_writer put_joint)
{
    m5_put(text, "MD5Version 10\nnumJoints %d\nnumMeshes %d\njoints {\n", joints, meshes);
    for (int i = 0; i < joints; ++i) {
        put_joint(text, i);
        m5_put(text, " ( %d 0 0 ) ( 0 0 0 )\n", i);
    }
    m5_put_text(text, "}\n");
}

md5_model *chain_model(int joints)
{
    m5_text *text = new_text();
    put_mesh_head(text, joints, 0, put_chain_joint);
    return model_of(text, NULL);
}

/* -- Numbers and poses ------------------------------------------------------ */

m5_xform widen(const md5_xform *x)
{
    m5_xform out;
    for (int k = 0; k < 3; ++k) out.p[k] = (double)x->position[k];
    for (int k = 0; k < 4; ++k) out.q[k] = (double)x->rotation[k];
    return out;
}

void keep_worst(double *kept_value, double value)
{
    if (!(value <= *kept_value)) *kept_value = value;
}

double distance3(const double a[3], const double b[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

double dot3f(const float a[3], const float b[3])
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

double length3f(const float v[3]) { return sqrt(dot3f(v, v)); }

bool frame_is_right(const float normal[3], const float tangent[4])
{
    return fabs(length3f(normal) - 1.0) < 1e-5 && fabs(length3f(tangent) - 1.0) < 1e-5 &&
           fabs(dot3f(normal, tangent)) < 1e-3 && fabs(fabs((double)tangent[3]) - 1.0) <= 0.0;
}

/* A quaternion and its negative are the same rotation, so the smaller of the two angles between the
   quaternions counts. The rotation is twice that angle. */
double rotation_distance(const double a[4], const double b[4])
{
    double minus = 0.0, plus = 0.0;
    for (int k = 0; k < 4; ++k) {
        minus += (a[k] - b[k]) * (a[k] - b[k]);
        plus += (a[k] + b[k]) * (a[k] + b[k]);
    }
    return 4.0 * (minus < plus ? atan2(sqrt(minus), sqrt(plus)) : atan2(sqrt(plus), sqrt(minus)));
}

void ref_slerp(const double a[4], const double b[4], double t, double out[4])
{
    double dot = 0.0, angle = rotation_distance(a, b) / 2.0, from = 1.0 - t, to = t;
    for (int k = 0; k < 4; ++k) dot += a[k] * b[k];
    if (angle > 1e-9) {
        from = sin((1.0 - t) * angle) / sin(angle);
        to = sin(t * angle) / sin(angle);
    }
    if (dot < 0.0) to = -to;
    for (int k = 0; k < 4; ++k) out[k] = from * a[k] + to * b[k];
    m5_normalize(out, 4);
}

m5_xform ref_mix(const m5_xform *a, const m5_xform *b, double t)
{
    m5_xform out;
    for (int k = 0; k < 3; ++k) out.p[k] = a->p[k] + (b->p[k] - a->p[k]) * t;
    ref_slerp(a->q, b->q, t, out.q);
    return out;
}

double xform_distance(const md5_xform *got, const m5_xform *want)
{
    m5_xform x = widen(got);
    double p = distance3(x.p, want->p), q = rotation_distance(x.q, want->q);
    return p > q ? p : q;
}

double pose_distance(const md5_xform *a, const md5_xform *b, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; ++i) {
        m5_xform x = widen(&b[i]);
        keep_worst(&most, xform_distance(&a[i], &x));
    }
    return most;
}

bool same_bits(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

bool same_floats(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (a[i] < b[i] || a[i] > b[i] || a[i] != a[i]) return false;
    }
    return true;
}

bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!(fabsf(values[i]) <= 3.402823466e38f)) return false;
    }
    return true;
}

/* Some exporters write -0 where others write 0. */
static bool same_xform(const md5_xform *a, const md5_xform *b)
{
    return same_floats(a->position, b->position, 3) && same_floats(a->rotation, b->rotation, 4) &&
           same_floats(&a->scale, &b->scale, 1);
}

static void check_same_mesh(const md5_mesh *mesh, const md5_mesh *want)
{
    CHECK_TEXT(mesh->shader, want->shader);
    CHECK_EQ(mesh->vertex_count, want->vertex_count);
    CHECK_EQ(mesh->weight_count, want->weight_count);
    CHECK_EQ(mesh->index_count, want->index_count);
    CHECK_EQ(mesh->max_influences, want->max_influences);
    CHECK(same_bits(mesh->indices, want->indices, want->index_count * sizeof *want->indices));
    for (uint32_t i = 0; i < want->vertex_count; ++i) {
        const md5_vertex *a = &mesh->vertices[i], *b = &want->vertices[i];
        check_step("vertex %u of mesh %s", (unsigned)i, want->shader);
        CHECK_EQ(a->u, b->u);
        CHECK_EQ(a->v, b->v);
        CHECK_EQ(a->first_weight, b->first_weight);
        CHECK_EQ(a->weight_count, b->weight_count);
        CHECK(same_floats(a->position, b->position, 3));
        CHECK(same_floats(a->normal, b->normal, 3));
        CHECK(same_floats(a->tangent, b->tangent, 4));
    }
    for (uint32_t i = 0; i < want->weight_count; ++i) {
        const md5_weight *a = &mesh->weights[i], *b = &want->weights[i];
        check_step("weight %u of mesh %s", (unsigned)i, want->shader);
        CHECK_EQ(a->joint, b->joint);
        CHECK_EQ(a->bias, b->bias);
        CHECK(same_floats(a->position, b->position, 3));
    }
}

/* Returns the first mesh from `mesh` on that has vertices, or the number of meshes. */
static uint32_t skip_empty_meshes(const md5_model *model, uint32_t mesh)
{
    while (mesh < model->mesh_count && model->meshes[mesh].vertex_count == 0) ++mesh;
    return mesh;
}

void check_same_model(const md5_model *model, const md5_model *want)
{
    CHECK_EQ(model->joint_count, want->joint_count);
    for (uint32_t i = 0; i < want->joint_count; ++i) {
        check_step("joint %u of the model", (unsigned)i);
        CHECK_TEXT(model->joints[i].name, want->joints[i].name);
        CHECK_EQ(model->joints[i].parent, want->joints[i].parent);
        CHECK(same_xform(&model->joints[i].bind, &want->joints[i].bind));
    }

    uint32_t at = 0;
    for (uint32_t i = skip_empty_meshes(want, 0); i < want->mesh_count; ++at) {
        check_step("mesh %u, %s", (unsigned)i, want->meshes[i].shader);
        at = skip_empty_meshes(model, at);
        CHECK(at < model->mesh_count);
        check_same_mesh(&model->meshes[at], &want->meshes[i]);
        i = skip_empty_meshes(want, i + 1);
    }
    CHECK_EQ(skip_empty_meshes(model, at), model->mesh_count);
}

void check_same_anim(const md5_anim *anim, const md5_anim *want)
{
    CHECK_EQ(anim->frame_count, want->frame_count);
    CHECK_EQ(anim->joint_count, want->joint_count);
    CHECK_EQ(anim->fps, want->fps);
    for (int j = 0; j < (int)want->joint_count; ++j) {
        check_step("joint %d of the animation", j);
        CHECK_TEXT(anim->joint_names[j], want->joint_names[j]);
        CHECK_EQ(anim->parents[j], want->parents[j]);
        for (int i = 0; i < (int)want->frame_count; ++i) {
            CHECK(same_xform(anim_xform(anim, i, j), anim_xform(want, i, j)));
        }
    }
}

void check_error(const md5_error *error, md5_result code, uint32_t line, const char *message)
{
    CHECK_TEXT(md5_result_name(error->code), md5_result_name(code));
    CHECK_EQ(error->line, line);
    CHECK_TEXT(error->message, message);
}

const md5_xform *anim_xform(const md5_anim *anim, int frame, int joint)
{
    uint32_t slot = anim->slots[joint], moving = anim->moving_count;
    if (slot >= moving) return &anim->still[slot - moving];
    return &anim->frames[(uint32_t)frame * moving + slot];
}
