/* Posed vertices with normals and tangents, the palette, and bounds. Public domain. */
#include "test_md5.h"

/* -- Examples ----------------------------------------------------------------- */

static md5_model *two_joint_model(const char *verts, int count, const char *weights)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numJoints 2 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) b -1 "
                 "( 0 0 0 ) ( 0 0 0 ) } mesh { numverts 3 %s numtris 1 tri 0 0 2 1 ", verts);
    m5_put(text, "numweights %d %s }", count, weights);
    return model_of(text, NULL);
}

/* A triangle in the plane of x and y, with corners at the origin, at x = 2 and at y = 4. Each of the first two
   corners follows one joint. The third follows both, with three quarters of its weight on the second. */
static md5_model *triangle_model(void)
{
    return two_joint_model("vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 2", 4,
                           "weight 0 0 1 ( 0 0 0 ) weight 1 1 1 ( 2 0 0 ) "
                           "weight 2 0 0.25 ( 0 4 0 ) weight 3 1 0.75 ( 0 4 0 )");
}

static void expect_xyz(const float xyz[3], double x, double y, double z)
{
    CHECK_NEAR(xyz[0], x, 1e-5);
    CHECK_NEAR(xyz[1], y, 1e-5);
    CHECK_NEAR(xyz[2], z, 1e-5);
}

/* Moves joint b up by 8. */
static void raise_joint(const md5_model *model, md5_xform pose[2])
{
    md5_pose_bind(model, pose);
    pose[1].position[2] = 8;
}

static void test_weights(void)
{
    md5_model *model = triangle_model();
    md5_xform pose[2];
    float positions[3][3];
    raise_joint(model, pose);
    md5_pose_vertices(model, 0, pose, positions[0], 0, NULL, 0, NULL, 0);
    expect_xyz(positions[0], 0, 0, 0);
    expect_xyz(positions[1], 2, 0, 8);
    expect_xyz(positions[2], 0, 4, 6);
}

/* Both joints rotate by a quarter turn about z, and move to x = 5. */
static void test_rigid(void)
{
    md5_model *model = triangle_model();
    md5_xform pose[2];
    float positions[3][3], normals[3][3], tangents[3][4];
    for (int i = 0; i < 2; ++i) {
        const md5_xform turned = { { 5, 0, 0 }, 1, { 0, 0, 0.70710678f, 0.70710678f } };
        pose[i] = turned;
    }
    md5_pose_vertices(model, 0, pose, positions[0], 0, normals[0], 0, tangents[0], 0);
    expect_xyz(positions[0], 5, 0, 0);
    expect_xyz(positions[1], 5, 2, 0);
    expect_xyz(positions[2], 1, 0, 0);
    for (int i = 0; i < 3; ++i) {
        check_step("vertex %d", i);
        expect_xyz(normals[i], 0, 0, 1);
        expect_xyz(tangents[i], 0, 1, 0); /* u grew along x before */
        CHECK_EQ(tangents[i][3], model->meshes[0].vertices[i].tangent[3]);
    }
}

static void test_interleaved(void)
{
    struct { float normal[3], u, position[3], v; } out[3];
    md5_model *model = triangle_model();
    md5_xform pose[2];
    for (int i = 0; i < 3; ++i) out[i].u = out[i].v = 7;
    raise_joint(model, pose);
    md5_pose_vertices(model, 0, pose, out[0].position, sizeof *out, out[0].normal, sizeof *out,
                      NULL, 0);
    expect_xyz(out[1].position, 2, 0, 8);
    expect_xyz(out[2].position, 0, 4, 6);
    for (int i = 0; i < 3; ++i) {
        check_step("vertex %d", i);
        expect_xyz(out[i].normal, 0, 0, 1);
        CHECK_EQ(out[i].u, 7);
        CHECK_EQ(out[i].v, 7);
    }
}

