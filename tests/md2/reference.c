/* An independent reading of MD2 bytes in double precision, and what a loaded model says against it.
   Public domain. */
#include "test_md2.h"

/* -- The bytes --------------------------------------------------------------- */

view view_of(const m2_bytes *bytes, const md2_options *options)
{
    const view v = { *bytes, options->flags,
                     options->scale > 0.0f ? (double)options->scale : 1.0 };
    return v;
}

static uint32_t view_get(const view *v, int field) { return m2_field(&v->bytes, field); }

static const uint8_t *view_frame(const view *v, uint32_t frame)
{
    return v->bytes.data + view_get(v, M2_OFS_FRAMES) + (size_t)frame * view_get(v, M2_FRAME_SIZE);
}

static uint32_t view_axis(const view *v, uint32_t axis)
{
    return v->flags & (uint32_t)MD2_Y_UP ? (axis + 1) % 3 : axis;
}

static double view_position(const view *v, uint32_t frame, uint32_t point, uint32_t axis)
{
    const uint8_t *at = view_frame(v, frame);
    uint32_t from = view_axis(v, axis);
    double q = (double)at[40 + 4 * point + from];
    return (q * (double)m2_get_float(at + 4 * from) + (double)m2_get_float(at + 12 + 4 * from)) *
           v->scale;
}

/* Repaired where the model says so: in some frames all are negated, as the first point of each tells;
   check_points looks whether they should be. Those that were not written are taken from the model:
   the tests of repairs judge them. */
static double view_normal(const md2_model *m, const view *v, uint32_t frame, uint32_t point,
                          uint32_t axis)
{
    const uint8_t   *points = view_frame(v, frame) + 40;
    const md2_point *got = m->frames[frame].points;
    if (m->defects & MD2_NORMALS_WRONG) return (double)md2_normal(got[point].normal)[axis];
    bool is_negated = false;
    for (uint32_t k = 0; k < 3; ++k) {
        double first = (double)md2_normal(points[3])[view_axis(v, k)];
        if ((double)md2_normal(got[0].normal)[k] != first) is_negated = true;
    }
    if (!(m->defects & MD2_NORMALS_INWARD)) is_negated = false;
    return (is_negated ? -1.0 : 1.0) * (double)md2_normal(points[4 * point + 3])[view_axis(v, axis)];
}

double outward_of(const md2_model *m, uint32_t frame)
{
    md2_pose pose = still(frame);
    float   *positions = (float *)malloc_or_abort((size_t)m->vertex_count * 12 + 12);
    double   edge[2][3], face[3], sum = 0.0, area = 0.0;
    uint32_t clockwise = m->flags & MD2_KEEP_WINDING ? 1 : 0;
    md2_pose_vertices(m, &pose, positions, 0, NULL, 0);
    for (uint32_t i = 0; i < m->index_count; i += 3) {
        const float *a = positions + 3 * m->indices[i], *b = positions + 3 * m->indices[i + 1];
        const float *c = positions + 3 * m->indices[i + 2];
        for (uint32_t k = 0; k < 3; ++k) {
            edge[clockwise][k] = (double)b[k] - (double)a[k];
            edge[1 - clockwise][k] = (double)c[k] - (double)a[k];
        }
        cross3(edge[0], edge[1], face);
        area += sqrt(dot3(face, face));
        for (uint32_t k = 0; k < 9; ++k) {
            uint32_t point = m->vertices[m->indices[i + k / 3]].point;
            const float *normal = md2_normal(m->frames[frame].points[point].normal);
            sum += face[k % 3] * (double)normal[k % 3] / 3.0;
        }
    }
    free(positions);
    return area > 0.0 ? sum / area : 0.0;
}

/* Where the faces are left inside out, right normals look away from them. */
bool is_lit_outside(const md2_model *m, uint32_t frame)
{
    double outward = outward_of(m, frame);
    return (m->defects & MD2_FACES_INWARD ? -outward : outward) > -0.1;
}

