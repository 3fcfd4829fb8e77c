/* Meshes as they are loaded: winding, axes, scale, bounds, normals and tangents. Public domain. */
#include "test_md5.h"

/* Builds a mesh of vertices with texture coordinates (u v) and positions in the plane of its one joint. */
static md5_model *flat_model_with(uint32_t flags, const char *triangles, int count,
                                  const char *const *uv, const char *const *positions)
{
    m5_text *text = new_text();
    md5_options options = options_of(flags, 0.0f);
    m5_put(text,
           "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { "
           "numverts %d ",
           count);
    for (int i = 0; i < count; ++i) m5_put(text, "vert %d ( %s ) %d 1 ", i, uv[i], i);
    m5_put(text, "%s numweights %d ", triangles, count);
    for (int i = 0; i < count; ++i) m5_put(text, "weight %d 0 1 ( %s ) ", i, positions[i]);
    m5_put_text(text, "}");
    return model_of(text, &options);
}

static md5_model *flat_model(const char *triangles, int count, const char *const *uv,
                             const char *const *positions)
{
    return flat_model_with(0, triangles, count, uv, positions);
}

/* A triangle in the plane of x and y, whose front is seen from +z in Doom 3. */
static const md5_mesh *triangle(uint32_t flags)
{
    static const char *const uv[3] = { "0 0", "1 0", "0 0.75" };
    static const char *const positions[3] = { "0 0 0", "1 0 0", "0 1 0" };
    return flat_model_with(flags, "numtris 1 tri 0 0 2 1", 3, uv, positions)->meshes;
}

static void test_outside(void)
{
    const md5_mesh *mesh = triangle(0);
    CHECK_XYZ(mesh->indices, 0, 1, 2);
    for (int i = 0; i < 3; ++i) CHECK_XYZ(mesh->vertices[i].normal, 0, 0, 1);
}

static void test_keep_winding(void)
{
    const md5_mesh *mesh = triangle(MD5_KEEP_WINDING);
    CHECK_XYZ(mesh->indices, 0, 2, 1);
    for (int i = 0; i < 3; ++i) {
        CHECK_XYZ(mesh->vertices[i].normal, 0, 0, 1);
        CHECK_XYZ(mesh->vertices[i].tangent, 1, 0, 0);
    }
}

static void test_flip_v(void)
{
    const md5_vertex *vertices = triangle(0)->vertices, *flipped = triangle(MD5_FLIP_V)->vertices;
    CHECK_EQ(vertices[2].v, 0.75);
    CHECK_EQ(flipped[2].v, 0.25);
    CHECK_EQ(flipped[1].u, 1);
    CHECK_XYZ(flipped[2].position, 0, 1, 0);
    CHECK_XYZ(flipped[2].normal, 0, 0, 1);
}

/* u grows along x, and v along y, which is cross(normal, tangent). If v is flipped, it grows along -y. */
static void test_tangent(void)
{
    const md5_vertex *vertices = triangle(0)->vertices, *flipped = triangle(MD5_FLIP_V)->vertices;
    for (int i = 0; i < 3; ++i) {
        CHECK_XYZ(vertices[i].tangent, 1, 0, 0);
        CHECK_EQ(vertices[i].tangent[3], 1);
        CHECK_XYZ(flipped[i].tangent, 1, 0, 0);
        CHECK_EQ(flipped[i].tangent[3], -1);
    }
}

static void test_y_up(void)
{
    md5_options options = options_of(MD5_Y_UP, 0.0f);
    md5_model *model = model_of(text_from(tiny_mesh), &options);
    md5_anim *anim = anim_of(text_from(tiny_anim), &options);
    CHECK_EQ(model->flags, MD5_Y_UP);
    CHECK_XYZ(model->joints[1].bind.position, 2, 3, 1);        /* (1, 2, 3) in the file */
    CHECK_XYZ(model->meshes[0].vertices[2].position, 3, 3, 1); /* (1, 3, 3) */
    CHECK_EQ(anim->flags, MD5_Y_UP);
    CHECK_XYZ(anim->frames[0].position, 2, 3, 1);              /* (1, 2, 3) */
}

