/* Triangle strips and fans: of the cube, by hand, and compared with the GL commands of a file. Public
   domain. */
#include "test_md2.h"

/* -- The cube, by hand ------------------------------------------------------------ */

/* Each side is a fan of its four corners. */
static void test_fans(void)
{
    static const uint32_t points[4] = { 0, 4, 6, 2 }; /* counter-clockwise from outside */
    md2_model *m = load_named("cube", 0);
    CHECK_EQ(m->strip_count, 6);
    CHECK_EQ(m->strip_vertex_count, 24);
    CHECK(m->strips[0].fan);
    CHECK_EQ(m->strips[0].count, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        const md2_strip_vertex *vertex = &m->strip_vertices[m->strips[0].first + i];
        check_step("corner %u", (unsigned)i);
        CHECK_EQ(m->vertices[vertex->vertex].point, points[i]);
    }
}

static void test_flipped(void)
{
    md2_model *m = load_named("cube", 0), *flipped = load_named("cube", MD2_FLIP_V);
    CHECK_EQ(flipped->strip_vertex_count, m->strip_vertex_count);
    for (uint32_t i = 0; i < m->strip_vertex_count; ++i) {
        float v = m->strip_vertices[i].v;
        check_step("strip vertex %u", (unsigned)i);
        CHECK(v < 0.45f || v > 0.55f); /* v and 1 - v differ */
        CHECK_EQ(flipped->strip_vertices[i].u, m->strip_vertices[i].u);
        CHECK_NEAR(flipped->strip_vertices[i].v, 1 - v, 1e-6);
    }
}

/* Each point of the cube has three vertices, one for each side. */
static void test_at_a_seam(void)
{
    md2_model *m = load_named("cube", 0);
    for (uint32_t i = 0; i < m->strip_vertex_count; ++i) {
        const md2_strip_vertex *corner = &m->strip_vertices[i];
        const md2_vertex       *vertex = &m->vertices[corner->vertex];
        uint32_t                of_point = 0;
        check_step("strip vertex %u", (unsigned)i);
        CHECK_NEAR(vertex->u, corner->u, 0.02);
        CHECK_NEAR(vertex->v, corner->v, 0.02);
        for (uint32_t k = 0; k < m->vertex_count; ++k) of_point += m->vertices[k].point == vertex->point;
        CHECK_EQ(of_point, 3);
    }
}

/* -- The triangles of GL commands --------------------------------------------------- */

typedef struct strip_corner {
    uint32_t point, u, v; /* u and v by their bits */
} strip_corner;

typedef struct strip_tri {
    strip_corner corner[3];
} strip_tri;

typedef struct strip_tris {
    strip_tri *list;
    uint32_t   count;
} strip_tris;

static int compare_strip_tris(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(strip_tri));
}

/* Rotates the corners so that equal triangles of equal winding have equal bytes. Leaves out a triangle
   that has a point twice. */
static void add_strip_tri(strip_tris *tris, strip_corner a, strip_corner b, strip_corner c)
{
    strip_corner ring[5];
    int          first = 0;
    if (a.point == b.point || b.point == c.point || c.point == a.point) return;

    ring[0] = ring[3] = a;
    ring[1] = ring[4] = b;
    ring[2] = c;
    for (int i = 1; i < 3; ++i) {
        if (compare_strip_tris(&ring[i], &ring[first]) < 0) first = i;
    }
    memcpy(&tris->list[tris->count++], &ring[first], sizeof(strip_tri));
}

/* Adds the triangles of a strip or a fan. */
static void add_strip(strip_tris *tris, const strip_corner *corners, uint32_t count, bool fan,
                      bool reverse)
{
    for (uint32_t i = 0; i + 2 < count; ++i) {
        strip_corner a = corners[fan ? 0 : i], b = corners[i + 1], c = corners[i + 2];
        bool         is_odd = !fan && i % 2 == 1;
        if (reverse != is_odd) add_strip_tri(tris, a, c, b);
        else add_strip_tri(tris, a, b, c);
    }
}

static strip_tris begin_strip_tris(uint32_t most)
{
    const strip_tris tris = { (strip_tri *)malloc_or_abort((most + 1) * sizeof(strip_tri)), 0 };
    return tris;
}

/* Writes its result through a pointer, because tcc 0.9.27 returns structs of 12 bytes wrongly. */
static void read_corner(const uint8_t *at, uint32_t flags, strip_corner *out)
{
    volatile float v = m2_get_float(at + 4); /* an x87 would compute 1 - v with more bits */
    if (flags & MD2_FLIP_V) v = 1.0f - v;
    out->u = m2_get32(at);
    out->v = m2_bits(v);
    out->point = m2_get32(at + 8);
}