static void test_pose_bounds(void)
{
    md5_model *model = triangle_model();
    md5_xform pose[2];
    float min[3], max[3];
    raise_joint(model, pose);
    md5_pose_bounds(model, pose, min, max);
    expect_xyz(min, 0, 0, 0);
    expect_xyz(max, 2, 4, 8);
}

/* A matrix has three rows of four numbers. The last number of each row is the movement of the joint from the bind
   pose. */
static void test_palette(void)
{
    static const float stays[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
    static const float rises[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 8 };
    md5_model *model = triangle_model();
    md5_xform pose[2];
    float palette[2][12];
    raise_joint(model, pose);
    md5_pose_palette(model, pose, palette[0]);
    CHECK(same_floats(palette[0], stays, 12));
    CHECK(same_floats(palette[1], rises, 12));
}

/* A sword of length 3 points along the x axis of the hand. The hand is 10 from the root, and rotates by 90
   degrees. */
static void test_sword(void)
{
    md5_model *model = model_from("MD5Version 10 numJoints 2 numMeshes 0 joints { root -1 "
                                  "( 0 0 1 ) ( 0 0 0 ) hand 0 ( 10 0 1 ) ( 0 0 0 ) }");
    int hand = md5_find_joint(model, "hand");
    md5_xform pose[2];
    float m[16], tip[3];
    md5_pose_bind(model, pose);
    pose[hand].rotation[2] = pose[hand].rotation[3] = 0.70710678f;
    md5_pose_to_model_space(model, pose, pose);
    md5_pose_matrix(&pose[hand], m);
    for (int k = 0; k < 3; ++k) tip[k] = m[k] * 3 + m[12 + k];
    expect_xyz(tip, 10, 3, 1);
}

/* -- In double precision ---------------------------------------------------- */

/* Rotates a direction of the bind pose by each joint of a vertex, and sums the results by weight. */
static void turn_direction(const md5_mesh *mesh, const md5_vertex *vertex, const m5_xform *turns,
                           const float direction[3], double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t w = 0; w < vertex->weight_count; ++w) {
        const md5_weight *weight = &mesh->weights[vertex->first_weight + w];
        double rest[3], turned[3];
        for (int k = 0; k < 3; ++k) rest[k] = (double)direction[k];
        m5_rotate(turns[weight->joint].q, rest, turned);
        for (int k = 0; k < 3; ++k) out[k] += (double)weight->bias * turned[k];
    }
}

/* A short sum has no reliable direction, because rounding errors are as large, so it is not compared. */
static void check_direction(const float got[3], double sum[3])
{
    CHECK_NEAR(length3f(got), 1, 1e-5);
    if (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] < 0.01) return;
    m5_normalize(sum, 3);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(got[k], sum[k], 1e-4);
}

/* Checks that normals and tangents rotate with the joints, blended by the same weights, and have unit length. */
static void check_directions(const md5_model *model, const md5_xform *pose)
{
    m5_xform *turns = (m5_xform *)keep_block(model->joint_count * sizeof *turns);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        m5_xform rest = widen(&model->joints[i].bind), now = widen(&pose[i]);
        rest = m5_inverse(&rest);
        turns[i] = m5_compose(&now, &rest);
    }
    for (uint32_t m = 0; m < model->mesh_count; ++m) {
        const md5_mesh *mesh = &model->meshes[m];
        float *normals = new_floats(3 * (size_t)mesh->vertex_count);
        float *tangents = new_floats(4 * (size_t)mesh->vertex_count);
        md5_pose_vertices(model, m, pose, NULL, 0, normals, 0, tangents, 0);
        for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
            const md5_vertex *v = &mesh->vertices[i];
            check_step("normal and tangent of vertex %u in mesh %u", i, m);
            double normal[3], tangent[3], share;
            turn_direction(mesh, v, turns, v->normal, normal);
            check_direction(normals + 3 * i, normal);
            turn_direction(mesh, v, turns, v->tangent, tangent);
            share = 0;
            for (int k = 0; k < 3; ++k) share += (double)normals[3 * i + (uint32_t)k] * tangent[k];
            for (int k = 0; k < 3; ++k) tangent[k] -= share * (double)normals[3 * i + (uint32_t)k];
            check_direction(tangents + 4 * i, tangent);
            CHECK_NEAR(dot3f(normals + 3 * i, tangents + 4 * i), 0, 1e-3);
            CHECK_EQ(tangents[4 * i + 3], v->tangent[3]);
        }
    }
}

