/* bits.c: the same bits with SIMD and without, and on every machine. Public domain. */
#include "test_md5.h"

const md5_functions simd_md5 = {
    md5_load_model_memory, md5_load_anim_memory, md5_free_model, md5_free_anim,
    md5_pose_at, md5_pose_mix, md5_pose_add, md5_pose_to_model_space, md5_pose_palette,
    md5_pose_vertices, md5_pose_bounds
};

/* -- With SIMD and without -------------------------------------------------- */

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

/* -- On every machine ------------------------------------------------------- */

enum { LOADED, SAMPLED, MIXED, ADDED, PLACED, SKINNED, BOUNDS, PALETTE, MOTION, HASHES };

static uint64_t hashes[HASHES];

static void add_floats(int which, const float *floats, size_t count)
{
    hashes[which] = hash_words(hashes[which], floats, count);
}

static void add_pose(int which, const md5_xform *pose, size_t count)
{
    add_floats(which, pose->position, 7 * count);
}

static void hash_moment(const md5_model *model, const md5_anim *anim, const md5_anim *other,
                        double at)
{
    md5_xform pose[M5_JOINTS], second[M5_JOINTS], out[M5_JOINTS], motion;
    float palette[12 * M5_JOINTS], bounds[6], vertices[10 * M5_RINGS * M5_CORNERS];
    uint32_t i;
    md5_pose_at(anim, MD5_LOOP, at, pose);
    md5_pose_at(other, MD5_PING_PONG, at * 1.5, second);
    add_pose(SAMPLED, pose, M5_JOINTS);
    add_pose(SAMPLED, second, M5_JOINTS);
    md5_pose_mix(pose, second, (float)(at - floor(at)), NULL, M5_JOINTS, out);
    add_pose(MIXED, out, M5_JOINTS);
    md5_pose_bind(model, pose);
    md5_pose_add(out, second, pose, 0.75f, NULL, M5_JOINTS, out);
    add_pose(ADDED, pose, M5_JOINTS);
    add_pose(ADDED, out, M5_JOINTS);
    md5_pose_to_model_space(model, out, out);
    add_pose(PLACED, out, M5_JOINTS);
    md5_pose_palette(model, out, palette);
    add_floats(PALETTE, palette, 12 * M5_JOINTS);
    md5_pose_bounds(model, out, bounds, bounds + 3);
    add_floats(BOUNDS, bounds, 6);
    md5_root_motion(anim, MD5_LOOP, at, at * 2 + 0.09375, &motion);
    add_pose(MOTION, &motion, 1);
    md5_pose_in_place(anim, MD5_LOOP, at, out);
    add_pose(MOTION, out, M5_JOINTS);
    for (i = 0; i < model->mesh_count; ++i) {
        size_t count = model->meshes[i].vertex_count;
        md5_pose_vertices(model, i, out, vertices, 0, vertices + 3 * count, 0, vertices + 6 * count,
                          0);
        add_floats(SKINNED, vertices, 10 * count);
    }
}

static void hash_model(const md5_model *model)
{
    uint32_t i, k;
    for (i = 0; i < model->joint_count; ++i) {
        add_pose(LOADED, &model->joints[i].bind, 1);
        add_floats(LOADED, model->joints[i].inverse_bind, 12);
    }
    for (i = 0; i < model->mesh_count; ++i) {
        for (k = 0; k < model->meshes[i].vertex_count; ++k) {
            const md5_vertex *vertex = &model->meshes[i].vertices[k];
            add_floats(LOADED, &vertex->u, 2);
            add_floats(LOADED, vertex->position, 3);
            add_floats(LOADED, vertex->normal, 3);
            add_floats(LOADED, vertex->tangent, 4);
        }
    }
    add_floats(LOADED, model->min, 3);
    add_floats(LOADED, model->max, 3);
}

/* If floats are computed as floats, every number is this one, to the bit. The times are exact, so
   that nothing is left to round here. */
static void test_hashes(void)
{
    static const uint32_t flags[3] = { 0, MD5_Y_UP | MD5_FLIP_V, MD5_KEEP_WINDING };
    static const struct {
        const char *name;
        uint32_t high, low;
    } wanted[HASHES] = {
        { "loaded", 0xD1057C69, 0xA81B8D20 }, { "sampled", 0x875516EE, 0xFC030280 },
        { "mixed", 0xB0EFC978, 0x999A0F53 },  { "added", 0x1C089C9C, 0xE0B4726F },
        { "placed", 0x0DA8B85E, 0x3E8F904D }, { "skinned", 0x03AD1870, 0xA2C93B3D },
        { "bounds", 0xCB587FB1, 0xC8051080 }, { "palette", 0x671FBD8F, 0x93A9309A },
        { "motion", 0x6C4DDD6D, 0xAE7D08B6 }
    };
    int i, k, number;
    for (i = 0; i < 3; ++i) {
        md5_options options = options_of(flags[i], i ? 0.3f : 1.0f);
        md5_model *model = arm_with(&options);
        md5_anim *anims[M5_CLIPS];
        hash_model(model);
        for (number = 0; number < M5_CLIPS; ++number) {
            anims[number] = clip_with(number, &options);
            add_floats(MOTION, anims[number]->travel, 3);
        }
        for (number = 0; number < M5_CLIPS; ++number) {
            for (k = 0; k < 20; ++k) {
                hash_moment(model, anims[number], anims[(number + 1) % M5_CLIPS], 0.140625 * k);
            }
        }
    }
    if (floats_are_wider()) {
        printf("floats are computed as something wider here: their bits are not compared\n");
        return;
    }
    for (i = 0; i < HASHES; ++i) {
        check_hash(wanted[i].name, hashes[i], wanted[i].high, wanted[i].low);
    }
}

void test_bits(void)
{
    run_test("with SIMD and without", test_simd);
    run_test("bits on every machine", test_hashes);
}
