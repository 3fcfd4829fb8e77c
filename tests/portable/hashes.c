/* hashes: the results of both libraries, each kind as one number, so that machines and compilers can
   be compared with one table that all must equal to the last bit.

   hashes                  builds the models, uses them in every way, compares with the table
   hashes md2.player       compares this row
   hashes --print          prints the table instead, to be recorded: `make record ONLY=hashes`
     --table=FILE          another table than tests/golden/hashes.txt
     --folder=FOLDER       that receives the files of the character, and must exist; else build/hashed

   Whole numbers are hashed as 64
   bits, floats and doubles by their bits, texts and files by their bytes, everything with its low
   byte first; addresses and sizes of memory never. Public domain. */
#define MD2_SMOOTH
#include "hashes.h"

#include "check.h"
#include "model_builder_md5.h"
#include "quake2_names.h"
#include "tests/tools/character/make_character.h"

#include <stdarg.h>

/* Each number drawn has a statement of its own: the order of arguments is the compiler's. */

/* -- Rows: a name and a hash ---------------------------------------------- */

static row rows[] = {
    { "md2.files", "bytes of the MD2 files that the tests build", 0, 0, 0 },
    { "md2.outcomes", "errors, and their offsets, of loading MD2 files", 0, 0, 0 },
    { "md2.contents", "skins, vertices, triangles and strips of MD2 models", 0, 0, 0 },
    { "md2.frames", "names, points and boxes of MD2 frames", 0, 0, 0 },
    { "md2.anims", "animations of MD2 models", 0, 0, 0 },
    { "md2.skin_paths", "paths that md2_find_skin tries", 0, 0, 0 },
    { "md2.mixed_poses", "poses that md2_pose_mix makes of up to six frames", 0, 0, 0 },
    { "md2.positions", "positions of MD2 vertices in mixed poses", 0, 0, 0 },
    { "md2.normals", "normals of MD2 vertices in mixed poses", 0, 0, 0 },
    { "md2.bounds", "boxes around mixed MD2 poses", 0, 0, 0 },
    { "md2.triangles", "matrices of md2_pose_triangle in mixed poses", 0, 0, 0 },
    { "md2.poses_at_times", "poses of md2_pose_at, and lengths of animations", 0, 0, 0 },
    { "md2.player", "events and poses of an MD2 player that does anything", 0, 0, 0 },
    { "md2.smoothed", "points and normals of md2_smooth_model", 0, 0, 0 },
    { "md2.normal_table", "normals of md2_normal", 0, 0, 0 },
    { "md2.cancelled", "normals halfway between frames where some cancel out", 0, 0, 0 },
    { "md2.pictures", "pixels, and errors, of PCX pictures", 0, 0, 0 },
    { "md2.split_names", "animations that the names of Quake II models make", 0, 0, 0 },
    { "md5.files", "bytes of the MD5 texts that the tests build", 0, 0, 0 },
    { "md5.outcomes", "errors, and their lines, of loading MD5 texts", 0, 0, 0 },
    { "md5.joints", "joints of MD5 models, their boxes and command lines", 0, 0, 0 },
    { "md5.meshes", "vertices, weights and triangles of MD5 meshes", 0, 0, 0 },
    { "md5.texture_paths", "paths that md5_find_texture tries", 0, 0, 0 },
    { "md5.bind_poses", "poses of md5_pose_bind", 0, 0, 0 },
    { "md5.model_space", "poses of md5_pose_to_model_space", 0, 0, 0 },
    { "md5.palettes", "matrices of md5_pose_palette", 0, 0, 0 },
    { "md5.matrices", "matrices of md5_pose_matrix", 0, 0, 0 },
    { "md5.positions", "positions of skinned MD5 vertices", 0, 0, 0 },
    { "md5.normals", "normals of skinned MD5 vertices", 0, 0, 0 },
    { "md5.tangents", "tangents of skinned MD5 vertices", 0, 0, 0 },
    { "md5.bounds", "boxes around MD5 poses", 0, 0, 0 },
    { "md5.anims", "joints, frames and boxes of MD5 animations", 0, 0, 0 },
    { "md5.poses_at_times", "poses of md5_pose_at, and lengths of animations", 0, 0, 0 },
    { "md5.poses_in_place", "poses of md5_pose_in_place", 0, 0, 0 },
    { "md5.root_motion", "motions of md5_root_motion", 0, 0, 0 },
    { "md5.retargeted", "animations of md5_retarget_anim, and their poses", 0, 0, 0 },
    { "md5.number_texts", "digits of thirty thousand written numbers", 0, 0, 0 },
    { "md5.numbers", "floats that thirty thousand written numbers become", 0, 0, 0 },
    { "character.png", "pictures of the character", 0, 0, 0 },
    { "character.md2", "MD2 files of the character", 0, 0, 0 },
    { "character.md5mesh", "meshes of the character", 0, 0, 0 },
    { "character.md5anim", "animations of the character", 0, 0, 0 },
    { "md5.mixed_poses", "poses of md5_pose_mix, with and without a mask", 0, 0, 0 },
    { "md5.added_poses", "poses of md5_pose_add, with and without a mask", 0, 0, 0 },
    { "md5.aimed_poses", "poses with a joint turned and aimed", 0, 0, 0 },
    { "md5.masks", "weights of md5_mask_branch", 0, 0, 0 },
    { "md5.player", "events and poses of an MD5 player that does anything", 0, 0, 0 },
    { "md5.retargeted_bones", "animations of md5_retarget_anim from a source", 0, 0, 0 },
    { "md5.player_motion", "root motion of an MD5 player, and its poses in place", 0, 0, 0 },
    { "md2.gpu", "buffers, vertex arrays and textures of MD2 in OpenGL", 0, 0, 0 },
    { "md5.gpu", "buffers, vertex arrays and textures of MD5 in OpenGL", 0, 0, 0 }
};

