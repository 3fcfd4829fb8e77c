/* test_character: the root motion of the character must agree with its feet. Its MD2 must be the skinned MD5,
   quantized, and md2_smooth_model must make it more similar to the MD5. All other properties of the files are tested by
   their hashes. --folder=FOLDER has the character; the default is build/character. Public domain. */
#define MD2_SMOOTH
#include "check.h"
#include "md2.h"
#include "md5.h"
#include "support.h"

typedef struct comparison {           /* arrays are [frame][vertex][3] */
    const md2_model *model;
    size_t           row;             /* number of floats per frame */
    float           *truth, *true_normals, *shown, *normals;
} comparison;

typedef struct deviation {            /* sums over coordinates, in quantization steps, and the numbers of terms */
    double error, jitter, slow_jitter, angle;
    double errors, jitters, slow_jitters, angles;
    double worst_error, worst_angle;
    uint32_t worst_error_frame, worst_angle_frame;
} deviation;

static const char *path_of(const char *folder, const char *name, const char *extension)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, extension);
    return path;
}

/* -- The reference: the MD5 in each frame, at the vertices of the MD2 --------------------------- */

/* Skins the corners of triangles, because the two formats merge vertices differently. */
static void skin_frame(comparison *c, const md5_model *knight, const md5_xform *pose, uint32_t frame)
{
    const md5_mesh *body = &knight->meshes[0];
    float *positions = (float *)malloc_or_abort(body->vertex_count * 6 * sizeof *positions);
    float *normals = positions + 3 * body->vertex_count;
    md5_pose_vertices(knight, 0, pose, positions, 0, normals, 0, NULL, 0);
    for (uint32_t i = 0; i < body->index_count; ++i) {
        size_t to = frame * c->row + 3 * c->model->indices[i], from = 3 * body->indices[i];
        memcpy(c->truth + to, positions + from, 3 * sizeof(float));
        memcpy(c->true_normals + to, normals + from, 3 * sizeof(float));
    }
    free(positions);
}

static void find_truth(comparison *c, const md5_model *knight, const char *folder)
{
    md5_xform *pose = (md5_xform *)malloc_or_abort(knight->joint_count * sizeof *pose);
    CHECK_EQ(c->model->anim_count, 20);
    for (uint32_t i = 0; i < c->model->anim_count; ++i) {
        const md2_anim *baked = &c->model->anims[i];
        md5_error       error;
        md5_anim *anim = md5_load_anim_file(path_of(folder, baked->name, ".md5anim"), NULL, &error);
        check_scene("%s", baked->name);
        if (CHECK(anim && md5_check_anim(knight, anim, &error) == MD5_OK)) {
            for (uint32_t k = 0; k < baked->count; ++k) {
                md5_pose_at(knight, anim, MD5_ONCE, k / 10.0, pose);
                md5_pose_to_model_space(knight, pose, pose);
                skin_frame(c, knight, pose, baked->first + k);
            }
        }
        md5_free_anim(anim);
    }
    free(pose);
}

/* -- The MD2 compared with the reference --------------------------------------------------------- */

static double offset_at(const comparison *c, uint32_t frame, size_t i)
{
    size_t at = frame * c->row + i;
    double scale = (double)c->model->frames[frame].scale[i % 3];
    return ((double)c->shown[at] - (double)c->truth[at]) / scale;
}

static void add_errors(const comparison *c, uint32_t frame, deviation *sum)
{
    for (size_t i = 0; i < c->row; ++i, sum->errors += 1) {
        double error = offset_at(c, frame, i);
        sum->error += error * error;
        if (fabs(error) > sum->worst_error) sum->worst_error_frame = frame;
        sum->worst_error = fmax(sum->worst_error, fabs(error));
    }
    for (size_t i = 0; i < c->row; i += 3, sum->angles += 1) {
        const float *a = c->normals + frame * c->row + i, *b = c->true_normals + frame * c->row + i;
        double       cosine = (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] +
                        (double)a[2] * (double)b[2];
        double angle = acos(fmax(-1, fmin(1, cosine))) * 57.29577951308232;
        sum->angle += angle;
        if (angle > sum->worst_angle) sum->worst_angle_frame = frame;
        sum->worst_angle = fmax(sum->worst_angle, angle);
    }
}

