/* The rows of MD5 models. Public domain. */
#include "hashes.h"

#include "model_builder_md5.h"

/* -- The models, each loaded with two options -------------------------------------- */

md5_model *md5_models[2 * M5_MODELS + 4];
md5_anim  *md5_anims[2 * M5_MODELS + KNIGHT_ANIMS + 3];
md5_model *knight;
md5_anim  *knight_anims[KNIGHT_ANIMS];

static md5_anim  *walks[2];           /* the knight's animations with root motion */
static md5_model *knee, *other_body;    /* other skeletons */

static md5_anim *load_anim(const char *name)
{
    size_t size;
    unsigned char *bytes = read_character(name, ".md5anim", &size);
    md5_anim *anim = md5_load_anim_memory(bytes, size, name, NULL, NULL);
    CHECK(anim != NULL);
    free(bytes);
    return anim;
}

/* The names of the animations are those of the MD2. */
static void load_knight(void)
{
    size_t size, size2;
    unsigned char *bytes = read_character("knight", ".md5mesh", &size);
    unsigned char *bytes2 = read_character("tris", ".md2", &size2);
    md2_model *named = md2_load_memory(bytes2, size2, NULL, NULL);
    knight = md5_load_model_memory(bytes, size, NULL, NULL);
    CHECK(knight && named && named->anim_count == KNIGHT_ANIMS);
    for (uint32_t i = 0; i < KNIGHT_ANIMS; ++i) knight_anims[i] = load_anim(named->anims[i].name);
    walks[0] = load_anim("walk");
    walks[1] = load_anim("turn");
    md2_free_model(named);
    free(bytes2);
    free(bytes);
}

/* The other body has shorter legs, a long neck and a tail. */
static void load_skeletons(void)
{
    static const char knee_text[] =
        "MD5Version 10 commandline \"\" numJoints 4 numMeshes 0 joints {"
        "\"lower\" -1 ( 1 2 3 ) ( 0.1 -0.2 0.3 ) \"root\" 0 ( 3.5 2 7 ) ( 0 0.7 0 )"
        "\"upper\" 0 ( 0 0.25 -9 ) ( 0.5 0.5 0.5 ) \"knee\" 2 ( 1 1 1 ) ( 0 0 0 ) }";
    static const char other_body_text[] =
        "MD5Version 10 commandline \"\" numJoints 6 numMeshes 0 joints {"
        "\"Root\" -1 ( 0 0 0 ) ( 0 0 0 ) \"hips\" 0 ( 0 0 -9 ) ( 0 0.1 0 )"
        "\"tail\" 1 ( -5 0 -9 ) ( 0 0 0.7 ) \"head\" 1 ( 1 0 20 ) ( 0.2 0 0.1 )"
        "\"thigh_l\" 1 ( 0 4 -9 ) ( 0 0 0 ) \"foot_l\" 4 ( 0 4 -18 ) ( 0.5 0.5 0.5 ) }";
    knee = md5_load_model_memory(knee_text, sizeof knee_text - 1, NULL, NULL);
    other_body = md5_load_model_memory(other_body_text, sizeof other_body_text - 1, NULL, NULL);
    CHECK(knee && other_body);
}

void load_md5_models(void)
{
    static const md5_options variants[2] = {
        { 0, 0, 0, NULL, 0, { NULL, NULL, NULL } },
        { MD5_Y_UP | MD5_FLIP_V | MD5_KEEP_WINDING, 0.0254f, 0, NULL, 0, { NULL, NULL, NULL } }
    };
    md5_model **model = md5_models;
    md5_anim  **anim = md5_anims;
    for (int i = 0; i < 2 * M5_MODELS; ++i) {
        m5_text  text = { NULL, 0, 0 };
        m5_entry entry = m5_make(i / 2, &text);
        if (entry.kind == M5_MESH) {
            *model = md5_load_model_memory(text.bytes, text.size, &variants[i % 2], NULL);
            if (*model) ++model;
        } else {
            *anim = md5_load_anim_memory(text.bytes, text.size, "hash", &variants[i % 2], NULL);
            if (*anim) ++anim;
        }
        m5_free(&text);
    }

    load_knight();
    load_skeletons();
    *model++ = knight;
    *model++ = knee;
    *model++ = other_body;
    for (int i = 0; i < KNIGHT_ANIMS; ++i) *anim++ = knight_anims[i];
    *anim++ = walks[0];
    *anim++ = walks[1];
}

