/* The GL commands of a file as strips and fans. Public domain. */
#include "test_md2.h"

/* Unturned, they are the file's commands one by one. Turned, an even strip grows by one vertex,
   nothing else does. */
static void test_strip_shapes(void)
{
    static const uint32_t counts[6] = { 8, 7, 10, 5, 3, 5 };
    static const bool fans[6] = { false, false, false, true, false, true };
    md2_model *kept = load_named("sheet", MD2_KEEP_WINDING), *turned = load_named("sheet", 0);
    uint32_t i;
    CHECK(strips_match_triangles(kept) && strips_match_triangles(turned));
    for (i = 0; i < 6 && CHECK(kept->strip_count == 6 && turned->strip_count == 6); ++i) {
        uint32_t more = !fans[i] && counts[i] % 2 == 0;
        CHECK_EQ(kept->strips[i].count, counts[i]);
        CHECK_EQ(kept->strips[i].fan, fans[i]);
        CHECK_EQ(turned->strips[i].count, counts[i] + more);
        CHECK_EQ(turned->strips[i].fan, fans[i]);
    }
    CHECK_EQ(kept->vertices[kept->strip_vertices[0].vertex].point, 0);
    CHECK_EQ(kept->vertices[kept->strip_vertices[1].vertex].point, 5);
}

static void test_words_after_terminator(void)
{
    md2_model *m = load_named("glcmds_words_after_terminator", 0);
    CHECK_EQ(m->strip_count, 5);
    CHECK_EQ(m->strip_vertex_count, 20);
}

/* Without its end the list of strips is none, wherever it is cut. */
static void test_cut_strips(void)
{
    m2_bytes *bytes = named("sheet");
    uint32_t  full = m2_field(bytes, M2_WORDS), n;
    for (n = 0; n <= full; ++n) {
        m2_set_field(bytes, M2_WORDS, n);
        CHECK_EQ(load(bytes, 0)->strip_count > 0, n == full);
    }
}

void test_strips(void)
{
    RUN(test_strip_shapes);
    RUN(test_words_after_terminator);
    RUN(test_cut_strips);
}