/* A vertex is slow if it moves by less than a quantization step between frames. */
static bool is_slow(const comparison *c, uint32_t frame, size_t vertex)
{
    double squared[2] = { 0, 0 };
    for (uint32_t i = 0; i < 6; ++i) {
        size_t at = (frame - 1 + i / 3) * c->row + 3 * vertex + i % 3;
        double way = ((double)c->truth[at + c->row] - (double)c->truth[at]) /
                     (double)c->model->frames[frame].scale[i % 3];
        squared[i / 3] += way * way;
    }
    return squared[0] < 1 && squared[1] < 1;
}

static void add_jitter(const comparison *c, uint32_t frame, deviation *sum)
{
    for (size_t i = 0; i < c->row; ++i) {
        double change = offset_at(c, frame - 1, i) - 2 * offset_at(c, frame, i) +
                        offset_at(c, frame + 1, i);
        bool slow = is_slow(c, frame, i / 3);
        sum->jitter += change * change;
        sum->jitters += 1;
        sum->slow_jitter += slow ? change * change : 0;
        sum->slow_jitters += slow ? 1 : 0;
    }
}

/* Computes root mean squares, and the mean angle in degrees. */
static deviation measure(comparison *c, const md2_model *model)
{
    deviation sum;
    memset(&sum, 0, sizeof sum);
    c->model = model;
    for (uint32_t k = 0; k < model->anim_count; ++k) {
        uint32_t first = model->anims[k].first, last = first + model->anims[k].count - 1;
        for (uint32_t frame = first; frame <= last; ++frame) {
            md2_pose pose = md2_pose_between(frame, frame, 0);
            size_t   at = frame * c->row;
            md2_pose_vertices(model, &pose, c->shown + at, 0, c->normals + at, 0);
            add_errors(c, frame, &sum);
        }
        for (uint32_t frame = first + 1; frame < last; ++frame) add_jitter(c, frame, &sum);
    }
    sum.error = sqrt(sum.error / sum.errors);
    sum.jitter = sqrt(sum.jitter / sum.jitters);
    sum.slow_jitter = sqrt(sum.slow_jitter / fmax(1, sum.slow_jitters));
    sum.angle /= sum.angles;
    return sum;
}

/* -- The tests --------------------------------------------------------------------------------- */

static md2_model *stored, *smoothed;
static md5_model *knight;
static deviation before, after; /* deviations of both models, in quantization steps and degrees */

static void test_grid(void)
{
    uint32_t frame = before.worst_error_frame;
    check_scene("frame %u, %s, which has the largest error", (unsigned)frame, stored->frames[frame].name);
    CHECK_NEAR(before.worst_error, 0, 0.501);
}

static void test_stored_normals(void)
{
    uint32_t frame = before.worst_angle_frame;
    check_scene("frame %u, %s, which has the largest error", (unsigned)frame, stored->frames[frame].name);
    CHECK_NEAR(before.worst_angle, 0, 14);
}

static void test_positions(void) { CHECK_NEAR(after.error, 0, 0.5 * before.error); }
static void test_jitter(void) { CHECK_NEAR(after.jitter, 0, 0.45 * before.jitter); }
static void test_slow_jitter(void) { CHECK_NEAR(after.slow_jitter, 0, 0.2 * before.slow_jitter); }
static void test_normals(void) { CHECK_NEAR(after.angle, 0, 3); }

/* -- Walking and turning ------------------------------------------------------------------------ */

static md5_anim *walk, *turn;

typedef struct walker {               /* a character that is moved by its root motion */
    md5_player player;
    md5_xform  pose[64], scratch[64];
    float      place[16];
} walker;