/* Compares the bounds with those of the posed vertices, bit for bit. */
static void check_bounds(const md5_model *model, const md5_xform *pose)
{
    float low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 }, min[3], max[3];
    bool any = false;
    for (uint32_t m = 0; m < model->mesh_count; ++m) {
        uint32_t count = model->meshes[m].vertex_count;
        float *positions = new_floats(3 * (size_t)count);
        md5_pose_vertices(model, m, pose, positions, 0, NULL, 0, NULL, 0);
        for (uint32_t i = 0; i < 3 * count; ++i) {
            bool first = !any && i < 3;
            if (first || positions[i] < low[i % 3]) low[i % 3] = positions[i];
            if (first || positions[i] > high[i % 3]) high[i % 3] = positions[i];
        }
        any = any || count;
    }
    md5_pose_bounds(model, pose, min, max);
    CHECK(same_floats(low, min, 3));
    CHECK(same_floats(high, max, 3));
}

static void apply_rows(const float rows[12], const double p[3], double out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = (double)rows[4 * k] * p[0] + (double)rows[4 * k + 1] * p[1] +
                 (double)rows[4 * k + 2] * p[2] + (double)rows[4 * k + 3];
    }
}

/* Computes a vertex from its weights: positions relative to joints, weighted by biases. */
static void skin(const md5_mesh *mesh, uint32_t vertex, const m5_xform *pose, double out[3])
{
    const md5_vertex *v = &mesh->vertices[vertex];
    out[0] = out[1] = out[2] = 0;
    for (uint32_t w = 0; w < v->weight_count; ++w) {
        const md5_weight *weight = &mesh->weights[v->first_weight + w];
        double rest[3], posed_at[3];
        for (int k = 0; k < 3; ++k) rest[k] = (double)weight->position[k];
        m5_transform(&pose[weight->joint], rest, posed_at);
        for (int k = 0; k < 3; ++k) out[k] += (double)weight->bias * posed_at[k];
    }
}

/* Computes a vertex by the palette, from the positions of its weights in the bind pose. */
static void skin_by_palette(const md5_mesh *mesh, uint32_t vertex, const m5_xform *bind,
                            const float *palette, double out[3])
{
    const md5_vertex *v = &mesh->vertices[vertex];
    out[0] = out[1] = out[2] = 0;
    for (uint32_t w = 0; w < v->weight_count; ++w) {
        const md5_weight *weight = &mesh->weights[v->first_weight + w];
        double rest[3], bound_at[3], posed_at[3];
        for (int k = 0; k < 3; ++k) rest[k] = (double)weight->position[k];
        m5_transform(&bind[weight->joint], rest, bound_at);
        apply_rows(palette + 12 * weight->joint, bound_at, posed_at);
        for (int k = 0; k < 3; ++k) out[k] += (double)weight->bias * posed_at[k];
    }
}

static void check_near3(const float got[3], const double want[3], double tolerance)
{
    for (int k = 0; k < 3; ++k) CHECK_NEAR(got[k], want[k], tolerance);
}

/* Compares vertices with double precision: posed, in the bind pose, and by the palette. `want` is the pose in model
   space. */