void free_md5_models(void)
{
    for (md5_model **m = md5_models; *m; ++m) md5_free_model(*m);
    for (md5_anim **a = md5_anims; *a; ++a) md5_free_anim(*a);
}

#define EACH_MODEL(m) (md5_model **at_ = md5_models, *m = *at_; m; m = *++at_)
#define EACH_ANIM(a)  (md5_anim **at_ = md5_anims, *a = *at_; a; a = *++at_)

static md5_xform *new_pose(size_t count)
{
    return (md5_xform *)malloc_or_abort((count + 1) * sizeof(md5_xform));
}

static void hash_xforms(const md5_xform *x, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        hash_floats(x[i].position, 3);
        hash_floats(x[i].rotation, 4);
    }
}

/* -- Loaded models and animations ---------------------------------------------------- */

static void hash_all_joints(void)
{
    for EACH_MODEL(m) {
        for (uint32_t i = 0; i < m->joint_count; ++i) {
            hash_values("%s %d", m->joints[i].name, m->joints[i].parent);
            hash_xforms(&m->joints[i].bind, 1);
            hash_floats(m->joints[i].inverse_bind, 12);
        }
        hash_floats(m->min, 3);
        hash_floats(m->max, 3);
        hash_values("%s", m->commandline);
        hash_int((int64_t)m->private_data.skeleton_hash);
    }
}

static void hash_mesh(const md5_mesh *mesh)
{
    hash_values("%s %u", mesh->shader, mesh->max_influences);
    for (const md5_vertex *v = mesh->vertices; v < mesh->vertices + mesh->vertex_count; ++v) {
        hash_values("%f %f %u %u", (double)v->u, (double)v->v, v->first_weight, v->weight_count);
        hash_floats(v->position, 3);
        hash_floats(v->normal, 3);
        hash_floats(v->tangent, 4);
    }
    for (const md5_weight *w = mesh->weights; w < mesh->weights + mesh->weight_count; ++w) {
        hash_values("%u %f", w->joint, (double)w->bias);
        hash_floats(w->position, 3);
    }
    for (uint32_t i = 0; i < mesh->index_count; ++i) hash_int(mesh->indices[i]);
}

static void hash_all_meshes(void)
{
    for EACH_MODEL(m) {
        for (uint32_t i = 0; i < m->mesh_count; ++i) hash_mesh(&m->meshes[i]);
    }
}

static void hash_anim(const md5_anim *anim)
{
    hash_values("%s %u %f %d %u", anim->name, anim->frame_count, (double)anim->fps, anim->closed,
                anim->private_data.net_motion[1]);
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        hash_values("%s %d %u", anim->joint_names[i], anim->parents[i], anim->slots[i]);
        if (anim->slots[i] >= anim->moving_count) {
            hash_floats((const float *)&anim->still[anim->slots[i] - anim->moving_count], 8);
        }
    }
    hash_floats((const float *)anim->frames, 8 * (size_t)anim->frame_count * anim->moving_count);
    for (uint32_t i = 0; anim->bounds && i < anim->frame_count; ++i) {
        hash_floats(anim->bounds[i].min, 3);
        hash_floats(anim->bounds[i].max, 3);
    }
    hash_int((int64_t)anim->private_data.skeleton_hash);
}

static void hash_all_anims(void)
{
    for EACH_ANIM(anim) hash_anim(anim);
}

