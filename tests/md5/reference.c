/* The functions of reference.h. Public domain. */
#include "reference.h"

#include <ctype.h>

/* -- Reading ---------------------------------------------------------------- */

typedef struct ref_token {
    const char *at;
    size_t size;
    bool quoted;
} ref_token;

typedef struct ref_text {
    ref_token *token;
    size_t count, next;
} ref_text;

static bool ref_blank(char c) { return c == '\0' || c == ' ' || (c >= '\t' && c <= '\r'); }
static bool ref_bracket(char c) { return c == '(' || c == ')' || c == '{' || c == '}'; }

static size_t ref_token_end(const char *bytes, size_t size, size_t at)
{
    if (ref_bracket(bytes[at])) return at + 1;
    while (at < size && !ref_blank(bytes[at]) && !ref_bracket(bytes[at]) && bytes[at] != '"') ++at;
    return at;
}

static ref_text ref_split(const char *bytes, size_t size)
{
    ref_text text = { NULL, 0, 0 };
    size_t at = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    text.token = (ref_token *)keep_block((size + 1) * sizeof *text.token);
    while (at < size) {
        ref_token *token = &text.token[text.count];
        if (ref_blank(bytes[at])) {
            ++at;
        } else if (bytes[at] == '/' && at + 1 < size && bytes[at + 1] == '/') {
            while (at < size && bytes[at] != '\n') ++at;
        } else if (bytes[at] == '"') {
            token->quoted = true;
            token->at = bytes + ++at;
            while (at < size && bytes[at] != '"') ++at;
            token->size = (size_t)(bytes + at++ - token->at);
            ++text.count;
        } else {
            token->at = bytes + at;
            at = ref_token_end(bytes, size, at);
            token->size = (size_t)(bytes + at - token->at);
            ++text.count;
        }
    }
    return text;
}

static ref_token ref_next(ref_text *text)
{
    ref_token none = { "", 0, true };
    return text->next < text->count ? text->token[text->next++] : none;
}

static bool ref_is(ref_token token, const char *word)
{
    if (token.quoted || token.size != strlen(word)) return false;
    for (size_t i = 0; i < token.size; ++i) {
        if (tolower((unsigned char)token.at[i]) != tolower((unsigned char)word[i])) return false;
    }
    return true;
}

static void ref_name(ref_text *text, char *out, size_t size)
{
    ref_token token = ref_next(text);
    snprintf(out, size, "%.*s", (int)token.size, token.at);
}

/* All that is done with it is in double precision. Where the library keeps it, it is a float. */
static double ref_number(ref_text *text)
{
    char digits[256];
    ref_name(text, digits, sizeof digits);
    return strtod(digits, NULL);
}

static int ref_int(ref_text *text)
{
    ref_token token = ref_next(text);
    return token.size ? (int)strtol(token.at, NULL, 10) : 0;
}

static void ref_tuple(ref_text *text, double *out, int count)
{
    ref_next(text);
    for (int k = 0; k < count; ++k) out[k] = ref_number(text);
    ref_next(text);
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

/* Passes over tuples that a later version adds. */
static void ref_skip_tuples(ref_text *text)
{
    while (text->next < text->count && ref_is(text->token[text->next], "(")) {
        while (!ref_is(ref_next(text), ")")) continue;
    }
}

static void ref_read_verts(ref_text *text, ref_mesh *mesh)
{
    mesh->vertex_count = ref_int(text);
    mesh->vertex = (ref_vertex *)keep_block((size_t)mesh->vertex_count * sizeof *mesh->vertex);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        double uv[2];
        ref_next(text);
        ref_vertex *vertex = &mesh->vertex[ref_int(text)];
        ref_tuple(text, uv, 2);
        vertex->u = uv[0];
        vertex->v = uv[1];
        vertex->first = ref_int(text);
        vertex->count = ref_int(text);
        ref_skip_tuples(text);
    }
}