static const uint8_t *view_tri(const view *v, uint32_t tri)
{
    return v->bytes.data + view_get(v, M2_OFS_TRIS) + (size_t)tri * 12;
}

static bool view_keeps_tri(const view *v, uint32_t tri)
{
    const uint8_t *at = view_tri(v, tri);
    uint32_t points = view_get(v, M2_POINTS);
    return m2_get16(at) < points && m2_get16(at + 2) < points && m2_get16(at + 4) < points;
}

/* Point, s, t. */
static uint64_t view_corner(const view *v, uint32_t tri, uint32_t corner)
{
    const uint8_t *at = view_tri(v, tri);
    const uint8_t *st = v->bytes.data + view_get(v, M2_OFS_ST);
    uint64_t key = (uint64_t)m2_get16(at + 2 * corner) << 32;
    uint32_t index = m2_get16(at + 6 + 2 * corner), count = view_get(v, M2_ST);
    if (count == 0) return key;
    st += 4 * (size_t)(index < count ? index : count - 1);
    return key | m2_get16(st) << 16 | m2_get16(st + 2);
}

/* -- The model against the bytes ------------------------------------------------ */

static void check_counts(const md2_model *m, const view *v)
{
    CHECK_EQ(m->skin_width, view_get(v, M2_SKIN_WIDTH));
    CHECK_EQ(m->skin_height, view_get(v, M2_SKIN_HEIGHT));
    CHECK_EQ(m->skin_count, view_get(v, M2_SKINS));
    CHECK_EQ(m->point_count, view_get(v, M2_POINTS));
    CHECK_EQ(m->frame_count, view_get(v, M2_FRAMES));
    CHECK_EQ(m->flags, v->flags);
    CHECK(m->anim_count >= 1);
}

/* Names end with a NUL or with their room. */
static void check_name(const char *name, const uint8_t *bytes, size_t room)
{
    char want[65];
    snprintf(want, sizeof want, "%.*s", (int)room, (const char *)bytes);
    CHECK_TEXT(name, want);
}

static void check_names(const md2_model *m, const view *v)
{
    const uint8_t *skins = v->bytes.data + view_get(v, M2_OFS_SKINS);
    for (uint32_t i = 0; i < m->skin_count; ++i) check_name(m->skins[i].path, skins + i * 64, 64);
    for (uint32_t i = 0; i < m->frame_count; ++i)
        check_name(m->frames[i].name, view_frame(v, i) + 24, 16);
}