static void check_skinning(const md5_model *model, const md5_xform *pose, const m5_xform *want,
                           double tolerance)
{
    float *palette = new_floats(12 * (size_t)model->joint_count);
    m5_xform *bind = (m5_xform *)keep_block(model->joint_count * sizeof *bind);
    for (uint32_t j = 0; j < model->joint_count; ++j) bind[j] = widen(&model->joints[j].bind);
    md5_pose_palette(model, pose, palette);
    for (uint32_t m = 0; m < model->mesh_count; ++m) {
        const md5_mesh *mesh = &model->meshes[m];
        float *positions = new_floats(3 * (size_t)mesh->vertex_count);
        md5_pose_vertices(model, m, pose, positions, 0, NULL, 0, NULL, 0);
        for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
            double right[3];
            check_step("vertex %u of mesh %u, posed", (unsigned)i, (unsigned)m);
            skin(mesh, i, want, right);
            check_near3(positions + 3 * i, right, tolerance);
            check_step("vertex %u of mesh %u, by the palette", (unsigned)i, (unsigned)m);
            skin_by_palette(mesh, i, bind, palette, right);
            check_near3(positions + 3 * i, right, tolerance);
            check_step("vertex %u of mesh %u in the bind pose", (unsigned)i, (unsigned)m);
            skin(mesh, i, bind, right);
            check_near3(mesh->vertices[i].position, right, tolerance);
        }
    }
    check_bounds(model, pose);
}

static void to_model_space(const md5_model *model, const m5_xform *local, m5_xform *out)
{
    for (uint32_t j = 0; j < model->joint_count; ++j) {
        int32_t parent = model->joints[j].parent;
        out[j] = parent < 0 ? local[j] : m5_compose(&out[parent], &local[j]);
    }
}

/* The pose is a third of the way from frame 1 to frame 2. */
static void test_arm(void)
{
    md5_model *model = arm();
    for (int number = 0; number < M5_CLIPS; ++number) {
        const m5_clip *from = &m5_clips[number];
        m5_xform local[M5_JOINTS], want[M5_JOINTS];
        check_scene("the arm, %s", from->name);
        for (int j = 0; j < M5_JOINTS; ++j) {
            m5_xform a = m5_arm_local(from, j, 1), b = m5_arm_local(from, j, 2);
            local[j] = ref_mix(&a, &b, 1.0 / 3);
        }
        to_model_space(model, local, want);
        md5_xform *pose = posed(model, clip(number), MD5_LOOP, 4.0 / 3 / from->rate);
        check_skinning(model, pose, want, 2e-5);
        check_directions(model, pose);
    }
}

/* -- Many joints ------------------------------------------------------------ */

enum { MANY_JOINTS = 300, MANY_VERTICES = 333, MANY_WEIGHTS = 400, FEW_WEIGHTS = 97 };

static void put_tree_joint(m5_text *text, int joint)
{
    m5_put(text, "j%d %d", joint, joint ? (joint - 1) / 2 : -1);
}

static m5_xform tree_pose(int joint, int frame)
{
    return xform_at(joint ? 1 : 0, 0.25 * frame, 0.125 * (joint % 5), joint % 7 - 3, joint % 4, 1,
                    7.0 * frame * (joint % 3) - 2.0 * joint);
}

/* Writes a strip of triangles. Each vertex has 1 to 5 weights anywhere in the list; the weights have `used` different
   joints in random order. */
