/* Tests of md2_smooth_model. The tests of tests/tools/character measure it on the knight. Public domain. */
#define MD2_SMOOTH
#include "test_md2.h"

static void step_at_point(uint32_t frame, uint32_t point, uint32_t axis)
{
    check_step("frame %u, point %u, axis %u", (unsigned)frame, (unsigned)point, (unsigned)axis);
}

static md2_model *smooth(const md2_model *m, size_t max_bytes, counting_allocator *memory,
                         md2_error *error)
{
    md2_options options = counting_options(memory);
    options.max_bytes = max_bytes;
    return md2_smooth_model(m, &options, error);
}

/* Flags, scale and rate of the options are ignored, because they apply to loading. */
static void test_smooth_copy(void)
{
    m2_bytes   *bytes = named("player");
    md2_model  *m = md2_load_memory(bytes->data, bytes->size, NULL, NULL);
    md2_options options = options_of(MD2_Y_UP | MD2_FLIP_V | MD2_QUAKE2_ANIMS);
    float       high = m ? m->max[2] : 0;
    options.scale = 5;
    options.fps = 24;
    md2_model *s = md2_smooth_model(m, &options, NULL);
    CHECK(s != NULL);
    CHECK_EQ(s->flags, 0);
    CHECK(m->frames[0].fine == NULL);

    md2_free_model(m);
    CHECK_NEAR(s->max[2], high, 0.2);
    CHECK_EQ(md2_find_anim(s, "run")->fps, 10);
    CHECK_TEXT(s->frames[42].name, "run3");
    CHECK_TEXT(s->skins[0].path, "models/cube/cube.pcx");
    md2_free_model(s);
}

/* Checks that each fine position rounds to its byte: the byte is 256 * byte + 128 in fine steps. */
static void check_inside_bytes(const md2_model *m, const md2_model *s, uint32_t frame)
{
    for (uint32_t i = 0; i < m->point_count; ++i) {
        const md2_point *stored = &m->frames[frame].points[i];
        const uint8_t    bytes[3] = { stored->x, stored->y, stored->z };
        for (uint32_t axis = 0; axis < 3; ++axis) {
            int offset = s->frames[frame].fine[i].position[axis] - (256 * bytes[axis] + 128);
            if (abs(offset) >= 128) step_at_point(frame, i, axis);
            CHECK(offset > -128 && offset < 128);
        }
    }
}

static bool is_still(const md2_model *m, const md2_anim *anim, uint32_t point)
{
    const md2_frame *first = &m->frames[anim->first], *f;
    for (f = first; f < first + anim->count; ++f) {
        if (memcmp(&f->points[point], &first->points[point], sizeof *f->points) != 0 ||
            !same_floats(f->scale, first->scale, 3) ||
            !same_floats(f->translate, first->translate, 3)) {
            return false;
        }
    }
    return true;
}

/* Checks that points that do not move in an animation do not move after smoothing. */
static void check_still_points(const md2_model *m, const md2_model *s)
{
    for (uint32_t k = 0; k < m->anim_count; ++k) {
        const md2_frame *first = &s->frames[m->anims[k].first];
        for (uint32_t i = 0; i < m->point_count; ++i) {
            if (!is_still(m, &m->anims[k], i)) continue;
            for (uint32_t frame = 1; frame < m->anims[k].count; ++frame) {
                bool same = !memcmp(first->fine[i].position, first[frame].fine[i].position, 6);
                if (!same) step_at_point(m->anims[k].first + frame, i, 0);
                CHECK(same);
            }
        }
    }
}