static void start_anim(walker *w, const md5_anim *anim)
{
    memset(w, 0, sizeof *w);
    for (int i = 0; i < 16; i += 5) w->place[i] = 1;
    w->player.root_motion = MD5_TRAVEL | MD5_TURN;
    md5_play(&w->player, anim, MD5_LOOP, 0);
}

static void advance_walker(walker *w, float seconds)
{
    float     motion[16], product[16];
    md5_xform step;
    md5_advance(&w->player, seconds);
    md5_player_motion(&w->player, &step);
    md5_pose_matrix(&step, motion);
    for (int i = 0; i < 16; ++i) {
        product[i] = 0;
        for (int k = 0; k < 4; ++k) product[i] += w->place[4 * k + i % 4] * motion[i / 4 * 4 + k];
    }
    memcpy(w->place, product, sizeof product);
    md5_player_pose(knight, &w->player, w->pose, w->scratch);
    md5_pose_to_model_space(knight, w->pose, w->pose);
}

/* Computes the position of a joint over the ground. */
static void find_joint_in_world(const walker *w, const char *name, double out[2])
{
    const float *at = w->pose[md5_find_joint(knight, name)].position;
    for (int row = 0; row < 2; ++row) {
        out[row] = (double)(w->place[row] * at[0] + w->place[4 + row] * at[1] +
                            w->place[8 + row] * at[2] + w->place[12 + row]);
    }
}

/* Checks that the toes stay in place while their sole is on the ground: between these frames of each cycle. */
static void check_toes(const md5_anim *anim, const char *toes, double from, double to)
{
    walker w;
    double start[2] = { 0, 0 }, now[2];
    bool   stood = false;
    check_scene("%s, %s", anim->name, toes);
    start_anim(&w, anim);
    for (int picture = 0; picture < 300; ++picture) {
        advance_walker(&w, 1 / 60.0f);
        double frame = fmod(w.player.track[0].time, md5_anim_length(anim, MD5_LOOP)) * 10;
        bool   stands = frame >= from && frame <= to;
        check_step("rendered frame %d, frame %.2f of the animation", picture, frame);
        find_joint_in_world(&w, toes, now);
        if (stands && !stood) memcpy(start, now, sizeof start);
        if (stands) CHECK_NEAR(hypot(now[0] - start[0], now[1] - start[1]), 0, 0.25);
        stood = stands;
    }
}

static void test_soles(void)
{
    check_toes(walk, "toes_l", 1, 6);
    check_toes(walk, "toes_r", 6, 10);
    check_toes(turn, "toes_l", 0, 7);
    check_toes(turn, "toes_r", 6, 12);
}

/* The character walks for two seconds, turns a quarter to the left, and walks for two seconds. */
static void test_corner(void)
{
    walker w;
    md5_xform motion;
    md5_anim_motion(walk, MD5_LOOP, MD5_TRAVEL, 0, 2, &motion);
    double way = (double)motion.position[0];
    start_anim(&w, walk);
    for (int i = 0; i < 120; ++i) advance_walker(&w, 1 / 60.0f);
    md5_play(&w.player, turn, MD5_LOOP, 0);
    for (int i = 0; i < 72; ++i) advance_walker(&w, 1 / 60.0f);
    md5_play(&w.player, walk, MD5_LOOP, 0);
    for (int i = 0; i < 120; ++i) advance_walker(&w, 1 / 60.0f);
    CHECK_NEAR(way, 2 * 18.3333, 1e-3);
    CHECK_NEAR(w.place[12], way, 1e-3);
    CHECK_NEAR(w.place[13], way, 1e-3);
    CHECK_NEAR(w.place[0], 0, 1e-4);
    CHECK_NEAR(w.place[1], 1, 1e-4);
}