static double expected_u(const view *v, uint64_t key, bool down)
{
    double size = (double)view_get(v, down ? M2_SKIN_HEIGHT : M2_SKIN_WIDTH);
    uint32_t raw = (uint32_t)(down ? key & 0xFFFF : key >> 16 & 0xFFFF);
    double value = (double)raw - (raw >= 32768 ? 65536.0 : 0.0);
    if (size < 1.0) size = 1.0;
    value = (value + 0.5) / size;
    return down && (v->flags & (uint32_t)MD2_FLIP_V) ? 1.0 - value : value;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Vertices are numbered as the corners of the triangles, wound as asked, first name them; none is
   there twice. */
static uint32_t check_corners(const md2_model *m, const view *v, uint64_t *keys)
{
    uint32_t tris = view_get(v, M2_TRIS), dropped = 0, corner = 0, named = 0;
    bool keep = (v->flags & (uint32_t)MD2_KEEP_WINDING) != 0;
    for (uint32_t i = 0; i < tris; ++i) {
        dropped += !view_keeps_tri(v, i);
        for (uint32_t k = 0; k < 3 && view_keeps_tri(v, i); ++k, ++corner) {
            uint64_t key = view_corner(v, i, keep || k == 0 ? k : 3 - k);
            uint32_t index = corner < m->index_count ? m->indices[corner] : UINT32_MAX;
            if (index == named && named < m->vertex_count) keys[named++] = key;
            bool same = index < named && keys[index] == key;
            if (!same) check_step("triangle %u, corner %u", (unsigned)i, (unsigned)k);
            CHECK(same);
        }
    }
    CHECK_EQ(m->dropped_triangles, dropped);
    CHECK_EQ(m->index_count, corner);
    CHECK_EQ(m->vertex_count, named);
    return named;
}

static void check_vertices(const md2_model *m, const view *v)
{
    uint64_t *keys = (uint64_t *)malloc_or_abort((m->vertex_count + 1) * sizeof *keys);
    uint32_t count = check_corners(m, v, keys);
    for (uint32_t i = 0; i < count; ++i) {
        double u = expected_u(v, keys[i], false), t = expected_u(v, keys[i], true);
        check_step("vertex %u", (unsigned)i);
        CHECK_EQ(m->vertices[i].point, keys[i] >> 32);
        CHECK_NEAR(m->vertices[i].u, u, 1e-6 * (1.0 + fabs(u)));
        CHECK_NEAR(m->vertices[i].v, t, 1e-6 * (1.0 + fabs(t)));
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 1; i < count; ++i) CHECK(keys[i - 1] < keys[i]);
    free(keys);
}

static void check_points(const md2_model *m, const view *v, uint32_t frame)
{
    const uint8_t *at = view_frame(v, frame) + 40;
    for (uint32_t i = 0; i < m->point_count; ++i, at += 4) {
        const md2_point *p = &m->frames[frame].points[i];
        const uint8_t    got[3] = { p->x, p->y, p->z };
        for (uint32_t k = 0; k < 3; ++k) {
            bool same = got[k] == at[view_axis(v, k)];
            if (at[3] < 162)
                same &= (double)md2_normal(p->normal)[k] == view_normal(m, v, frame, i, k);
            if (!same) check_step("point %u of frame %u", (unsigned)i, (unsigned)frame);
            CHECK(same);
        }
    }
    if (m->defects & MD2_NORMALS_INWARD) CHECK(is_lit_outside(m, frame));
}

/* The box is that of the points. */
static void check_bounds(const md2_model *m, const view *v, uint32_t frame)
{
    const md2_frame *f = &m->frames[frame];
    const uint8_t   *at = view_frame(v, frame);
    check_step("frame %u", (unsigned)frame);
    for (uint32_t k = 0; k < 3; ++k) {
        double scale = (double)m2_get_float(at + 4 * view_axis(v, k)) * v->scale;
        double translate = (double)m2_get_float(at + 12 + 4 * view_axis(v, k)) * v->scale;
        double low = HUGE_VAL, high = -HUGE_VAL, min = (double)f->min[k], max = (double)f->max[k];
        double rounding = 1e-6 * (255 * fabs(scale) + fabs(translate));
        for (uint32_t i = 0; i < m->point_count; ++i) {
            double p = view_position(v, frame, i, k);
            low = fmin(low, p);
            high = fmax(high, p);
        }
        CHECK_NEAR(min, low, rounding);
        CHECK_NEAR(max, high, rounding);
        CHECK_NEAR(f->scale[k], scale, 1e-7 * fabs(scale) + 1e-37);
        CHECK_NEAR(f->translate[k], translate, 1e-7 * fabs(translate) + 1e-37);
    }
}

static void check_frames(const md2_model *m, const view *v)
{
    float low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
    for (uint32_t i = 0; i < m->frame_count; ++i) {
        check_points(m, v, i);
        check_bounds(m, v, i);
        for (uint32_t k = 0; k < 3; ++k) {
            if (i == 0 || m->frames[i].min[k] < low[k]) low[k] = m->frames[i].min[k];
            if (i == 0 || m->frames[i].max[k] > high[k]) high[k] = m->frames[i].max[k];
        }
    }
    check_step("all frames");
    for (uint32_t k = 0; k < 3; ++k) {
        CHECK_EQ(m->min[k], low[k]);
        CHECK_EQ(m->max[k], high[k]);
    }
}

/* The animations tile the frames, at the usual rate, and each is found by its name. */
static void check_tiling(const md2_model *m)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < m->anim_count; ++i) {
        const md2_anim *anim = &m->anims[i];
        check_step("animation %u, %s", (unsigned)i, anim->name);
        CHECK_EQ(anim->first, at);
        CHECK(anim->count > 0);
        CHECK_EQ(anim->fps, 10);
        if (i < 2000) CHECK(md2_find_anim(m, anim->name) == anim);
        at += anim->count;
    }
    CHECK_EQ(at, m->frame_count);
}

