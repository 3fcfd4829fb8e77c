/* meshes.c: what loading makes of a mesh: normals, tangents, winding, bounds. Public domain. */
#include "test_md5.h"

static void test_normals(void)
{
    md5_model *model = arm();
    const md5_mesh *sleeve = &model->meshes[0], *box = &model->meshes[1];
    m5_xform thumb = widen(&model->joints[M5_THUMB].bind);
    /* welded across the seam of the sleeve, and outward */
    for (int ring = 0; ring < M5_RINGS; ++ring) {
        const md5_vertex *first = &sleeve->vertices[ring * M5_CORNERS], *last = first + 4;
        float out[3];
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(first->normal[k], last->normal[k], 1e-6);
            out[k] = first->position[k] - first[2].position[k];
        }
        CHECK(dot3f(first->normal, out) > 0.5 * length3f(out));
    }
    /* the cube: weighted by angle every corner points along its diagonal, however its sides are cut
       into triangles */
    for (uint32_t i = 0; i < box->vertex_count; ++i) {
        double p[3], want[3];
        m5_box_corner((int)i / 4, (int)i % 4, p);
        m5_normalize(p, 3);
        m5_rotate(thumb.q, p, want);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(box->vertices[i].normal[k], want[k], 1e-4);
    }
}

/* Two triangles that meet in an edge, in a mesh each: "%s" is the corner of the second and the
   weights of its edge. */
static const md5_model *seam_model(const char *corner, const char *edge, uint32_t flags)
{
    m5_text *text = new_text();
    md5_options options = options_of(flags, 0.0f);
    m5_put(text,
           "MD5Version 10 numJoints 2 numMeshes 3 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) b 0 ( 0 0 0 ) "
           "( 0 0 0 ) } mesh { numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 "
           "numtris 1 tri 0 0 2 1 numweights 3 weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 ) "
           "weight 2 0 1 ( 0 1 0 ) } mesh { numverts 0 } mesh { numverts 3 vert 0 ( 0 0 ) 0 1 "
           "vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 numtris 1 tri 0 0 1 2 numweights 3 %s "
           "weight 2 0 1 ( %s ) }",
           edge, corner);
    return model_of(text, &options);
}

/* Normals are shared where the bind position and the weights are the same, but do not cancel out on
   the two sides of a cloak. */
static void test_seams(void)
{
    static const char same[] = "weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 )";
    static const struct { const char *corner, *edge; double want[2]; } cases[] = {
        { "0 0 1", same, { 0.70710678, 0.70710678 } },
        { "0 -1 0", same, { 0, 1 } },
        { "0 0 1", "weight 0 1 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0.0001 )", { 0, 1 } },
        { "0 0 1", "weight 0 0 0.5 ( 0 0 0 ) weight 1 0 1 ( 1.0001 0 0 )", { 0, 1 } },
        { "0 1 0", same, { 0, 1 } }, /* two sides */
        { "0 0.6 0.8", same, { 0, 1 } },
        { "0 0.4 0.916515139", same, { 0.54772256, 0.54772256 } } /* less than half is cancelled */
    };
    for (uint32_t flags = 0; flags < 4; ++flags) { /* MD5_Y_UP, MD5_KEEP_WINDING */
        for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            const md5_model *model = seam_model(cases[i].corner, cases[i].edge, flags);
            bool shared = cases[i].want[0] > 0;
            for (uint32_t k = 0; k < 2; ++k) {
                const float *a = model->meshes[0].vertices[k].normal;
                const float *b = model->meshes[2].vertices[k].normal;
                const float *end = model->meshes[0].vertices[2].normal;
                CHECK_NEAR(dot3f(a, end), cases[i].want[1], 1e-5);
                CHECK(!shared || (a[0] == b[0] && a[1] == b[1] && a[2] == b[2]));
                CHECK(frame_is_right(a, model->meshes[0].vertices[k].tangent));
                CHECK(frame_is_right(b, model->meshes[2].vertices[k].tangent));
                if (i == 4) CHECK_NEAR(dot3f(a, b), -1, 1e-5);
            }
        }
    }
}