static void test_scale(void)
{
    md5_options twice = options_of(0, 2.0f);
    md5_model *model = model_of(text_from(tiny_mesh), &twice);
    md5_anim *anim = anim_of(text_from(tiny_anim), &twice);
    CHECK_EQ(model->scale, 2);
    CHECK_XYZ(model->joints[1].bind.position, 2, 4, 6);
    CHECK_XYZ(model->meshes[0].vertices[2].position, 2, 6, 6);
    CHECK_EQ(anim->scale, 2);
    CHECK_XYZ(anim->frames[0].position, 2, 4, 6);
    CHECK_XYZ(anim->bounds[0].max, 2, 2, 2);
    CHECK_EQ(model_from(tiny_mesh)->scale, 1); /* a scale of 0 in the options */
    CHECK_EQ(anim_from(tiny_anim)->scale, 1);
}

static void test_bounds(void)
{
    static const char *const uv[3] = { "0 0", "1 0", "0 1" };
    static const char *const positions[3] = { "5 -1 0", "5 -4 0", "5 -1 3" };
    md5_model *model = flat_model("numtris 1 tri 0 0 2 1", 3, uv, positions);
    CHECK_XYZ(model->min, 5, -4, 0);
    CHECK_XYZ(model->max, 5, -1, 3);

    model = flat_model("", 0, NULL, NULL); /* no vertices */
    CHECK_XYZ(model->min, 0, 0, 0);
    CHECK_XYZ(model->max, 0, 0, 0);
}

/* -- Normals ------------------------------------------------------------------ */

/* The sleeve of the arm is a tube of rings. The first and the last corner of a ring have the same position. */
static void test_normals_of_a_tube(void)
{
    const md5_mesh *sleeve = &arm()->meshes[0];
    for (int ring = 0; ring < M5_RINGS; ++ring) {
        const md5_vertex *first = &sleeve->vertices[ring * M5_CORNERS], *last = first + 4;
        float out[3];
        check_step("ring %d", ring);
        CHECK_XYZ(first->normal, last->normal[0], last->normal[1], last->normal[2]);
        for (int k = 0; k < 3; ++k) out[k] = first->position[k] - first[2].position[k];
        CHECK(dot3f(first->normal, out) > 0.5 * length3f(out));
    }
}

/* Normals are weighted by angle, so it does not matter how the sides are cut into triangles. */
static void test_normals_of_a_cube(void)
{
    md5_model *model = arm();
    const md5_mesh *box = &model->meshes[1];
    m5_xform thumb = widen(&model->joints[M5_THUMB].bind);
    for (uint32_t i = 0; i < box->vertex_count; ++i) {
        double p[3], want[3];
        check_step("corner %u", (unsigned)i);
        m5_box_corner((int)i / 4, (int)i % 4, p);
        m5_normalize(p, 3);
        m5_rotate(thumb.q, p, want);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(box->vertices[i].normal[k], want[k], 1e-4);
    }
}

/* Builds two meshes of one triangle each, which meet in an edge. `corner` is the corner of the second triangle
   that is not on the edge, `edge` has the weights of its other corners. */
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

/* The normals are shared if bind position and weights are the same. The normals of the two sides of a cloak do
   not cancel out. */
static void test_seams(void)
{
    static const char same[] = "weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 )";
    static const struct { const char *corner, *edge; double want[2]; } cases[] = {
        { "0 0 1", same, { 0.70710678, 0.70710678 } },
        { "0 -1 0", same, { 0, 1 } },
        { "0 0 1", "weight 0 1 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0.0001 )", { 0, 1 } },
        { "0 0 1", "weight 0 0 0.5 ( 0 0 0 ) weight 1 0 1 ( 1.0001 0 0 )", { 0, 1 } },
        { "0 1 0", same, { 0, 1 } }, /* the two sides of a cloak */
        { "0 0.6 0.8", same, { 0, 1 } },
        { "0 0.4 0.916515139", same, { 0.54772256, 0.54772256 } } /* less than half cancels out */
    };
    for (uint32_t flags = 0; flags < 4; ++flags) { /* MD5_Y_UP, MD5_KEEP_WINDING */
        for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            const md5_model *model = seam_model(cases[i].corner, cases[i].edge, flags);
            bool shared = cases[i].want[0] > 0;
            check_scene("a corner at %s, an edge of the weights %s, flags %u", cases[i].corner, cases[i].edge,
                        (unsigned)flags);
            for (uint32_t k = 0; k < 2; ++k) {
                const float *a = model->meshes[0].vertices[k].normal;
                const float *b = model->meshes[2].vertices[k].normal;
                const float *end = model->meshes[0].vertices[2].normal;
                CHECK_NEAR(dot3f(a, end), cases[i].want[1], 1e-5);
                if (shared) CHECK(same_floats(a, b, 3));
                CHECK(frame_is_right(a, model->meshes[0].vertices[k].tangent));
                CHECK(frame_is_right(b, model->meshes[2].vertices[k].tangent));
                if (i == 4) CHECK_NEAR(dot3f(a, b), -1, 1e-5);
            }
        }
    }
}