void check_model(const md2_model *m, const m2_bytes *bytes, const md2_options *options)
{
    view v = view_of(bytes, options);
    check_counts(m, &v);
    check_names(m, &v);
    check_vertices(m, &v);
    check_frames(m, &v);
    if (!(v.flags & (uint32_t)MD2_QUAKE2_ANIMS)) check_tiling(m);
    check_step("%s", "");
}

void check_memory_of(const md2_model *m, const counting_allocator *memory, size_t size)
{
    CHECK(memory->peak_bytes <= 17 * size + 66560); /* as the interface says */
    CHECK(memory->peak_blocks <= 2);
    CHECK_EQ(memory->live_blocks, m ? 1 : 0);
    CHECK_EQ(memory->live_bytes, m ? m->bytes : 0);
    CHECK_EQ(memory->mistakes, 0);
}

/* -- GL commands, as triangles -------------------------------------------- */

typedef struct strip_corner {
    uint32_t point, u, v; /* texture coordinates by their bits */
} strip_corner;

typedef struct strip_tri {
    strip_corner corner[3];
} strip_tri;

typedef struct strip_tris {
    strip_tri *list;
    uint32_t count;
} strip_tris;

static int compare_strip_tris(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(strip_tri));
}

/* Turned so that equal triangles of equal winding are equal bytes; those without area by their
   points are left out. */
static void add_strip_tri(strip_tris *tris, strip_corner a, strip_corner b, strip_corner c)
{
    strip_tri turn[3];
    int best = 0;
    if (a.point == b.point || b.point == c.point || c.point == a.point) return;
    for (int i = 0; i < 3; ++i) {
        turn[i].corner[0] = i == 0 ? a : i == 1 ? b : c;
        turn[i].corner[1] = i == 0 ? b : i == 1 ? c : a;
        turn[i].corner[2] = i == 0 ? c : i == 1 ? a : b;
        if (compare_strip_tris(&turn[i], &turn[best]) < 0) best = i;
    }
    tris->list[tris->count++] = turn[best];
}

static void add_run(strip_tris *tris, const strip_corner *corners, uint32_t count, bool fan,
                    bool turn)
{
    for (uint32_t i = 0; i + 2 < count; ++i) {
        strip_corner a = corners[fan ? 0 : i], b = corners[i + 1], c = corners[i + 2];
        if (turn != (!fan && i % 2 == 1))
            add_strip_tri(tris, a, c, b);
        else
            add_strip_tri(tris, a, b, c);
    }
}

static strip_corner glcmd_corner(const uint8_t *at, bool flip)
{
    strip_corner c;
    volatile float v = m2_get_float(at + 4);
    if (flip) v = 1.0f - v;
    c.u = m2_get32(at);
    c.v = m2_bits(v);
    c.point = m2_get32(at + 8);
    return c;
}

static strip_tris strip_tris_room(uint32_t words)
{
    const strip_tris tris = { (strip_tri *)malloc_or_abort((words + 1) * sizeof(strip_tri)), 0 };
    return tris;
}

/* What the file's own commands draw, wound as asked. Only for commands known to be good. */
static strip_tris file_strips(const view *v)
{
    const uint8_t *at = v->bytes.data + view_get(v, M2_OFS_WORDS);
    uint32_t words = view_get(v, M2_WORDS), i;
    bool turn = !(v->flags & (uint32_t)MD2_KEEP_WINDING);
    strip_tris tris = strip_tris_room(words);
    strip_corner *run = (strip_corner *)malloc_or_abort((words + 1) * sizeof *run);
    const uint8_t *end = at + (size_t)words * 4;
    while (at < end && m2_get32(at) != 0) {
        bool fan = m2_get32(at) >= 0x80000000u;
        uint32_t count = fan ? 0u - m2_get32(at) : m2_get32(at);
        for (i = 0, at += 4; i < count; ++i, at += 12) {
            run[i] = glcmd_corner(at, (v->flags & (uint32_t)MD2_FLIP_V) != 0);
        }
        add_run(&tris, run, count, fan, turn);
    }
    free(run);
    qsort(tris.list, tris.count, sizeof *tris.list, compare_strip_tris);
    return tris;
}