static void ref_read_tris(ref_text *text, ref_mesh *mesh)
{
    mesh->triangle_count = ref_int(text);
    mesh->corner = (int *)keep_block(3 * (size_t)mesh->triangle_count * sizeof *mesh->corner);
    for (int i = 0; i < mesh->triangle_count; ++i) {
        ref_next(text);
        int *corner = mesh->corner + 3 * ref_int(text);
        for (int k = 0; k < 3; ++k) corner[k] = ref_int(text);
    }
}

static void ref_read_weights(ref_text *text, ref_mesh *mesh)
{
    mesh->weight_count = ref_int(text);
    mesh->weight = (ref_weight *)keep_block((size_t)mesh->weight_count * sizeof *mesh->weight);
    for (int i = 0; i < mesh->weight_count; ++i) {
        ref_next(text);
        ref_weight *weight = &mesh->weight[ref_int(text)];
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
        if (ref_is(token, "shader")) {
            ref_name(text, mesh->shader, sizeof mesh->shader);
        } else if (ref_is(token, "numverts")) {
            ref_read_verts(text, mesh);
        } else if (ref_is(token, "numtris")) {
            ref_read_tris(text, mesh);
        } else if (ref_is(token, "numweights")) {
            ref_read_weights(text, mesh);
        } else if (ref_is(token, "flags")) {
            ref_skip_block(text);
        }
        ref_skip_tuples(text);
    }
}

/* A list in braces: the joints of a mesh, or the hierarchy of an animation. */
static ref_joint *ref_read_joints(ref_text *text, int count, bool of_mesh)
{
    ref_joint *joints = (ref_joint *)keep_block((size_t)count * sizeof *joints);
    ref_next(text);
    for (int j = 0; j < count; ++j) {
        ref_name(text, joints[j].name, sizeof joints[j].name);
        joints[j].parent = ref_int(text);
        if (of_mesh) {
            ref_tuple(text, joints[j].bind.p, 3);
            ref_tuple(text, joints[j].bind.q, 3);
            m5_complete(joints[j].bind.q);
        } else {
            joints[j].flags = (unsigned)ref_int(text);
            joints[j].start = ref_int(text);
        }
    }
    ref_next(text);
    return joints;
}

/* Gives a joint the next number, after all that it hangs from. Those without one have -1. */
static int ref_number_joint(const ref_joint *joints, int joint, int *numbers, int next)
{
    if (numbers[joint] >= 0) return next;
    if (joints[joint].parent >= 0) {
        next = ref_number_joint(joints, joints[joint].parent, numbers, next);
    }
    numbers[joint] = next;
    return next + 1;
}

/* Sorts joints so that parents come first, and returns their new numbers. */
static const int *ref_sort_joints(ref_joint **joints, int count)
{
    ref_joint *sorted = (ref_joint *)keep_block((size_t)count * sizeof *sorted);
    int *numbers = (int *)keep_block((size_t)count * sizeof *numbers), next = 0;
    for (int j = 0; j < count; ++j) numbers[j] = -1;
    for (int j = 0; j < count; ++j) next = ref_number_joint(*joints, j, numbers, next);
    for (int j = 0; j < count; ++j) {
        ref_joint *joint = &sorted[numbers[j]];
        *joint = (*joints)[j];
        if (joint->parent >= 0) joint->parent = numbers[joint->parent];
    }
    *joints = sorted;
    return numbers;
}

ref_model ref_read_model(const char *bytes, size_t size)
{
    ref_text text = ref_split(bytes, size);
    ref_model model = { 0, 0, NULL, NULL };
    int declared = 0;
    while (text.next < text.count && (!declared || model.mesh_count < declared)) {
        ref_token token = ref_next(&text);
        if (ref_is(token, "numJoints")) {
            model.joint_count = ref_int(&text);
        } else if (ref_is(token, "numMeshes")) {
            declared = ref_int(&text);
            model.mesh = (ref_mesh *)keep_block((size_t)declared * sizeof *model.mesh);
        } else if (ref_is(token, "joints")) {
            model.joint = ref_read_joints(&text, model.joint_count, true);
        } else if (ref_is(token, "meshDisabled")) {
            ref_skip_block(&text);
        } else if (ref_is(token, "mesh")) {
            ref_read_mesh(&text, &model.mesh[model.mesh_count++]);
        }
    }

    const int *numbers = ref_sort_joints(&model.joint, model.joint_count);
    for (int m = 0; m < model.mesh_count; ++m) {
        for (int i = 0; i < model.mesh[m].weight_count; ++i) {
            ref_weight *weight = &model.mesh[m].weight[i];
            weight->joint = numbers[weight->joint];
        }
    }
    return model;
}