static bool same_position(const md2_point *a, const md2_point *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

/* Checks that points that coincide in every frame still do. */
static void check_seams(const md2_model *m, const md2_model *s)
{
    if (m->point_count > 4096) return;
    for (uint32_t a = 0; a < m->point_count; ++a) {
        for (uint32_t b = a + 1; b < m->point_count; ++b) {
            uint32_t frame = 0;
            while (frame < m->frame_count &&
                   same_position(&m->frames[frame].points[a], &m->frames[frame].points[b])) {
                ++frame;
            }
            if (frame < m->frame_count) continue;
            for (frame = 0; frame < m->frame_count; ++frame) {
                const md2_fine *fine = s->frames[frame].fine;
                bool            same = !memcmp(fine[a].position, fine[b].position, 6);
                if (!same) step_at_point(frame, b, 0);
                CHECK(same);
            }
        }
    }
}

static bool are_equal_frames(const md2_model *m, uint32_t a, uint32_t b)
{
    const md2_frame *f = &m->frames[a], *g = &m->frames[b];
    uint32_t         i = 0;
    if (!same_floats(f->scale, g->scale, 3) || !same_floats(f->translate, g->translate, 3)) {
        return false;
    }
    while (i < m->point_count && same_position(&f->points[i], &g->points[i])) ++i;
    return i == m->point_count;
}

static void check_equal_frames(const md2_model *m, const md2_model *s)
{
    if (m->frame_count > 512) return;
    for (uint32_t a = 0; a < m->frame_count; ++a) {
        for (uint32_t b = a + 1; b < m->frame_count; ++b) {
            if (!are_equal_frames(m, a, b)) continue;
            check_step("frames %u and %u", (unsigned)a, (unsigned)b);
            for (uint32_t i = 0; i < m->point_count; ++i) {
                CHECK(!memcmp(s->frames[a].fine[i].position, s->frames[b].fine[i].position, 6));
            }
        }
    }
}

static float *pose_normals(const md2_model *s, uint32_t frame)
{
    md2_pose pose = still(frame);
    float   *normals = (float *)malloc_or_abort(s->vertex_count * 12 + 12);
    md2_pose_vertices(s, &pose, NULL, 0, normals, 0);
    return normals;
}

/* Checks that no normal rotates by over 90 degrees between frames if the stored normal rotates by under 30. */
static void check_turns(const md2_model *s)
{
    if (s->frame_count > 512) return;
    float *before = pose_normals(s, 0);
    for (uint32_t frame = 1; frame < s->frame_count; ++frame) {
        float *now = pose_normals(s, frame);
        for (uint32_t i = 0; i < s->vertex_count; ++i) {
            uint32_t     point = s->vertices[i].point;
            const float *stored = md2_normal(s->frames[frame].points[point].normal);
            const float *stored_before = md2_normal(s->frames[frame - 1].points[point].normal);
            double       cosine = 0, stored_cosine = 0;
            for (uint32_t axis = 0; axis < 3; ++axis) {
                cosine += (double)now[3 * i + axis] * (double)before[3 * i + axis];
                stored_cosine += (double)stored[axis] * (double)stored_before[axis];
            }
            if (cosine < 0 && stored_cosine > 0.866) step_at_point(frame, point, 0);
            CHECK(!(cosine < 0 && stored_cosine > 0.866));
        }
        free(before);
        before = now;
    }
    free(before);
}

/* Compares the vertices of a pose of a smoothed model with double precision. */
static void check_vertices(const md2_model *s, const md2_pose *pose)
{
    float *positions = (float *)malloc_or_abort(s->vertex_count * 24 + 24);
    float *normals = positions + 3 * s->vertex_count, low[3], high[3];
    check_step("a pose of %u frames", (unsigned)pose->count);
    md2_pose_vertices(s, pose, positions, 0, normals, 0);
    md2_pose_bounds(s, pose, low, high);
    for (uint32_t i = 0; i < s->vertex_count; ++i) {
        double length = 0;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            double sum = 0, size = 0, got = (double)positions[3 * i + axis];
            for (uint32_t k = 0; k < pose->count; ++k) {
                const md2_frame *f = &s->frames[pose->frame[k]];
                int    offset = f->fine[s->vertices[i].point].position[axis] - 128;
                double step = (double)f->scale[axis] / 256, base = (double)f->translate[axis];
                sum += (double)pose->weight[k] * (base + offset * step);
                size += (double)pose->weight[k] * (fabs(base) + fabs(65535 * step));
            }
            CHECK_NEAR(got, sum, 1e-6 * size);
            CHECK(got >= (double)low[axis] && got <= (double)high[axis]);
            length += (double)normals[3 * i + axis] * (double)normals[3 * i + axis];
        }
        CHECK_NEAR(length, 1, 1e-5);
    }
    free(positions);
}

void check_smooth(const md2_model *m)
{
    size_t             points = m->point_count, cells = points * m->frame_count;
    counting_allocator memory;
    md2_error          error;
    md2_model         *s = smooth(m, 0, &memory, &error);
    random_source      random = { 5 };
    md2_pose           pose;
    CHECK(s != NULL);
    CHECK(s->bytes <= m->bytes + 12 * cells + 32);
    CHECK(memory.peak_bytes - s->bytes <= 12 * cells + 352 * points + 60 * m->frame_count + 256);
    for (uint32_t i = 0; i < s->frame_count; ++i) check_inside_bytes(m, s, i);
    check_still_points(m, s);
    check_seams(m, s);
    check_equal_frames(m, s);
    check_turns(s);
    for (uint32_t i = 0; i < 4; ++i) {
        pose = random_pose(&random, s->frame_count < 256 ? s->frame_count : 256);
        check_vertices(s, &pose);
    }
    pose = still(s->frame_count - 1);
    check_vertices(s, &pose);
    CHECK(memory.allocations == 2 && memory.live_blocks == 1);
    md2_free_model(s);
    CHECK(counting_is_clean(&memory));
}