enum { ROWS = sizeof rows / sizeof *rows };

static row *find_row(const char *name)
{
    for (int i = 0; i < ROWS; ++i) {
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    }
    return NULL;
}

row *row_of(const char *name)
{
    row *found = find_row(name);
    if (!found) {
        printf("hashes.c has no row %s\n", name);
        abort();
    }
    if (!found->hash) found->hash = ((uint64_t)0xCBF29CE4u << 32) | 0x84222325u;
    return found;
}

static void hash_bytes(row *r, const void *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    const uint64_t prime = ((uint64_t)0x100u << 32) | 0x1B3u;
    for (size_t i = 0; i < size; ++i) r->hash = (r->hash ^ bytes[i]) * prime;
    r->bytes += size;
}

void hash_word(row *r, uint64_t word, int size)
{
    uint8_t bytes[8];
    for (int i = 0; i < size; ++i) bytes[i] = (uint8_t)(word >> 8 * i);
    hash_bytes(r, bytes, (size_t)size);
}

void hash_int(row *r, int64_t x) { hash_word(r, (uint64_t)x, 8); }

void hash_float(row *r, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x) check_step("for the row %s, %s", r->name, r->what);
    CHECK(x == x); /* which NaN a processor makes is its own affair */
    hash_word(r, bits, 4);
}

void hash_floats(row *r, const float *x, size_t count)
{
    for (size_t i = 0; i < count; ++i) hash_float(r, x[i]);
}

static void hash_box(row *r, const float min[3], const float max[3])
{
    hash_floats(r, min, 3);
    hash_floats(r, max, 3);
}

static void hash_double(row *r, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    CHECK(x == x);
    hash_word(r, bits, 8);
}

static void hash_text(row *r, const char *text)
{
    if (text) hash_bytes(r, text, strlen(text) + 1);
    else hash_int(r, -1);
}

void hash_values(row *r, const char *kinds, ...)
{
    va_list values;
    va_start(values, kinds);
    for (; *kinds; ++kinds) {
        if (*kinds == 'u') hash_int(r, va_arg(values, unsigned));
        if (*kinds == 'd') hash_int(r, va_arg(values, int));
        if (*kinds == 'f') hash_float(r, (float)va_arg(values, double));
        if (*kinds == 's') hash_text(r, va_arg(values, const char *));
    }
    va_end(values);
}

static float *new_floats(size_t count) { return (float *)malloc_or_abort(count * sizeof(float)); }

static random_source dice = { 1996 };

static double random_seconds(int turn)
{
    return (double)(int32_t)random_next(&dice) / (turn % 4 ? 1e9 : 3.0);
}

static float dice_between(float low, float high)
{
    return low + (high - low) * ((float)random_below(&dice, 1u << 20) / 1048576.0f);
}

/* -- MD2: what loads, and what is said of the rest ------------------------- */

static void hash_md2_lists(const md2_model *m)
{
    row *r = row_of("md2.contents");
    hash_values(r, "%u %u %u %u", m->skin_width, m->skin_height, m->dropped_triangles, m->flags);
    for (uint32_t i = 0; i < m->skin_count; ++i) hash_text(r, m->skins[i].path);
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        hash_values(r, "%u %f %f", m->vertices[i].point, (double)m->vertices[i].u,
                    (double)m->vertices[i].v);
    }
    for (uint32_t i = 0; i < m->index_count; ++i) hash_int(r, m->indices[i]);
    for (uint32_t i = 0; i < m->strip_count; ++i) {
        hash_values(r, "%u %u %d", m->strips[i].first, m->strips[i].count, m->strips[i].fan);
    }
    for (uint32_t i = 0; i < m->strip_vertex_count; ++i) {
        hash_values(r, "%u %f %f", m->strip_vertices[i].vertex, (double)m->strip_vertices[i].u,
                    (double)m->strip_vertices[i].v);
    }
}

static void hash_md2_anims(row *r, const md2_anim *anims, uint32_t count)
{
    hash_int(r, count);
    for (uint32_t i = 0; i < count; ++i) {
        hash_values(r, "%u %u %f %s", anims[i].first, anims[i].count, (double)anims[i].fps,
                    anims[i].name);
    }
}

static void hash_md2_frames(const md2_model *m)
{
    row *r = row_of("md2.frames");
    uint32_t step = m->frame_count / 300 + 1;
    for (uint32_t i = 0; i < m->frame_count; i += step) {
        const md2_frame *f = &m->frames[i];
        hash_text(r, f->name);
        hash_floats(r, f->scale, 3);
        hash_floats(r, f->translate, 3);
        hash_box(r, f->min, f->max);
        hash_bytes(r, f->points, (size_t)m->point_count * sizeof *f->points);
    }
    hash_box(r, m->min, m->max);
    hash_md2_anims(row_of("md2.anims"), m->anims, m->anim_count);
}

/* -- MD2: poses ------------------------------------------------------------ */

static void hash_md2_pose(row *r, const md2_pose *pose)
{
    hash_int(r, pose->count);
    for (uint32_t i = 0; i < pose->count; ++i) {
        hash_values(r, "%u %f", pose->frame[i], (double)pose->weight[i]);
    }
}