/* -- Numbers ------------------------------------------------------------------------------ */

/* Writes a random number below 1e9, with any number of digits, a point anywhere, and an exponent. Some can be read with
   a table of powers, some need all their digits, and some are too small for a float. */
static void put_any_number(m5_text *text)
{
    uint32_t most = random_below(&dice, 4) ? 9 : 40;
    int digits = 1 + (int)random_below(&dice, most);
    int point = (int)random_below(&dice, (uint32_t)digits + 1);
    int exponent = (int)random_below(&dice, 90) - 52;
    if (exponent > 9 - point) exponent = 9 - point;
    m5_put_text(text, random_below(&dice, 2) ? "-" : "");
    for (int i = 0; i < digits; ++i) {
        char digit = (char)('0' + random_below(&dice, 10));
        if (i == point) m5_put_text(text, ".");
        m5_put_bytes(text, &digit, 1);
    }
    if (point > 36 || random_below(&dice, 3) || point > 9) m5_put(text, "e%d", exponent);
    m5_put_text(text, " ");
}

static void hash_all_numbers(void)
{
    enum { VERTICES = 15000 };
    md5_error error;
    m5_text text = { NULL, 0, 0 };
    m5_put(&text, "MD5Version 10 commandline \"\" numJoints 1 numMeshes 1 joints { "
                  "\"a\" -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { shader \"\" numverts %d\n", VERTICES);
    for (int i = 0; i < VERTICES; ++i) {
        m5_put(&text, "vert %d ( ", i);
        put_any_number(&text);
        put_any_number(&text);
        m5_put_text(&text, ") 0 1\n");
    }
    m5_put_text(&text, "numtris 0 numweights 1 weight 0 0 1 ( 1 2 3 ) }");

    md5_model *m = md5_load_model_memory(text.bytes, text.size, NULL, &error);
    check_scene("thirty thousand numbers: %s", error.message);
    CHECK(m != NULL);
    for (uint32_t i = 0; i < m->meshes[0].vertex_count; ++i) {
        hash_float(m->meshes[0].vertices[i].u);
        hash_float(m->meshes[0].vertices[i].v);
    }
    md5_free_model(m);
    m5_free(&text);
}

/* -- Bind poses, and poses of the knight --------------------------------------------------- */

/* Computes a pose of the knight: a mix of two animations. */
static void pose_knight(int number, md5_xform *pose)
{
    md5_xform *other = new_pose(knight->joint_count);
    float      t = dice_between(0, 1);
    md5_pose_at(knight, knight_anims[number], MD5_LOOP, random_seconds(1), pose);
    md5_pose_at(knight, knight_anims[(number + 1) % KNIGHT_ANIMS], MD5_PING_PONG, random_seconds(1), other);
    md5_pose_mix(pose, other, t, NULL, knight->joint_count, pose);
    free(other);
}

static void hash_poses(void (*hash_posed)(const md5_model *m, const md5_xform *model_space))
{
    for EACH_MODEL(m) {
        md5_xform *pose = new_pose(m->joint_count);
        int        count = m == knight ? KNIGHT_ANIMS : 1;
        for (int i = 0; i < count; ++i) {
            if (m == knight) pose_knight(i, pose);
            else md5_pose_bind(m, pose);
            md5_pose_to_model_space(m, pose, pose);
            hash_posed(m, pose);
        }
        free(pose);
    }
}

static void hash_model_space(const md5_model *m, const md5_xform *pose)
{
    hash_xforms(pose, m->joint_count);
}

static void hash_palette(const md5_model *m, const md5_xform *pose)
{
    float *palette = (float *)malloc_or_abort((size_t)m->joint_count * 12 * sizeof *palette);
    md5_pose_palette(m, pose, palette);
    hash_floats(palette, (size_t)m->joint_count * 12);
    free(palette);
}

