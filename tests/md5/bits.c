/* bits.c: the same bits with SIMD and without. tests/portable/hashes.c has those of every machine.
   Public domain. */
#include "test_md5.h"

const md5_functions simd_md5 = {
    md5_load_model_memory, md5_load_anim_memory, md5_free_model, md5_free_anim,
    md5_pose_at, md5_pose_mix, md5_pose_add, md5_pose_to_model_space, md5_pose_palette,
    md5_pose_vertices, md5_pose_bounds
};

bool same_loaded(const md5_model *a, const md5_model *b)
{
    uint32_t i, m;
    bool same = a->joint_count == b->joint_count && a->mesh_count == b->mesh_count &&
                same_bits(a->min, b->min, sizeof a->min) &&
                same_bits(a->max, b->max, sizeof a->max);
    for (i = 0; same && i < a->joint_count; ++i) {
        const md5_joint *x = &a->joints[i], *y = &b->joints[i];
        same = same_bits(&x->bind, &y->bind, sizeof x->bind) &&
               same_bits(x->inverse_bind, y->inverse_bind, sizeof x->inverse_bind);
    }
    for (m = 0; same && m < a->mesh_count; ++m) {
        const md5_mesh *x = &a->meshes[m], *y = &b->meshes[m];
        same = x->vertex_count == y->vertex_count && x->weight_count == y->weight_count &&
               x->index_count == y->index_count &&
               same_bits(x->vertices, y->vertices, x->vertex_count * sizeof(md5_vertex)) &&
               same_bits(x->weights, y->weights, x->weight_count * sizeof(md5_weight)) &&
               same_bits(x->indices, y->indices, x->index_count * sizeof(uint32_t));
    }
    return same;
}

/* All that one library makes of a model and an animation at one time, as floats one after
   another. */
static float *compute_all(const md5_functions *md5, const md5_model *model, const md5_anim *anim,
                          double seconds, size_t *floats)
{
    size_t joints = anim->joint_count, count, total = joints * 40 + 6;
    md5_xform *x = new_pose(joints), *y = new_pose(joints);
    bool fits = model->joint_count == joints;
    float *out, *at;
    uint32_t m;
    for (m = 0; m < model->mesh_count; ++m) total += 13 * (size_t)model->meshes[m].vertex_count;
    out = at = new_floats(total);
    md5->pose_at(anim, MD5_LOOP, seconds, x);
    memcpy(at, x, joints * sizeof *x);
    at += 7 * joints;
    md5->pose_at(anim, MD5_PING_PONG, seconds * 1.7, y);
    md5->pose_mix(x, y, 0.37f, NULL, joints, y);
    memcpy(at, y, joints * sizeof *y);
    at += 7 * joints;
    md5->pose_add(x, y, x, 0.61f, NULL, joints, x);
    if (fits) md5->to_model_space(model, x, x);
    memcpy(at, x, joints * sizeof *x);
    at += 7 * joints;
    if (fits) md5->palette(model, x, at);
    if (fits) md5->bounds(model, x, at + 12 * joints, at + 12 * joints + 3);
    at += 12 * joints + 6;
    for (m = 0; fits && m < model->mesh_count; ++m) {
        count = model->meshes[m].vertex_count;
        md5->vertices(model, m, x, at, 0, at + 3 * count, 0, at + 6 * count, 0);
        md5->vertices(model, m, x, at + 10 * count, 0, NULL, 0, NULL, 0);
        at += 13 * count;
    }
    *floats = (size_t)(at - out);
    return out;
}

bool same_poses(const md5_model *model, const md5_model *plain, const md5_anim *anim,
                const md5_anim *plain_anim, double seconds)
{
    size_t mark = count_kept(), count, plain_count;
    const float *a = compute_all(&simd_md5, model, anim, seconds, &count);
    const float *b = compute_all(&plain_md5, plain, plain_anim, seconds, &plain_count);
    bool same = count == plain_count && same_bits(a, b, count * sizeof *a);
    free_kept(mark);
    return same;
}

static void test_simd(void)
{
    static const uint32_t flags[4] = { 0, MD5_Y_UP, MD5_KEEP_WINDING | MD5_FLIP_V,
                                       MD5_Y_UP | MD5_FLIP_V };
    int f, number, step, compared = 0;
    for (f = 0; f < 4; ++f) {
        md5_options options = options_of(flags[f], f == 3 ? 0.3f : 0.0f);
        m5_text *text = arm_text(0);
        md5_model *model = model_of(text, &options);
        md5_model *plain = plain_md5.load_model(text->bytes, text->size, &options, NULL);
        if (!CHECK(plain && same_loaded(model, plain))) return;
        for (number = 0; number < M5_CLIPS; ++number) {
            md5_anim *anim, *plain_anim;
            text = clip_text(number, 0);
            anim = anim_of(text, &options);
            plain_anim = plain_md5.load_anim(text->bytes, text->size, "plain", &options, NULL);
            for (step = 0; step < 40; ++step, ++compared) {
                CHECK(same_poses(model, plain, anim, plain_anim, 0.0173 * step));
            }
            plain_md5.free_anim(plain_anim);
        }
        plain_md5.free_model(plain);
    }
    CHECK_FLOOR(compared, 800, "poses compared bit for bit");
}

void test_bits(void) { run_test("with SIMD and without", test_simd); }