static void hash_md2_posed(const md2_model *m, const md2_pose *pose)
{
    size_t count = (size_t)m->vertex_count * 3;
    float *positions = new_floats(count), *normals = new_floats(count), low[3], high[3], frame[16];
    md2_pose_vertices(m, pose, positions, 0, normals, 0);
    hash_floats(row_of("md2.positions"), positions, count);
    hash_floats(row_of("md2.normals"), normals, count);
    md2_pose_bounds(m, pose, low, high);
    hash_box(row_of("md2.bounds"), low, high);
    for (uint32_t i = 0; i < m->index_count / 3; i += m->index_count / 30 + 1) {
        bool there = md2_pose_triangle(m, pose, i, frame);
        hash_int(row_of("md2.triangles"), there);
        if (there) hash_floats(row_of("md2.triangles"), frame, 16);
    }
    free(positions);
    free(normals);
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

static void hash_md2_poses(const md2_model *m)
{
    int many = m->vertex_count > 5000 ? 1 : 6;
    for (int i = 0; i < many; ++i) {
        md2_pose pose = random_md2_pose(m, i % 6 + 1);
        hash_md2_pose(row_of("md2.mixed_poses"), &pose);
        hash_md2_posed(m, &pose);
    }
}

static void hash_md2_times(const md2_model *m)
{
    row *r = row_of("md2.poses_at_times");
    for (int i = 0; i < 90 && m->anim_count; ++i) {
        const md2_anim *anim = &m->anims[i / 3 % (int)m->anim_count];
        double seconds = random_seconds(i);
        md2_pose pose = md2_pose_at(anim, (md2_mode)(i % 3), seconds);
        hash_double(r, md2_anim_length(anim, (md2_mode)(i % 3)));
        hash_md2_pose(r, &pose);
    }
}

/* A step in the life of a player, in which anything may happen; `md` is md2 or md5, anim_ the number in
   `anim`; one of `some` frames may be crossed. */
#define HASH_PLAYER(md, MODE, r, player, i, anim, count, some)                                    \
    do {                                                                                          \
        uint32_t chance_ = random_below(&dice, 40);                                               \
        if (chance_ < 2) {                                                                        \
            uint32_t anim_ = random_below(&dice, count), mode_ = random_below(&dice, 3);          \
            md##_play(player, anim, (MODE)mode_, dice_between(-0.1f, 0.6f));                      \
        }                                                                                         \
        if (chance_ == 2) (player)->speed = dice_between(-2, 3);                                  \
        if (chance_ == 3) md##_seek(player, (double)dice_between(-5, 20));                        \
        if (chance_ == 4) md##_pause(player, !(player)->paused);                                  \
        if (chance_ == 5) md##_stop(player);                                                      \
        if (chance_ == 6) md##_play(player, NULL, (MODE)0, 0.2f);                                 \
        uint32_t anim_ = (uint32_t)i % count;                                                     \
        if (chance_ == 7) md##_play_in_phase(player, anim, 0.4f);                                 \
        hash_int(r, md##_crossings(anim, (MODE)(i % 3), -1.5, 0.03 * i, (uint32_t)i % some));     \
        hash_int(r, md##_advance(player, dice_between(i % 9 ? 0 : -0.3f, i % 5 ? 0.05f : 0.9f))); \
        hash_int(r, md##_crossed(player, random_below(&dice, some)));                             \
        hash_values(r, "%u %d", (player)->track_count, (player)->finished);                       \
        hash_double(r, (player)->track_count                                                      \
                           ? (player)->track[(player)->track_count - 1].time : -1);               \
    } while (0)

static void hash_md2_player(const md2_model *m, int steps)
{
    row *r = row_of("md2.player");
    md2_player player;
    memset(&player, 0, sizeof player);
    for (int i = 0; i < steps && m->anim_count; ++i) {
        HASH_PLAYER(md2, md2_mode, r, &player, i, &m->anims[anim_], m->anim_count, m->frame_count);
        md2_pose pose = md2_player_pose(&player);
        hash_md2_pose(r, &pose);
    }
}

/* -- MD2: every model of our own, in every way of loading -------------------- */

typedef struct path_hash {
    row *r;
    uint32_t count;
} path_hash;

/* For the search of a picture that is nowhere. */
static bool hash_path(void *user, const char *path)
{
    path_hash *hash = (path_hash *)user;
    hash_text(hash->r, path);
    ++hash->count;
    return false;
}

static void hash_md2_skin_paths(const md2_model *m)
{
    row *r = row_of("md2.skin_paths");
    char path[100];
    for (uint32_t skin = 0; skin <= m->skin_count && skin < 5; ++skin) {
        path_hash hash = { r, 0 };
        md2_find_skin(m, "Models/Knight/Tris.MD2", skin, hash_path, &hash, path, sizeof path);
        hash_int(r, hash.count);
    }
}

static void hash_md2_smoothed(const md2_model *m)
{
    row *r = row_of("md2.smoothed");
    md2_model *s = md2_smooth_model(m, NULL, NULL);
    float positions[3 * 64], normals[3 * 64];
    CHECK(s != NULL);
    for (uint32_t frame = 0; frame < s->frame_count; ++frame) {
        const md2_fine *fine = s->frames[frame].fine;
        for (uint32_t i = 0; i < s->point_count; ++i) {
            for (uint32_t axis = 0; axis < 3; ++axis) hash_word(r, fine[i].position[axis], 2);
            hash_word(r, fine[i].normal, 2);
        }
        hash_box(r, s->frames[frame].min, s->frames[frame].max);
    }
    if (s->vertex_count <= 64) {
        md2_pose pose = md2_pose_between(0, s->frame_count - 1, 0.3f);
        md2_pose_vertices(s, &pose, positions, 0, normals, 0);
        hash_floats(r, positions, 3 * s->vertex_count);
        hash_floats(r, normals, 3 * s->vertex_count);
    }
    md2_free_model(s);
}

static void hash_md2_load(const m2_bytes *bytes, const md2_options *options)
{
    md2_error error;
    md2_model *m = md2_load_memory(bytes->data, bytes->size, options, &error);
    hash_values(row_of("md2.outcomes"), "%d %u %s", error.code, (unsigned)error.offset,
                error.message);
    if (!m) return;
    hash_md2_lists(m);
    hash_md2_frames(m);
    hash_md2_skin_paths(m);
    hash_md2_poses(m);
    hash_md2_times(m);
    hash_md2_player(m, 60);
    if ((uint64_t)m->frame_count * m->point_count < 20000) hash_md2_smoothed(m);
    md2_free_model(m);
}

enum { WAYS = 4 };

static const md2_options md2_ways[WAYS] = {
    { 0, 0, 0, 0, { NULL, NULL, NULL } },
    { MD2_Y_UP | MD2_FLIP_V, 0.0254f, 0, 0, { NULL, NULL, NULL } },
    { MD2_KEEP_WINDING, 0, 7.3f, 0, { NULL, NULL, NULL } },
    { MD2_BORROW | MD2_FRAME_NAMES, 0, 0, 0, { NULL, NULL, NULL } }
};

static void hash_md2_own_models(void)
{
    const uint32_t first_seed = 111;
    for (uint32_t i = 0; i < M2_CASES + 40; ++i) {
        m2_bytes bytes = i < M2_CASES ? m2_case_bytes(&m2_cases[i])
                                      : m2_random(first_seed + i - M2_CASES, 90, 170, 7);
        int ways = bytes.size < 100000 ? WAYS : 1;
        check_scene("the MD2 model %s", i < M2_CASES ? m2_cases[i].name : "of random triangles");
        hash_bytes(row_of("md2.files"), bytes.data, bytes.size);
        for (int way = 0; way < ways; ++way) hash_md2_load(&bytes, &md2_ways[way]);
        m2_free(&bytes);
    }
}

/* Some of the normals of two frames cancel out halfway between these; which, is another bit of `gone`. */
static void hash_md2_cancelled_normals(void)
{
    m2_bytes bytes = m2_named("moving_cube");
    uint8_t *points = m2_section(&bytes, M2_OFS_FRAMES) + 40;
    md2_pose pose = md2_pose_between(0, 1, 0.5f);
    md2_options options;
    float normals[24 * 3];
    memset(&options, 0, sizeof options);
    options.flags = MD2_BORROW; /* else such normals are repaired */
    for (uint32_t gone = 0; gone < 128; ++gone) {
        for (uint32_t i = 0; i < 8; ++i) {
            points[i * 4 + 3] = i < 7 ? 52 : 5; /* +X */
            points[72 + i * 4 + 3] = i < 7 && gone >> i & 1 ? 143 : points[i * 4 + 3]; /* -X */
        }
        md2_model *m = md2_load_memory(bytes.data, bytes.size, &options, NULL);
        CHECK(m && m->vertex_count == 24);
        md2_pose_vertices(m, &pose, NULL, 0, normals, 0);
        hash_floats(row_of("md2.cancelled"), normals, 24 * 3);
        md2_free_model(m);
    }
    m2_free(&bytes);
}

static void hash_md2_pictures(void)
{
    row *r = row_of("md2.pictures");
    uint32_t width, height;
    for (uint32_t i = 0; i < 12; ++i) {
        m2_bytes bytes = m2_pcx(31 + i * 7, 20 + i, 40 + i * 8, (int)(i % 3));
        md2_error error;
        uint8_t *pixels =
            md2_load_pcx_memory(bytes.data, bytes.size - i % 4 / 3, &width, &height, NULL, &error);
        hash_values(r, "%d %s", error.code, error.message);
        if (pixels) hash_bytes(r, pixels, (size_t)width * height * 4);
        md2_free_image(pixels, width, height, NULL);
        m2_free(&bytes);
    }
}

/* The names as they are written there, "stand[1..5]" too: they are names like any other. */
static void hash_md2_split_names(void)
{
    char text[4096];
    const char *names[256];
    md2_anim anims[256];
    uint32_t count;
    char *at;
    for (uint32_t model = 0; model < QUAKE2_MODELS; ++model) {
        snprintf(text, sizeof text, "%s", quake2_names[model].names);
        for (at = text, count = 0; *at && count < 256; ++at) {
            if (at == text || at[-1] == '\0') names[count++] = at;
            if (strchr("|[].", *at)) *at = '\0';
        }
        hash_md2_anims(row_of("md2.split_names"), anims,
                       md2_split_frame_names(names, count, NULL, anims, 256));
    }
}

/* -- MD5: what loads, and what is said of the rest --------------------------- */

static void hash_xforms(row *r, const md5_xform *x, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        hash_floats(r, x[i].position, 3);
        hash_floats(r, x[i].rotation, 4);
    }
}

static void hash_md5_mesh(const md5_mesh *mesh)
{
    row *r = row_of("md5.meshes");
    hash_values(r, "%s %u", mesh->shader, mesh->max_influences);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const md5_vertex *v = &mesh->vertices[i];
        hash_values(r, "%f %f %u %u", (double)v->u, (double)v->v, v->first_weight,
                    v->weight_count);
        hash_floats(r, v->position, 3);
        hash_floats(r, v->normal, 3);
        hash_floats(r, v->tangent, 4);
    }
    for (uint32_t i = 0; i < mesh->weight_count; ++i) {
        hash_values(r, "%u %f", mesh->weights[i].joint, (double)mesh->weights[i].bias);
        hash_floats(r, mesh->weights[i].position, 3);
    }
    for (uint32_t i = 0; i < mesh->index_count; ++i) hash_int(r, mesh->indices[i]);
}

static void hash_md5_joints(const md5_model *m)
{
    row *r = row_of("md5.joints");
    for (uint32_t i = 0; i < m->joint_count; ++i) {
        hash_values(r, "%s %d", m->joints[i].name, m->joints[i].parent);
        hash_xforms(r, &m->joints[i].bind, 1);
        hash_floats(r, m->joints[i].inverse_bind, 12);
    }
    hash_box(r, m->min, m->max);
    hash_text(r, m->commandline);
    hash_int(r, (int64_t)m->skeleton_hash);
}

static void hash_md5_anim(row *r, const md5_anim *anim)
{
    hash_values(r, "%s %u %f %d %u", anim->name, anim->frame_count, (double)anim->fps, anim->closed,
                anim->root_motion);
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        hash_values(r, "%s %d %u", anim->joint_names[i], anim->parents[i], anim->slots[i]);
    }
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        if (anim->slots[i] >= anim->moving_count) {
            hash_floats(r, (const float *)&anim->still[anim->slots[i] - anim->moving_count], 8);
        }
    }
    hash_floats(r, (const float *)anim->frames, 8 * (size_t)anim->frame_count * anim->moving_count);
    for (uint32_t i = 0; anim->bounds && i < anim->frame_count; ++i) {
        hash_box(r, anim->bounds[i].min, anim->bounds[i].max);
    }
    hash_int(r, (int64_t)anim->skeleton_hash);
}