/* The path is the same at any frame rate, also while animations fade into each other. */
static void test_paces(void)
{
    walker slow, fast;
    start_anim(&slow, walk);
    start_anim(&fast, walk);
    for (int i = 0; i < 240; ++i) {
        const md5_anim *anim = i % 80 < 40 ? turn : walk;
        if (i % 40 == 20) {
            md5_play(&slow.player, anim, MD5_LOOP, 0.5f);
            md5_play(&fast.player, anim, MD5_LOOP, 0.5f);
        }
        advance_walker(&slow, 1 / 60.0f);
        for (int k = 0; k < 4; ++k) advance_walker(&fast, 1 / 240.0f);
    }
    double way = hypot((double)fast.place[12], (double)fast.place[13]);
    CHECK(way > 10);
    CHECK_NEAR(slow.place[12], fast.place[12], 0.001 * way);
    CHECK_NEAR(slow.place[13], fast.place[13], 0.001 * way);
    CHECK_NEAR(slow.place[0], fast.place[0], 1e-3);
}

static bool load_all(const char *folder)
{
    stored = md2_load_file(path_of(folder, "tris", ".md2"), NULL, NULL);
    smoothed = md2_smooth_model(stored, NULL, NULL);
    knight = md5_load_model_file(path_of(folder, "knight", ".md5mesh"), NULL, NULL);
    walk = md5_load_anim_file(path_of(folder, "walk", ".md5anim"), NULL, NULL);
    turn = md5_load_anim_file(path_of(folder, "turn", ".md5anim"), NULL, NULL);
    check_scene("%s", folder);
    return CHECK(stored && smoothed && knight && walk && turn) &&
           CHECK_EQ(knight->meshes[0].index_count, stored->index_count);
}

static void measure_both(const char *folder)
{
    comparison c = { stored, 3 * (size_t)stored->vertex_count, NULL, NULL, NULL, NULL };
    size_t size = c.row * stored->frame_count;
    c.truth = (float *)malloc_or_abort(4 * size * sizeof(float));
    c.true_normals = c.truth + size;
    c.shown = c.truth + 2 * size;
    c.normals = c.truth + 3 * size;
    find_truth(&c, knight, folder);
    before = measure(&c, stored);
    after = measure(&c, smoothed);
    free(c.truth);
    printf("    in quantization steps: slow jitter %.3f -> %.3f, all jitter %.3f -> %.3f, error %.3f -> %.3f, "
           "normals %.2f -> %.2f degrees\n",
           before.slow_jitter, after.slow_jitter, before.jitter, after.jitter, before.error,
           after.error, before.angle, after.angle);
}

/* -- No view shows the inside ------------------------------------------------------------------- */

enum { CELLS = 192 };                 /* width and height of the picture */
static const double view_width = 120; /* units; the character fits, even lying down */

typedef struct picture {
    float depth[CELLS][CELLS];        /* depth of the nearest surface so far; 0 = none */
    bool  is_back[CELLS][CELLS];      /* the nearest surface is the back of a triangle */
} picture;

/* Computes the axes of a camera far away, at angles to the side and above, in degrees: right, up, toward the camera. */
static void get_camera_axes(double side, double above, double axes[3][3])
{
    double c = cos(side / 57.29577951308232), s = sin(side / 57.29577951308232);
    double flat = cos(above / 57.29577951308232), high = sin(above / 57.29577951308232);
    const double turned[3][3] = { { -s, c, 0 }, { -c * high, -s * high, flat },
                                  { c * flat, s * flat, high } };
    memcpy(axes, turned, sizeof turned);
}