static void test_smooth_memory(void)
{
    const md2_model   *m = load_named("moving_cube", 0);
    counting_allocator memory;
    md2_error          error;
    md2_model         *s = smooth(m, 0, &memory, &error);
    size_t             needed = memory.peak_bytes;
    md2_free_model(s);
    s = smooth(m, needed, &memory, &error);
    CHECK(s != NULL && error.code == MD2_OK);
    md2_free_model(s);
    check_refused(smooth(m, needed - 1, &memory, &error), &error, MD2_ERROR_LIMIT);
    CHECK(counting_is_clean(&memory));

    for (size_t fail_at = 1; fail_at <= 2; ++fail_at) {
        md2_options options = counting_options(&memory);
        check_step("allocation %u fails", (unsigned)fail_at);
        memory.fail_at = fail_at;
        check_refused(md2_smooth_model(m, &options, &error), &error, MD2_ERROR_MEMORY);
        CHECK(counting_is_clean(&memory));
    }

    check_step("no model, or half an allocator");
    md2_options half = counting_options(&memory);
    half.allocator.release = NULL;
    check_refused(md2_smooth_model(m, &half, &error), &error, MD2_ERROR_ARGUMENT);
    check_refused(md2_smooth_model(NULL, NULL, &error), &error, MD2_ERROR_ARGUMENT);
    CHECK(md2_smooth_model(NULL, NULL, NULL) == NULL);
}

/* -- A cloth of 8 by 8 points that sways -------------------------------------

   The fifth column exists twice, like a seam of the skin: the triangles on its right use the points 64 to
   71. */
enum { CLOTH_SIDE = 8, CLOTH_SEAM = 4, CLOTH_POINTS = 72 };

typedef struct cloth {
    uint32_t frames, second;          /* `second` is the first frame of animation "b" */
    double   phases[32];              /* phase of the wave in each frame */
    bool     is_two_sided;            /* each triangle exists with both windings */
    bool     half_is_still;             /* the first four columns do not sway */
    double   tilt;                    /* intended tilt of the normals along y */
} cloth;

static int nearest_normal(double x, double y, double z)
{
    double best = -2;
    int    found = 0;
    for (int i = 0; i < 162; ++i) {
        const float *n = md2_normal((uint32_t)i);
        double       cosine = x * (double)n[0] + y * (double)n[1] + z * (double)n[2];
        if (cosine > best) found = i;
        if (cosine > best) best = cosine;
    }
    return found;
}

/* Computes the position of a point, in steps of a byte, and its normal, both before rounding. */
static void find_cloth_point(const cloth *c, uint32_t frame, uint32_t point, double at[3],
                             double normal[3])
{
    uint32_t column = point < 64 ? point % CLOTH_SIDE : (uint32_t)CLOTH_SEAM;
    uint32_t row = point < 64 ? point / CLOTH_SIDE : point - 64;
    double   phase = c->half_is_still && column < CLOTH_SEAM ? 0 : c->phases[frame];
    double   x = 20 + 23.3 * column, slope = 0.75 * cos(x * 0.03 + phase);
    double   size = sqrt(slope * slope + c->tilt * c->tilt + 1);
    at[0] = x;
    at[1] = 20 + 23.7 * row + 3 * sin(phase);
    at[2] = 100 + 25 * sin(x * 0.03 + phase);
    normal[0] = -slope / size;
    normal[1] = c->tilt / size;
    normal[2] = 1 / size;
}

static void set_cloth_point(m2_file *file, const cloth *c, uint32_t frame, uint32_t point)
{
    double at[3], n[3];
    find_cloth_point(c, frame, point, at, n);
    m2_set_point(file, frame, point, (int)(at[0] + 0.5), (int)(at[1] + 0.5), (int)(at[2] + 0.5),
                 nearest_normal(n[0], n[1], n[2]));
}

/* Adds the two triangles of a square, clockwise seen from above. */
static void add_cloth_triangles(m2_file *file, uint32_t *used, uint32_t column, uint32_t row,
                                bool turned)
{
    uint32_t left = column == CLOTH_SEAM ? 64 + row : row * CLOTH_SIDE + column;
    uint32_t left_up = column == CLOTH_SEAM ? left + 1 : left + CLOTH_SIDE;
    uint32_t right = row * CLOTH_SIDE + column + 1, right_up = right + CLOTH_SIDE;
    uint32_t corners[6] = { left, left_up, right, right, left_up, right_up };
    for (uint32_t i = 0; i < 6; ++i) {
        uint32_t corner = turned ? 5 - i : i;
        file->tris[*used / 3 * 6 + *used % 3] = (uint16_t)corners[corner];
        ++*used;
    }
}