/* -- MD5: poses ---------------------------------------------------------------- */

static void hash_md5_vertices(const md5_model *m, uint32_t mesh, const md5_xform *pose)
{
    size_t count = m->meshes[mesh].vertex_count;
    float *out = new_floats(count * 10);
    md5_pose_vertices(m, mesh, pose, out, 0, out + count * 3, 0, out + count * 6, 0);
    hash_floats(row_of("md5.positions"), out, count * 3);
    hash_floats(row_of("md5.normals"), out + count * 3, count * 3);
    hash_floats(row_of("md5.tangents"), out + count * 6, count * 4);
    free(out);
}

/* A local pose, all that is made from it. The pose is changed. */
static void hash_md5_posed(const md5_model *m, md5_xform *pose)
{
    float *palette = new_floats((size_t)m->joint_count * 12), low[3], high[3], matrix[16];
    md5_pose_to_model_space(m, pose, pose);
    hash_xforms(row_of("md5.model_space"), pose, m->joint_count);
    md5_pose_palette(m, pose, palette);
    hash_floats(row_of("md5.palettes"), palette, (size_t)m->joint_count * 12);
    for (uint32_t i = 0; i < m->joint_count; ++i) {
        md5_pose_matrix(&pose[i], matrix);
        hash_floats(row_of("md5.matrices"), matrix, 16);
    }
    for (uint32_t i = 0; i < m->mesh_count; ++i) hash_md5_vertices(m, i, pose);
    md5_pose_bounds(m, pose, low, high);
    hash_box(row_of("md5.bounds"), low, high);
    free(palette);
}