static void hash_matrices(const md5_model *m, const md5_xform *pose)
{
    float matrix[16];
    for (uint32_t i = 0; i < m->joint_count; ++i) {
        md5_pose_matrix(&pose[i], matrix);
        hash_floats(matrix, 16);
    }
}

/* Hashes positions, normals or tangents; each has this number of floats. */
static void hash_vertices(const md5_model *m, const md5_xform *pose, int which, size_t floats)
{
    for (uint32_t i = 0; i < m->mesh_count; ++i) {
        size_t count = m->meshes[i].vertex_count * floats;
        float *out = (float *)malloc_or_abort((count + 1) * sizeof *out);
        md5_pose_vertices(m, i, pose, which == 0 ? out : NULL, 0, which == 1 ? out : NULL, 0,
                          which == 2 ? out : NULL, 0);
        hash_floats(out, count);
        free(out);
    }
}

static void hash_positions(const md5_model *m, const md5_xform *pose) { hash_vertices(m, pose, 0, 3); }
static void hash_normals(const md5_model *m, const md5_xform *pose) { hash_vertices(m, pose, 1, 3); }
static void hash_tangents(const md5_model *m, const md5_xform *pose) { hash_vertices(m, pose, 2, 4); }

static void hash_bounds(const md5_model *m, const md5_xform *pose)
{
    float low[3], high[3];
    md5_pose_bounds(m, pose, low, high);
    hash_floats(low, 3);
    hash_floats(high, 3);
}

static void hash_all_model_space(void) { hash_poses(hash_model_space); }
static void hash_all_palettes(void) { hash_poses(hash_palette); }
static void hash_all_matrices(void) { hash_poses(hash_matrices); }
static void hash_all_positions(void) { hash_poses(hash_positions); }
static void hash_all_normals(void) { hash_poses(hash_normals); }
static void hash_all_tangents(void) { hash_poses(hash_tangents); }
static void hash_all_bounds(void) { hash_poses(hash_bounds); }

static void hash_all_bind_poses(void)
{
    for EACH_MODEL(m) {
        md5_xform *pose = new_pose(m->joint_count);
        md5_pose_bind(m, pose);
        hash_xforms(pose, m->joint_count);
        free(pose);
    }
}

/* -- Times ------------------------------------------------------------------------------------ */

typedef struct sample { md5_mode mode; uint32_t flags; double seconds, later; } sample;

static void hash_samples(void (*hash_sample)(const md5_anim *anim, const sample *at))
{
    for EACH_ANIM(anim) {
        for (int i = 0; i < 12; ++i) {
            sample at;
            at.mode = (md5_mode)(i % 3);
            at.flags = (uint32_t)(i / 3 % 4);
            at.seconds = random_seconds(i);
            at.later = random_seconds(i + 1);
            hash_sample(anim, &at);
        }
    }
}

/* Returns a model that the animation fits. */
static const md5_model *find_model(const md5_anim *anim)
{
    for EACH_MODEL(m) {
        if (md5_check_anim(m, anim, NULL) == MD5_OK) return m;
    }
    CHECK(!"no model has its skeleton");
    return NULL;
}

static void hash_at_time(const md5_anim *anim, const sample *at)
{
    md5_xform *pose = new_pose(anim->joint_count);
    md5_pose_at(find_model(anim), anim, at->mode, at->seconds, pose);
    hash_double(md5_anim_length(anim, at->mode));
    hash_xforms(pose, anim->joint_count);
    free(pose);
}

static void hash_in_place(const md5_anim *anim, const sample *at)
{
    md5_xform *pose = new_pose(anim->joint_count);
    md5_pose_in_place(find_model(anim), anim, at->mode, at->flags, at->seconds, pose);
    hash_xforms(pose, anim->joint_count);
    free(pose);
}

static void hash_motion(const md5_anim *anim, const sample *at)
{
    md5_xform motion;
    md5_anim_motion(anim, at->mode, at->flags, at->seconds, at->later, &motion);
    hash_xforms(&motion, 1);
}