static void put_triangle(m5_text *text, int joint, const char *order, const char *corner)
{
    m5_put(text,
           "mesh { numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 numtris 1 "
           "tri 0 %s numweights 3 weight 0 %d 1 ( 0 0 0 ) weight 1 %d 1 ( 1 0 0 ) "
           "weight 2 %d 1 ( %s ) } ",
           order, joint, joint, joint, corner);
}

/* Between the two meshes are 70 meshes that have the same edge with other weights. */
static void test_seams_past_many_meshes(void)
{
    m5_text *text = new_text();
    m5_put_text(text, "MD5Version 10 numJoints 2 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) b 0 ( 0 0 0 ) "
                      "( 0 0 0 ) } ");
    put_triangle(text, 0, "0 2 1", "0 1 0");
    for (int i = 0; i < 70; ++i) put_triangle(text, 1, "0 2 1", "0 1 0");
    put_triangle(text, 0, "0 1 2", "0 0 1");

    const md5_model *model = model_of(text, NULL);
    const float     *a = model->meshes[0].vertices[0].normal;
    CHECK(same_floats(a, model->meshes[71].vertices[0].normal, 3));
    CHECK_NEAR(dot3f(a, model->meshes[1].vertices[0].normal), 0.70710678, 1e-5);
}

/* Builds a cloth of two triangles, folded along a diagonal. Its texture has a seam at corner 0, which is vertices
   0 and 4. The triangles in `more` use vertices 5 to 9: vertices 5 to 8 are at corners 0 to 3 again, and
   vertex 9 is below corner 1. */
static const md5_model *cloth(int triangles, const char *more, uint32_t flags)
{
    static const char *const corners[5] = { "0 0 0", "2 0 0", "2 2 0", "0 2 1.5", "0 0 0" };
    m5_text *text = new_text();
    m5_put_text(text, "MD5Version 10 numJoints 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { numverts 10 ");
    for (int i = 0; i < 10; ++i) m5_put(text, "vert %d ( %d %d ) %d 1 ", i, i % 3, i / 3 % 2, i);
    m5_put(text, "numtris %d tri 0 0 2 1 tri 1 4 3 2 %s numweights 10 ", triangles, more);
    for (int i = 0; i < 10; ++i)
        m5_put(text, "weight %d 0 1 ( %s ) ", i, i < 9 ? corners[i % 5] : "2 0 -3");
    m5_put_text(text, "}");
    md5_options options = options_of(flags, 0);
    return model_of(text, &options);
}

static const float *normal_of(const md5_model *model, int vertex)
{
    return model->meshes[0].vertices[vertex].normal;
}

/* The lining uses vertices 5 to 8. */
static void test_lining(void)
{
    static const char lining[] = "tri 2 5 6 7 tri 3 5 7 8";
    for (uint32_t flags = 0; flags < 4; ++flags) { /* MD5_Y_UP, MD5_KEEP_WINDING */
        const md5_model *single = cloth(2, "", flags), *lined = cloth(4, lining, flags);
        check_scene("flags %u", (unsigned)flags);
        for (int i = 0; i < 5; ++i) {
            check_step("corner %d", i);
            const float *wanted = normal_of(single, i), *inside = normal_of(lined, 5 + i % 4);
            if (i == 4) inside = normal_of(lined, 5);
            CHECK(same_floats(normal_of(lined, i), wanted, 3));
            CHECK_NEAR(dot3f(inside, wanted), -1, 1e-5);
            CHECK(frame_is_right(inside, lined->meshes[0].vertices[5].tangent) || i % 4 != 0);
        }
        CHECK(same_floats(normal_of(lined, 0), normal_of(lined, 4), 3));
    }
}