static void ref_read_frames(ref_text *text, ref_anim *anim)
{
    size_t  count = (size_t)anim->frame_count * (size_t)anim->component_count;
    double *component = (double *)keep_block((count + 1) * sizeof *component);
    anim->component = component;
    for (int i = 0; i < anim->frame_count; ++i) {
        if (i) ref_next(text); /* frame */
        ref_int(text);
        ref_next(text);
        for (int k = 0; k < anim->component_count; ++k) *component++ = ref_number(text);
        ref_next(text);
    }
}

ref_anim ref_read_anim(const char *bytes, size_t size)
{
    ref_text text = ref_split(bytes, size);
    ref_anim anim = { 0, 0, 0, 0.0, NULL, NULL };
    while (text.next < text.count && !anim.component) {
        ref_token token = ref_next(&text);
        if (ref_is(token, "numFrames")) {
            anim.frame_count = ref_int(&text);
        } else if (ref_is(token, "numJoints")) {
            anim.joint_count = ref_int(&text);
        } else if (ref_is(token, "frameRate")) {
            anim.rate = ref_number(&text);
        } else if (ref_is(token, "numAnimatedComponents")) {
            anim.component_count = ref_int(&text);
        } else if (ref_is(token, "hierarchy")) {
            anim.joint = ref_read_joints(&text, anim.joint_count, false);
        } else if (ref_is(token, "baseframe")) {
            ref_next(&text);
            for (int j = 0; j < anim.joint_count; ++j) {
                ref_tuple(&text, anim.joint[j].base, 3);
                ref_tuple(&text, anim.joint[j].base + 3, 3);
            }
            ref_next(&text);
        } else if (ref_is(token, "frame")) {
            ref_read_frames(&text, &anim);
        }
    }
    ref_sort_joints(&anim.joint, anim.joint_count);
    return anim;
}

/* -- What loads, against that ------------------------------------------------- */

static void check_mesh(const md5_mesh *mesh, const ref_mesh *want)
{
    uint32_t most = 0;
    CHECK_TEXT(mesh->shader, want->shader);
    CHECK_EQ(mesh->vertex_count, want->vertex_count);
    CHECK_EQ(mesh->weight_count, want->weight_count);
    CHECK_EQ(mesh->index_count, 3 * want->triangle_count);
    for (int i = 0; i < want->vertex_count; ++i) {
        const md5_vertex *v = &mesh->vertices[i];
        const ref_vertex *w = &want->vertex[i];
        check_step("vertex %d of mesh %s", i, mesh->shader);
        if (v->weight_count > most) most = v->weight_count;
        CHECK_EQ(v->first_weight, w->first);
        CHECK_EQ(v->weight_count, w->count);
        CHECK_EQ(v->u, (float)w->u);
        CHECK_EQ(v->v, (float)w->v);
        CHECK(frame_is_right(v->normal, v->tangent));
    }
    CHECK_EQ(mesh->max_influences, most);
    for (int i = 0; i < want->weight_count; ++i) {
        check_step("weight %d of mesh %s", i, mesh->shader);
        CHECK_EQ(mesh->weights[i].joint, want->weight[i].joint);
        CHECK_EQ(mesh->weights[i].bias, (float)want->weight[i].bias);
        for (int k = 0; k < 3; ++k) {
            CHECK_EQ(mesh->weights[i].position[k], (float)want->weight[i].p[k]);
        }
    }
    for (int i = 0; i < 3 * want->triangle_count; ++i) { /* the winding is reversed */
        check_step("index %d of mesh %s", i, mesh->shader);
        CHECK_EQ(mesh->indices[i], want->corner[i % 3 ? i - i % 3 + 3 - i % 3 : i]);
    }
}

