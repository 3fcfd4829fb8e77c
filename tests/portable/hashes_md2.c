/* The rows of MD2 models. Public domain. */
#define MD2_SMOOTH
#include "hashes.h"

/* -- The models, each loaded with several options -------------------------------- */

enum { RANDOM = 12, VARIANTS = 4, FILES = M2_CASES + RANDOM + 3 };

static const md2_options variants[VARIANTS] = {
    { 0, 0, 0, 0, { NULL, NULL, NULL } },
    { MD2_Y_UP | MD2_FLIP_V, 0.0254f, 0, 0, { NULL, NULL, NULL } },
    { MD2_KEEP_WINDING, 0, 7.3f, 0, { NULL, NULL, NULL } },
    { MD2_FRAME_NAMES, 0, 0, 0, { NULL, NULL, NULL } }
};

md2_model *md2_models[FILES * VARIANTS + 1];

static m2_bytes make_file(uint32_t i)
{
    m2_bytes bytes;
    if (i < M2_CASES) return m2_case_bytes(&m2_cases[i]);
    if (i < M2_CASES + RANDOM) return m2_random(111 + i, 90, 170, 7);
    if (i == FILES - 3) return m2_random(9, 333, 100, 350); /* rows in several bands, the last one shorter */
    bytes.data = read_character(i == FILES - 2 ? "tris" : "weapon", ".md2", &bytes.size);
    return bytes;
}

void load_md2_models(void)
{
    md2_model **next = md2_models;
    for (uint32_t i = 0; i < FILES; ++i) {
        m2_bytes file = make_file(i);
        uint32_t count = file.size < 100000 ? VARIANTS : 1;
        for (uint32_t variant = 0; variant < count; ++variant) {
            *next = md2_load_memory(file.data, file.size, &variants[variant], NULL);
            if (*next) ++next;
        }
        m2_free(&file);
    }
}

void free_md2_models(void)
{
    for (md2_model **m = md2_models; *m; ++m) md2_free_model(*m);
}

#define EACH_MODEL(m) (md2_model **at_ = md2_models, *m = *at_; m; m = *++at_)

/* -- Loaded models ----------------------------------------------------------------- */

static void hash_all_contents(void)
{
    for EACH_MODEL(m) {
        hash_values("%u %u %u %u", m->skin_width, m->skin_height, m->dropped_triangles, m->flags);
        for (uint32_t i = 0; i < m->skin_count; ++i) hash_values("%s", m->skins[i].path);
        for (uint32_t i = 0; i < m->vertex_count; ++i) {
            hash_values("%u %f %f", m->vertices[i].point, (double)m->vertices[i].u,
                        (double)m->vertices[i].v);
        }
        for (uint32_t i = 0; i < m->index_count; ++i) hash_int(m->indices[i]);
        for (uint32_t i = 0; i < m->strip_count; ++i) {
            hash_values("%u %u %d", m->strips[i].first, m->strips[i].count, m->strips[i].fan);
        }
        for (uint32_t i = 0; i < m->strip_vertex_count; ++i) {
            hash_values("%u %f %f", m->strip_vertices[i].vertex, (double)m->strip_vertices[i].u,
                        (double)m->strip_vertices[i].v);
        }
    }
}

static void hash_all_frames(void)
{
    for EACH_MODEL(m) {
        for (uint32_t i = 0; i < m->frame_count; i += m->frame_count / 300 + 1) {
            const md2_frame *f = &m->frames[i];
            hash_values("%s", f->name);
            hash_floats(f->scale, 3);
            hash_floats(f->translate, 3);
            hash_floats(f->min, 3);
            hash_floats(f->max, 3);
            hash_bytes(f->points, (size_t)m->point_count * sizeof *f->points);
        }
        hash_floats(m->min, 3);
        hash_floats(m->max, 3);
    }
}

static void hash_all_normal_table(void)
{
    for (uint32_t i = 0; i < 256; ++i) hash_floats(md2_normal(i), 3);
}