static void cross3f(const float a[3], const float b[3], float out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

/* d position / d u of the cube's side, made orthogonal to the normal; the side with the mirrored
   texture has the other hand. */
static void test_tangents(void)
{
    const md5_mesh *box = &arm()->meshes[1];
    for (uint32_t i = 0; i < box->vertex_count; ++i) {
        const md5_vertex *v = &box->vertices[i], *side = &box->vertices[i / 4 * 4];
        float along_u[3], along_v[3], bitangent[3];
        for (int k = 0; k < 3; ++k) {
            along_u[k] = (side[1].position[k] - side[0].position[k]) * (side[1].u - side[0].u);
            along_v[k] = (side[3].position[k] - side[0].position[k]) * (side[3].v - side[0].v);
        }
        cross3f(v->normal, v->tangent, bitangent);
        CHECK(dot3f(bitangent, along_v) * (double)v->tangent[3] > 0.5);
        CHECK(dot3f(v->tangent, along_u) > 0.5);
        CHECK_EQ(v->tangent[3] > 0, (i / 4 == 5) != (box->vertices[0].tangent[3] > 0));
    }
}

/* Vertices (u v) and places in the plane of one joint. */
static md5_model *flat_model(const char *triangles, int count, const char *const *uv,
                             const char *const *places)
{
    m5_text *text = new_text();
    m5_put(text,
           "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { "
           "numverts %d ",
           count);
    for (int i = 0; i < count; ++i) m5_put(text, "vert %d ( %s ) %d 1 ", i, uv[i], i);
    m5_put(text, "%s numweights %d ", triangles, count);
    for (int i = 0; i < count; ++i) m5_put(text, "weight %d 0 1 ( %s ) ", i, places[i]);
    m5_put_text(text, "}");
    return model_of(text, NULL);
}

/* A triangle without area in the texture, or one without an angle there, leaves the tangents to its
   neighbour. */
static void test_tangents_beside_none(void)
{
    static const char *const places[4] = { "0 0 0", "1 0 0", "0 1 0", "1 1 0" };
    const char *uv[4] = { "0 0", "1 0", "0 1", "1 0" };
    for (int which = 0; which < 2; ++which) {
        const md5_vertex *vertices =
            flat_model("numtris 2 tri 0 0 2 1 tri 1 2 3 1", 4, uv, places)->meshes[0].vertices;
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(vertices[i].tangent[0], 1, 1e-6);
            CHECK_NEAR(vertices[i].tangent[1], 0, 1e-6);
        }
        CHECK_EQ(vertices[3].tangent[3], vertices[0].tangent[3]);
        uv[3] = "0.5 0.5"; /* on one line with the others */
    }
}

/* Thousands of triangles share a vertex: the length of their sum does not make its tangent look lost. */
static void test_tangents_of_many(void)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { numverts 3 "
                 "vert 0 ( 0 0 ) 0 1 vert 1 ( 1 1 ) 1 1 vert 2 ( 1 -1 ) 2 1 numtris 2000 ");
    for (int i = 0; i < 2000; ++i) m5_put(text, "tri %d 0 2 1 ", i);
    m5_put(text, "numweights 3 weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 ) weight 2 0 1 ( 0 1 0 ) }");
    const md5_vertex *vertices = model_of(text, NULL)->meshes[0].vertices;
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(vertices[i].tangent[0], sqrt(0.5), 1e-6);
        CHECK_NEAR(vertices[i].tangent[1], sqrt(0.5), 1e-6);
    }
}

/* A vertex between two parts of a texture, one of them mirrored, has the tangent of the greater
   part alone. */
static void test_tangents_beside_a_mirror(void)
{
    static const char *const uv[5] = { "0 0", "1 0", "0 1", "1 0", "1 -1" };
    static const char *const places[5] = { "0 0 0", "1 0 0", "0 1 0", "0 1 0", "-1 1 0" };
    const md5_vertex *vertices =
        flat_model("numtris 2 tri 0 0 2 1 tri 1 0 4 3", 5, uv, places)->meshes[0].vertices;
    CHECK_NEAR(vertices[0].tangent[0], 1, 1e-6);
    CHECK_NEAR(vertices[0].tangent[1], 0, 1e-6);
    CHECK_NEAR(vertices[4].tangent[1], 1, 1e-6);
    CHECK_EQ(vertices[4].tangent[3], -vertices[0].tangent[3]);
}