static strip_tris model_strips(const md2_model *m)
{
    strip_tris tris = strip_tris_room(m->strip_vertex_count);
    strip_corner *run = (strip_corner *)malloc_or_abort((m->strip_vertex_count + 1) * sizeof *run);
    for (uint32_t i = 0; i < m->strip_count; ++i) {
        for (uint32_t k = 0; k < m->strips[i].count; ++k) {
            const md2_strip_vertex *sv = &m->strip_vertices[m->strips[i].first + k];
            run[k].point = m->vertices[sv->vertex].point;
            run[k].u = m2_bits(sv->u);
            run[k].v = m2_bits(sv->v);
        }
        add_run(&tris, run, m->strips[i].count, m->strips[i].fan, false);
    }
    free(run);
    qsort(tris.list, tris.count, sizeof *tris.list, compare_strip_tris);
    return tris;
}

static double texel_distance(const md2_vertex *a, const md2_strip_vertex *b, double width,
                             double height)
{
    double u = ((double)a->u - (double)b->u) * width, v = ((double)a->v - (double)b->v) * height;
    return sqrt(u * u + v * v);
}

/* A strip vertex is a vertex of its point, the nearest in texture space (in texels or in u, v).
   Points with more than sixteen vertices are left out: no search has to go through any number of
   them. */
static void check_nearest(const md2_model *m, uint32_t budget)
{
    uint32_t step = (uint32_t)((uint64_t)m->strip_vertex_count * m->vertex_count / budget) + 1;
    double width = m->skin_width ? m->skin_width : 1.0,
           height = m->skin_height ? m->skin_height : 1.0;
    for (uint32_t i = 0; i < m->strip_vertex_count; i += step) {
        const md2_strip_vertex *sv = &m->strip_vertices[i];
        const md2_vertex *chosen = &m->vertices[sv->vertex];
        double texels = HUGE_VAL, plain = HUGE_VAL;
        uint32_t rivals = 0;
        for (uint32_t k = 0; k < m->vertex_count; ++k) {
            const md2_vertex *rival = &m->vertices[k];
            if (rival->point != chosen->point) continue;
            ++rivals;
            texels = fmin(texels, texel_distance(rival, sv, width, height));
            plain = fmin(plain, texel_distance(rival, sv, 1.0, 1.0));
        }
        double texels_off = texel_distance(chosen, sv, width, height);
        double plain_off = texel_distance(chosen, sv, 1.0, 1.0);
        bool is_nearest = rivals > 16 || texels >= texels_off * 0.9999 - 1e-3 ||
                          plain >= plain_off * 0.9999 - 1e-5;
        if (!is_nearest) {
            check_step("strip vertex %u: %g texels off (%g in u, v); another is %g off (%g)",
                       (unsigned)i, texels_off, plain_off, texels, plain);
        }
        CHECK(is_nearest);
    }
}

static void step_of_triangles(uint32_t number, const strip_tri *got, const strip_tri *want)
{
    char told[2][160];
    for (int i = 0; i < 2; ++i) {
        const strip_corner *c = (i ? want : got)->corner;
        snprintf(told[i], sizeof told[i], "(%u %08x %08x) (%u %08x %08x) (%u %08x %08x)",
                 (unsigned)c[0].point, (unsigned)c[0].u, (unsigned)c[0].v, (unsigned)c[1].point,
                 (unsigned)c[1].u, (unsigned)c[1].v, (unsigned)c[2].point, (unsigned)c[2].u,
                 (unsigned)c[2].v);
    }
    check_step("triangle %u of the strips, sorted: point, u and v are %s, wanted %s",
               (unsigned)number, told[0], told[1]);
}