static void hash_md5_bind(const md5_model *m)
{
    md5_xform *pose = (md5_xform *)malloc_or_abort(m->joint_count * sizeof *pose);
    md5_pose_bind(m, pose);
    hash_xforms(row_of("md5.bind_poses"), pose, m->joint_count);
    hash_md5_posed(m, pose);
    free(pose);
}

static void hash_md5_samples(const md5_anim *anim)
{
    md5_xform *pose = (md5_xform *)malloc_or_abort((anim->joint_count + 1) * sizeof *pose);
    for (int i = 0; i < 12; ++i) {
        md5_mode mode = (md5_mode)(i % 3);
        double seconds = random_seconds(i), later = random_seconds(i + 1);
        hash_double(row_of("md5.poses_at_times"), md5_anim_length(anim, mode));
        md5_pose_at(anim, mode, seconds, pose);
        hash_xforms(row_of("md5.poses_at_times"), pose, anim->joint_count);
        uint32_t flags = (uint32_t)(i / 3 % 4);
        md5_pose_in_place(anim, mode, flags, seconds, pose);
        hash_xforms(row_of("md5.poses_in_place"), pose, anim->joint_count);
        md5_root_motion(anim, mode, flags, seconds, later, pose);
        hash_xforms(row_of("md5.root_motion"), pose, 1);
    }
    free(pose);
}

/* A joint turned and aimed in a local pose. */
static void hash_md5_aims(const md5_model *m, md5_xform *pose, int joint)
{
    const float axis[3] = { 0.5f, 1.0f - (float)joint / 7, -0.75f };
    const float target[3] = { 30.0f - (float)joint * 3, 7, (float)joint };
    md5_pose_turn(m, pose, joint, axis, (float)joint / 3 - 5);
    md5_pose_aim(m, pose, joint, NULL, target, 1, 0.75f);
    md5_pose_aim(m, pose, joint, axis, target, 4, 1);
    hash_xforms(row_of("md5.aimed_poses"), pose, m->joint_count);
}