/* -- Poses ----------------------------------------------------------------------------- */

static void hash_pose(const md2_pose *pose)
{
    hash_int(pose->count);
    for (uint32_t i = 0; i < pose->count; ++i) {
        hash_values("%u %f", pose->frame[i], (double)pose->weight[i]);
    }
}

md2_pose random_md2_pose(const md2_model *m, int frames)
{
    md2_pose pose = md2_pose_between(random_below(&dice, m->frame_count), 0, 0);
    while (--frames > 0) {
        uint32_t a = random_below(&dice, m->frame_count);
        uint32_t b = random_below(&dice, m->frame_count);
        md2_pose other = md2_pose_between(a, b, dice_between(0, 1));
        pose = md2_pose_mix(pose, other, dice_between(0, 1));
    }
    return pose;
}

static void hash_poses(void (*hash_posed)(const md2_model *m, const md2_pose *pose))
{
    for EACH_MODEL(m) {
        int many = m->vertex_count > 5000 ? 1 : 6;
        for (int i = 1; i <= many; ++i) {
            md2_pose pose = random_md2_pose(m, i);
            hash_posed(m, &pose);
        }
    }
}

static void hash_mixed(const md2_model *m, const md2_pose *pose)
{
    (void)m;
    hash_pose(pose);
}

static void hash_vertices(const md2_model *m, const md2_pose *pose, bool normals)
{
    size_t count = (size_t)m->vertex_count * 3;
    float *out = (float *)malloc_or_abort(count * sizeof *out);
    md2_pose_vertices(m, pose, normals ? NULL : out, 0, normals ? out : NULL, 0);
    hash_floats(out, count);
    free(out);
}

static void hash_positions(const md2_model *m, const md2_pose *pose)
{
    hash_vertices(m, pose, false);
}

static void hash_normals(const md2_model *m, const md2_pose *pose) { hash_vertices(m, pose, true); }

static void hash_bounds(const md2_model *m, const md2_pose *pose)
{
    float low[3], high[3];
    md2_pose_bounds(m, pose, low, high);
    hash_floats(low, 3);
    hash_floats(high, 3);
}

static void hash_triangles(const md2_model *m, const md2_pose *pose)
{
    float matrix[16];
    for (uint32_t i = 0; i < m->index_count / 3; i += m->index_count / 30 + 1) {
        bool is_there = md2_pose_triangle(m, pose, i, matrix);
        hash_int(is_there);
        if (is_there) hash_floats(matrix, 16);
    }
}

static void hash_all_mixed_poses(void) { hash_poses(hash_mixed); }
static void hash_all_positions(void) { hash_poses(hash_positions); }
static void hash_all_normals(void) { hash_poses(hash_normals); }
static void hash_all_bounds(void) { hash_poses(hash_bounds); }
static void hash_all_triangles(void) { hash_poses(hash_triangles); }

/* Halfway between two frames, some normals cancel out. Each bit of `gone` is a point whose normal does. */
static void hash_all_cancelled(void)
{
    m2_bytes bytes = m2_named("moving_cube");
    md2_model *loaded = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
    CHECK(loaded && loaded->vertex_count == 24);

    md2_model m = *loaded; /* with normals that loading would repair */
    md2_frame frames[2];
    md2_point points[2][8];
    memcpy(frames, m.frames, sizeof frames);
    memset(points, 0, sizeof points);
    m.frames = frames;
    frames[0].points = points[0];
    frames[1].points = points[1];

    md2_pose pose = md2_pose_between(0, 1, 0.5f);
    for (uint32_t gone = 0; gone < 128; ++gone) {
        for (uint32_t i = 0; i < 8; ++i) {
            points[0][i].normal = i < 7 ? 52 : 5; /* +X */
            points[1][i].normal = i < 7 && gone >> i & 1 ? 143 : points[0][i].normal; /* -X */
        }
        hash_normals(&m, &pose);
    }
    md2_free_model(loaded);
    m2_free(&bytes);
}