static void put_random_mesh(m5_text *text, random_source *random, int used)
{
    int joints[MANY_JOINTS], weights = used > FEW_WEIGHTS ? MANY_WEIGHTS : FEW_WEIGHTS;
    for (int i = 0; i < MANY_JOINTS; ++i) joints[i] = i;
    for (int i = 0; i < MANY_JOINTS - 1; ++i) {
        int other = i + (int)random_below(random, (uint32_t)(MANY_JOINTS - i)), joint = joints[i];
        joints[i] = joints[other];
        joints[other] = joint;
    }
    m5_put(text, "mesh {\nshader \"many\"\nnumverts %d\n", MANY_VERTICES);
    for (int i = 0; i < MANY_VERTICES; ++i) {
        int count = 1 + (int)random_below(random, random_below(random, 2) ? 5 : 2);
        m5_put(text, "vert %d ( 0 %d ) %u %d\n", i, i,
               random_below(random, (uint32_t)(weights - count + 1)), count);
    }
    m5_put(text, "numtris %d\n", MANY_VERTICES - 2);
    for (int i = 0; i < MANY_VERTICES - 2; ++i) m5_put(text, "tri %d %d %d %d\n", i, i, i + 1, i + 2);
    m5_put(text, "numweights %d\n", weights);
    for (int i = 0; i < weights; ++i) {
        m5_put(text, "weight %d %d 0.%d ( %d %d.5 %d )\n", i,
               joints[i < used ? i : (int)random_below(random, (uint32_t)used)], 25 * (1 + i % 3),
               i % 3, i % 4, i % 7);
    }
    m5_put_text(text, "}\n");
}

static void check_many_joints(random_source *random, int used)
{
    m5_text *mesh_text = new_text(), *anim_text = new_text();
    m5_xform local[MANY_JOINTS], want[MANY_JOINTS];
    put_mesh_head(mesh_text, MANY_JOINTS, 1, put_tree_joint);
    put_random_mesh(mesh_text, random, used);
    put_anim(anim_text, MANY_JOINTS, 4, put_tree_joint, tree_pose);
    md5_model *model = model_of(mesh_text, NULL);
    md5_anim *anim = anim_of(anim_text, NULL);
    for (int j = 0; j < MANY_JOINTS; ++j) {
        m5_xform a = tree_pose(j, 2), b = tree_pose(j, 3);
        local[j] = ref_mix(&a, &b, 0.4);
    }
    to_model_space(model, local, want);
    md5_xform *pose = posed(model, anim, MD5_LOOP, 2.4 / (double)anim->fps);
    check_skinning(model, pose, want, 2e-4); /* after 8 rotations of floats */
    check_directions(model, pose);
}

/* The model has more joints than the palette on the stack. A mesh uses as many joints as the palette holds, one less
   or one more, and other numbers. */
static void test_many_joints(void)
{
    static const int used[] = { 1, 2, 63, 64, 65, 97, 127, 128, 129, 192, 256, 300 };
    random_source random = { 31 };
    for (size_t i = 0; i < sizeof used / sizeof used[0]; ++i) {
        check_scene("%d joints in use", used[i]);
        check_many_joints(&random, used[i]);
    }
}

/* -- Outputs ---------------------------------------------------------------- */

/* Tries strides, and leaves out some of the outputs. No other byte may be written. */
static void check_strides(const md5_model *model, const md5_xform *pose, uint32_t m, int without,
                          size_t stride)
{
    const size_t count = model->meshes[m].vertex_count;
    float *p = new_floats(3 * count), *n = new_floats(3 * count), *t = new_floats(4 * count);
    unsigned char *mixed = (unsigned char *)keep_block(count * stride + 1);
    unsigned char *want = (unsigned char *)keep_block(count * stride + 1);
    memset(mixed, 0xC3, count * stride);
    memset(want, 0xC3, count * stride);
    md5_pose_vertices(model, m, pose, p, 0, n, 0, t, 0);
    for (size_t i = 0; i < count; ++i) {
        if (!(without & 1)) memcpy(want + i * stride + 4, p + 3 * i, 12);
        if (!(without & 2)) memcpy(want + i * stride + 20, n + 3 * i, 12);
        if (!(without & 4)) memcpy(want + i * stride + 36, t + 4 * i, 16);
    }
    md5_pose_vertices(model, m, pose, without & 1 ? NULL : (float *)(void *)(mixed + 4), stride,
                      without & 2 ? NULL : (float *)(void *)(mixed + 20), stride,
                      without & 4 ? NULL : (float *)(void *)(mixed + 36), stride);
    CHECK(same_bits(mixed, want, count * stride));
}