static m2_bytes *cloth_bytes(const cloth *c)
{
    uint32_t sides = c->is_two_sided ? 2 : 1, used = 0;
    m2_file  file;
    char     name[16];
    m2_begin(&file, 0, CLOTH_POINTS, 1, 98 * sides, 0, c->frames);
    for (uint32_t frame = 0; frame < c->frames; ++frame) {
        sprintf(name, "%c%u", frame < c->second ? 'a' : 'b', (unsigned)frame + 1);
        m2_frame(&file, frame, name, 0.2f, -3.0f);
        for (uint32_t i = 0; i < CLOTH_POINTS; ++i) set_cloth_point(&file, c, frame, i);
    }
    for (uint32_t i = 0; i < 49 * sides; ++i) {
        add_cloth_triangles(&file, &used, i % 49 % 7, i % 49 / 7, i >= 49);
    }
    return written(&file);
}

/* A cloth that sways once in 20 frames. */
static cloth swaying_cloth(void)
{
    cloth c = { 20, 20, { 0 }, false, false, 0 };
    for (uint32_t i = 0; i < 20; ++i) c.phases[i] = i * 0.314159;
    return c;
}

static md2_model *smooth_cloth(const cloth *c)
{
    md2_model *s = md2_smooth_model(load(cloth_bytes(c), 0), NULL, NULL);
    CHECK(s != NULL);
    CHECK_EQ(s->anim_count, c->second < c->frames ? 2 : 1);
    return s;
}

/* The mean distance between a model and the cloth before rounding: in steps of a byte, and in degrees. */
typedef struct distance { double position, normal; } distance;

static distance measure_cloth(const cloth *c, const md2_model *m)
{
    distance sum = { 0, 0 };
    for (uint32_t frame = 0; frame < m->frame_count; ++frame) {
        float *normals = pose_normals(m, frame);
        for (uint32_t i = 0; i < m->vertex_count; ++i) {
            uint32_t         point = m->vertices[i].point;
            const md2_point *bytes = &m->frames[frame].points[point];
            const uint8_t    coarse[3] = { bytes->x, bytes->y, bytes->z };
            double           at[3], normal[3], cosine = 0;
            find_cloth_point(c, frame, point, at, normal);
            for (uint32_t axis = 0; axis < 3; ++axis) {
                const md2_fine *fine = m->frames[frame].fine;
                double got = fine ? (fine[point].position[axis] - 128) / 256.0 : coarse[axis];
                sum.position += fabs(got - at[axis]);
                cosine += normal[axis] * (double)normals[3 * i + axis];
            }
            sum.normal += acos(fmin(cosine, 1)) * 57.29577951308232;
        }
        free(normals);
    }
    sum.position /= 3.0 * m->frame_count * m->vertex_count;
    sum.normal /= (double)m->frame_count * m->vertex_count;
    return sum;
}

/* Rounding changes positions by a quarter of a step on average, and normals by some degrees. If a pass of smoothing is
   left out or does only half of its work, the remaining errors exceed these limits. */
static void test_noise(void)
{
    for (int tilted = 0; tilted < 2; ++tilted) {
        cloth c = swaying_cloth();
        c.tilt = tilted ? 0.5 : 0;
        c.frames = c.second = 32;
        for (uint32_t i = 0; i < 32; ++i) c.phases[i] = 0.05 * i;
        check_scene(tilted ? "normals that differ from the faces on purpose" : "normals of the faces");
        const md2_model *m = load(cloth_bytes(&c), 0);
        md2_model       *s = smooth_cloth(&c);
        distance before = measure_cloth(&c, m), after = measure_cloth(&c, s);
        printf("    mean error before and after: %.3f and %.3f steps, %.2f and %.2f degrees\n", before.position,
               after.position, before.normal, after.normal);
        CHECK_NEAR(before.position, 0.23, 0.01);
        CHECK_NEAR(after.position, 0, 0.135);
        CHECK_NEAR(before.normal, tilted ? 6.8 : 3.7, 0.1);
        CHECK_NEAR(after.normal, 0, tilted ? 3.8 : 2.6);
        md2_free_model(s);
    }
}

