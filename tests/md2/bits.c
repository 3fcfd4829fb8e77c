/* The same bits everywhere. Public domain. */
#include "test_md2.h"

typedef struct hashes {
    uint64_t loaded, radii, strips, anims, posed, bounds, triangles;
} hashes;

static void hash_loaded(const md2_model *model, hashes *sums)
{
    uint32_t i, point;
    for (i = 0; i < model->vertex_count; ++i) {
        point = model->vertices[i].point;
        sums->loaded = hash_words(sums->loaded, &point, 1);
        sums->loaded = hash_words(sums->loaded, &model->vertices[i].u, 1);
        sums->loaded = hash_words(sums->loaded, &model->vertices[i].v, 1);
    }
    sums->loaded = hash_words(sums->loaded, model->indices, model->index_count);
    for (i = 0; i < model->frame_count; ++i) {
        sums->loaded = hash_words(sums->loaded, model->frames[i].min, 3);
        sums->loaded = hash_words(sums->loaded, model->frames[i].max, 3);
        sums->loaded = hash_words(sums->loaded, &model->frames[i].radius, 1);
    }
    sums->loaded = hash_words(hash_words(sums->loaded, model->min, 3), model->max, 3);
    for (i = 0; i < model->strip_count; ++i) {
        uint32_t fan = model->strips[i].fan;
        sums->strips = hash_words(sums->strips, &fan, 1);
        sums->strips = hash_words(sums->strips, &model->strips[i].first, 1);
        sums->strips = hash_words(sums->strips, &model->strips[i].count, 1);
    }
    for (i = 0; i < model->strip_vertex_count; ++i) {
        sums->strips = hash_words(sums->strips, &model->strip_vertices[i].vertex, 1);
        sums->strips = hash_words(sums->strips, &model->strip_vertices[i].u, 1);
        sums->strips = hash_words(sums->strips, &model->strip_vertices[i].v, 1);
    }
    for (i = 0; i < model->anim_count; ++i) {
        sums->anims = hash_words(sums->anims, &model->anims[i].first, 1);
        sums->anims = hash_words(sums->anims, &model->anims[i].count, 1);
        sums->anims = hash_words(sums->anims, &model->anims[i].fps, 1);
    }
}

static void hash_pose(const md2_model *model, const md2_pose *pose, hashes *sums)
{
    size_t   count = model->vertex_count;
    float   *out = (float *)malloc_or_abort((6 * count + 1) * sizeof(float)), frame[16], bounds[6];
    uint32_t i;
    memset(out, 0, (6 * count + 1) * sizeof(float));
    md2_pose_vertices(model, pose, out, 0, out + 3 * count, 0);
    sums->posed = hash_words(sums->posed, out, 6 * count);
    md2_pose_bounds(model, pose, bounds, bounds + 3);
    sums->bounds = hash_words(sums->bounds, bounds, 6);
    for (i = 0; i < 5; ++i) {
        if (md2_pose_triangle(model, pose, i, frame)) {
            sums->triangles = hash_words(sums->triangles, frame, 16);
        }
    }
    free(out);
}

/* Where floats are computed as floats, every number is this one, to the bit. No model whose numbers are
   computed here: the compiler may fuse what is outside the header. */
static void test_same_bits(void)
{
    static const uint32_t flags[4] = { 0, MD2_Y_UP | MD2_FLIP_V, MD2_KEEP_WINDING | MD2_HALF_TEXEL, MD2_BORROW };
    hashes   sums;
    uint32_t which, i, k;
    memset(&sums, 0, sizeof sums);
    for (which = 0; which < 12; ++which) {
        m2_bytes    bytes = which < 8 ? m2_random(which + 1, 3 + which * 5, which * 7, 1 + which % 4)
                          : m2_named(which == 8 ? "moving_cube" : which == 9 ? "sheet" : which == 10 ? "far_out" : "negative_scale");
        md2_options options;
        md2_model  *model;
        memset(&options, 0, sizeof options);
        options.flags = flags[which % 4];
        options.scale = which % 3 ? 0.3f : 0;
        model = load_with(&bytes, &options);
        if (!CHECK(model != NULL)) return;
        hash_loaded(model, &sums);
        for (k = 0; k < 12; ++k) {
            uint32_t a = k * 7 % model->frame_count, b = k * 3 % model->frame_count;
            md2_pose pose = md2_pose_between(a, b, (float)k / 16);
            if (k % 3 == 2) {
                pose = md2_pose_mix(pose, md2_pose_between(b, (a + 1) % model->frame_count, 0.375f), 0.3125f);
            }
            for (i = 0; i < pose.count; ++i) sums.posed = hash_words(sums.posed, &pose.weight[i], 1);
            hash_pose(model, &pose, &sums);
        }
    }
    check_hash("anims", sums.anims, 0x09355606, 0xA1EC5ADD);
    if (floats_are_wider()) {
        printf("floats are computed as something wider here: their bits are not compared\n");
        return;
    }
    check_hash("loaded", sums.loaded, 0xD3B41853, 0x2A7FEB28);
    check_hash("strips", sums.strips, 0x62E7622B, 0xB34AEA11);
    check_hash("posed", sums.posed, 0x167D539D, 0x7F1C40CC);
    check_hash("bounds", sums.bounds, 0xEBA416D3, 0x24B6E9DC);
    check_hash("triangles", sums.triangles, 0x97641D86, 0x7C5361FD);
}

void test_bits(void)
{
    RUN(test_same_bits);
}