/* A triangle so thin that its angle at the first corner is no float when squared. */
static void test_thin_triangle(void)
{
    static const char *const uv[3] = { "0 0", "1 0", "0 1" };
    static const char *const places[3] = { "0 0 0", "1e9 0 0", "1e9 1e-11 0" };
    const md5_vertex *vertices =
        flat_model("numtris 1 tri 0 0 2 1", 3, uv, places)->meshes[0].vertices;
    for (int i = 0; i < 3; ++i) {
        CHECK_EQ(vertices[i].normal[2], 1);
        CHECK_NEAR(dot3f(vertices[i].normal, vertices[i].tangent), 0, 1e-6);
        CHECK_NEAR(length3f(vertices[i].tangent), 1, 1e-6);
    }
}

/* A flat mesh apart from the origin, and a mesh of nothing. */
static void test_bounds_of_bind_pose(void)
{
    static const char *const uv[3] = { "0 0", "1 0", "0 1" };
    static const char *const places[3] = { "5 0 0", "5 2 0", "5 0 3" };
    md5_model *model = flat_model("numtris 1 tri 0 0 2 1", 3, uv, places);
    for (int k = 0; k < 3; ++k) {
        CHECK_EQ(model->min[k], k ? 0 : 5);
        CHECK_EQ(model->max[k], k ? k + 1 : 5);
    }
    model = flat_model("", 0, NULL, NULL);
    for (int k = 0; k < 3; ++k) {
        CHECK_EQ(model->min[k], 0);
        CHECK_EQ(model->max[k], 0);
    }
}

static void test_winding(void)
{
    md5_options keep = options_of(MD5_KEEP_WINDING, 0.0f);
    md5_model *model = arm(), *kept = arm_with(&keep);
    for (uint32_t m = 0; m < model->mesh_count; ++m) {
        const md5_mesh *a = &model->meshes[m], *b = &kept->meshes[m];
        for (uint32_t i = 0; i < a->index_count; ++i) {
            CHECK_EQ(a->indices[i], b->indices[i % 3 ? i - i % 3 + 3 - i % 3 : i]);
        }
        for (uint32_t i = 0; i < a->vertex_count; ++i) {
            const md5_vertex *x = &a->vertices[i], *y = &b->vertices[i];
            for (int k = 0; k < 3; ++k) CHECK_NEAR(x->normal[k], y->normal[k], 1e-5);
            for (int k = 0; k < 4; ++k) CHECK_NEAR(x->tangent[k], y->tangent[k], 1e-5);
        }
    }
    CHECK_EQ(kept->meshes[0].indices[1], 6);
    CHECK_EQ(kept->flags, MD5_KEEP_WINDING);
}

static void test_flip_v(void)
{
    md5_options flip = options_of(MD5_FLIP_V, 0.0f);
    md5_model *model = arm(), *flipped = arm_with(&flip);
    for (uint32_t m = 0; m < model->mesh_count; ++m) {
        for (uint32_t i = 0; i < model->meshes[m].vertex_count; ++i) {
            const md5_vertex *a = &model->meshes[m].vertices[i],
                             *b = &flipped->meshes[m].vertices[i];
            CHECK_EQ(b->u, a->u);
            CHECK_NEAR(b->v, 1.0 - (double)a->v, 1e-6);
            CHECK(same_floats(a->position, b->position, 3) && same_floats(a->normal, b->normal, 3));
            if (m < 2) CHECK_EQ(b->tangent[3], -a->tangent[3]);
        }
    }
}

static void check_turned(const float *got, const float *plain, double scale, bool y_up,
                         double tolerance)
{
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(got[k], scale * (double)plain[y_up ? (k + 1) % 3 : k], tolerance);
    }
}