static void hash_all_poses_at_times(void) { hash_samples(hash_at_time); }
static void hash_all_poses_in_place(void) { hash_samples(hash_in_place); }
static void hash_all_root_motion(void) { hash_samples(hash_motion); }

/* -- Retargeting --------------------------------------------------------------------------------- */

static void hash_retargeted(const md5_model *to, const md5_model *from, const md5_anim *anim)
{
    md5_error error;
    uint32_t missing = 0;
    md5_anim *fitted = md5_retarget_anim(to, from, anim, &missing, NULL, &error);
    hash_values("%d %u", error.code, missing);
    if (fitted) hash_anim(fitted);
    md5_free_anim(fitted);
}

static void hash_all_retargeted(void)
{
    for EACH_ANIM(anim) hash_retargeted(knee, NULL, anim);
}

static void hash_all_retargeted_bones(void)
{
    for (int i = 0; i < 2; ++i) hash_retargeted(other_body, knight, walks[i]);
    for (int i = 0; i < KNIGHT_ANIMS; ++i) hash_retargeted(other_body, knight, knight_anims[i]);
}

/* -- Poses of the knight that are mixed, added or aimed --------------------------------------------- */

enum { MIXED, ADDED, AIMED };

static void aim_joint(md5_xform *pose, int joint)
{
    const float axis[3] = { 0.5f, 1.0f - (float)joint / 7, -0.75f };
    const float target[3] = { 30.0f - (float)joint * 3, 7, (float)joint };
    md5_pose_turn(knight, pose, joint, axis, (float)joint / 3 - 5);
    md5_pose_aim(knight, pose, joint, NULL, target, 1, 0.75f);
    md5_pose_aim(knight, pose, joint, axis, target, 4, 1);
}

/* Every second mix has a mask, to which each round adds a branch. */
static void hash_mixes(int how)
{
    size_t     count = knight->joint_count;
    md5_xform *a = new_pose(count), *b = new_pose(count), *bind = new_pose(count);
    float     *mask = (float *)malloc_or_abort(count * sizeof *mask);
    memset(mask, 0, count * sizeof *mask);
    md5_pose_bind(knight, bind);
    for (int i = 0; i < 3 * KNIGHT_ANIMS; ++i) {
        int   joint = (int)random_below(&dice, knight->joint_count);
        float part = dice_between(0, 1), t = dice_between(0, 1);
        md5_mask_branch(knight, joint, part, mask);
        pose_knight(i % KNIGHT_ANIMS, a);
        pose_knight((i + 7) % KNIGHT_ANIMS, b);
        if (how == MIXED) md5_pose_mix(a, b, t, i % 2 ? mask : NULL, count, a);
        if (how == ADDED) md5_pose_add(a, b, bind, t, i % 2 ? mask : NULL, count, a);
        if (how == AIMED) aim_joint(a, joint);
        hash_xforms(a, count);
    }
    free(a);
    free(b);
    free(bind);
    free(mask);
}

static void hash_all_mixed_poses(void) { hash_mixes(MIXED); }
static void hash_all_added_poses(void) { hash_mixes(ADDED); }
static void hash_all_aimed_poses(void) { hash_mixes(AIMED); }

/* -- Players ------------------------------------------------------------------------------------------ */

static void hash_all_player(void)
{
    uint32_t   count = knight->joint_count;
    md5_xform *pose = new_pose(2 * count);
    float     *mask = (float *)malloc_or_abort(count * sizeof *mask);
    md5_player player;
    memset(&player, 0, sizeof player);
    for (uint32_t i = 0; i < count; ++i) mask[i] = (float)(i % 5) / 4;
    for (int i = 0; i < 1000; ++i) {
        HASH_PLAYER(md5, md5_mode, &player, i, knight_anims[anim_], (uint32_t)KNIGHT_ANIMS,
                    player.track_count ? player.track[player.track_count - 1].anim : NULL);
        md5_player_pose(knight, &player, pose, pose + count);
        hash_xforms(pose, count);
        if (i % 40 == 15) md5_play_once(&player, knight_anims[i % KNIGHT_ANIMS], 0.2f, 0.3f);
        if (i % 80 == 35) md5_fade_out(&player, 0.25f);
        md5_pose_bind(knight, pose);
        md5_player_pose_over(knight, &player, 0.75f, mask, pose, pose + count);
        hash_xforms(pose, count);
    }
    free(mask);
    free(pose);
}