static void test_seams(void)
{
    cloth      c = swaying_cloth();
    md2_model *s = smooth_cloth(&c);
    uint32_t   moved = 0;
    for (uint32_t i = 0; i < 20 * 8; ++i) {
        uint32_t        frame = i / 8, point = i % 8 * CLOTH_SIDE + CLOTH_SEAM;
        const md2_fine *left = &s->frames[frame].fine[point];
        const md2_fine *right = &s->frames[frame].fine[64 + i % 8];
        step_at_point(frame, point, 0);
        CHECK(!memcmp(left, right, sizeof *left)); /* with the normals, which were stored equal */
        moved += left->position[2] % 256 != 128;
    }
    CHECK(moved > 0);
    md2_free_model(s);
}

/* At a crease, points with the same position have the normals of different sides, and keep them. */
static void test_creases(void)
{
    cloth   c = swaying_cloth();
    m2_file file;
    m2_begin(&file, 0, 8, 1, 4, 0, 20);
    for (uint32_t frame = 0; frame < 20; ++frame) {
        m2_frame(&file, frame, "a", 0.2f, -3.0f);
        for (uint32_t i = 0; i < 8; ++i) { /* a roof: each side has four points, two of them on the ridge */
            bool ridge = i >= 2 && i <= 5;
            int  sway = (int)(6.5 + 6 * sin(c.phases[frame]));
            int  x = ridge ? 120 : i < 2 ? 20 : 220, y = i % 2 ? 170 : 20;
            int  normal = nearest_normal(i < 4 ? -1 : 1, 0, 1);
            m2_set_point(&file, frame, i, x + sway, y, (ridge ? 120 : 20) + sway, normal);
        }
    }
    static const uint16_t corners[12] = { 0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7 };
    for (uint32_t i = 0; i < 12; ++i) file.tris[i / 3 * 6 + i % 3] = corners[i];
    md2_model *s = md2_smooth_model(load(written(&file), 0), NULL, NULL);
    CHECK(s != NULL);

    for (uint32_t frame = 0; frame < 20; ++frame) {
        float *normals = pose_normals(s, frame);
        check_step("frame %u", (unsigned)frame);
        for (uint32_t i = 0; i < s->vertex_count; ++i) {
            double side = s->vertices[i].point < 4 ? -1 : 1;
            CHECK_NEAR(normals[3 * i], side * sqrt(0.5), 0.05);
            CHECK_NEAR(normals[3 * i + 2], sqrt(0.5), 0.05);
        }
        CHECK(!memcmp(s->frames[frame].fine[2].position, s->frames[frame].fine[4].position, 6));
        free(normals);
    }
    md2_free_model(s);
}

/* Checks that all normals are those of the file. */
static void check_normals_kept(const md2_model *s)
{
    for (uint32_t frame = 0; frame < s->frame_count; ++frame) {
        float *normals = pose_normals(s, frame);
        for (uint32_t i = 0; i < s->vertex_count; ++i) {
            uint32_t     point = s->vertices[i].point;
            const float *stored = md2_normal(s->frames[frame].points[point].normal);
            double       cosine = 0;
            for (uint32_t axis = 0; axis < 3; ++axis) {
                cosine += (double)normals[3 * i + axis] * (double)stored[axis];
            }
            step_at_point(frame, point, 0);
            CHECK_NEAR(cosine, 1, 0.001);
        }
        free(normals);
    }
}

static void test_two_sides(void)
{
    cloth c = swaying_cloth();
    c.is_two_sided = true;
    md2_model *s = smooth_cloth(&c);
    check_normals_kept(s);
    md2_free_model(s);
}

/* The neighbors of a corner are the other two corners of its triangles, whatever the winding is. So the triangles of
   the second side add no neighbors. The cloth has more points than a patch. */
static void test_turned_triangles(void)
{
    cloth      c = swaying_cloth();
    md2_model *one_side = smooth_cloth(&c);
    c.is_two_sided = true;
    md2_model *two_sides = smooth_cloth(&c);
    for (uint32_t frame = 0; frame < 20; ++frame) {
        const md2_fine *a = one_side->frames[frame].fine, *b = two_sides->frames[frame].fine;
        for (uint32_t i = 0; i < CLOTH_POINTS; ++i) {
            step_at_point(frame, i, 0);
            CHECK(!memcmp(a[i].position, b[i].position, sizeof a[i].position));
        }
    }
    md2_free_model(one_side);
    md2_free_model(two_sides);
}

/* Returns the largest error, in degrees, of the normals on the ridge of a roof. The roof rotates, and its sides are
   `apart` degrees from each other. */