/* A vertex that both sides use keeps the sum of both. A triangle that has no other side counts for both sides. */
static void test_lining_and_more(void)
{
    check_step("the lining uses corner 2 of the cloth");
    const md5_model *lined = cloth(5, "tri 2 5 6 2 tri 3 5 7 8 tri 4 1 2 9", 0);
    CHECK_NEAR(fabs((double)normal_of(lined, 2)[0]), 1, 1e-5); /* the normal of the fifth triangle */
    lined = cloth(4, "tri 2 5 6 2 tri 3 5 2 8", 0);
    CHECK_NEAR(dot3f(normal_of(lined, 1), normal_of(lined, 6)), -1, 1e-5);
    CHECK_NEAR(dot3f(normal_of(lined, 3), normal_of(lined, 8)), -1, 1e-5);

    check_step("a triangle at corner 1 without another side");
    lined = cloth(5, "tri 2 5 6 7 tri 3 5 7 8 tri 4 1 2 9", 0);
    const md5_model *single = cloth(3, "tri 2 1 2 9", 0);
    CHECK(same_floats(normal_of(lined, 1), normal_of(single, 1), 3));
    CHECK_NEAR(normal_of(lined, 1)[0], 0.78, 0.1);
    CHECK_NEAR(normal_of(lined, 6)[0], normal_of(lined, 1)[0], 1e-5);
    CHECK_NEAR(normal_of(lined, 6)[2], -normal_of(lined, 1)[2], 1e-5);
    CHECK(same_floats(normal_of(lined, 0), normal_of(single, 0), 3));
}

static void test_lining_limits(void)
{
    static const char *const corners[6] = { "1 0 0", "0 1 0", "0 0 1", "-1 0 0", "0 -1 0", "0 0 -2" };
    check_step("a triangle without area changes no normal");
    const md5_model *plain = cloth(4, "tri 2 5 6 7 tri 3 5 7 8", 0);
    const md5_model *lined = cloth(5, "tri 2 5 6 7 tri 3 5 7 8 tri 4 1 1 2", 0);
    for (int i = 0; i < 9; ++i) CHECK(same_floats(normal_of(lined, i), normal_of(plain, i), 3));

    check_step("all 40 triangles of 6 corners, of which one has two vertices: more than the table holds");
    m5_text *text = new_text();
    m5_put_text(text, "MD5Version 10 numJoints 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { numverts 7 ");
    for (int i = 0; i < 7; ++i) m5_put(text, "vert %d ( %d %d ) %d 1 ", i, i % 3, i / 3 % 2, i);
    m5_put_text(text, "numtris 40 ");
    int count = 0;
    for (int a = 0; a < 6; ++a) {
        for (int b = a + 1; b < 6; ++b) {
            for (int c = b + 1; c < 6; ++c) {
                m5_put(text, "tri %d %d %d %d tri %d %d %d %d ", count, a, b, c, count + 1, a, c, b);
                count += 2;
            }
        }
    }
    m5_put_text(text, "numweights 7 ");
    for (int i = 0; i < 7; ++i) m5_put(text, "weight %d 0 1 ( %s ) ", i, corners[i % 6]);
    m5_put_text(text, "}");
    const md5_model *ball = model_of(text, NULL);
    for (int i = 0; i < 6; ++i) CHECK_NEAR(dot3f(normal_of(ball, i), normal_of(ball, i)), 1, 1e-5);
}

/* -- Tangents ----------------------------------------------------------------- */