/* What the model does with two animations of its own skeleton: mixed, masked, added. */
static void hash_md5_mixes(const md5_model *m, const md5_anim *one, const md5_anim *two)
{
    size_t count = m->joint_count;
    md5_xform *a = (md5_xform *)malloc_or_abort(count * 4 * sizeof *a), *b = a + count;
    md5_xform *c = b + count, *bind = c + count;
    float *mask = new_floats(count);
    memset(mask, 0, count * sizeof *mask);
    md5_pose_bind(m, bind);
    for (uint32_t i = 0; i < 10; ++i) {
        int joint = (int)random_below(&dice, m->joint_count);
        md5_mask_branch(m, joint, dice_between(0, 1), mask);
        md5_pose_at(one, MD5_LOOP, random_seconds(1), a);
        md5_pose_at(two, MD5_PING_PONG, random_seconds(1), b);
        md5_pose_mix(a, b, dice_between(0, 1), i % 2 ? mask : NULL, count, c);
        hash_xforms(row_of("md5.mixed_poses"), c, count);
        md5_pose_add(a, b, bind, dice_between(0, 1), i % 2 ? mask : NULL, count, b);
        hash_xforms(row_of("md5.added_poses"), b, count);
        memcpy(a, b, count * sizeof *a);
        hash_md5_aims(m, a, joint);
        hash_md5_posed(m, i % 2 ? b : c);
    }
    hash_floats(row_of("md5.masks"), mask, count);
    free(a);
    free(mask);
}

static void hash_md5_player(const md5_model *m, md5_anim *const *anims, uint32_t count, int steps)
{
    row *r = row_of("md5.player");
    md5_xform *pose = (md5_xform *)malloc_or_abort(m->joint_count * 2 * sizeof *pose);
    float *mask = (float *)malloc_or_abort(m->joint_count * sizeof *mask);
    md5_player player;
    memset(&player, 0, sizeof player);
    for (uint32_t i = 0; i < m->joint_count; ++i) mask[i] = (float)(i % 5) / 4;
    for (int i = 0; i < steps; ++i) {
        HASH_PLAYER(md5, md5_mode, r, &player, i, anims[anim_], count, 20);
        md5_player_pose(m, &player, pose, pose + m->joint_count);
        hash_xforms(r, pose, m->joint_count);
        if (i % 40 == 15) md5_play_once(&player, anims[i % (int)count], 0.2f, 0.3f);
        if (i % 80 == 35) md5_fade_out(&player, 0.25f);
        md5_pose_bind(m, pose);
        md5_player_pose_over(m, &player, 0.75f, mask, pose, pose + m->joint_count);
        hash_xforms(r, pose, m->joint_count);
    }
    free(mask);
    free(pose);
}

/* -- MD5: every model of our own ------------------------------------------------ */

static void hash_md5_texture_paths(const md5_model *m)
{
    row *r = row_of("md5.texture_paths");
    char path[100];
    for (uint32_t mesh = 0; mesh < m->mesh_count; ++mesh) {
        path_hash hash = { r, 0 };
        md5_find_texture(m, "Models/Arm.MD5Mesh", mesh, hash_path, &hash, path, sizeof path);
        hash_int(r, hash.count);
    }
}

static void hash_md5_model(const m5_text *text, const md5_options *options)
{
    md5_error error;
    md5_model *m = md5_load_model_memory(text->bytes, text->size, options, &error);
    hash_values(row_of("md5.outcomes"), "%d %u %s", error.code, error.line, error.message);
    if (!m) return;
    hash_md5_joints(m);
    for (uint32_t i = 0; i < m->mesh_count; ++i) hash_md5_mesh(&m->meshes[i]);
    hash_md5_texture_paths(m);
    hash_md5_bind(m);
    md5_free_model(m);
}

static void hash_md5_retargeted(const md5_model *to, const md5_model *from, const md5_anim *anim,
                                const md5_options *options)
{
    row *r = row_of(from ? "md5.retargeted_bones" : "md5.retargeted");
    md5_error error;
    uint32_t missing = 0;
    md5_anim *fitted = md5_retarget_anim(to, from, anim, &missing, options, &error);
    hash_values(r, "%d %s %u", error.code, error.message, missing);
    if (fitted) {
        hash_md5_anim(r, fitted);
        hash_md5_samples(fitted);
    }
    md5_free_anim(fitted);
}

static md5_model *knee_model(const md5_options *options)
{
    static const char text[] =
        "MD5Version 10 commandline \"\" numJoints 4 numMeshes 0 joints {"
        "\"lower\" -1 ( 1 2 3 ) ( 0.1 -0.2 0.3 ) \"root\" 0 ( 3.5 2 7 ) ( 0 0.7 0 )"
        "\"upper\" 0 ( 0 0.25 -9 ) ( 0.5 0.5 0.5 ) \"knee\" 2 ( 1 1 1 ) ( 0 0 0 ) }";
    return md5_load_model_memory(text, sizeof text - 1, options, NULL);
}

static void hash_md5_anim_file(const m5_text *text, const md5_options *options)
{
    md5_error error;
    md5_model *knee = knee_model(options);
    md5_anim *anim = md5_load_anim_memory(text->bytes, text->size, "hash", options, &error);
    hash_values(row_of("md5.outcomes"), "%d %u %s", error.code, error.line, error.message);
    CHECK(knee != NULL);
    if (anim) {
        hash_md5_anim(row_of("md5.anims"), anim);
        hash_md5_samples(anim);
        hash_md5_retargeted(knee, NULL, anim, options);
    }
    md5_free_anim(anim);
    md5_free_model(knee);
}