static void test_strides(void)
{
    md5_model *model = model_of(arm_text(M5_EMPTY_MESH), NULL);
    md5_xform *pose = posed(model, clip(M5_WAVE), MD5_LOOP, 0.2);
    for (uint32_t m = 0; m < model->mesh_count; ++m) {
        for (int without = 0; without < 16; ++without) {
            check_scene("mesh %u, stride %d, without%s%s%s", m, without < 8 ? 64 : 53,
                        without & 1 ? " positions" : "", without & 2 ? " normals" : "",
                        without & 4 ? " tangents" : "");
            check_strides(model, pose, m, without % 8, without < 8 ? 64 : 53);
        }
    }
    md5_pose_vertices(model, model->mesh_count, pose, NULL, 0, NULL, 0, NULL, 0);
    md5_model none = *model;
    float untouched[3] = { 7, 7, 7 };
    none.mesh_count = 0;
    md5_pose_vertices(&none, 0, pose, untouched, sizeof(float), NULL, 0, NULL, 0);
    CHECK(untouched[0] == 7 && untouched[1] == 7 && untouched[2] == 7);
}

/* If a normal cancels to zero, because its joints rotate away from each other or its biases cancel, it stays as in the
   bind pose. */
static void test_vanishing_directions(void)
{
    static const char *const weights[2] = {
        "weight 0 0 0.5 ( 0 0 0 ) weight 1 1 0.5 ( 0 0 0 ) weight 2 0 0.5 ( 1 0 0 ) "
        "weight 3 1 0.5 ( 1 0 0 ) weight 4 0 0.5 ( 0 1 0 ) weight 5 1 0.5 ( 0 1 0 )",
        "weight 0 0 0.5 ( 0 0 0 ) weight 1 1 -0.5 ( 0 0 0 ) weight 2 0 0.5 ( 2 0 0 ) "
        "weight 3 1 -0.4999 ( 0 0 0 ) weight 4 0 1000 ( 0 1 0 ) weight 5 1 -1000 ( 0 0 0 )"
    };
    static const float turns[3][4] = { { 0, 0, 0, 1 }, { 1, 0, 0, 0 }, { 0.5f, 0.5f, 0.5f, 0.5f } };
    float normals[9], tangents[12];
    md5_xform pose[2];
    for (int which = 0; which < 2; ++which) {
        check_scene("%s", which ? "biases cancel" : "joints rotate away from each other");
        md5_model *model = two_joint_model("vert 0 ( 0 0 ) 0 2 vert 1 ( 1 0 ) 2 2 "
                                           "vert 2 ( 0 1 ) 4 2", 6, weights[which]);
        for (int i = 0; i < 2; ++i) {
            pose[i] = model->joints[i].bind;
            memcpy(pose[i].rotation, turns[which ? 2 : i], sizeof pose[i].rotation);
        }
        md5_pose_vertices(model, 0, pose, NULL, 0, normals, 0, tangents, 0);
        for (int i = 0; i < 3; ++i) {
            const md5_vertex *vertex = &model->meshes[0].vertices[i];
            check_step("vertex %d", i);
            CHECK(same_bits(normals + 3 * i, vertex->normal, sizeof vertex->normal));
            CHECK_NEAR(length3f(normals + 3 * i), 1, 1e-6);
            if (which) CHECK(same_bits(tangents + 4 * i, vertex->tangent, sizeof vertex->tangent));
            CHECK_EQ(tangents[4 * i + 3], vertex->tangent[3]);
        }
    }
}

/* One joint rotates the triangle about its tangent, the other about another axis. The blend shortens normal and
   tangent differently, and bends them toward each other. If a tangent cancels to zero, it becomes any vector at a
   right angle to the normal. */