static void cross3f(const float a[3], const float b[3], float out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

/* The tangent is d position / d u of the side, made orthogonal to the normal. On the side with a mirrored
   texture, w has the other sign. */
static void test_tangents_of_a_cube(void)
{
    const md5_mesh *box = &arm()->meshes[1];
    for (uint32_t i = 0; i < box->vertex_count; ++i) {
        const md5_vertex *v = &box->vertices[i], *side = &box->vertices[i / 4 * 4];
        float along_u[3], along_v[3], bitangent[3];
        check_step("corner %u", (unsigned)i);
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

static void test_tangents_beside_none(void)
{
    static const char *const positions[4] = { "0 0 0", "1 0 0", "0 1 0", "1 1 0" };
    const char *uv[4] = { "0 0", "1 0", "0 1", "1 0" };
    for (int which = 0; which < 2; ++which) {
        check_step("the fourth corner at %s of the texture", uv[3]);
        const md5_vertex *vertices =
            flat_model("numtris 2 tri 0 0 2 1 tri 1 2 3 1", 4, uv, positions)->meshes[0].vertices;
        for (int i = 0; i < 3; ++i) CHECK_XYZ(vertices[i].tangent, 1, 0, 0);
        CHECK_EQ(vertices[3].tangent[3], vertices[0].tangent[3]);
        uv[3] = "0.5 0.5"; /* on a line with two other corners */
    }
}

/* The sum of so many tangents is long, but must not be mistaken for one that canceled out. */
static void test_tangents_of_many(void)
{
    m5_text *text = new_text();
    put_mesh_head(text, 1, 1, put_chain_joint);
    m5_put(text, "mesh { numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 1 ) 1 1 vert 2 ( 1 -1 ) 2 1 "
                 "numtris 2000 ");
    for (int i = 0; i < 2000; ++i) m5_put(text, "tri %d 0 2 1 ", i);
    m5_put(text, "numweights 3 weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 ) "
                 "weight 2 0 1 ( 0 1 0 ) }");
    const md5_vertex *vertices = model_of(text, NULL)->meshes[0].vertices;
    for (int i = 0; i < 3; ++i) CHECK_XYZ(vertices[i].tangent, sqrt(0.5), sqrt(0.5), 0);
}

static void test_tangents_beside_a_mirror(void)
{
    static const char *const uv[5] = { "0 0", "1 0", "0 1", "1 0", "1 -1" };
    static const char *const positions[5] = { "0 0 0", "1 0 0", "0 1 0", "0 1 0", "-1 1 0" };
    const md5_vertex *vertices =
        flat_model("numtris 2 tri 0 0 2 1 tri 1 0 4 3", 5, uv, positions)->meshes[0].vertices;
    CHECK_XYZ(vertices[0].tangent, 1, 0, 0);
    CHECK_NEAR(vertices[4].tangent[1], 1, 1e-6);
    CHECK_EQ(vertices[4].tangent[3], -vertices[0].tangent[3]);
}

/* The square of the triangle's angle at the first corner is too small for a float. */
static void test_thin_triangle(void)
{
    static const char *const uv[3] = { "0 0", "1 0", "0 1" };
    static const char *const positions[3] = { "0 0 0", "1e9 0 0", "1e9 1e-11 0" };
    const md5_vertex *vertices =
        flat_model("numtris 1 tri 0 0 2 1", 3, uv, positions)->meshes[0].vertices;
    for (int i = 0; i < 3; ++i) {
        CHECK_EQ(vertices[i].normal[2], 1);
        CHECK_NEAR(dot3f(vertices[i].normal, vertices[i].tangent), 0, 1e-6);
        CHECK_NEAR(length3f(vertices[i].tangent), 1, 1e-6);
    }
}

/* -- Flags and scale in the whole pipeline --------------------------------------- */

static void check_turned(const float *got, const float *plain, double scale, bool y_up,
                         double tolerance)
{
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(got[k], scale * (double)plain[y_up ? (k + 1) % 3 : k], tolerance);
    }
}

/* Compares a mesh that was loaded with options with the mesh that was loaded without. */
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
        check_step("mesh %u, vertex %u", (unsigned)m, (unsigned)i);
        check_turned(q + 3 * i, p + 3 * i, scale, y_up, 2e-4 * scale);
        check_turned(q + 3 * count + 3 * i, p + 3 * count + 3 * i, 1.0, y_up, 1e-4);
        if (m < 2) check_turned(q + 6 * count + 4 * i, p + 6 * count + 4 * i, 1.0, y_up, 1e-4);
        check_turned(w->position, v->position, scale, y_up, 5e-5 * scale);
        check_turned(w->normal, v->normal, 1.0, y_up, 1e-4);
    }
}