static void hash_md5_own_models(void)
{
    static const md5_options ways[2] = {
        { 0, 0, 0, NULL, 0, { NULL, NULL, NULL } },
        { MD5_Y_UP | MD5_FLIP_V | MD5_KEEP_WINDING, 0.0254f, 0, NULL, 0, { NULL, NULL, NULL } }
    };
    for (int i = 0; i < M5_MODELS; ++i) {
        m5_text text = { NULL, 0, 0 };
        m5_entry entry = m5_make(i, &text);
        check_scene("the MD5 text %s", entry.name);
        hash_bytes(row_of("md5.files"), text.bytes, text.size);
        for (int way = 0; way < 2; ++way) {
            if (entry.kind == M5_MESH) hash_md5_model(&text, &ways[way]);
            else hash_md5_anim_file(&text, &ways[way]);
        }
        m5_free(&text);
    }
}

/* -- MD5: numbers ----------------------------------------------------------------- */

/* Digits in any number, a point anywhere, an exponent for which the value stays below 1e9: short ones
   that a table can do, long ones that need all their digits, and those too small for a float. */
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

static void hash_md5_numbers(void)
{
    enum { NUMBERS = 30000 };
    md5_error error;
    m5_text text = { NULL, 0, 0 };
    m5_put(&text, "MD5Version 10 commandline \"\" numJoints 1 numMeshes 1 joints { "
                  "\"a\" -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { shader \"\" numverts %d\n", NUMBERS / 2);
    for (uint32_t i = 0; i < NUMBERS / 2; ++i) {
        m5_put(&text, "vert %u ( ", (unsigned)i);
        put_any_number(&text);
        put_any_number(&text);
        m5_put_text(&text, ") 0 1\n");
    }
    m5_put_text(&text, "numtris 0 numweights 1 weight 0 0 1 ( 1 2 3 ) }");
    hash_bytes(row_of("md5.number_texts"), text.bytes, text.size);
    md5_model *m = md5_load_model_memory(text.bytes, text.size, NULL, &error);
    check_scene("thirty thousand numbers: %s", error.message);
    CHECK(m != NULL);
    for (uint32_t i = 0; i < m->meshes[0].vertex_count; ++i) {
        hash_values(row_of("md5.numbers"), "%f %f", (double)m->meshes[0].vertices[i].u,
                    (double)m->meshes[0].vertices[i].v);
    }
    md5_free_model(m);
    m5_free(&text);
}

/* -- The character ------------------------------------------------------------------- */

static const char *folder;

static const char *path_of(const char *name, const char *suffix)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    return path;
}

m2_bytes character_file(const char *row_name, const char *name, const char *suffix)
{
    m2_bytes bytes = { NULL, 0 };
    check_scene("%s", path_of(name, suffix));
    bytes.data = read_file(path_of(name, suffix), &bytes.size);
    CHECK(bytes.data != NULL);
    hash_bytes(row_of(row_name), bytes.data, bytes.size);
    return bytes;
}

static void hash_character_md2(const char *name)
{
    m2_bytes bytes = character_file("character.md2", name, ".md2");
    md2_model *m = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
    CHECK(m != NULL);
    hash_md2_load(&bytes, NULL);
    hash_md2_load(&bytes, &md2_ways[1]);
    hash_md2_player(m, 2000);
    md2_free_model(m);
    m2_free(&bytes);
}

enum { MOVES = 20 };

/* The MD2 knows what they are called. */
static void load_moves(md5_anim **anims)
{
    md2_model *named = md2_load_file(path_of("tris", ".md2"), NULL, NULL);
    CHECK(named && named->anim_count == MOVES);
    for (uint32_t i = 0; i < MOVES; ++i) {
        const char *name = named->anims[i].name;
        m2_bytes bytes = character_file("character.md5anim", name, ".md5anim");
        anims[i] = md5_load_anim_memory(bytes.data, bytes.size, name, NULL, NULL);
        CHECK(anims[i] != NULL);
        hash_md5_anim(row_of("md5.anims"), anims[i]);
        hash_md5_samples(anims[i]);
        m2_free(&bytes);
    }
    md2_free_model(named);
}

/* One who walks and turns by turns, from one into the other. */
static void hash_player_motion(const md5_model *m, md5_anim *const anims[2])
{
    row *r = row_of("md5.player_motion");
    md5_xform *pose = (md5_xform *)malloc_or_abort(m->joint_count * 2 * sizeof *pose), motion;
    md5_player player;
    memset(&player, 0, sizeof player);
    for (int i = 0; i < 300; ++i) {
        player.root_motion = (uint32_t)(i / 40 % 4);
        if (i % 17 == 0) md5_play(&player, anims[i / 17 % 2], (md5_mode)(i / 34 % 3), 0.4f);
        if (i % 90 == 50) md5_play_in_phase(&player, anims[0], 0.7f);
        if (i % 70 == 65) player.speed = -1.5f;
        md5_advance(&player, (float)(i % 7 + 1) / 64);
        md5_player_motion(&player, &motion);
        md5_player_pose(m, &player, pose, pose + m->joint_count);
        hash_xforms(r, &motion, 1);
        hash_xforms(r, pose, m->joint_count);
    }
    free(pose);
}