/* A mesh loaded with options against the plain one. */
static void check_turned_mesh(const md5_model *model, const md5_model *plain, uint32_t m,
                              const md5_xform *pose, const md5_xform *plain_pose, double scale,
                              bool y_up)
{
    uint32_t count = plain->meshes[m].vertex_count;
    float *p = new_floats(10 * (size_t)count), *q = new_floats(10 * (size_t)count);
    md5_pose_vertices(plain, m, plain_pose, p, 0, p + 3 * count, 0, p + 6 * count, 0);
    md5_pose_vertices(model, m, pose, q, 0, q + 3 * count, 0, q + 6 * count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        const md5_vertex *v = &plain->meshes[m].vertices[i], *w = &model->meshes[m].vertices[i];
        check_turned(q + 3 * i, p + 3 * i, scale, y_up, 2e-4 * scale);
        check_turned(q + 3 * count + 3 * i, p + 3 * count + 3 * i, 1.0, y_up, 1e-4);
        if (m < 2) check_turned(q + 6 * count + 4 * i, p + 6 * count + 4 * i, 1.0, y_up, 1e-4);
        check_turned(w->position, v->position, scale, y_up, 5e-5 * scale);
        check_turned(w->normal, v->normal, 1.0, y_up, 1e-4);
    }
}

/* The whole pipeline moves and turns alike, from the file to the vertices. */
static void check_axes(uint32_t flags, float scale)
{
    md5_options options = options_of(flags, scale);
    bool y_up = (flags & MD5_Y_UP) != 0;
    double s = scale > 0.0f ? (double)scale : 1.0;
    md5_model *plain = arm(), *model = arm_with(&options);
    md5_anim *plain_anim = clip(M5_WALK), *anim = clip_with(M5_WALK, &options);
    md5_xform *plain_pose = posed(plain, plain_anim, MD5_LOOP, 0.41),
              *pose = posed(model, anim, MD5_LOOP, 0.41);
    float plain_bounds[6], bounds[6];
    md5_xform plain_motion, motion;
    CHECK(model->flags == flags && anim->flags == flags);
    CHECK_EQ(model->scale, s);
    CHECK_EQ(anim->scale, s);
    CHECK_EQ(md5_check_anim(model, anim, NULL), MD5_OK);
    for (uint32_t j = 0; j < plain->joint_count; ++j) {
        check_turned(pose[j].position, plain_pose[j].position, s, y_up, 5e-5 * s);
        check_turned(model->joints[j].bind.position, plain->joints[j].bind.position, s, y_up,
                     1e-5 * s);
        check_turned(pose[j].rotation, plain_pose[j].rotation, 1.0, y_up, 1e-5);
        CHECK_NEAR(pose[j].rotation[3], plain_pose[j].rotation[3], 1e-5);
    }
    for (uint32_t m = 0; m < plain->mesh_count; ++m) {
        check_turned_mesh(model, plain, m, pose, plain_pose, s, y_up);
    }
    md5_pose_bounds(plain, plain_pose, plain_bounds, plain_bounds + 3);
    md5_pose_bounds(model, pose, bounds, bounds + 3);
    check_turned(bounds, plain_bounds, s, y_up, 2e-4 * s);
    check_turned(bounds + 3, plain_bounds + 3, s, y_up, 2e-4 * s);
    check_turned(model->min, plain->min, s, y_up, 1e-4 * s);
    check_turned(anim->bounds[3].min, plain_anim->bounds[3].min, s, y_up, 1e-4 * s);
    check_turned(anim->bounds[3].max, plain_anim->bounds[3].max, s, y_up, 1e-4 * s);
    md5_root_motion(plain_anim, MD5_LOOP, 0.0, 7.3, &plain_motion);
    md5_root_motion(anim, MD5_LOOP, 0.0, 7.3, &motion);
    check_turned(motion.position, plain_motion.position, s, y_up, 1e-4 * s);
}

static void test_axes(void)
{
    check_axes(0, 0.0f);
    check_axes(0, 2.5f);
    check_axes(MD5_Y_UP, 0.0f);
    check_axes(MD5_Y_UP | MD5_KEEP_WINDING, 0.0254f);
}

void test_meshes(void)
{
    run_test("normals", test_normals);
    run_test("seams between meshes", test_seams);
    run_test("tangents", test_tangents);
    run_test("tangents beside a triangle that has none", test_tangents_beside_none);
    run_test("tangents of many triangles", test_tangents_of_many);
    run_test("tangents beside a mirrored texture", test_tangents_beside_a_mirror);
    run_test("thin triangle", test_thin_triangle);
    run_test("bounds of the bind pose", test_bounds_of_bind_pose);
    run_test("winding", test_winding);
    run_test("flip v", test_flip_v);
    run_test("axes and scale", test_axes);
}