static double measure_ridge(double apart)
{
    enum { FRAMES = 20 };
    m2_file file;
    double  turns[FRAMES], worst = 0, degree = 0.01745329251994;
    m2_begin(&file, 0, 6, 1, 4, 0, FRAMES);
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        turns[frame] = 16 * degree * sin(frame * 0.314159);
        m2_frame(&file, frame, "a", 0.2f, -3.0f);
        for (uint32_t i = 0; i < 6; ++i) { /* two points each: left, on the ridge, right */
            double side = (double)(i / 2) - 1, out = turns[frame] + side * apart * degree / 2;
            double length = side != 0 ? 180 : 0;
            int    x = (int)(128.5 + length * sin(out)), z = (int)(220.5 - length * cos(out));
            int    normal = nearest_normal(-sin(turns[frame]) + side, 0, cos(turns[frame]));
            m2_set_point(&file, frame, i, x, i % 2 ? 170 : 20, z, normal);
        }
    }
    static const uint16_t corners[12] = { 0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5 };
    for (uint32_t i = 0; i < 12; ++i) file.tris[i / 3 * 6 + i % 3] = corners[i];
    md2_model *s = md2_smooth_model(load(written(&file), 0), NULL, NULL);
    CHECK(s != NULL);

    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        float *normals = pose_normals(s, frame);
        for (uint32_t i = 0; i < s->vertex_count; ++i) {
            if (s->vertices[i].point / 2 != 1) continue;
            double cosine = cos(turns[frame]) * (double)normals[3 * i + 2] -
                            sin(turns[frame]) * (double)normals[3 * i];
            worst = fmax(worst, acos(fmin(cosine, 1)) / degree);
        }
        free(normals);
    }
    md2_free_model(s);
    return worst;
}

/* The faces of sides that are less than 29 degrees apart cancel each other. */
static void test_ridges(void)
{
    double wide = measure_ridge(36), narrow = measure_ridge(22);
    CHECK(wide < 2);
    CHECK(narrow > 5); /* the stored normals, which have few directions */
}

/* Animation "b" begins with the last frame of "a". The first half of the cloth does not sway. */
static cloth cloth_with_equal_frames(void)
{
    cloth c = swaying_cloth();
    c.second = 8;
    c.half_is_still = true;
    c.phases[8] = c.phases[7];
    c.phases[12] = c.phases[11]; /* the same pose twice */
    c.phases[19] = c.phases[2];
    return c;
}

/* A point of the half that does not sway has a normal that points up and down in turn. */
static void test_canceling_normals(void)
{
    enum { POINT = 3 * CLOTH_SIDE + 2, UP = 5, DOWN = 84 };
    cloth c = swaying_cloth();
    c.half_is_still = true;
    m2_bytes *bytes = cloth_bytes(&c);
    uint32_t  frame_size = m2_field(bytes, M2_FRAME_SIZE);
    for (uint32_t i = 0; i < c.frames; ++i) {
        uint8_t *points = m2_section(bytes, M2_OFS_FRAMES) + i * frame_size + 40;
        points[4 * POINT + 3] = i % 2 ? DOWN : UP;
    }

    md2_model *s = md2_smooth_model(load(bytes, 0), NULL, NULL);
    CHECK(s != NULL);
    for (uint32_t i = 0; i < c.frames; ++i) {
        float   *normals = pose_normals(s, i);
        uint32_t vertex = 0;
        while (s->vertices[vertex].point != POINT) ++vertex;
        float z = normals[3 * vertex + 2];
        free(normals);
        check_step("frame %u", (unsigned)i);
        CHECK_NEAR(z, i % 2 ? -1 : 1, 1e-6);
    }
    md2_free_model(s);
}

static void test_any_model(void)
{
    static const char *const names[] = {
        "cube", "moving_cube", "player", "sheet", "shared_scale", "negative_scale", "far_out",
        "zero_scale", "degenerate_triangles", "normal_out_of_range", "all_triangles_dropped",
        "no_triangles", "one_point", "65536_points", "65536_frames"
    };
    uint32_t count = sizeof names / sizeof names[0];
    if (check_is_quick()) count -= 2; /* without the large models */
    for (uint32_t i = 0; i < count; ++i) {
        check_scene("%s", names[i]);
        check_smooth(load_named(names[i], 0));
    }
    for (uint32_t seed = 1; seed < 12; ++seed) {
        check_scene("seed %u", (unsigned)seed);
        check_smooth(load(random_bytes(seed, 5 * seed, 3 * seed, 1 + seed % 7), 0));
    }

    cloth c = cloth_with_equal_frames();
    check_scene("a cloth with equal frames");
    check_smooth(load(cloth_bytes(&c), 0));
    c = swaying_cloth();
    c.half_is_still = true;
    c.second = 2;
    check_scene("a cloth with an animation of two frames");
    check_smooth(load(cloth_bytes(&c), 0));
}