/* Draws a triangle. Corners are in cells, and in units before the far plane. */
static void draw_triangle(picture *p, double corner[3][3])
{
    const double *a = corner[0], *b = corner[1], *c = corner[2];
    double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (fabs(area) < 1e-9) return;

    bool fits = true;
    for (uint32_t k = 0; k < 3; ++k) {
        fits = fits && corner[k][0] >= 0 && corner[k][0] < (double)CELLS;
        fits = fits && corner[k][1] >= 0 && corner[k][1] < (double)CELLS;
    }
    if (!fits) {
        CHECK(fits);
        return;
    }

    int left = (int)fmin(a[0], fmin(b[0], c[0])), right = (int)fmax(a[0], fmax(b[0], c[0]));
    int low = (int)fmin(a[1], fmin(b[1], c[1])), high = (int)fmax(a[1], fmax(b[1], c[1]));
    for (int y = low; y <= high; ++y) {
        for (int x = left; x <= right; ++x) {
            double at[2] = { x + 0.5, y + 0.5 };
            double v = ((at[0] - a[0]) * (c[1] - a[1]) - (at[1] - a[1]) * (c[0] - a[0])) / area;
            double w = ((b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])) / area;
            float  depth = (float)((1 - v - w) * a[2] + v * b[2] + w * c[2]);
            bool   is_nearest = v >= 0 && w >= 0 && v + w <= 1 && depth > p->depth[y][x];
            if (!is_nearest) continue;
            p->depth[y][x] = depth;
            p->is_back[y][x] = area < 0;
        }
    }
}

static void draw_frame(picture *p, const float *positions, double axes[3][3])
{
    for (uint32_t i = 0; i < stored->index_count; i += 3) {
        double corner[3][3];
        for (uint32_t k = 0; k < 3; ++k) {
            const float *at = positions + 3 * stored->indices[i + k];
            for (uint32_t axis = 0; axis < 3; ++axis) {
                double along = (double)at[0] * axes[axis][0] + (double)at[1] * axes[axis][1] +
                               (double)at[2] * axes[axis][2];
                corner[k][axis] = along + view_width / 2;
                if (axis < 2) corner[k][axis] *= (double)CELLS / view_width;
            }
        }
        draw_triangle(p, corner);
    }
}

/* Checks that the mesh has no holes. A hole would show the inside, or the sky if back faces are culled. */
static void test_holes(void)
{
    static picture drawn;
    float   *positions = (float *)malloc_or_abort(stored->vertex_count * 12);
    uint32_t covered = 0;
    for (uint32_t frame = 0; frame < stored->frame_count; ++frame) {
        md2_pose pose = md2_pose_between(frame, frame, 0);
        md2_pose_vertices(stored, &pose, positions, 0, NULL, 0);
        for (int side = 0; side < 360; side += 45) {
            double   axes[3][3];
            uint32_t backs = 0;
            memset(&drawn, 0, sizeof drawn);
            get_camera_axes(side, 15, axes);
            draw_frame(&drawn, positions, axes);
            for (uint32_t i = 0; i < CELLS * CELLS; ++i) {
                if (drawn.depth[i / CELLS][i % CELLS] > 0) ++covered;
                if (drawn.is_back[i / CELLS][i % CELLS]) ++backs;
            }
            check_scene("frame %u from %d degrees: %u cells", (unsigned)frame, side, (unsigned)backs);
            CHECK(backs <= 2);     /* cells at the edges of triangles */
        }
    }
    CHECK(covered > 0);
    free(positions);
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--folder=");
    const char *folder = check_option("--folder=");
    if (!folder) folder = "build/character";
    if (load_all(folder)) {
        if (!check_option("--list")) measure_both(folder);
        RUN(test_corner, "a walk, a turn and a walk lead around the corner");
        RUN(test_soles, "a sole on the ground does not slide while the root moves above it");
        RUN(test_paces, "steps and turns fade into each other equally at any frame rate");
        RUN(test_holes, "the inside is not visible from any side, in any frame");
        RUN(test_grid, "the MD2 is the MD5 from which it was made, to the nearest quantization step");
        RUN(test_stored_normals, "the normals of the MD2 are off by 14 degrees at most");
        RUN(test_positions, "smoothed, the MD2 is at most half as far from the MD5");
        RUN(test_jitter, "smoothed, the MD2 jitters at most 0.45 times as much");
        RUN(test_slow_jitter, "smoothed, slow points jitter at most a fifth as much");
        RUN(test_normals, "smoothed, its normals are off by 3 degrees at most on average");
    }
    md2_free_model(smoothed);
    md2_free_model(stored);
    md5_free_model(knight);
    md5_free_anim(walk);
    md5_free_anim(turn);
    return check_finish();
}