/* Both kinds of root motion; and the bones of one who has shorter legs, a long neck and a tail. */
static void hash_moving(const md5_model *m)
{
    static const char *const names[2] = { "walk", "turn" };
    static const char text[] =
        "MD5Version 10 commandline \"\" numJoints 6 numMeshes 0 joints {"
        "\"Root\" -1 ( 0 0 0 ) ( 0 0 0 ) \"hips\" 0 ( 0 0 -9 ) ( 0 0.1 0 )"
        "\"tail\" 1 ( -5 0 -9 ) ( 0 0 0.7 ) \"head\" 1 ( 1 0 20 ) ( 0.2 0 0.1 )"
        "\"thigh_l\" 1 ( 0 4 -9 ) ( 0 0 0 ) \"foot_l\" 4 ( 0 4 -18 ) ( 0.5 0.5 0.5 ) }";
    md5_model *other = md5_load_model_memory(text, sizeof text - 1, NULL, NULL);
    random_source before = dice; /* what comes after stays as it is */
    CHECK(other != NULL);
    md5_anim *anims[2];
    for (int i = 0; i < 2; ++i) {
        m2_bytes bytes = character_file("character.md5anim", names[i], ".md5anim");
        anims[i] = md5_load_anim_memory(bytes.data, bytes.size, names[i], NULL, NULL);
        CHECK(anims[i] != NULL);
        hash_md5_anim(row_of("md5.anims"), anims[i]);
        hash_md5_samples(anims[i]);
        hash_md5_retargeted(other, m, anims[i], NULL);
        m2_free(&bytes);
    }
    hash_player_motion(m, anims);
    for (int i = 0; i < 2; ++i) md5_free_anim(anims[i]);
    dice = before;
    md5_free_model(other);
}

static void hash_character_md5(void)
{
    m2_bytes bytes = character_file("character.md5mesh", "robot", ".md5mesh");
    md5_model *m = md5_load_model_memory(bytes.data, bytes.size, NULL, NULL);
    md5_anim *anims[MOVES];
    CHECK(m != NULL);
    load_moves(anims);

    check_scene("the robot of the character");
    hash_md5_joints(m);
    hash_md5_mesh(&m->meshes[0]);
    hash_md5_bind(m);
    for (int i = 0; i + 1 < MOVES; i += 3) hash_md5_mixes(m, anims[i], anims[i + 1]);
    hash_md5_player(m, anims, MOVES, 1000);
    hash_moving(m);

    for (int i = 0; i < MOVES; ++i) md5_free_anim(anims[i]);
    md5_free_model(m);
    m2_free(&bytes);
}

static void hash_character(void)
{
    m2_bytes bytes;
    make_character(folder);
    for (int i = 0; i < 2; ++i) {
        bytes = character_file("character.png", i ? "weapon" : "skin", ".png");
        m2_free(&bytes);
    }
    hash_character_md2("tris");
    hash_character_md2("weapon");
    hash_character_md5();
}

/* -- The table ------------------------------------------------------------------------------ */

static bool is_hashed;

static void hash_all(void)
{
    if (is_hashed) return;
    is_hashed = true;
    hash_md2_own_models();
    for (uint32_t i = 0; i < 256; ++i) hash_floats(row_of("md2.normal_table"), md2_normal(i), 3);
    hash_md2_cancelled_normals();
    hash_md2_pictures();
    hash_md2_split_names();
    hash_md5_own_models();
    hash_md5_numbers();
    hash_character();
    hash_gl();
}

static void print_table(void)
{
    for (int i = 0; i < ROWS; ++i) {
        printf("%-20s %08lx%08lx\n", rows[i].name, (unsigned long)(rows[i].hash >> 32),
               (unsigned long)(rows[i].hash & 0xFFFFFFFFu));
    }
}

/* A row that is not recorded stays 0. */
static void read_table(void)
{
    const char *path = check_option("--table=");
    FILE *table = fopen(path ? path : "tests/golden/hashes.txt", "r");
    char name[64];
    unsigned long high, low;
    check_scene("%s", path ? path : "tests/golden/hashes.txt");
    if (!CHECK(table != NULL)) return;
    while (fscanf(table, "%63s %8lx%8lx", name, &high, &low) == 3) {
        row *r = find_row(name);
        check_step("the row %s, which nothing computes", name);
        if (CHECK(r != NULL)) r->recorded = (uint64_t)high << 32 | low;
    }
    check_step("a line that is no row");
    CHECK(feof(table));
    fclose(table);
}

/* The names of the rows that differ, as many as a line takes. */
static const char *differing_rows(void)
{
    static char names[140];
    size_t length = 0;
    for (int i = 0; i < ROWS; ++i) {
        if (rows[i].hash == rows[i].recorded) continue;
        if (length + strlen(rows[i].name) + 6 > sizeof names) return strcat(names, " ...");
        length += (size_t)snprintf(names + length, sizeof names - length, " %s", rows[i].name);
    }
    return names;
}

static row *now; /* the row that is compared */

static void test_row(void)
{
    hash_all();
    if (now->hash != now->recorded) {
        printf("    %s differs\n", now->name);
        check_scene("these rows differ:%s; if that is meant: make record ONLY=hashes", differing_rows());
    }
    CHECK(now->bytes > 0);
    CHECK(now->hash == now->recorded);
}

int main(int argc, char **argv)
{
    char promise[120];
    check_start(argc, argv, "--folder= --table= --print");
    folder = check_option("--folder=");
    if (!folder) folder = "build/hashed";
    if (check_option("--print")) {
        hash_all();
        print_table();
        return EXIT_SUCCESS;
    }
    read_table();
    bool has_hashed = check_failures() == 0;
    for (now = rows; has_hashed && now < rows + ROWS; ++now) {
        snprintf(promise, sizeof promise, "%s are as recorded", now->what);
        check_run(now->name, promise, test_row);
    }
    return check_finish();
}