/* The model has more triangles than smoothing examines in each frame: two for each byte of a frame. */
static void test_many_triangles(void)
{
    m2_file file;
    m2_begin(&file, 0, 3, 1, 120, 0, 4);
    for (uint32_t i = 0; i < 360; ++i) file.tris[i / 3 * 6 + i % 3] = (uint16_t)(i % 3);
    for (uint32_t frame = 0; frame < 4; ++frame) {
        m2_frame(&file, frame, "a", 0.2f, -3.0f);
        for (uint32_t i = 0; i < 3; ++i) {
            m2_set_point(&file, frame, i, i == 1 ? 90 : 20, i == 2 ? 90 : 20, 5 * (int)frame, 40);
        }
        m2_point(&file, frame, 0)[3] = (uint8_t)frame;
    }
    md2_model *s = md2_smooth_model(load(written(&file), 0), NULL, NULL);
    CHECK(s != NULL);
    check_normals_kept(s);
    md2_free_model(s);
}

static void check_is_copy(const md2_model *m, const md2_model *s)
{
    for (uint32_t frame = 0; frame < m->frame_count; ++frame) {
        float *normals = pose_normals(s, frame), *stored = pose_normals(m, frame);
        for (uint32_t i = 0; i < m->point_count; ++i) {
            const md2_point *point = &m->frames[frame].points[i];
            const uint16_t  *fine = s->frames[frame].fine[i].position;
            step_at_point(frame, i, 0);
            CHECK(fine[0] == 256 * point->x + 128 && fine[1] == 256 * point->y + 128);
            CHECK(fine[2] == 256 * point->z + 128);
        }
        for (uint32_t i = 0; i < 3 * m->vertex_count; ++i) CHECK_NEAR(normals[i], stored[i], 0.02);
        free(normals);
        free(stored);
    }
}

static void test_one_frame(void)
{
    cloth c = swaying_cloth();
    for (c.frames = 1; c.frames <= 2; ++c.frames) {
        c.second = c.frames;
        c.phases[1] = c.phases[0]; /* two equal frames count as one */
        check_scene("%u frames", (unsigned)c.frames);
        md2_model *m = load(cloth_bytes(&c), 0), *s = md2_smooth_model(m, NULL, NULL);
        CHECK(s != NULL);
        check_is_copy(m, s);
        md2_free_model(s);
    }
}

static void check_same_frames(const md2_model *m, const md2_model *want)
{
    for (uint32_t frame = 0; frame < want->frame_count; ++frame) {
        const md2_frame *a = &want->frames[frame], *b = &m->frames[frame];
        check_step("flags %u, frame %u", (unsigned)m->flags, (unsigned)frame);
        CHECK(!memcmp(a->points, b->points, want->point_count * sizeof *a->points));
        CHECK(!memcmp(a->fine, b->fine, want->point_count * sizeof *a->fine));
    }
}

/* Compares the smoothed models of the same bytes, loaded with these flags and without flags. */
static void check_same_smoothed(m2_bytes *bytes, uint32_t flags)
{
    md2_model *plain = md2_smooth_model(load(bytes, 0), NULL, NULL);
    md2_model *s = md2_smooth_model(load(bytes, flags), NULL, NULL);
    CHECK(plain && s);
    CHECK_EQ(s->flags, flags);
    CHECK_EQ(s->defects, plain->defects);
    check_same_frames(s, plain);
    md2_free_model(plain);
    md2_free_model(s);
}

static void check_flags(m2_bytes *bytes)
{
    check_same_smoothed(bytes, MD2_KEEP_WINDING);
    check_same_smoothed(bytes, MD2_FLIP_V);
    check_same_smoothed(bytes, MD2_KEEP_WINDING | MD2_FLIP_V);
}

static void test_smooth_flags(void)
{
    cloth c = swaying_cloth();
    check_scene("a cloth");
    check_flags(cloth_bytes(&c));
    check_scene("player");
    check_flags(named("player"));
    for (uint32_t seed = 1; seed < 4; ++seed) {
        check_scene("seed %u", (unsigned)seed);
        check_flags(random_bytes(seed, 60, 110, 6));
    }
}