/* Compares everything from the file to the vertices of a pose. */
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
    check_scene("%s, scale %g", y_up ? "y up" : "z up", (double)scale);
    CHECK_EQ(model->flags, flags);
    CHECK_EQ(anim->flags, flags);
    CHECK_EQ(md5_check_anim(model, anim, NULL), MD5_OK);

    for (uint32_t j = 0; j < plain->joint_count; ++j) {
        check_step("joint %u", (unsigned)j);
        check_turned(pose[j].position, plain_pose[j].position, s, y_up, 5e-5 * s);
        check_turned(model->joints[j].bind.position, plain->joints[j].bind.position, s, y_up,
                     1e-5 * s);
        check_turned(pose[j].rotation, plain_pose[j].rotation, 1.0, y_up, 1e-5);
        CHECK_NEAR(pose[j].rotation[3], plain_pose[j].rotation[3], 1e-5);
    }
    for (uint32_t m = 0; m < plain->mesh_count; ++m) {
        check_turned_mesh(model, plain, m, pose, plain_pose, s, y_up);
    }

    check_step("bounds");
    md5_pose_bounds(plain, plain_pose, plain_bounds, plain_bounds + 3);
    md5_pose_bounds(model, pose, bounds, bounds + 3);
    check_turned(bounds, plain_bounds, s, y_up, 2e-4 * s);
    check_turned(bounds + 3, plain_bounds + 3, s, y_up, 2e-4 * s);
    check_turned(model->min, plain->min, s, y_up, 1e-4 * s);
    check_turned(anim->bounds[3].min, plain_anim->bounds[3].min, s, y_up, 1e-4 * s);
    check_turned(anim->bounds[3].max, plain_anim->bounds[3].max, s, y_up, 1e-4 * s);

    check_step("root motion");
    md5_anim_motion(plain_anim, MD5_LOOP, MD5_TRAVEL, 0.0, 7.3, &plain_motion);
    md5_anim_motion(anim, MD5_LOOP, MD5_TRAVEL, 0.0, 7.3, &motion);
    check_turned(motion.position, plain_motion.position, s, y_up, 1e-4 * s);
}

static void test_axes(void)
{
    check_axes(0, 0.0f);
    check_axes(0, 2.5f);
    check_axes(MD5_Y_UP, 0.0f);
    check_axes(MD5_KEEP_WINDING, 0.0f);
    check_axes(MD5_Y_UP | MD5_KEEP_WINDING, 0.0254f);
}

void test_meshes(void)
{
    RUN(test_outside, "triangles are counter-clockwise from outside, where normals point");
    RUN(test_keep_winding, "MD5_KEEP_WINDING keeps triangles clockwise, and normals outward");
    RUN(test_flip_v, "MD5_FLIP_V replaces v by 1 - v");
    RUN(test_tangent, "a tangent points to where u grows, and its sign shows where v grows");
    RUN(test_y_up, "MD5_Y_UP replaces (x, y, z) by (y, z, x), in meshes and animations");
    RUN(test_scale, "options.scale multiplies all positions; 0 means 1");
    RUN(test_bounds, "a model has the bounds of its bind pose");
    RUN(test_normals_of_a_tube, "a seam in the texture does not show in the normals");
    RUN(test_normals_of_a_cube, "each corner of a cube has its normal along the diagonal");
    RUN(test_seams, "meshes that meet in an edge share its normals");
    RUN(test_lining, "the two sides of a cloak have the normals of their own side");
    RUN(test_lining_and_more, "a vertex of both sides, and a triangle without another side, keep the whole sum");
    RUN(test_lining_limits, "a cloth may have triangles without area, and any number of triangles at a corner");
    RUN(test_seams_past_many_meshes, "seams are found with any number of other meshes between them");
    RUN(test_tangents_of_a_cube, "each side of a cube has the tangents of its texture");
    RUN(test_tangents_beside_none, "a triangle without area in the texture has the tangents of its neighbors");
    RUN(test_tangents_of_many, "thousands of triangles may share a vertex and its tangent");
    RUN(test_tangents_beside_a_mirror, "of two mirrored parts, the larger part gives the tangent");
    RUN(test_thin_triangle, "a very thin triangle has a unit normal and a unit tangent");
    RUN(test_axes, "axes and scale apply to everything from the file to the vertices of a pose");
}