void check_strips(const md2_model *m, const m2_bytes *bytes, const md2_options *options)
{
    view v = view_of(bytes, options);
    strip_tris want = file_strips(&v), got = model_strips(m);
    CHECK_EQ(got.count, want.count);
    for (uint32_t i = 0; i < got.count; ++i) {
        bool same = compare_strip_tris(&got.list[i], &want.list[i]) == 0;
        if (!same) step_of_triangles(i, &got.list[i], &want.list[i]);
        CHECK(same);
    }
    check_nearest(m, 2000000u);
    check_step("%s", "");
    free(want.list);
    free(got.list);
}

/* -- Poses ------------------------------------------------------------------------ */

double extent_of(const md2_model *m)
{
    double sides = 0.0, reach = 0.0; /* of the bounds; from the origin to their farthest corner */
    for (uint32_t i = 0; i < 3; ++i) {
        double low = (double)m->min[i], high = (double)m->max[i];
        sides += (high - low) * (high - low);
        reach += fmax(low * low, high * high);
    }
    double size = sqrt(fmax(sides, reach));
    return size > 0.0 ? size : 1.0;
}

static uint32_t frame_used(const md2_model *m, const md2_pose *pose, uint32_t entry)
{
    if (pose->count == 0) return 0;
    return pose->frame[entry] < m->frame_count ? pose->frame[entry] : m->frame_count - 1;
}

static void reference_vertex(const md2_model *m, const view *v, const md2_pose *pose,
                             uint32_t point, double position[3], double normal[3])
{
    uint32_t entries = pose->count ? pose->count : 1;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        position[axis] = normal[axis] = 0.0;
        for (uint32_t entry = 0; entry < entries; ++entry) {
            double weight = pose->count ? (double)pose->weight[entry] : 1.0;
            position[axis] += weight * view_position(v, frame_used(m, pose, entry), point, axis);
            normal[axis] += weight * view_normal(m, v, frame_used(m, pose, entry), point, axis);
        }
    }
    double length = sqrt(dot3(normal, normal));
    for (uint32_t axis = 0; axis < 3 && length > 0.0; ++axis) normal[axis] /= length;
    if (length < 1e-3) normal[0] = normal[1] = normal[2] = 2.0; /* too short to compare */
}

/* Where normals nearly cancel, rounding is magnified up to a thousand times. */
static const double position_limit = 1e-6, normal_limit = 2e-4;

void compare_pose(const md2_model *m, const view *v, const md2_pose *pose, worst_of *worst)
{
    float *positions = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
    float *normals = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
    double extent = extent_of(m), p[3], n[3];
    md2_pose_vertices(m, pose, positions, 0, normals, 0);
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        double length = 0.0;
        reference_vertex(m, v, pose, m->vertices[i].point, p, n);
        for (uint32_t axis = 0; axis < 3; ++axis) {
            double position = (double)positions[i * 3 + axis];
            double normal = (double)normals[i * 3 + axis];
            double off = fabs(position - p[axis]) / extent;
            double turned = n[0] > 1.5 ? 0.0 : fabs(normal - n[axis]);
            if (!(off <= position_limit) || !(turned <= normal_limit)) {
                check_step("vertex %u, axis %u of a pose of %u frames", (unsigned)i,
                           (unsigned)axis, (unsigned)pose->count);
                CHECK_NEAR(position, p[axis], position_limit * extent);
                CHECK_NEAR(normal, n[axis], normal_limit);
            }
            worst->position = fmax(worst->position, off);
            worst->normal = fmax(worst->normal, turned);
            length += normal * normal;
        }
        CHECK_NEAR(sqrt(length), 1.0, 1e-6);
    }
    worst->vertices += m->vertex_count;
    free(positions);
    free(normals);
}

void tell_worst(const worst_of *worst)
{
    printf("    worst position %.3g of the extent, worst normal %.3g\n", worst->position,
           worst->normal);
}