/* -- Times -------------------------------------------------------------------------------- */

static void hash_all_poses_at_times(void)
{
    for EACH_MODEL(m) {
        for (int i = 0; i < 90 && m->anim_count; ++i) {
            const md2_anim *anim = &m->anims[i / 3 % (int)m->anim_count];
            double seconds = random_seconds(i);
            md2_pose pose = md2_pose_at(anim, (md2_mode)(i % 3), seconds);
            hash_double(md2_anim_length(anim, (md2_mode)(i % 3)));
            hash_pose(&pose);
        }
    }
}

static void hash_all_player(void)
{
    for EACH_MODEL(m) {
        int        steps = m->anim_count > 10 ? 2000 : 60;
        md2_player player;
        memset(&player, 0, sizeof player);
        for (int i = 0; i < steps && m->anim_count; ++i) {
            HASH_PLAYER(md2, md2_mode, &player, i, &m->anims[anim_], m->anim_count,
                        player.track_count ? &player.track[player.track_count - 1].anim : NULL);
            md2_pose pose = md2_player_pose(&player);
            hash_pose(&pose);
        }
    }
}

/* -- Smoothing ------------------------------------------------------------------------------ */

static bool is_below(const md2_model *m, float size)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (m->min[axis] <= -size || m->max[axis] >= size) return false;
    }
    return true;
}

static void hash_all_smoothed(void)
{
    for EACH_MODEL(m) {
        if ((uint64_t)m->frame_count * m->point_count > 20000) continue;

        /* In a model near the largest float, accelerations overflow. */
        set_traps(is_below(m, 1e9f));
        md2_model *s = md2_smooth_model(m, NULL, NULL);
        set_traps(true);
        CHECK(s != NULL);
        for (uint32_t frame = 0; frame < s->frame_count; ++frame) {
            const md2_fine *fine = s->frames[frame].fine;
            for (uint32_t i = 0; i < s->point_count; ++i) {
                for (uint32_t axis = 0; axis < 3; ++axis) hash_word(fine[i].position[axis], 2);
                hash_word(fine[i].normal, 2);
            }
            hash_floats(s->frames[frame].min, 3);
            hash_floats(s->frames[frame].max, 3);
        }

        md2_pose pose = md2_pose_between(0, s->frame_count - 1, 0.3f);
        hash_positions(s, &pose);
        hash_normals(s, &pose);
        md2_free_model(s);
    }
}

/* -- The rows --------------------------------------------------------------------------- */

row md2_rows[] = {
    { "md2.contents", "skins, vertices, triangles and strips of MD2 models", hash_all_contents, 0 },
    { "md2.frames", "names, points and boxes of MD2 frames", hash_all_frames, 0 },
    { "md2.normal_table", "normals of md2_normal", hash_all_normal_table, 0 },
    { "md2.mixed_poses", "poses that md2_pose_mix makes of up to six frames", hash_all_mixed_poses, 0 },
    { "md2.positions", "positions of MD2 vertices in mixed poses", hash_all_positions, 0 },
    { "md2.normals", "normals of MD2 vertices in mixed poses", hash_all_normals, 0 },
    { "md2.cancelled", "normals halfway between frames where some cancel out", hash_all_cancelled, 0 },
    { "md2.bounds", "boxes around mixed MD2 poses", hash_all_bounds, 0 },
    { "md2.triangles", "matrices of md2_pose_triangle in mixed poses", hash_all_triangles, 0 },
    { "md2.poses_at_times", "poses of md2_pose_at, and lengths of animations", hash_all_poses_at_times, 0 },
    { "md2.player", "events and poses of an MD2 player that does anything", hash_all_player, 0 },
    { "md2.smoothed", "points and normals of md2_smooth_model", hash_all_smoothed, 0 },
    { NULL, NULL, NULL, 0 }
};