/* Returns the triangles that the GL commands of a file draw, sorted. The commands must be valid. */
static strip_tris file_tris(const m2_bytes *bytes, uint32_t flags)
{
    const uint8_t *at = bytes->data + m2_field(bytes, M2_OFS_WORDS);
    uint32_t       words = m2_field(bytes, M2_WORDS);
    const uint8_t *end = at + (size_t)words * 4;
    strip_tris     tris = begin_strip_tris(words);
    strip_corner  *corners = (strip_corner *)malloc_or_abort((words + 1) * sizeof *corners);

    while (at < end && m2_get32(at) != 0) {
        bool     fan = m2_get32(at) >= 0x80000000u;
        uint32_t count = fan ? 0u - m2_get32(at) : m2_get32(at);
        at += 4;
        for (uint32_t i = 0; i < count; ++i, at += 12) read_corner(at, flags, &corners[i]);
        add_strip(&tris, corners, count, fan, !(flags & MD2_KEEP_WINDING));
    }
    free(corners);
    qsort(tris.list, tris.count, sizeof *tris.list, compare_strip_tris);
    return tris;
}

static strip_tris model_tris(const md2_model *m)
{
    strip_tris    tris = begin_strip_tris(m->strip_vertex_count);
    strip_corner *corners = (strip_corner *)malloc_or_abort((m->strip_vertex_count + 1) * sizeof *corners);

    for (uint32_t i = 0; i < m->strip_count; ++i) {
        for (uint32_t k = 0; k < m->strips[i].count; ++k) {
            const md2_strip_vertex *vertex = &m->strip_vertices[m->strips[i].first + k];
            corners[k].point = m->vertices[vertex->vertex].point;
            corners[k].u = m2_bits(vertex->u);
            corners[k].v = m2_bits(vertex->v);
        }
        add_strip(&tris, corners, m->strips[i].count, m->strips[i].fan, false);
    }
    free(corners);
    qsort(tris.list, tris.count, sizeof *tris.list, compare_strip_tris);
    return tris;
}

static void check_same_tri(uint32_t number, const strip_tri *got, const strip_tri *want)
{
    for (int k = 0; k < 3; ++k) {
        const strip_corner *a = &got->corner[k], *b = &want->corner[k];
        if (a->point == b->point && a->u == b->u && a->v == b->v) continue;
        check_step("corner %d of triangle %u of the strips, sorted: u and v have the bits %08x %08x, "
                   "wanted %08x %08x", k, (unsigned)number, (unsigned)a->u, (unsigned)a->v, (unsigned)b->u,
                   (unsigned)b->v);
        CHECK_EQ(a->point, b->point);
        CHECK_EQ(a->u, b->u);
        CHECK_EQ(a->v, b->v);
    }
}

static double texture_distance(const md2_vertex *a, const md2_strip_vertex *b, double width, double height)
{
    double u = ((double)a->u - (double)b->u) * width, v = ((double)a->v - (double)b->v) * height;
    return sqrt(u * u + v * v);
}

/* A strip vertex refers to the vertex of its point that is nearest in the texture, in texels or in u, v.
   Points with more than 16 vertices are skipped, because the search stops after some. Large models are
   checked at some strip vertices only. */
static void check_nearest(const md2_model *m)
{
    uint64_t pairs = (uint64_t)m->strip_vertex_count * m->vertex_count;
    uint32_t step = (uint32_t)(pairs / 2000000u) + 1;
    double   width = m->skin_width ? m->skin_width : 1.0, height = m->skin_height ? m->skin_height : 1.0;
    for (uint32_t i = 0; i < m->strip_vertex_count; i += step) {
        const md2_strip_vertex *corner = &m->strip_vertices[i];
        const md2_vertex       *chosen = &m->vertices[corner->vertex];
        double                  texels = HUGE_VAL, uv = HUGE_VAL;
        uint32_t                of_point = 0;
        for (uint32_t k = 0; k < m->vertex_count; ++k) {
            const md2_vertex *other = &m->vertices[k];
            if (other->point != chosen->point) continue;
            ++of_point;
            texels = fmin(texels, texture_distance(other, corner, width, height));
            uv = fmin(uv, texture_distance(other, corner, 1.0, 1.0));
        }
        double chosen_texels = texture_distance(chosen, corner, width, height);
        double chosen_uv = texture_distance(chosen, corner, 1.0, 1.0);
        bool   is_nearest = texels >= chosen_texels * 0.9999 - 1e-3 || uv >= chosen_uv * 0.9999 - 1e-5;
        if (is_nearest || of_point > 16) continue;

        check_step("strip vertex %u is %g texels (%g in u, v) from its vertex, but %g (%g) from another",
                   (unsigned)i, chosen_texels, chosen_uv, texels, uv);
        CHECK(is_nearest);
    }
}

void check_strips(const md2_model *m, const m2_bytes *bytes)
{
    strip_tris want = file_tris(bytes, m->flags), got = model_tris(m);
    CHECK_EQ(got.count, want.count);
    for (uint32_t i = 0; i < got.count; ++i) check_same_tri(i, &got.list[i], &want.list[i]);
    check_nearest(m);
    check_step("%s", "");
    free(want.list);
    free(got.list);
}

void test_strips(void)
{
    RUN(test_fans, "the sides of the cube are six fans, counter-clockwise");
    RUN(test_flipped, "MD2_FLIP_V flips the texture coordinates of strips too");
    RUN(test_at_a_seam, "a strip corner on a seam is the vertex with its texture coordinates");
}