void check_model(const md5_model *model, const ref_model *ref)
{
    int m = 0;
    CHECK_EQ(model->joint_count, ref->joint_count);
    for (int j = 0; j < ref->joint_count; ++j) {
        check_step("joint %d of the model", j);
        CHECK_TEXT(model->joints[j].name, ref->joint[j].name);
        CHECK_EQ(model->joints[j].parent, ref->joint[j].parent);
        for (int k = 0; k < 3; ++k) {
            CHECK_EQ(model->joints[j].bind.position[k], (float)ref->joint[j].bind.p[k]);
        }
        for (int k = 0; k < 4; ++k) {
            CHECK_NEAR(model->joints[j].bind.rotation[k], ref->joint[j].bind.q[k], 1e-6);
        }
    }
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        if (model->meshes[i].vertex_count == 0) continue;
        while (m < ref->mesh_count && ref->mesh[m].vertex_count == 0) ++m;
        CHECK(m < ref->mesh_count);
        check_mesh(&model->meshes[i], &ref->mesh[m++]);
    }
    while (m < ref->mesh_count && ref->mesh[m].vertex_count == 0) ++m;
    CHECK_EQ(m, ref->mesh_count);
}

void check_anim(const md5_anim *anim, const ref_anim *ref)
{
    CHECK_EQ(anim->frame_count, ref->frame_count);
    CHECK_EQ(anim->joint_count, ref->joint_count);
    CHECK_EQ(anim->fps, ref->rate > 0.0 ? ref->rate : 24.0);
    for (int j = 0; j < ref->joint_count; ++j) {
        check_step("joint %d of the animation", j);
        CHECK_TEXT(anim->joint_names[j], ref->joint[j].name);
        CHECK_EQ(anim->parents[j], ref->joint[j].parent);
        for (int i = 0; i < ref->frame_count; ++i) {
            m5_xform want = ref_joint_at(ref, j, i);
            const md5_xform *got = anim_xform(anim, i, j);
            CHECK_EQ(got->scale, 1);
            for (int k = 0; k < 3; ++k) CHECK_EQ(got->position[k], (float)want.p[k]);
            for (int k = 0; k < 4; ++k) CHECK_NEAR(got->rotation[k], want.q[k], 1e-6);
        }
    }
}

/* -- Posing and skinning ---------------------------------------------------- */

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

m5_xform ref_joint_at(const ref_anim *anim, int joint, int frame)
{
    const ref_joint *j = &anim->joint[joint];
    const double *next = anim->component + (size_t)frame * (size_t)anim->component_count + j->start;
    m5_xform out;
    double six[6];
    for (int k = 0; k < 6; ++k) six[k] = j->flags >> k & 1 ? *next++ : j->base[k];
    memcpy(out.p, six, sizeof out.p);
    memcpy(out.q, six + 3, sizeof out.p);
    m5_complete(out.q);
    return out;
}

void ref_pose_at(const ref_anim *anim, bool closed, md5_mode mode, double seconds, m5_xform *local)
{
    int from, to;
    double rate = anim->rate > 0.0 ? anim->rate : 24.0;
    double t = find_frames(anim->frame_count, closed, (int)mode, seconds * rate, &from, &to);
    for (int j = 0; j < anim->joint_count; ++j) {
        m5_xform a = ref_joint_at(anim, j, from), b = ref_joint_at(anim, j, to);
        local[j] = ref_mix(&a, &b, t);
    }
}

void ref_to_model_space(const ref_joint *joint, int count, const m5_xform *local, m5_xform *out)
{
    for (int j = 0; j < count; ++j) {
        m5_xform x = local[j];
        out[j] = joint[j].parent < 0 ? x : m5_compose(&out[joint[j].parent], &x);
    }
}

void ref_skin(const ref_mesh *mesh, int vertex, const m5_xform *model_space, double out[3])
{
    const ref_vertex *v = &mesh->vertex[vertex];
    out[0] = out[1] = out[2] = 0.0;
    for (int i = v->first; i < v->first + v->count; ++i) {
        double p[3];
        m5_transform(&model_space[mesh->weight[i].joint], mesh->weight[i].p, p);
        for (int k = 0; k < 3; ++k) out[k] += mesh->weight[i].bias * p[k];
    }
}