/* A model that is inside out must get the same points and normals. */
static void test_smooth_inside_out(void)
{
    m2_file file; /* a cube that shrinks slowly */
    m2_build_cubes(&file, 32);
    for (uint32_t frame = 0; frame < 32; ++frame) {
        for (uint32_t i = 0; i < 8; ++i) {
            uint8_t *byte = m2_point(&file, frame, i) + i % 3;
            *byte = (uint8_t)(*byte > 0 ? *byte - frame / 8 : frame / 8);
        }
    }
    m2_bytes  *bytes = written(&file);
    md2_model *want = md2_smooth_model(load(bytes, 0), NULL, NULL);
    reverse_triangles(bytes);
    for (uint32_t flags = 0; flags <= MD2_KEEP_WINDING; flags += MD2_KEEP_WINDING) {
        md2_model *s = md2_smooth_model(load(bytes, flags), NULL, NULL);
        CHECK_EQ(want->defects, 0);
        CHECK_EQ(s->defects, MD2_FACES_INWARD);
        check_same_frames(s, want);
        md2_free_model(s);
    }
    md2_free_model(want);
}

/* A cloth as large as floats allow, at one end of their range or the other. Fine positions extend half a step beyond
   those of the bytes. */
static void test_smooth_near_infinity(void)
{
    static const float ranges[4][2] = { /* scale and translate, in units of FLT_MAX */
        { 1 / 255.01f, 0 }, { -1 / 255.01f, 0 }, { 1 / 255.01f, -1 }, { -1 / 255.01f, 1 }
    };
    for (uint32_t i = 0; i < 8; ++i) {
        cloth     c = swaying_cloth();
        m2_bytes *bytes = cloth_bytes(&c);
        check_scene("range %u, %s", (unsigned)(i / 2), i % 2 ? "one frame" : "20 frames");
        if (i % 2) m2_set_field(bytes, M2_FRAMES, 1);
        for (uint32_t frame = 0; frame < m2_field(bytes, M2_FRAMES); ++frame) {
            uint8_t *at = m2_section(bytes, M2_OFS_FRAMES) + frame * m2_field(bytes, M2_FRAME_SIZE);
            for (int axis = 0; axis < 3; ++axis) {
                m2_put_float(at + 4 * axis, ranges[i / 2][0] * FLT_MAX);
                m2_put_float(at + 12 + 4 * axis, ranges[i / 2][1] * FLT_MAX);
                at[40 + axis] = 255;     /* a point at each end */
                at[44 + axis] = 0;
            }
        }

        const md2_model *m = load(bytes, 0);
        md2_model       *s = md2_smooth_model(m, NULL, NULL);
        CHECK(s != NULL);
        for (uint32_t frame = 0; frame < s->frame_count; ++frame) {
            md2_pose pose = md2_pose_between(frame, frame, 0);
            float    positions[3 * 128];
            CHECK(s->vertex_count <= 128);
            check_inside_bytes(m, s, frame);
            md2_pose_vertices(s, &pose, positions, 0, NULL, 0);
            for (uint32_t k = 0; k < 3 * s->vertex_count; ++k) {
                check_step("frame %u, number %u", (unsigned)frame, (unsigned)k);
                CHECK(fabsf(positions[k]) <= FLT_MAX);
            }
            for (uint32_t k = 0; k < 3; ++k)
                CHECK(s->frames[frame].min[k] >= -FLT_MAX && s->frames[frame].max[k] <= FLT_MAX);
        }
        md2_free_model(s);
    }
}

void test_smooth(void)
{
    RUN(test_noise, "smoothing removes most of what rounding has added");
    RUN(test_seams, "points that coincide in every frame stay together");
    RUN(test_creases, "points that coincide keep the normals of their own sides");
    RUN(test_two_sides, "if faces cancel each other, the stored normal is kept");
    RUN(test_turned_triangles, "triangles that are repeated with the opposite winding move no point");
    RUN(test_ridges, "on a ridge, the faces give the normal, unless the ridge is so narrow that they cancel");
    RUN(test_many_triangles, "if there are too many faces to examine, stored normals are kept");
    RUN(test_one_frame, "a model of one frame is a copy");
    RUN(test_smooth_flags, "MD2_KEEP_WINDING and MD2_FLIP_V do not change smoothing");
    RUN(test_smooth_inside_out, "a model stored inside out is smoothed like any other");

    RUN(test_smooth_near_infinity, "a model near the largest float has no infinite positions");
    RUN(test_smooth_copy, "a smoothed model does not depend on its source; only memory options count");
    RUN(test_smooth_memory, "smoothing respects max_bytes, and a failure changes nothing");
    RUN(test_canceling_normals, "stored normals that cancel each other over the frames stay unchanged");
    RUN(test_any_model, "in any model, positions round to their bytes; points that do not move or coincide stay so");
}