/* The player fades between walking and turning again and again. */
static void hash_all_player_motion(void)
{
    md5_xform *pose = new_pose(2 * knight->joint_count), motion;
    md5_player player;
    memset(&player, 0, sizeof player);
    for (int i = 0; i < 300; ++i) {
        player.root_motion = (uint32_t)(i / 40 % 4);
        if (i % 17 == 0) md5_play(&player, walks[i / 17 % 2], (md5_mode)(i / 34 % 3), 0.4f);
        if (i % 90 == 50) md5_play_in_phase(&player, walks[0], 0.7f);
        if (i % 70 == 65) player.speed = -1.5f;
        md5_advance(&player, (float)(i % 7 + 1) / 64);
        md5_player_motion(&player, &motion);
        md5_player_pose(knight, &player, pose, pose + knight->joint_count);
        hash_xforms(&motion, 1);
        hash_xforms(pose, knight->joint_count);
    }
    free(pose);
}

/* -- The rows --------------------------------------------------------------------------- */

row md5_rows[] = {
    { "md5.joints", "joints of MD5 models, their boxes and command lines", hash_all_joints, 0 },
    { "md5.meshes", "vertices, weights and triangles of MD5 meshes", hash_all_meshes, 0 },
    { "md5.numbers", "floats that thirty thousand written numbers become", hash_all_numbers, 0 },
    { "md5.bind_poses", "poses of md5_pose_bind", hash_all_bind_poses, 0 },
    { "md5.model_space", "poses of md5_pose_to_model_space", hash_all_model_space, 0 },
    { "md5.palettes", "matrices of md5_pose_palette", hash_all_palettes, 0 },
    { "md5.matrices", "matrices of md5_pose_matrix", hash_all_matrices, 0 },
    { "md5.positions", "positions of skinned MD5 vertices", hash_all_positions, 0 },
    { "md5.normals", "normals of skinned MD5 vertices", hash_all_normals, 0 },
    { "md5.tangents", "tangents of skinned MD5 vertices", hash_all_tangents, 0 },
    { "md5.bounds", "boxes around MD5 poses", hash_all_bounds, 0 },
    { "md5.anims", "joints, frames and boxes of MD5 animations", hash_all_anims, 0 },
    { "md5.poses_at_times", "poses of md5_pose_at, and lengths of animations", hash_all_poses_at_times, 0 },
    { "md5.poses_in_place", "poses of md5_pose_in_place", hash_all_poses_in_place, 0 },
    { "md5.root_motion", "motions of md5_anim_motion", hash_all_root_motion, 0 },
    { "md5.retargeted", "animations of md5_retarget_anim", hash_all_retargeted, 0 },
    { "md5.retargeted_bones", "animations of md5_retarget_anim from a source", hash_all_retargeted_bones, 0 },
    { "md5.mixed_poses", "poses of md5_pose_mix, with and without a mask", hash_all_mixed_poses, 0 },
    { "md5.added_poses", "poses of md5_pose_add, with and without a mask", hash_all_added_poses, 0 },
    { "md5.aimed_poses", "poses with a joint turned and aimed", hash_all_aimed_poses, 0 },
    { "md5.player", "events and poses of an MD5 player that does anything", hash_all_player, 0 },
    { "md5.player_motion", "root motion of an MD5 player, and its poses in place", hash_all_player_motion, 0 },
    { NULL, NULL, NULL, 0 }
};