static void test_bent_tangents(void)
{
    md5_model *model = two_joint_model("vert 0 ( 0 0 ) 0 2 vert 1 ( 1 0 ) 0 2 "
                                       "vert 2 ( 0 1 ) 2 2", 4,
                                       "weight 0 0 0.5 ( 0 0 0 ) weight 1 1 0.5 ( 1 0 0 ) "
                                       "weight 2 0 0.4 ( 0 1 0 ) weight 3 1 0.6 ( 0 1 0 )");
    random_source random = { 77 };
    double bent = 0.0;
    for (int round = 0; round < 400; ++round) {
        check_step("pose %d", round);
        float normals[9], tangents[12];
        md5_xform pose[2];
        double q[4];
        memset(pose, 0, sizeof pose);
        for (uint32_t i = 0; i < 2; ++i) {
            for (uint32_t k = 0; k < 4; ++k) q[k] = 2 * random_unit(&random) - 1;
            if (round < 3) for (uint32_t k = 0; k < 4; ++k) q[k] = i ? k == (uint32_t)round : k == 3;
            m5_normalize(q, 4);
            for (uint32_t k = 0; k < 4; ++k) pose[i].rotation[k] = (float)q[k];
            pose[i].scale = 1;
        }
        md5_pose_vertices(model, 0, pose, NULL, 0, normals, 0, tangents, 0);
        for (uint32_t i = 0; i < 3; ++i) {
            const float *bind = model->meshes[0].vertices[i].tangent;
            CHECK_NEAR(dot3f(normals + 3 * i, tangents + 4 * i), 0, 1e-3);
            CHECK_NEAR(length3f(tangents + 4 * i), 1, 1e-5);
            keep_worst(&bent, fabs(dot3f(bind, tangents + 4 * i) - 1));
        }
    }
    CHECK(bent > 1);
}

static void test_lost_tangents(void)
{
    md5_model *model = two_joint_model("vert 0 ( 0 0 ) 0 2 vert 1 ( 1 0 ) 0 2 vert 2 ( 0 1 ) 2 2", 4,
                                       "weight 0 0 0.5 ( 0 0 0 ) weight 1 1 0.5 ( 1 0 0 ) "
                                       "weight 2 0 0.5 ( 0 1 0 ) weight 3 1 0.5 ( 0 1 0 )");
    md5_xform pose[2] = { model->joints[0].bind, model->joints[1].bind };
    md5_vertex *vertices = (md5_vertex *)(uintptr_t)model->meshes[0].vertices;
    float normals[9], tangents[12];
    pose[1].rotation[2] = 0.6f;           /* about the normal */
    pose[1].rotation[3] = 0.8f;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) vertices[i].tangent[k] = vertices[i].normal[k];
        vertices[i].tangent[1] = i ? 2e-3f : 5e-4f;
    }
    md5_pose_vertices(model, 0, pose, NULL, 0, normals, 0, tangents, 0);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(fabs((double)tangents[4 * i]), i ? 0.6 : 1, 1e-3);
        CHECK_NEAR(tangents[4 * i + 1], i ? 0.8 : 0, 1e-3);
    }
}

void test_vertices(void)
{
    RUN(test_weights, "a vertex moves with its joints, by their weights");
    RUN(test_rigid, "if all joints move in the same way, so do vertices, normals and tangents");
    RUN(test_interleaved, "with strides, positions and normals are written into a vertex buffer, and nothing else");
    RUN(test_pose_bounds, "the bounds of a pose contain its vertices exactly");
    RUN(test_palette, "the palette transforms the bind pose to the pose");
    RUN(test_sword, "the matrix of the hand moves a sword");
    RUN(test_strides, "any output can be left out, and no other byte is written");
    RUN(test_vanishing_directions, "a normal that cancels to zero keeps its direction in the bind pose");
    RUN(test_bent_tangents, "tangents keep unit length and right angles to normals");
    RUN(test_lost_tangents, "a tangent along the normal becomes the axis farthest from it");
    RUN(test_arm, "the vertices of the arm agree with double precision");
    RUN(test_many_joints, "vertices that use up to 300 joints agree with double precision");
}
