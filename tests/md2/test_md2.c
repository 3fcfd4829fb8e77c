/* test_md2: the behaviour of md2.h through its public interface, against independent readings of
   the same bytes in double precision. With MODELS set to a folder, every model below it is read as
   well. Public domain. */
#include "md2.h"

#include "check.h"
#include "model_builder_md2.h"
#include "support.h"

#include <float.h>
#include <time.h>

/* The same header once more, compiled with MD2_NO_SIMD in test_md2_scalar.c. */
md2_model *scalar_load(const void *data, size_t size, const md2_options *options);
void scalar_free(md2_model *model);
void scalar_vertices(const md2_model *model, const md2_pose *pose, float *positions,
                     size_t position_stride, float *normals, size_t normal_stride);
void scalar_bounds(const md2_model *model, const md2_pose *pose, float min[3], float max[3]);
bool scalar_triangle(const md2_model *model, const md2_pose *pose, uint32_t triangle,
                     float out[16]);

/* -- Small tools ---------------------------------------------------------- */

static md2_options options_of(uint32_t flags)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    return options;
}

static void use_memory(md2_options *options, counting_allocator *memory)
{
    memset(memory, 0, sizeof *memory);
    options->allocator.alloc = counting_alloc;
    options->allocator.release = counting_release;
    options->allocator.user = memory;
}

static md2_model *load_bytes(const m2_bytes *bytes, uint32_t flags)
{
    md2_options options = options_of(flags);
    md2_error error;
    md2_model *model = md2_load_memory(bytes->data, bytes->size, &options, &error);
    if (!CHECK(model != NULL)) printf("    %s\n", error.message);
    return model;
}

/* The bytes are gone once it is loaded, as the interface promises that they may be. */
static md2_model *load_named(const char *name, uint32_t flags)
{
    m2_bytes bytes = m2_named(name);
    md2_model *model = load_bytes(&bytes, flags);
    m2_free(&bytes);
    return model;
}

static md2_model *load_random(uint32_t seed, uint32_t points, uint32_t tris, uint32_t frames,
                              uint32_t flags)
{
    m2_bytes bytes = m2_random(seed, points, tris, frames);
    md2_model *model = load_bytes(&bytes, flags);
    m2_free(&bytes);
    return model;
}

static md2_anim make_anim(uint32_t first, uint32_t count, float fps)
{
    md2_anim anim;
    memset(&anim, 0, sizeof anim);
    anim.first = first;
    anim.count = count;
    anim.fps = fps;
    strcpy(anim.name, "made");
    return anim;
}

static bool ends_with_nul(const char *text, size_t room) { return memchr(text, 0, room) != NULL; }

/* A refusal says what is wrong, in a sentence of its own. */
static void check_refused(const md2_model *model, const md2_error *error, md2_result code)
{
    CHECK(model == NULL);
    CHECK_TEXT(md2_result_name(error->code), md2_result_name(code));
    CHECK(ends_with_nul(error->message, sizeof error->message));
    CHECK(strlen(error->message) >= 10);
}

/* Digits may be grouped by blanks or commas, so these are not looked at. */
static bool message_has(const md2_error *error, long number)
{
    char wanted[32], plain[sizeof error->message];
    size_t i, used = 0;
    for (i = 0; error->message[i]; ++i) {
        if (error->message[i] != ' ' && error->message[i] != ',') plain[used++] = error->message[i];
    }
    plain[used] = 0;
    sprintf(wanted, "%ld", number);
    return strstr(plain, wanted) != NULL;
}

static double seconds_since(clock_t start)
{
    return (double)(clock() - start) / (double)CLOCKS_PER_SEC;
}

/* -- An independent reading of the file ----------------------------------- */

typedef struct view {
    m2_bytes bytes;
    uint32_t flags;
    double scale;
} view;

static view view_of(const m2_bytes *bytes, const md2_options *options)
{
    view v;
    v.bytes = *bytes;
    v.flags = options->flags;
    v.scale = options->scale > 0.0f ? (double)options->scale : 1.0;
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

static double view_normal(const view *v, uint32_t frame, uint32_t point, uint32_t axis)
{
    uint32_t index = view_frame(v, frame)[40 + 4 * point + 3];
    return (double)md2_normal(index)[view_axis(v, axis)];
}

static const uint8_t *view_tri(const view *v, uint32_t tri)
{
    return v->bytes.data + view_get(v, M2_OFS_TRIS) + (size_t)tri * 12;
}

static bool view_keeps_tri(const view *v, uint32_t tri)
{
    const uint8_t *at = view_tri(v, tri);
    int i;
    for (i = 0; i < 3; ++i) {
        if (m2_get16(at + 2 * i) >= view_get(v, M2_POINTS)) return false;
        if (m2_get16(at + 6 + 2 * i) >= view_get(v, M2_ST)) return false;
    }
    return true;
}

static const uint8_t *view_st(const view *v, uint32_t st)
{
    return v->bytes.data + view_get(v, M2_OFS_ST) + (size_t)st * 4;
}

static uint64_t view_corner(const view *v, uint32_t tri, uint32_t corner)
{
    const uint8_t *at = view_tri(v, tri);
    const uint8_t *st = view_st(v, m2_get16(at + 6 + 2 * corner));
    return (uint64_t)m2_get16(at + 2 * corner) << 32 | m2_get16(st) << 16 | m2_get16(st + 2);
}

/* -- Welding, by sorting instead of hashing ------------------------------- */

typedef struct weld_corner {
    uint64_t key; /* point, s, t */
    uint32_t order;
} weld_corner;

typedef struct weld {
    uint32_t index_count, vertex_count, dropped;
    uint32_t *indices; /* wound as asked; vertices numbered as these first name them */
    uint64_t *keys;    /* of the vertices */
} weld;

static int compare_corners(const void *a, const void *b)
{
    const weld_corner *x = (const weld_corner *)a, *y = (const weld_corner *)b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static weld_corner *view_corners(const view *v, weld *w)
{
    uint32_t tris = view_get(v, M2_TRIS), i, k;
    bool keep = (v->flags & (uint32_t)MD2_KEEP_WINDING) != 0;
    weld_corner *corners = (weld_corner *)malloc_or_abort((size_t)tris * 3 * sizeof(weld_corner));
    for (i = 0; i < tris; ++i) {
        if (!view_keeps_tri(v, i)) {
            ++w->dropped;
            continue;
        }
        for (k = 0; k < 3; ++k) {
            corners[w->index_count].key = view_corner(v, i, keep || k == 0 ? k : 3 - k);
            corners[w->index_count].order = w->index_count;
            ++w->index_count;
        }
    }
    return corners;
}

static weld weld_of(const view *v)
{
    weld w;
    weld_corner *corners;
    uint32_t *first, *number, i;
    memset(&w, 0, sizeof w);
    corners = view_corners(v, &w);
    first = (uint32_t *)malloc_or_abort(w.index_count * sizeof *first);
    number = (uint32_t *)malloc_or_abort(w.index_count * sizeof *number);
    w.indices = (uint32_t *)malloc_or_abort(w.index_count * sizeof *w.indices);
    w.keys = (uint64_t *)malloc_or_abort(w.index_count * sizeof *w.keys);
    for (i = 0; i < w.index_count; ++i) w.keys[i] = corners[i].key;
    qsort(corners, w.index_count, sizeof *corners, compare_corners);
    for (i = 0; i < w.index_count; ++i) {
        bool same = i > 0 && corners[i].key == corners[i - 1].key;
        first[corners[i].order] = same ? first[corners[i - 1].order] : corners[i].order;
    }
    for (i = 0; i < w.index_count; ++i) {
        if (first[i] == i) {
            w.keys[w.vertex_count] = w.keys[i];
            number[i] = w.vertex_count++;
        }
        w.indices[i] = number[first[i]];
    }
    free(corners);
    free(first);
    free(number);
    return w;
}

static void weld_free(weld *w)
{
    free(w->indices);
    free(w->keys);
}

/* -- Everything that a model says, against the bytes it came from --------- */

static void check_counts(const md2_model *m, const view *v, const weld *w)
{
    CHECK_EQ(m->skin_width, view_get(v, M2_SKIN_WIDTH));
    CHECK_EQ(m->skin_height, view_get(v, M2_SKIN_HEIGHT));
    CHECK_EQ(m->skin_count, view_get(v, M2_SKINS));
    CHECK_EQ(m->point_count, view_get(v, M2_POINTS));
    CHECK_EQ(m->frame_count, view_get(v, M2_FRAMES));
    CHECK_EQ(m->flags, v->flags);
    CHECK_EQ(m->dropped_triangles, w->dropped);
    CHECK_EQ(m->index_count, w->index_count);
    CHECK_EQ(m->vertex_count, w->vertex_count);
    CHECK(m->anim_count >= 1);
}

static bool same_name(const char *name, const uint8_t *bytes, size_t room)
{
    size_t length = 0;
    while (length < room && bytes[length]) ++length;
    return strlen(name) == length && memcmp(name, bytes, length) == 0;
}

static void check_names(const md2_model *m, const view *v)
{
    uint32_t i, wrong = 0;
    for (i = 0; i < m->skin_count; ++i) {
        wrong +=
            !same_name(m->skins[i].path, v->bytes.data + view_get(v, M2_OFS_SKINS) + i * 64, 64);
    }
    for (i = 0; i < m->frame_count; ++i)
        wrong += !same_name(m->frames[i].name, view_frame(v, i) + 24, 16);
    CHECK_EQ(wrong, 0);
}

static bool close_to(double got, double want, double relative)
{
    return fabs(got - want) <= relative * (fabs(want) + 1e-30);
}

static double expected_u(const view *v, uint64_t key, bool down)
{
    double size = (double)view_get(v, down ? M2_SKIN_HEIGHT : M2_SKIN_WIDTH);
    uint32_t raw = (uint32_t)(down ? key & 0xFFFF : key >> 16 & 0xFFFF);
    double value = (double)raw - (raw >= 32768 ? 65536.0 : 0.0);
    if (size < 1.0) size = 1.0;
    if (v->flags & (uint32_t)MD2_HALF_TEXEL) value += 0.5;
    value /= size;
    return down && (v->flags & (uint32_t)MD2_FLIP_V) ? 1.0 - value : value;
}

static void check_vertices(const md2_model *m, const view *v, const weld *w)
{
    uint32_t i, wrong_points = 0, wrong_uv = 0, wrong_indices = 0;
    if (m->vertex_count != w->vertex_count || m->index_count != w->index_count) return;
    for (i = 0; i < m->vertex_count; ++i) {
        double u = expected_u(v, w->keys[i], false), t = expected_u(v, w->keys[i], true);
        wrong_points += m->vertices[i].point != w->keys[i] >> 32;
        wrong_uv += fabs((double)m->vertices[i].u - u) > 1e-6 * (1.0 + fabs(u));
        wrong_uv += fabs((double)m->vertices[i].v - t) > 1e-6 * (1.0 + fabs(t));
    }
    for (i = 0; i < m->index_count; ++i) wrong_indices += m->indices[i] != w->indices[i];
    CHECK_EQ(wrong_points, 0);
    CHECK_EQ(wrong_uv, 0);
    CHECK_EQ(wrong_indices, 0);
}

/* Two roundings, as the decoding itself: volatile keeps compilers from fusing them. */
static float decode(const md2_frame *frame, uint32_t point, int axis)
{
    const md2_point *p = &frame->points[point];
    volatile float product = (float)(axis == 0   ? p->x
                                     : axis == 1 ? p->y
                                                 : p->z) *
                             frame->scale[axis];
    volatile float sum = product + frame->translate[axis];
    return sum;
}

/* Exact, but where the compiler keeps more digits than floats have (x87). */
static bool same_bounds(const float a[3], const float b[3])
{
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
    const double tolerance = 1e-5;
#else
    const double tolerance = 0.0;
#endif
    int i;
    for (i = 0; i < 3; ++i) {
        double off = fabs((double)a[i] - (double)b[i]);
        if (!(off <= tolerance * (1.0 + fabs((double)b[i])))) return false;
    }
    return true;
}

static void check_frame_bounds(const md2_model *m, uint32_t index, float total_min[3],
                               float total_max[3])
{
    const md2_frame *frame = &m->frames[index];
    float low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
    double radius = 0.0;
    uint32_t i;
    int axis;
    for (i = 0; i < m->point_count; ++i) {
        double length = 0.0;
        for (axis = 0; axis < 3; ++axis) {
            float p = decode(frame, i, axis);
            if (i == 0 || p < low[axis]) low[axis] = p;
            if (i == 0 || p > high[axis]) high[axis] = p;
            length += (double)p * (double)p;
        }
        if (length > radius) radius = length;
    }
    CHECK(same_bounds(low, frame->min) && same_bounds(high, frame->max));
    CHECK(close_to((double)frame->radius, sqrt(radius), 1e-6));
    for (axis = 0; axis < 3; ++axis) {
        if (index == 0 || low[axis] < total_min[axis]) total_min[axis] = low[axis];
        if (index == 0 || high[axis] > total_max[axis]) total_max[axis] = high[axis];
    }
}

static uint32_t wrong_frame_points(const md2_model *m, const view *v, uint32_t frame)
{
    const uint8_t *at = view_frame(v, frame) + 40;
    bool turned = (v->flags & (uint32_t)MD2_Y_UP) != 0;
    uint32_t i, wrong = 0;
    for (i = 0; i < m->point_count; ++i, at += 4) {
        const md2_point *p = &m->frames[frame].points[i];
        wrong += p->x != at[view_axis(v, 0)] || p->y != at[view_axis(v, 1)] ||
                 p->z != at[view_axis(v, 2)];
        wrong += !turned && at[3] < 162 && p->normal != at[3];
    }
    return wrong;
}

static void check_frames(const md2_model *m, const view *v)
{
    uint32_t i, k, wrong = 0, off = 0;
    float low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
    for (i = 0; i < m->frame_count; ++i) {
        for (k = 0; k < 3; ++k) {
            const uint8_t *at = view_frame(v, i) + 4 * view_axis(v, k);
            off +=
                !close_to((double)m->frames[i].scale[k], (double)m2_get_float(at) * v->scale, 1e-7);
            off += !close_to((double)m->frames[i].translate[k],
                             (double)m2_get_float(at + 12) * v->scale, 1e-7);
        }
        wrong += wrong_frame_points(m, v, i);
        check_frame_bounds(m, i, low, high);
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(off, 0);
    CHECK(same_bounds(low, m->min) && same_bounds(high, m->max));
}

/* The animations tile the frames, have names of their own, and all the same rate. */
static void check_tiling(const md2_anim *anims, uint32_t count, uint32_t frames, float fps)
{
    uint32_t i, k, at = 0, nameless = 0, twins = 0, rates = 0;
    for (i = 0; i < count; ++i) {
        if (!CHECK(anims[i].first == at && anims[i].count >= 1)) return;
        at += anims[i].count;
        nameless += !ends_with_nul(anims[i].name, sizeof anims[i].name);
        rates += anims[i].fps != fps;
        for (k = i + 1; count < 2000 && k < count; ++k)
            twins += strcmp(anims[i].name, anims[k].name) == 0;
    }
    CHECK_EQ(at, frames);
    CHECK_EQ(nameless, 0);
    CHECK_EQ(twins, 0);
    CHECK_EQ(rates, 0);
}

static void check_model(const md2_model *m, const m2_bytes *bytes, const md2_options *options)
{
    view v = view_of(bytes, options);
    weld w = weld_of(&v);
    check_counts(m, &v, &w);
    check_names(m, &v);
    check_vertices(m, &v, &w);
    check_frames(m, &v);
    if (!(v.flags & (uint32_t)MD2_QUAKE2_ANIMS))
        check_tiling(m->anims, m->anim_count, m->frame_count, 10.0f);
    weld_free(&w);
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
    int i, best = 0;
    if (a.point == b.point || b.point == c.point || c.point == a.point) return;
    for (i = 0; i < 3; ++i) {
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
    uint32_t i;
    for (i = 0; i + 2 < count; ++i) {
        strip_corner a = corners[fan ? 0 : i], b = corners[i + 1], c = corners[i + 2];
        if (turn != (!fan && i % 2 == 1))
            add_strip_tri(tris, a, c, b);
        else
            add_strip_tri(tris, a, b, c);
    }
}

static uint32_t float_bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    return word;
}

static strip_corner glcmd_corner(const uint8_t *at, bool flip)
{
    strip_corner c;
    volatile float v = m2_get_float(at + 4);
    if (flip) v = 1.0f - v;
    c.u = m2_get32(at);
    c.v = float_bits(v);
    c.point = m2_get32(at + 8);
    return c;
}

static strip_tris strip_tris_room(uint32_t words)
{
    strip_tris tris;
    tris.list = (strip_tri *)malloc_or_abort((words + 1) * sizeof(strip_tri));
    tris.count = 0;
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

/* What the model's strips draw. */
static strip_tris model_strips(const md2_model *m)
{
    strip_tris tris = strip_tris_room(m->strip_vertex_count);
    strip_corner *run = (strip_corner *)malloc_or_abort((m->strip_vertex_count + 1) * sizeof *run);
    uint32_t i, k;
    for (i = 0; i < m->strip_count; ++i) {
        for (k = 0; k < m->strips[i].count; ++k) {
            const md2_strip_vertex *sv = &m->strip_vertices[m->strips[i].first + k];
            run[k].point = m->vertices[sv->vertex].point;
            run[k].u = float_bits(sv->u);
            run[k].v = float_bits(sv->v);
        }
        add_run(&tris, run, m->strips[i].count, m->strips[i].fan, false);
    }
    free(run);
    qsort(tris.list, tris.count, sizeof *tris.list, compare_strip_tris);
    return tris;
}

static void check_strip_ranges(const md2_model *m)
{
    uint32_t i, at = 0, wrong = 0;
    for (i = 0; i < m->strip_count; ++i) {
        wrong += m->strips[i].first != at || m->strips[i].count < 3;
        at += m->strips[i].count;
    }
    wrong += at != m->strip_vertex_count;
    for (i = 0; i < m->strip_vertex_count; ++i)
        wrong += m->strip_vertices[i].vertex >= m->vertex_count;
    CHECK_EQ(wrong, 0);
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
    uint32_t i, k, far = 0;
    uint32_t step = (uint32_t)((uint64_t)m->strip_vertex_count * m->vertex_count / budget) + 1;
    double width = m->skin_width ? m->skin_width : 1.0,
           height = m->skin_height ? m->skin_height : 1.0;
    for (i = 0; i < m->strip_vertex_count; i += step) {
        const md2_strip_vertex *sv = &m->strip_vertices[i];
        const md2_vertex *chosen = &m->vertices[sv->vertex];
        double texels = texel_distance(chosen, sv, width, height),
               plain = texel_distance(chosen, sv, 1.0, 1.0);
        bool beaten = false, plainly_beaten = false;
        uint32_t rivals = 0;
        for (k = 0; k < m->vertex_count; ++k) {
            if (m->vertices[k].point != chosen->point) continue;
            ++rivals;
            beaten = beaten ||
                     texel_distance(&m->vertices[k], sv, width, height) < texels * 0.9999 - 1e-3;
            plainly_beaten = plainly_beaten ||
                             texel_distance(&m->vertices[k], sv, 1.0, 1.0) < plain * 0.9999 - 1e-5;
        }
        far += beaten && plainly_beaten && rivals <= 16;
    }
    CHECK_EQ(far, 0);
}

static void check_strips(const md2_model *m, const m2_bytes *bytes, const md2_options *options)
{
    view v = view_of(bytes, options);
    strip_tris want = file_strips(&v), got;
    check_strip_ranges(m);
    got = model_strips(m);
    if (CHECK_EQ(got.count, want.count)) {
        CHECK(memcmp(got.list, want.list, got.count * sizeof(strip_tri)) == 0);
    }
    if (!(options->flags & (uint32_t)MD2_HALF_TEXEL)) check_nearest(m, 2000000u);
    free(want.list);
    free(got.list);
}

/* Whether strips and triangles show the same surface: sets of points, winding counted. */
static strip_tris pointed(const strip_tris *from)
{
    strip_tris tris = strip_tris_room(from->count);
    uint32_t i, k;
    for (i = 0; i < from->count; ++i) {
        strip_tri t = from->list[i];
        for (k = 0; k < 3; ++k) t.corner[k].u = t.corner[k].v = 0;
        add_strip_tri(&tris, t.corner[0], t.corner[1], t.corner[2]);
    }
    qsort(tris.list, tris.count, sizeof *tris.list, compare_strip_tris);
    return tris;
}

static bool strips_match_triangles(const md2_model *m)
{
    strip_tris strips = model_strips(m), a = pointed(&strips), b = strip_tris_room(m->index_count);
    uint32_t i, k;
    bool same;
    for (i = 0; i < m->index_count; i += 3) {
        strip_corner c[3];
        memset(c, 0, sizeof c);
        for (k = 0; k < 3; ++k) c[k].point = m->vertices[m->indices[i + k]].point;
        add_strip_tri(&b, c[0], c[1], c[2]);
    }
    qsort(b.list, b.count, sizeof *b.list, compare_strip_tris);
    same = a.count == b.count && memcmp(a.list, b.list, a.count * sizeof(strip_tri)) == 0;
    free(strips.list);
    free(a.list);
    free(b.list);
    return same;
}

/* -- Every shape of the table --------------------------------------------- */

static void check_memory_of(const md2_model *m, const counting_allocator *memory, size_t size)
{
    CHECK(memory->peak_bytes <= 64 * size + (1u << 20));
    CHECK(memory->peak_blocks <= 2);
    CHECK_EQ(memory->live_blocks, m ? 1 : 0);
    CHECK_EQ(memory->live_bytes, m ? m->bytes : 0);
    CHECK_EQ(memory->mistakes, 0);
}

static void check_case_loaded(const m2_case *one, const md2_model *m, const m2_bytes *bytes,
                              const md2_options *options)
{
    CHECK_EQ(m->dropped_triangles, one->dropped);
    if (one->strips >= 0) CHECK_EQ(m->strip_count > 0, one->strips == 1);
    check_model(m, bytes, options);
    if (m->strip_count)
        check_strips(m, bytes, options);
    else
        CHECK_EQ(m->strip_vertex_count, 0);
}

static void check_case(const m2_case *one, uint32_t flags)
{
    m2_bytes bytes = m2_case_bytes(one);
    md2_options options = options_of(flags);
    counting_allocator memory;
    md2_error error;
    md2_model *m;
    check_subject(one->name);
    use_memory(&options, &memory);
    m = md2_load_memory(bytes.data, bytes.size, &options, &error);
    check_memory_of(m, &memory, bytes.size);
    CHECK_TEXT(md2_result_name(error.code), md2_result_name(one->result));
    if (!m) {
        check_refused(m, &error, one->result);
        CHECK(error.offset <= bytes.size);
        if (one->says)
            CHECK(strstr(error.message, one->says) != NULL || message_has(&error, atol(one->says)));
    } else if (one->result == MD2_OK) {
        check_case_loaded(one, m, &bytes, &options);
    }
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    m2_free(&bytes);
}

static void test_every_shape(void)
{
    size_t i;
    check_section("every shape");
    for (i = 0; i < M2_CASES; ++i) check_case(&m2_cases[i], 0);
    CHECK_FLOOR(M2_CASES, 110, "shapes");
}

static void test_every_shape_with_options(void)
{
    static const uint32_t flags[] = { MD2_Y_UP, MD2_KEEP_WINDING | MD2_FLIP_V,
                                      MD2_HALF_TEXEL | MD2_Y_UP | MD2_FLIP_V, MD2_FRAME_NAMES,
                                      MD2_QUAKE2_ANIMS };
    size_t i, k, loads = 0;
    check_section("every shape with options");
    for (k = 0; k < sizeof flags / sizeof flags[0]; ++k) {
        for (i = 0; i < M2_CASES; ++i) {
            if (strncmp(m2_cases[i].name, "65536", 5) == 0 ||
                strcmp(m2_cases[i].name, "many_st") == 0)
                continue;
            check_case(&m2_cases[i], flags[k]);
            ++loads;
        }
    }
    CHECK_FLOOR(loads, 500, "shapes with options");
}

/* Where the message points, and what it says, when a header field is to blame. */
static void check_blame(const char *name, size_t offset, long number)
{
    m2_bytes bytes = m2_named(name);
    md2_error error;
    check_subject(name);
    CHECK(md2_load_memory(bytes.data, bytes.size, NULL, &error) == NULL);
    CHECK_EQ(error.offset, offset);
    CHECK(message_has(&error, number));
    m2_free(&bytes);
}

static void test_error_places(void)
{
    check_section("error places");
    check_blame("bad_version_7", 4, 7);
    check_blame("bad_negative_skins", 4 * M2_SKINS, -1);
    check_blame("bad_negative_points", 4 * M2_POINTS, -2);
    check_blame("bad_negative_st", 4 * M2_ST, -3);
    check_blame("bad_negative_triangles", 4 * M2_TRIS, -2147483647L - 1);
    check_blame("bad_negative_glcmds", 4 * M2_WORDS, -5);
    check_blame("bad_negative_frames", 4 * M2_FRAMES, -6);
    check_blame("bad_frame_size_small", 4 * M2_FRAME_SIZE, 71);
    check_blame("bad_65537_frames", 4 * M2_FRAMES, 65537);
    check_subject("");
}

/* "frames end at byte 412340, the file has 300000": both numbers, for each section. */
static void check_cut(size_t end)
{
    m2_bytes cube = m2_named("cube");
    md2_error error;
    m2_resize(&cube, end - 1);
    CHECK(md2_load_memory(cube.data, cube.size, NULL, &error) == NULL);
    CHECK_EQ(error.code, MD2_ERROR_TRUNCATED);
    CHECK(message_has(&error, (long)end - 1));
    CHECK(error.offset <= cube.size);
    m2_free(&cube);
}

static void test_cut_sections(void)
{
    m2_bytes cube = m2_named("cube");
    md2_error error;
    int field;
    check_section("cut sections");
    for (field = M2_OFS_ST; field <= M2_OFS_WORDS; ++field) check_cut(m2_field(&cube, field));
    m2_resize(&cube, cube.size - 1);
    CHECK(md2_load_memory(cube.data, cube.size, NULL, &error) == NULL);
    CHECK(message_has(&error, (long)cube.size));
    CHECK(message_has(&error, (long)cube.size + 1));
    m2_free(&cube);
}

/* The NaN is in the second float of the first frame: somewhere in that frame is where it was
   noticed. */
static void test_bad_number_place(void)
{
    m2_bytes bytes = m2_named("bad_second_frame_nan");
    md2_error error;
    size_t frame = m2_field(&bytes, M2_OFS_FRAMES) + m2_field(&bytes, M2_FRAME_SIZE);
    check_section("bad number place");
    CHECK(md2_load_memory(bytes.data, bytes.size, NULL, &error) == NULL);
    CHECK(error.offset >= frame && error.offset < frame + m2_field(&bytes, M2_FRAME_SIZE));
    m2_free(&bytes);
}

/* -- Arguments and options ------------------------------------------------ */

static md2_result load_result(const m2_bytes *bytes, const md2_options *options)
{
    md2_error error;
    md2_model *m = md2_load_memory(bytes->data, bytes->size, options, &error);
    CHECK((m == NULL) == (error.code != MD2_OK));
    md2_free_model(m);
    return error.code;
}

static void test_contradictions(void)
{
    m2_bytes cube = m2_named("cube");
    counting_allocator memory;
    md2_options options = options_of(MD2_BORROW | MD2_Y_UP);
    check_section("contradictions");
    CHECK_EQ(load_result(&cube, &options), MD2_ERROR_ARGUMENT);
    options = options_of(MD2_FRAME_NAMES | MD2_QUAKE2_ANIMS);
    CHECK_EQ(load_result(&cube, &options), MD2_ERROR_ARGUMENT);
    options = options_of(0);
    use_memory(&options, &memory);
    options.allocator.release = NULL;
    CHECK_EQ(load_result(&cube, &options), MD2_ERROR_ARGUMENT);
    use_memory(&options, &memory);
    options.allocator.alloc = NULL;
    CHECK_EQ(load_result(&cube, &options), MD2_ERROR_ARGUMENT);
    options = options_of(0);
    options.scale = -1.0f;
    CHECK_EQ(load_result(&cube, &options), MD2_ERROR_ARGUMENT);
    options.scale = (float)HUGE_VAL;
    CHECK_EQ(load_result(&cube, &options), MD2_ERROR_ARGUMENT);
    options.scale = (float)(HUGE_VAL - HUGE_VAL);
    CHECK_EQ(load_result(&cube, &options), MD2_ERROR_ARGUMENT);
    m2_free(&cube);
}

static void test_null_arguments(void)
{
    m2_bytes cube = m2_named("cube");
    md2_error error;
    md2_model *m;
    check_section("null arguments");
    CHECK(md2_load_memory(NULL, 100, NULL, &error) == NULL);
    CHECK_EQ(error.code, MD2_ERROR_ARGUMENT);
    CHECK(md2_load_memory(NULL, 100, NULL, NULL) == NULL);
    CHECK(md2_load_reader(NULL, NULL, &error) == NULL);
    CHECK_EQ(error.code, MD2_ERROR_ARGUMENT);
    CHECK(md2_load_file(NULL, NULL, &error) == NULL);
    CHECK_EQ(error.code, MD2_ERROR_ARGUMENT);
    m = md2_load_memory(cube.data, cube.size, NULL, NULL);
    CHECK(m != NULL);
    CHECK(m && md2_find_anim(m, NULL) == NULL);
    CHECK(m && md2_find_frame(m, NULL) == -1);
    md2_free_model(m);
    md2_free_model(NULL);
    memset(&error, 0x5A, sizeof error);
    m = md2_load_memory(cube.data, cube.size, NULL, &error);
    CHECK_EQ(error.code, MD2_OK);
    md2_free_model(m);
    m2_free(&cube);
}

static void test_result_names(void)
{
    int i, k;
    check_section("result names");
    for (i = 0; i < (int)MD2_RESULT_COUNT; ++i) {
        const char *name = md2_result_name((md2_result)i);
        CHECK(name && strncmp(name, "MD2_", 4) == 0);
        for (k = 0; k < i; ++k) CHECK(strcmp(name, md2_result_name((md2_result)k)) != 0);
    }
    CHECK_TEXT(md2_result_name(MD2_OK), "MD2_OK");
    CHECK_TEXT(md2_result_name(MD2_ERROR_CORRUPT), "MD2_ERROR_CORRUPT");
    CHECK_TEXT(md2_result_name(MD2_ERROR_NOT_MD2), "MD2_ERROR_NOT_MD2");
    CHECK(md2_result_name((md2_result)MD2_RESULT_COUNT) != NULL);
}

static void test_fps_option(void)
{
    static const float given[] = { 0.0f, 25.0f, -5.0f, 0.5f };
    static const float wanted[] = { 10.0f, 25.0f, 10.0f, 0.5f };
    m2_bytes bytes = m2_named("player");
    md2_options options = options_of(0);
    md2_model *m;
    uint32_t i, k;
    check_section("fps option");
    for (i = 0; i < 5; ++i) {
        options.fps = i < 4 ? given[i] : (float)(HUGE_VAL - HUGE_VAL);
        m = md2_load_memory(bytes.data, bytes.size, &options, NULL);
        for (k = 0; CHECK(m != NULL) && k < m->anim_count; ++k)
            CHECK_EQ(m->anims[k].fps, i < 4 ? wanted[i] : 10.0f);
        md2_free_model(m);
    }
    m2_free(&bytes);
}

/* At the exact limit it loads, one byte below it is refused: max_bytes bounds all that is live at
   once. */
static void test_max_bytes(void)
{
    m2_bytes bytes = m2_named("player");
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    md2_model *m;
    size_t peak;
    check_section("max bytes");
    use_memory(&options, &memory);
    md2_free_model(md2_load_memory(bytes.data, bytes.size, &options, NULL));
    peak = memory.peak_bytes;
    options.max_bytes = peak;
    CHECK_EQ(load_result(&bytes, &options), MD2_OK);
    options.max_bytes = peak - 1;
    use_memory(&options, &memory);
    m = md2_load_memory(bytes.data, bytes.size, &options, &error);
    check_refused(m, &error, MD2_ERROR_LIMIT);
    CHECK(message_has(&error, (long)options.max_bytes));
    CHECK(memory.peak_bytes <= options.max_bytes);
    options.max_bytes = 1;
    CHECK_EQ(load_result(&bytes, &options), MD2_ERROR_LIMIT);
    CHECK(counting_is_clean(&memory));
    m2_free(&bytes);
}

static void test_failing_allocations(void)
{
    m2_bytes bytes = m2_named("sheet");
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    md2_model *m = NULL;
    size_t n;
    check_section("failing allocations");
    for (n = 1; n < 50 && !m; ++n) {
        use_memory(&options, &memory);
        memory.fail_at = n;
        m = md2_load_memory(bytes.data, bytes.size, &options, &error);
        if (!m) check_refused(m, &error, MD2_ERROR_MEMORY);
        if (!m) CHECK(counting_is_clean(&memory));
    }
    CHECK(m != NULL && n >= 3);
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    m2_free(&bytes);
}

/* -- Readers and files ---------------------------------------------------- */

typedef struct feed {
    const m2_bytes *bytes;
    size_t at, chunk, fail_after; /* chunk 0: a different odd size each time */
    uint32_t calls;
    bool endless;
} feed;

static size_t feed_read(void *user, void *dst, size_t size)
{
    feed *f = (feed *)user;
    size_t left = f->at < f->bytes->size ? f->bytes->size - f->at : 0;
    size_t chunk = f->chunk ? f->chunk : (size_t)(f->calls * 37 % 61 + 1);
    ++f->calls;
    if (f->at >= f->fail_after) return SIZE_MAX;
    if (!left && f->endless) {
        memset(dst, 0, size);
        return size;
    }
    if (chunk > size) chunk = size;
    if (chunk > left) chunk = left;
    if (chunk > f->fail_after - f->at) chunk = f->fail_after - f->at;
    memcpy(dst, f->bytes->data + f->at, chunk);
    f->at += chunk;
    return chunk;
}

static feed feed_of(const m2_bytes *bytes, size_t chunk)
{
    feed f;
    memset(&f, 0, sizeof f);
    f.bytes = bytes;
    f.chunk = chunk;
    f.fail_after = SIZE_MAX;
    return f;
}

static md2_model *load_feed(feed *f, const md2_options *options, md2_error *error)
{
    md2_reader reader;
    reader.read = feed_read;
    reader.user = f;
    return md2_load_reader(&reader, options, error);
}

static bool same_floats(const float *a, const float *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof(float)) == 0;
}

static bool same_frame(const md2_model *a, const md2_model *b, uint32_t i)
{
    const md2_frame *x = &a->frames[i], *y = &b->frames[i];
    return strcmp(x->name, y->name) == 0 && same_floats(x->scale, y->scale, 3) &&
           same_floats(x->min, y->min, 3) && same_floats(x->translate, y->translate, 3) &&
           same_floats(x->max, y->max, 3) && same_floats(&x->radius, &y->radius, 1) &&
           memcmp(x->points, y->points, 4 * (size_t)a->point_count) == 0;
}

static bool same_vertex(const md2_vertex *x, const md2_vertex *y)
{
    return x->point == y->point && same_floats(&x->u, &y->u, 1) && same_floats(&x->v, &y->v, 1);
}

static bool same_anim(const md2_anim *x, const md2_anim *y)
{
    return x->first == y->first && x->count == y->count && same_floats(&x->fps, &y->fps, 1) &&
           strcmp(x->name, y->name) == 0;
}

static bool same_strips(const md2_model *a, const md2_model *b)
{
    uint32_t i;
    if (a->strip_count != b->strip_count || a->strip_vertex_count != b->strip_vertex_count)
        return false;
    for (i = 0; i < a->strip_count; ++i) {
        if (a->strips[i].first != b->strips[i].first || a->strips[i].count != b->strips[i].count)
            return false;
        if (a->strips[i].fan != b->strips[i].fan) return false;
    }
    return a->strip_vertex_count == 0 ||
           memcmp(a->strip_vertices, b->strip_vertices,
                  a->strip_vertex_count * sizeof *a->strip_vertices) == 0;
}

static bool same_model(const md2_model *a, const md2_model *b)
{
    uint32_t i;
    if (a->skin_count != b->skin_count || a->point_count != b->point_count ||
        a->vertex_count != b->vertex_count || a->index_count != b->index_count ||
        a->frame_count != b->frame_count || a->anim_count != b->anim_count) {
        return false;
    }
    for (i = 0; i < a->skin_count; ++i)
        if (strcmp(a->skins[i].path, b->skins[i].path) != 0) return false;
    for (i = 0; i < a->vertex_count; ++i)
        if (!same_vertex(&a->vertices[i], &b->vertices[i])) return false;
    for (i = 0; i < a->frame_count; ++i)
        if (!same_frame(a, b, i)) return false;
    for (i = 0; i < a->anim_count; ++i)
        if (!same_anim(&a->anims[i], &b->anims[i])) return false;
    for (i = 0; i < a->index_count; ++i)
        if (a->indices[i] != b->indices[i]) return false;
    return same_strips(a, b) && same_floats(a->min, b->min, 3) && same_floats(a->max, b->max, 3);
}

static void check_feed(const m2_bytes *bytes, size_t chunk)
{
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    feed f = feed_of(bytes, chunk);
    md2_model *m, *plain = load_bytes(bytes, 0);
    use_memory(&options, &memory);
    m = load_feed(&f, &options, &error);
    if (CHECK(m != NULL)) CHECK(same_model(m, plain));
    CHECK_EQ(error.code, MD2_OK);
    check_memory_of(m, &memory, bytes->size);
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    md2_free_model(plain);
}

static void test_reader(void)
{
    m2_bytes sheet = m2_named("sheet"), player = m2_named("player"),
             cut = m2_named("bad_cut_by_half");
    md2_options options = options_of(MD2_BORROW);
    md2_reader none;
    md2_error error;
    feed f = feed_of(&sheet, 0);
    check_section("reader");
    check_feed(&sheet, 1);
    check_feed(&sheet, 0);
    check_feed(&player, 0);
    check_feed(&player, 4095);
    check_feed(&player, SIZE_MAX);
    check_refused(load_feed(&f, &options, &error), &error, MD2_ERROR_ARGUMENT);
    f = feed_of(&cut, 100);
    check_refused(load_feed(&f, NULL, &error), &error, MD2_ERROR_TRUNCATED);
    memset(&none, 0, sizeof none);
    check_refused(md2_load_reader(&none, NULL, &error), &error, MD2_ERROR_ARGUMENT);
    m2_free(&sheet);
    m2_free(&player);
    m2_free(&cut);
}

static void test_failing_reader(void)
{
    m2_bytes cube = m2_named("cube");
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    size_t n;
    check_section("failing reader");
    for (n = 0; n < cube.size; n += n < 80 ? 1 : 97) {
        feed f = feed_of(&cube, 50);
        f.fail_after = n;
        use_memory(&options, &memory);
        check_refused(load_feed(&f, &options, &error), &error, MD2_ERROR_READ);
        CHECK(counting_is_clean(&memory));
    }
    m2_free(&cube);
}

/* A source without an end stops at max_bytes, or when the model is complete: it is never followed
   for ever. */
static void test_endless_reader(void)
{
    m2_bytes cube = m2_named("cube");
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    md2_model *m;
    feed f = feed_of(&cube, 4096);
    check_section("endless reader");
    f.endless = true;
    use_memory(&options, &memory);
    options.max_bytes = 1u << 20;
    m = load_feed(&f, &options, &error);
    CHECK(m || error.code == MD2_ERROR_LIMIT);
    CHECK(memory.peak_bytes <= options.max_bytes);
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    m2_free(&cube);
}

static void check_one_file(const char *path, const m2_bytes *bytes)
{
    md2_error error;
    md2_model *m, *plain;
    if (!CHECK(write_file(path, bytes->data, bytes->size))) return;
    m = md2_load_file(path, NULL, &error);
    plain = load_bytes(bytes, 0);
    if (CHECK(m != NULL)) CHECK(same_model(m, plain));
    md2_free_model(m);
    md2_free_model(plain);
    remove_file(path);
}

static void test_files(void)
{
    m2_bytes cube = m2_named("cube");
    md2_options options = options_of(MD2_BORROW);
    md2_error error;
    check_section("files");
    check_one_file("test_md2.tmp", &cube);
    check_one_file("test_md2_\xC3\xB6\xE6\x97\xA5.tmp", &cube);
    check_one_file("test_md2_\xF0\x9F\x97\xA1.tmp", &cube); /* beyond 16 bits */
    check_refused(md2_load_file("no such folder/no such file.md2", NULL, &error), &error,
                  MD2_ERROR_OPEN);
    CHECK(md2_load_file(".", NULL, &error) == NULL);
    CHECK_TEXT(error.message, error.code == MD2_ERROR_OPEN ? "cannot open ."
                                                          : "cannot read .: is it a folder?");
    check_refused(md2_load_file("test_md2.tmp", &options, &error), &error, MD2_ERROR_ARGUMENT);
    m2_free(&cube);
}

/* -- Geometry ------------------------------------------------------------- */

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Six times the volume inside the triangles, positive where they are counter-clockwise seen from
   outside. */
static double signed_volume(const md2_model *m, const float *positions)
{
    double sum = 0.0, p[3][3], c[3];
    uint32_t i, k, axis;
    for (i = 0; i < m->index_count; i += 3) {
        for (k = 0; k < 3; ++k) {
            for (axis = 0; axis < 3; ++axis)
                p[k][axis] = (double)positions[m->indices[i + k] * 3 + axis];
        }
        cross3(p[1], p[2], c);
        sum += dot3(p[0], c);
    }
    return sum;
}

static md2_pose still(uint32_t frame) { return md2_pose_between(frame, frame, 0.0f); }

static double posed_volume(const md2_model *m, uint32_t frame)
{
    float *positions = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
    md2_pose pose = still(frame);
    double volume;
    md2_pose_vertices(m, &pose, positions, 0, NULL, 0);
    volume = signed_volume(m, positions);
    free(positions);
    return volume;
}

/* Everything about the cube is known exactly. */
static void test_exact_cube(void)
{
    md2_model *m = load_named("cube", 0);
    float positions[24 * 3];
    md2_pose pose = still(0);
    uint32_t i;
    check_section("exact cube");
    CHECK_EQ(m->vertex_count, 24);
    CHECK_EQ(m->index_count, 36);
    CHECK_EQ(m->strip_count, 6);
    CHECK_EQ(m->skin_count, 1);
    CHECK_TEXT(m->skins[0].path, "models/cube/cube.pcx");
    CHECK_TEXT(m->frames[0].name, "move1");
    CHECK_NEAR(m->frames[0].radius, sqrt(0.75), 1e-6);
    md2_pose_vertices(m, &pose, positions, 0, NULL, 0);
    for (i = 0; i < 3; ++i) CHECK(m->min[i] == -0.5f && m->max[i] == 0.5f);
    for (i = 0; i < 72; ++i) CHECK(positions[i] == 0.5f || positions[i] == -0.5f);
    CHECK_NEAR(signed_volume(m, positions), 6.0, 1e-6);
    CHECK_EQ(m->vertices[0].point, 0);
    CHECK(m->vertices[1].u == 0.25f && m->vertices[1].v == 0.25f && m->vertices[1].point == 6);
    CHECK(m->vertices[2].u == 0.25f && m->vertices[2].v == 0.0f && m->vertices[2].point == 2);
    CHECK(m->indices[0] == 0 && m->indices[1] == 1 && m->indices[2] == 2);
    CHECK(m->indices[3] == 0 && m->indices[4] == 3 && m->indices[5] == 1);
    md2_free_model(m);
}

static void test_winding(void)
{
    md2_model *plain = load_named("cube", 0), *kept = load_named("cube", MD2_KEEP_WINDING);
    md2_model *up = load_named("cube", MD2_Y_UP), *mirrored = load_named("negative_scale", 0);
    check_section("winding");
    CHECK_NEAR(posed_volume(plain, 0), 6.0, 1e-6);
    CHECK_NEAR(posed_volume(kept, 0), -6.0, 1e-6);
    CHECK_NEAR(posed_volume(up, 0), 6.0, 1e-6); /* a permutation, not a mirror */
    CHECK_NEAR(posed_volume(mirrored, 0), -6.0, 1e-6);
    CHECK(same_vertex(&plain->vertices[plain->indices[1]], &kept->vertices[kept->indices[2]]));
    CHECK(same_vertex(&plain->vertices[plain->indices[2]], &kept->vertices[kept->indices[1]]));
    md2_free_model(plain);
    md2_free_model(kept);
    md2_free_model(up);
    md2_free_model(mirrored);
}

static void test_texture_options(void)
{
    md2_model *plain = load_named("sheet", 0), *flipped = load_named("sheet", MD2_FLIP_V);
    md2_model *half = load_named("sheet", MD2_HALF_TEXEL),
              *both = load_named("sheet", MD2_HALF_TEXEL | MD2_FLIP_V);
    uint32_t i;
    check_section("texture options");
    for (i = 0; i < plain->vertex_count; ++i) {
        double u = (double)plain->vertices[i].u, v = (double)plain->vertices[i].v;
        CHECK_NEAR(flipped->vertices[i].u, u, 1e-7);
        CHECK_NEAR(flipped->vertices[i].v, 1.0 - v, 1e-7);
        CHECK_NEAR(half->vertices[i].u, u + 0.5 / 256, 1e-7);
        CHECK_NEAR(half->vertices[i].v, v + 0.5 / 128, 1e-7);
        CHECK_NEAR(both->vertices[i].v, 1.0 - v - 0.5 / 128, 1e-7);
    }
    for (i = 0; i < plain->strip_vertex_count; ++i) {
        const md2_strip_vertex *a = &plain->strip_vertices[i];
        CHECK(half->strip_vertices[i].u == a->u && half->strip_vertices[i].v == a->v);
        CHECK_NEAR(flipped->strip_vertices[i].v, 1.0 - (double)a->v, 1e-7);
    }
    md2_free_model(plain);
    md2_free_model(flipped);
    md2_free_model(half);
    md2_free_model(both);
}

/* Skin sizes of 0 divide by 1; what lies on the edge, beyond it or below zero is kept as it is. */
static void test_texture_edges(void)
{
    md2_model *zero = load_named("skin_size_zero", 0), *edge = load_named("st_at_edge", 0);
    md2_model *below = load_named("st_negative", 0);
    double high = 0.0;
    uint32_t i;
    check_section("texture edges");
    for (i = 0; i < zero->vertex_count; ++i) {
        if ((double)zero->vertices[i].u > high) high = (double)zero->vertices[i].u;
    }
    CHECK_EQ(high, 56.0);
    for (high = 0.0, i = 0; i < edge->vertex_count; ++i) {
        if ((double)edge->vertices[i].u > high) high = (double)edge->vertices[i].u;
    }
    CHECK_EQ(high, 1.0);
    CHECK_NEAR(below->vertices[0].u, -516.0 / 64, 1e-6);
    md2_free_model(zero);
    md2_free_model(edge);
    md2_free_model(below);
}

static void test_y_up(void)
{
    md2_model *plain = load_named("player", 0), *up = load_named("player", MD2_Y_UP);
    uint32_t frame, point, wrong = 0;
    int axis;
    check_section("y up");
    for (axis = 0; axis < 3; ++axis) {
        CHECK(up->min[axis] == plain->min[(axis + 1) % 3] &&
              up->max[axis] == plain->max[(axis + 1) % 3]);
    }
    for (frame = 0; frame < plain->frame_count; ++frame) {
        for (point = 0; point < plain->point_count; ++point) {
            const float *a = md2_normal(plain->frames[frame].points[point].normal);
            const float *b = md2_normal(up->frames[frame].points[point].normal);
            wrong += b[0] != a[1] || b[1] != a[2] || b[2] != a[0];
        }
    }
    CHECK_EQ(wrong, 0);
    md2_free_model(plain);
    md2_free_model(up);
}

/* Up is the model's own up, whichever axis that is. */
static void check_up(const md2_model *m, const md2_pose *pose, uint32_t point, bool y_up)
{
    float *normals = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
    uint32_t i, seen = 0;
    md2_pose_vertices(m, pose, NULL, 0, normals, 0);
    for (i = 0; i < m->vertex_count; ++i) {
        if (m->vertices[i].point != point) continue;
        CHECK_EQ(normals[i * 3], 0);
        CHECK_EQ(normals[i * 3 + 1], y_up ? 1 : 0);
        CHECK_EQ(normals[i * 3 + 2], y_up ? 0 : 1);
        ++seen;
    }
    CHECK(seen > 0);
    free(normals);
}

static void test_wild_normals(void)
{
    md2_pose pose = still(0);
    uint32_t flags;
    check_section("wild normals");
    for (flags = 0; flags <= (uint32_t)MD2_Y_UP; ++flags) {
        md2_model *m = load_named("normal_out_of_range", flags);
        check_up(m, &pose, 1, flags != 0);
        check_up(m, &pose, 2, flags != 0);
        check_up(m, &pose, 3, flags != 0);
        md2_free_model(m);
    }
}

/* +X and -X half and half have no length: straight up, not NaN. */
static void test_vanishing_normals(void)
{
    uint32_t flags, frame, i;
    check_section("vanishing normals");
    for (flags = 0; flags <= (uint32_t)MD2_Y_UP; ++flags) {
        m2_bytes bytes = m2_named("moving_cube");
        md2_model *m;
        md2_pose pose = md2_pose_between(0, 1, 0.5f);
        for (frame = 0; frame < 2; ++frame) {
            uint8_t *points = m2_section(&bytes, M2_OFS_FRAMES) + frame * 72 + 40;
            for (i = 0; i < 8; ++i) points[i * 4 + 3] = frame ? 143 : 52;
        }
        m = load_bytes(&bytes, flags);
        for (i = 0; i < 8; ++i) check_up(m, &pose, i, flags != 0);
        md2_free_model(m);
        m2_free(&bytes);
    }
}

static void test_scale_option(void)
{
    m2_bytes bytes = m2_named("player");
    md2_options options = options_of(MD2_Y_UP);
    md2_model *m, *plain = load_bytes(&bytes, MD2_Y_UP);
    uint32_t axis;
    check_section("scale option");
    options.scale = 0.0254f;
    m = md2_load_memory(bytes.data, bytes.size, &options, NULL);
    if (CHECK(m != NULL)) check_model(m, &bytes, &options);
    for (axis = 0; m && axis < 3; ++axis) {
        CHECK(close_to((double)m->max[axis], (double)plain->max[axis] * 0.0254, 1e-6));
    }
    if (m)
        CHECK(
            close_to((double)m->frames[7].radius, (double)plain->frames[7].radius * 0.0254, 1e-6));
    md2_free_model(m);
    options.scale = 3e38f; /* finite, but the positions are not */
    CHECK_EQ(load_result(&bytes, &options), MD2_ERROR_CORRUPT);
    md2_free_model(plain);
    m2_free(&bytes);
}

static void test_options_on_random_models(void)
{
    uint32_t seed, flags, loaded = 0;
    check_section("options on random models");
    for (seed = 1; seed <= 24; ++seed) {
        m2_bytes bytes = m2_random(seed, 1 + seed * 5, seed * 9, 1 + seed % 4);
        for (flags = 0; flags < 16; ++flags) {
            md2_options options = options_of(flags);
            md2_model *m = md2_load_memory(bytes.data, bytes.size, &options, NULL);
            if (CHECK(m != NULL)) check_model(m, &bytes, &options);
            loaded += m != NULL;
            md2_free_model(m);
        }
        m2_free(&bytes);
    }
    CHECK_FLOOR(loaded, 24 * 16, "random models with options");
}

/* Corners that differ in nothing but the number of their texture coordinate are one vertex. */
static void test_weld_by_value(void)
{
    md2_model *m = load_named("st_per_corner", 0), *cube = load_named("cube", 0);
    check_section("weld by value");
    CHECK_EQ(m->vertex_count, 24);
    CHECK_EQ(m->index_count, 36);
    CHECK_EQ(m->vertex_count, cube->vertex_count);
    md2_free_model(m);
    md2_free_model(cube);
}

/* -- Borrowing ------------------------------------------------------------ */

static bool lies_in(const void *pointer, size_t size, const m2_bytes *bytes)
{
    const uint8_t *at = (const uint8_t *)pointer;
    return at >= bytes->data && at + size <= bytes->data + bytes->size;
}

static void check_borrowed(const char *name)
{
    m2_bytes bytes = m2_named(name);
    md2_options options = options_of(MD2_BORROW);
    counting_allocator own, borrowed;
    md2_model *a, *b;
    uint32_t i, outside = 0;
    check_subject(name);
    use_memory(&options, &borrowed);
    b = md2_load_memory(bytes.data, bytes.size, &options, NULL);
    options.flags = 0;
    use_memory(&options, &own);
    a = md2_load_memory(bytes.data, bytes.size, &options, NULL);
    if (CHECK(a && b)) {
        CHECK(same_model(a, b));
        CHECK(a->bytes >= b->bytes + (size_t)a->frame_count * a->point_count * 4);
        for (i = 0; i < b->frame_count; ++i)
            outside += !lies_in(b->frames[i].points, b->point_count * 4u, &bytes);
        for (i = 0; i < a->frame_count; ++i) outside += lies_in(a->frames[i].points, 1, &bytes);
        CHECK_EQ(outside, 0);
        CHECK_EQ(own.live_bytes, a->bytes);
        CHECK_EQ(borrowed.live_bytes, b->bytes);
        CHECK_EQ(b->flags, MD2_BORROW);
    }
    md2_free_model(a);
    md2_free_model(b);
    CHECK(counting_is_clean(&own) && counting_is_clean(&borrowed));
    m2_free(&bytes);
}

static void test_borrow(void)
{
    m2_bytes bytes = m2_named("normal_out_of_range");
    md2_model *m;
    md2_pose pose = still(0);
    check_section("borrow");
    check_borrowed("player");
    check_borrowed("odd_wide_frames");
    check_borrowed("unaligned_sections");
    check_borrowed("reversed_sections");
    m = load_bytes(&bytes, MD2_BORROW);
    check_up(m, &pose, 2, false);
    md2_free_model(m);
    m2_free(&bytes);
}

/* -- GL commands ---------------------------------------------------------- */

static void test_sheet_strips(void)
{
    uint32_t flags;
    check_section("sheet strips");
    for (flags = 0; flags < 16; ++flags) {
        m2_bytes bytes = m2_named("sheet");
        md2_options options = options_of(flags);
        md2_model *m = load_bytes(&bytes, flags);
        check_strips(m, &bytes, &options);
        CHECK_EQ(m->strip_count, 6);
        CHECK(strips_match_triangles(m));
        md2_free_model(m);
        m2_free(&bytes);
    }
}

/* Unturned, they are the file's commands one by one. Turned, an even strip grows by one vertex,
   nothing else does. */
static void test_strip_shapes(void)
{
    static const uint32_t counts[6] = { 8, 7, 10, 5, 3, 5 };
    static const bool fans[6] = { false, false, false, true, false, true };
    md2_model *kept = load_named("sheet", MD2_KEEP_WINDING), *turned = load_named("sheet", 0);
    uint32_t i;
    check_section("strip shapes");
    for (i = 0; i < 6 && CHECK(kept->strip_count == 6 && turned->strip_count == 6); ++i) {
        uint32_t more = !fans[i] && counts[i] % 2 == 0;
        CHECK_EQ(kept->strips[i].count, counts[i]);
        CHECK_EQ(kept->strips[i].fan, fans[i]);
        CHECK_EQ(turned->strips[i].count, counts[i] + more);
        CHECK_EQ(turned->strips[i].fan, fans[i]);
    }
    CHECK_EQ(kept->vertices[kept->strip_vertices[0].vertex].point, 0);
    CHECK_EQ(kept->vertices[kept->strip_vertices[1].vertex].point, 5);
    md2_free_model(kept);
    md2_free_model(turned);
}

static void test_words_after_terminator(void)
{
    md2_model *m = load_named("glcmds_words_after_terminator", 0);
    check_section("words after terminator");
    CHECK_EQ(m->strip_count, 5);
    CHECK_EQ(m->strip_vertex_count, 20);
    md2_free_model(m);
}

/* -- The table of normals ------------------------------------------------- */

#define NORMALS 162u

static uint32_t crc32_of(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xFFFFFFFFu;
    size_t i;
    int bit;
    for (i = 0; i < size; ++i) {
        crc ^= data[i];
        for (bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return crc ^ 0xFFFFFFFFu;
}

static int find_normal(float x, float y, float z)
{
    uint32_t i;
    for (i = 0; i < NORMALS; ++i) {
        const float *n = md2_normal(i);
        if (n[0] == x && n[1] == y && n[2] == z) return (int)i;
    }
    return -1;
}

static void test_normal_table(void)
{
    uint8_t bytes[NORMALS * 12];
    uint32_t i, axis;
    check_section("normal table");
    for (i = 0; i < NORMALS; ++i) {
        for (axis = 0; axis < 3; ++axis)
            m2_put_float(bytes + i * 12 + axis * 4, md2_normal(i)[axis] + 0.0f);
    }
    CHECK_EQ(crc32_of(bytes, sizeof bytes), 0x90F4DA7Fu);
    CHECK(find_normal(1, 0, 0) == 52 && find_normal(-1, 0, 0) == 143);
    CHECK(find_normal(0, 1, 0) == 32 && find_normal(0, -1, 0) == 104);
    CHECK(find_normal(0, 0, 1) == 5 && find_normal(0, 0, -1) == 84);
    CHECK(find_normal(-0.525731f, 0.0f, 0.850651f) == 0);
    CHECK(find_normal(-0.442863f, 0.238856f, 0.864188f) == 1);
    CHECK(find_normal(-0.688191f, -0.587785f, -0.425325f) == 161);
}

static void test_normal_properties(void)
{
    double sum[3] = { 0, 0, 0 };
    uint32_t i, axis;
    check_section("normal properties");
    for (i = NORMALS; i < 300; ++i) {
        CHECK_NEAR(md2_normal(i)[0], 0, 0);
        CHECK_NEAR(md2_normal(i)[1], 0, 0);
        CHECK_NEAR(md2_normal(i)[2], 1, 0);
    }
    for (i = 0; i < NORMALS; ++i) {
        const float *n = md2_normal(i);
        double length = 0.0;
        for (axis = 0; axis < 3; ++axis) length += (double)n[axis] * (double)n[axis];
        for (axis = 0; axis < 3; ++axis) sum[axis] += (double)n[axis];
        CHECK_NEAR(sqrt(length), 1.0, 1e-6);
        CHECK(find_normal(n[0], n[1], n[2]) == (int)i); /* distinct */
        CHECK(find_normal(-n[0], -n[1], -n[2]) >= 0);
        CHECK(find_normal(-n[0], n[1], n[2]) >= 0);
        CHECK(find_normal(n[0], -n[1], n[2]) >= 0);
        CHECK(find_normal(n[0], n[1], -n[2]) >= 0);
        CHECK(find_normal(n[1], n[2], n[0]) >= 0);
    }
    for (axis = 0; axis < 3; ++axis) CHECK_NEAR(sum[axis], 0.0, 1e-6);
}

static void test_normals_out_of_range(void)
{
    static const uint32_t wild[] = { 162, 163, 200, 255, 256, 65535, 0x7FFFFFFF, 0xFFFFFFFFu };
    size_t i;
    check_section("normals out of range");
    for (i = 0; i < sizeof wild / sizeof wild[0]; ++i) {
        const float *n = md2_normal(wild[i]);
        CHECK(n[0] == 0.0f && n[1] == 0.0f && n[2] == 1.0f);
    }
}

/* -- Animations by name --------------------------------------------------- */

#define MAX_NAMES 256
#define NAME_ROOM 400

typedef struct name_list {
    char text[MAX_NAMES][NAME_ROOM];
    const char *list[MAX_NAMES];
    uint32_t count;
} name_list;

static name_list names; /* large, so not on the stack */

/* "run[1-6]|pain[101-104]|stand[001-40/3].lwo|skin": literal names, and ranges with the digits to
   pad to. */
static void add_range(const char *spec, size_t length)
{
    const char *open = (const char *)memchr(spec, '[', length),
               *close = (const char *)memchr(spec, ']', length);
    int from = 0, to = 0, width = 1, i;
    if (!open || !close) {
        memcpy(names.text[names.count], spec, length);
        names.text[names.count++][length] = 0;
        return;
    }
    sscanf(open, "[%d-%d/%d]", &from, &to, &width);
    for (i = from; i <= to && names.count < MAX_NAMES; ++i) {
        sprintf(names.text[names.count++], "%.*s%0*d%.*s", (int)(open - spec), spec, width, i,
                (int)(length - (size_t)(close + 1 - spec)), close + 1);
    }
}

static void make_names(const char *spec)
{
    uint32_t i;
    names.count = 0;
    for (;;) {
        size_t length = strcspn(spec, "|");
        add_range(spec, length);
        spec += length;
        if (!*spec++) break;
    }
    for (i = 0; i < names.count; ++i) names.list[i] = names.text[i];
}

static md2_anim anims[MAX_NAMES];

/* "stand 40, run 6", after checking the shape of the answer. */
static const char *split_text(uint32_t flags)
{
    static char text[MAX_NAMES * 40];
    md2_options options = options_of(flags);
    uint32_t count = md2_split_frame_names(names.list, names.count, &options, anims, MAX_NAMES), i;
    char *at = text;
    *at = 0;
    check_tiling(anims, count, names.count, 10.0f);
    for (i = 0; i < count && i < MAX_NAMES; ++i) {
        at += sprintf(at, "%s%s %u", i ? ", " : "", anims[i].name, (unsigned)anims[i].count);
    }
    return text;
}

static const struct split_case {
    const char *names, *anims;
} split_cases[] = { { "stand[1-40/2]|run[1-6]|attak[1-8]", "stand 40, run 6, attak 8" },
                    { "pain[101-104]|pain[201-204]|pain[301-304]", "pain1 4, pain2 4, pain3 4" },
                    { "death[101-106]|death[201-206]|death[301-308]",
                      "death1 6, death2 6, death3 8" },
                    { "death[100-105]|death[200-205]", "death1 6, death2 6" },
                    { "stand[30-50]|stand[1-29]", "stand 50" },
                    { "stand[30-50]|stand[0-29]|run[1-4]", "stand 51, run 4" },
                    { "stand[30-50]|stand[2-29]", "stand 21, stand#2 28" },
                    { "bl_flp01|bl_flp02|bl_flp13", "bl_flp 3" },
                    { "death_[20-24]|death_[31-33]", "death 8" },
                    { "walk[0-149/3]", "walk 150" },
                    { "walk[1-150]", "walk 150" },
                    { "walk[101-250]", "walk 150" },
                    { "attak1_[1-4]|attak2_[1-3]", "attak1 4, attak2 3" },
                    { "pain1_[1-4]", "pain1 4" },
                    { "stand[0-9/3]", "stand 10" },
                    { "name_1|name_2", "name 2" },
                    { "idle|skinref|exploded", "idle 1, skinref 1, exploded 1" },
                    { "sixteen_letters1|sixteen_letters2", "sixteen_letters 2" },
                    { "\xF6l[1-3]", "\xF6l 3" },
                    { "pain[1-12]|death[1-20]", "pain 12, death 20" },
                    { "stand[1-3].lwo|pain[101-104].lwo|run[1-2].lwo", "stand 3, pain1 4, run 2" },
                    { "stand01 |stand02|stand03 ", "stand 3" },
                    { " crstnd13|crstnd14|crstnd15", "crstnd 3" },
                    { "pain [301-304]|run 1", "pain3 4, run 1" },
                    { "pain_[101-104]|pain_[201-204]", "pain1 4, pain2 4" },
                    { "a-stand[1-5/3]|a-run[1-4/3]", "a-stand 5, a-run 4" },
                    { "w-crwalk[1-6]", "w-crwalk 6" },
                    { "gl-pain1-[1-3]|gl-pain2-[1-3]", "gl-pain1 3, gl-pain2 3" },
                    { "pain[1001-1004]|pain[2001-2004]", "pain1 4, pain2 4" },
                    { "run[1-6]|walk[1-4]|run[1-6]", "run 6, walk 4, run#2 6" },
                    { "run[1-6]|run[1-6]|run[1-6]", "run 6, run#2 6, run#3 6" },
                    { "run[1-6]|run[3-8]", "run 6, run#2 6" },
                    { "pain[101-104]|pain[206-208]", "pain1 4, pain 3" },
                    { "stand[90-110]", "stand 21" },
                    { "Run[1-3]|Walk[1-3]", "Run 3, Walk 3" },
                    { "Frame [1-5]", "Frame 5" },
                    { "fr_[0-5]|g_view|death_a[1-4]", "fr 6, g_view 1, death_a 4" },
                    { "All_Frames[1-172]", "All_Frames 172" },
                    { "perch [1-4]|Crawl Stand [1-3]", "perch 4, Crawl Stand 3" },
                    { "pain1_[1-2]|pain[101-103]", "pain1 2, pain1#2 3" },
                    { "stand", "stand 1" },
                    { "stand7", "stand 1" } };

static void test_split_names(void)
{
    size_t i, count = sizeof split_cases / sizeof split_cases[0];
    check_section("split names");
    for (i = 0; i < count; ++i) {
        check_subject(split_cases[i].names);
        make_names(split_cases[i].names);
        CHECK_TEXT(split_text(MD2_FRAME_NAMES), split_cases[i].anims);
        CHECK_TEXT(split_text(0), split_cases[i].anims); /* no list of these is a player's */
    }
    CHECK_FLOOR(count, 40, "lists of names");
}

/* One name for every frame, no names, digits alone, junk: whatever they are called, they tile the
   frames. */
static void test_split_odd_names(void)
{
    static const char *const odd[] = { "frame|frame|frame|frame",
                                       "|||",
                                       "[1001-1004/5]|010002|100|9901",
                                       " | |  ",
                                       "1|2|3|4",
                                       "_1|_2|-3|.4",
                                       "99999999999999999999999|999999999999999999999991|1",
                                       "a99999999999|a99999999998",
                                       "4294967295|4294967296|0",
                                       "stand21b|run1a|salute07asc",
                                       "E:\\MIJN DOCU[0-9/3]",
                                       "Made By Phoenix",
                                       ".lwo|.lwo",
                                       "#2|a#2|a|b|a",
                                       "\x80\xFF\x01" };
    size_t i;
    check_section("split odd names");
    for (i = 0; i < sizeof odd / sizeof odd[0]; ++i) {
        check_subject(odd[i]);
        make_names(odd[i]);
        CHECK(strlen(split_text(MD2_FRAME_NAMES)) > 0);
        CHECK(strlen(split_text(0)) > 0);
    }
    make_names("frame|frame|frame|frame");
    CHECK_TEXT(split_text(0), "frame 4");
}

static void test_split_long_names(void)
{
    uint32_t i;
    check_section("split long names");
    make_names("a|b|c|d");
    for (i = 0; i < 4; ++i) {
        memset(names.text[i], 'x', 300);
        names.text[i][300] = (char)('a' + i);
        names.text[i][301] = 0;
    }
    CHECK(strlen(split_text(MD2_FRAME_NAMES)) >
          0); /* tiling and distinct names are checked in there */
}

static void test_split_capacity(void)
{
    md2_options options = options_of(MD2_FRAME_NAMES);
    md2_anim few[3];
    check_section("split capacity");
    make_names("run[1-6]|walk[1-4]|jump[1-5]|skin");
    CHECK_EQ(md2_split_frame_names(names.list, names.count, &options, NULL, 0), 4);
    memset(few, 0x7E, sizeof few);
    CHECK_EQ(md2_split_frame_names(names.list, names.count, &options, few, 2), 4);
    CHECK_TEXT(few[0].name, "run");
    CHECK_TEXT(few[1].name, "walk");
    CHECK_EQ(few[2].first, 0x7E7E7E7Eu);
    CHECK_EQ(md2_split_frame_names(names.list, 0, &options, few, 2), 0);
    CHECK_EQ(md2_split_frame_names(names.list, names.count, NULL, few, 2), 4);
    options.fps = 12.5f;
    md2_split_frame_names(names.list, names.count, &options, few, 2);
    CHECK_EQ(few[0].fps, 12.5);
}

static void player_names(uint32_t from, uint32_t count)
{
    uint32_t i;
    for (i = from; i < from + count; ++i) {
        m2_player_name(i, names.text[names.count]);
        names.list[names.count] = names.text[names.count];
        ++names.count;
    }
}

/* The first `clips` of id's animations, whole, `shift` frames later. */
static bool has_table(const md2_anim *list, uint32_t count, uint32_t at, uint32_t clips,
                      uint32_t shift)
{
    uint32_t i;
    if (at + clips > count) return false;
    for (i = 0; i < clips; ++i) {
        if (list[at + i].first != m2_player_clips[i].first + shift) return false;
        if (list[at + i].count != m2_player_clips[i].count) return false;
        if (strcmp(list[at + i].name, m2_player_clips[i].name) != 0) return false;
    }
    return true;
}

static uint32_t split(uint32_t flags)
{
    md2_options options = options_of(flags);
    uint32_t count = md2_split_frame_names(names.list, names.count, &options, anims, MAX_NAMES);
    if (!(flags & (uint32_t)MD2_QUAKE2_ANIMS)) check_tiling(anims, count, names.count, 10.0f);
    return count;
}

static void check_table(const char *spec, uint32_t extra_before, uint32_t clips,
                        uint32_t extra_after)
{
    check_subject(spec);
    make_names(spec);
    CHECK_EQ(split(0), extra_before + clips + extra_after);
    CHECK(has_table(anims, MAX_NAMES, extra_before, clips, extra_before));
}

static void check_names_win(const char *spec, const char *wanted)
{
    check_subject(spec);
    make_names(spec);
    CHECK_TEXT(split_text(0), wanted);
}

/* For 198 frames the table is right unless three cuts or more say otherwise, fewer than half of
   them on its edges. */
static void test_split_names_or_table(void)
{
    check_section("names or table");
    check_table("frame[0-197/3]", 0, 20, 0);
    check_table("All_Frames[1-198]", 0, 20, 0);
    check_table("a[1-50]|b[1-50]|c[1-98]", 0, 20, 0);
    check_table("base|a[1-49]|b[1-50]|c[1-98]", 0, 20, 0);
    check_table("stand[1-40]|run[1-6]|a[1-54]|b[1-50]|c[1-48]", 0, 20, 0);
    check_table(
        "stand[1-40]|run[1-6]|attak[1-8]|pain[1-12]|jump[1-6]|flip[1-12]|sal[1-11]|taunt[1-17]|"
        "wave[1-11]|"
        "point[1-12]|crstnd[1-19]|crwalk[1-6]|crattak[1-9]|crpain[1-4]|crdeath[1-5]|death[1-20]",
        0, 20, 0);
    check_table("frame[1-173]", 0, 16, 0);
    check_names_win("idle[1-50]|walk[1-30]|jump[1-20]|die[1-98]",
                    "idle 50, walk 30, jump 20, die 98");
    check_names_win("stand[1-40]|a[1-10]|b[1-50]|c[1-98]", "stand 40, a 10, b 50, c 98");
    check_names_win("frame[1-197]", "frame 197");
    check_names_win("frame[1-172]", "frame 172");
    check_names_win("frame[1-30]", "frame 30");
}

static void test_split_player(void)
{
    uint32_t i, frames = 0;
    check_section("split player");
    for (i = 0; i < M2_PLAYER_CLIPS; ++i) frames += m2_player_clips[i].count;
    CHECK_EQ(frames, 198);
    names.count = 0;
    player_names(0, 198);
    CHECK_EQ(split(0), 20);
    CHECK(has_table(anims, 20, 0, 20, 0));
    CHECK_EQ(split(MD2_FRAME_NAMES), 20);
    CHECK(has_table(anims, 20, 0, 20, 0));
    CHECK_EQ(split(MD2_QUAKE2_ANIMS), 20);
    CHECK(has_table(anims, 20, 0, 20, 0));
    CHECK(anims[15].first == 169 &&
          anims[15].count == 4); /* crouched pain is 169-172, not 196-172 */
    strcpy(names.text[100], "tuant06");
    strcpy(names.text[150], "crstnd99");
    CHECK_EQ(split(0), 20);
    CHECK(has_table(anims, 20, 0, 20, 0));
}

static void test_split_player_with_extras(void)
{
    check_section("player with extras");
    names.count = 0;
    player_names(0, 198);
    add_range("skinref", 7);
    names.list[198] = names.text[198];
    CHECK_EQ(split(0), 21);
    CHECK(has_table(anims, 21, 0, 20, 0) && anims[20].first == 198 && anims[20].count == 1);
    CHECK_TEXT(anims[20].name, "skinref");
    add_range("exploded", 8);
    names.list[199] = names.text[199];
    CHECK_EQ(split(0), 22);
    CHECK(has_table(anims, 22, 0, 20, 0) && anims[21].first == 199 && anims[21].count == 1);
    CHECK_TEXT(anims[21].name, "exploded");
    make_names("Frame 1");
    player_names(0, 198);
    CHECK_EQ(split(0), 21);
    CHECK(has_table(anims, 21, 1, 20, 1) && anims[0].first == 0 && anims[0].count == 1);
}

static void test_split_weapon(void)
{
    check_section("linked weapon");
    names.count = 0;
    player_names(0, 173);
    CHECK_EQ(split(0), 16);
    CHECK(has_table(anims, 16, 0, 16, 0));
    add_range("skin", 4);
    names.list[173] = names.text[173];
    CHECK_EQ(split(0), 17);
    CHECK(has_table(anims, 17, 0, 16, 0) && anims[16].first == 173 && anims[16].count == 1);
}

/* The table alone never names a frame that is not there. */
static void test_split_table_alone(void)
{
    uint32_t frames, i, count;
    check_section("table alone");
    make_names("idle[1-50]|walk[1-30]|jump[1-20]|die[1-98]");
    CHECK_EQ(split(MD2_QUAKE2_ANIMS), 20);
    CHECK(has_table(anims, 20, 0, 20, 0));
    for (frames = 1; frames <= 230; ++frames) {
        names.count = 0;
        player_names(0, frames);
        count = split(MD2_QUAKE2_ANIMS);
        for (i = 0; i < count; ++i)
            CHECK(anims[i].count >= 1 && anims[i].first + anims[i].count <= frames);
    }
    names.count = 50;
    CHECK(split(MD2_QUAKE2_ANIMS) >= 2);
    CHECK(has_table(anims, MAX_NAMES, 0, 2, 0));
}

static void test_split_random_names(void)
{
    static const char alphabet[] = "ab1230_- .";
    random_source random = { 7 };
    uint32_t round, i, k;
    check_section("split random names");
    for (round = 0; round < 3000; ++round) {
        names.count = 1 + random_below(&random, round % 40 == 0 ? 200 : 12);
        for (i = 0; i < names.count; ++i) {
            uint32_t length = random_below(&random, 7);
            for (k = 0; k < length; ++k)
                names.text[i][k] = alphabet[random_below(&random, 10)];
            names.text[i][length] = 0;
            names.list[i] = names.text[i];
        }
        split(round % 2 ? (uint32_t)MD2_FRAME_NAMES : 0);
    }
}

/* 65,536 animations of two names, each a restart: the time must not grow with the square of their
   number. */
static void test_split_many(void)
{
    clock_t start = clock();
    m2_bytes bytes = m2_named("65536_frames");
    md2_model *m;
    double seconds;
    check_section("split many");
    start = clock();
    m = load_bytes(&bytes, 0);
    seconds = seconds_since(start);
    CHECK_EQ(m->anim_count, 65536);
    CHECK_TEXT(m->anims[0].name, "right");
    CHECK_TEXT(m->anims[1].name, "left");
    CHECK_TEXT(m->anims[2].name, "right#2");
    CHECK_TEXT(m->anims[65535].name, "left#32768");
    CHECK(seconds < 2.0);
    md2_free_model(m);
    m2_free(&bytes);
}

static void test_weld_many(void)
{
    m2_bytes bytes = m2_named("many_st");
    clock_t start = clock();
    md2_model *m = load_bytes(&bytes, 0);
    check_section("weld many");
    CHECK(seconds_since(start) < 2.0);
    CHECK_EQ(m->vertex_count, 3 * 65536);
    CHECK_EQ(m->strip_count, 1);
    md2_free_model(m);
    m2_free(&bytes);
}

static void test_find(void)
{
    md2_model *m = load_named("player", 0);
    check_section("find");
    CHECK(md2_find_anim(m, "run") == &m->anims[1]);
    CHECK(md2_find_anim(m, "RUN") == &m->anims[1]);
    CHECK(md2_find_anim(m, "Pain2") == &m->anims[4]);
    CHECK(md2_find_anim(m, "ru") == NULL && md2_find_anim(m, "runs") == NULL &&
          md2_find_anim(m, "") == NULL);
    CHECK(md2_find_anim(m, "pain") == NULL);
    CHECK_EQ(md2_find_frame(m, "run3"), 42);
    CHECK_EQ(md2_find_frame(m, "STAND01"), 0);
    CHECK_EQ(md2_find_frame(m, "death308"), 197);
    CHECK(md2_find_frame(m, "run") == -1 && md2_find_frame(m, "run33") == -1 &&
          md2_find_frame(m, "") == -1);
    md2_free_model(m);
}

/* A frame called exactly as the animation is one of its frames. */
static void test_find_exact_name(void)
{
    m2_bytes bytes = m2_named("moving_cube");
    md2_model *m;
    check_section("find exact name");
    memcpy(m2_section(&bytes, M2_OFS_FRAMES) + 24, "run\0\0\0\0", 7);
    memcpy(m2_section(&bytes, M2_OFS_FRAMES) + 72 + 24, "die\0\0\0\0", 7);
    m = load_bytes(&bytes, 0);
    CHECK(md2_find_anim(m, "run") && md2_find_anim(m, "run")->first == 0 &&
          md2_find_anim(m, "run")->count == 1);
    CHECK(md2_find_anim(m, "die") && md2_find_anim(m, "die")->first == 1);
    CHECK_EQ(md2_find_frame(m, "die"), 1);
    md2_free_model(m);
    m2_free(&bytes);
}

/* -- id's own tables, where TABLES names their folder --------------------- */

typedef struct table_totals {
    uint32_t models, groups, cut, sharing, ranges;
} table_totals;

typedef struct table_model {
    char name[64];
    char (*text)[32];
    const char **list;
    uint32_t count;
} table_model;

static bool next_line(const char **at, char *line, size_t room)
{
    size_t length = strcspn(*at, "\r\n");
    if (!**at) return false;
    if (length >= room) length = room - 1;
    memcpy(line, *at, length);
    line[length] = 0;
    *at += strcspn(*at, "\n");
    if (**at) ++*at;
    return true;
}

typedef struct move_list {
    uint32_t first[64], last[64], count; /* sorted by first */
} move_list;

static void read_moves(const char *moves, const char *model, move_list *out)
{
    char line[256], name[64], move[64];
    unsigned first, last;
    uint32_t at;
    out->count = 0;
    while (next_line(&moves, line, sizeof line)) {
        if (sscanf(line, "%63s %63s %u %u", name, move, &first, &last) != 4 ||
            strcmp(name, model) != 0)
            continue;
        if (out->count == 64) break;
        for (at = out->count++; at > 0 && out->first[at - 1] > first; --at) {
            out->first[at] = out->first[at - 1];
            out->last[at] = out->last[at - 1];
        }
        out->first[at] = first;
        out->last[at] = last;
    }
}

/* Moves that an animation's edge cuts, and those beside another in the same animation (overlapping
   ones count as one). */
static void count_moves(const move_list *moves, const md2_anim *anim, table_totals *totals)
{
    uint32_t i, end = anim->first + anim->count, reached = 0, seen = 0;
    for (i = 0; i < moves->count; ++i) {
        if (moves->first[i] < anim->first || moves->first[i] >= end) continue;
        totals->cut += moves->last[i] >= end;
        totals->sharing += seen > 0 && moves->first[i] > reached;
        if (!seen++ || moves->last[i] > reached) reached = moves->last[i];
    }
}

static void split_table_model(const table_model *model, const char *moves, table_totals *totals)
{
    md2_options options = options_of(MD2_FRAME_NAMES);
    md2_anim *list = (md2_anim *)malloc_or_abort((model->count + 1) * sizeof *list);
    uint32_t count = md2_split_frame_names(model->list, model->count, &options, list, model->count),
             i;
    move_list ranges;
    check_subject(model->name);
    check_tiling(list, count, model->count, 10.0f);
    read_moves(moves, model->name, &ranges);
    for (i = 0; i < count; ++i) count_moves(&ranges, &list[i], totals);
    totals->ranges += ranges.count;
    totals->groups += count;
    totals->models += 1;
    if (strcmp(model->name, "player") == 0) CHECK(count == 20 && has_table(list, count, 0, 20, 0));
    free(list);
}

static void split_tables(const char *frames, const char *moves, table_totals *totals)
{
    table_model model;
    char line[256], name[64], frame[32];
    unsigned number;
    uint32_t i;
    memset(&model, 0, sizeof model);
    model.text = (char(*)[32])malloc_or_abort(32 * 4096);
    model.list = (const char **)malloc_or_abort(sizeof(char *) * 4096);
    for (i = 0; i < 4096; ++i) model.list[i] = model.text[i];
    next_line(&frames, line, sizeof line);
    while (next_line(&frames, line, sizeof line)) {
        if (sscanf(line, "%63s %u %31s", name, &number, frame) != 3 || model.count >= 4096)
            continue;
        if (model.count && strcmp(name, model.name) != 0) {
            split_table_model(&model, moves, totals);
            model.count = 0;
        }
        strcpy(model.name, name);
        strcpy(model.text[model.count++], frame);
    }
    split_table_model(&model, moves, totals);
    free(model.text);
    free(model.list);
}

static char *read_text(const char *folder, const char *name)
{
    char path[1024];
    size_t size = 0;
    unsigned char *data;
    char *text;
    if (strlen(folder) + strlen(name) + 2 > sizeof path) return NULL;
    strcpy(path, folder);
    strcat(path, "/");
    strcat(path, name);
    data = read_file(path, &size);
    if (!data) return NULL;
    text = (char *)malloc_or_abort(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    free(data);
    return text;
}

static void test_split_tables(void)
{
    const char *folder = getenv("TABLES");
    char *frames, *moves;
    table_totals totals;
    check_section("split tables");
    if (!folder || !*folder) return;
    memset(&totals, 0, sizeof totals);
    frames = read_text(folder, "quake2_frame_names.tsv");
    moves = read_text(folder, "quake2_moves.tsv");
    if (CHECK(frames && moves)) split_tables(frames, moves, &totals);
    check_subject("");
    CHECK_FLOOR(totals.models, 23, "tables of frame names");
    CHECK_EQ(totals.ranges, 307);
    CHECK_EQ(totals.groups, 295);
    CHECK_EQ(totals.cut, 0);
    CHECK_EQ(totals.sharing, 47);
    free(frames);
    free(moves);
}

/* -- Poses as sets of weights --------------------------------------------- */

#define DENSE 256

typedef struct dense { /* the weight of each frame */
    double weight[DENSE];
} dense;

static bool add_pose(dense *d, const md2_pose *pose, double share)
{
    uint32_t i;
    if (pose->count > 4) return false;
    if (pose->count == 0) d->weight[0] += share;
    for (i = 0; i < pose->count; ++i) {
        if (pose->frame[i] >= DENSE) return false;
        d->weight[pose->frame[i]] += (double)pose->weight[i] * share;
    }
    return true;
}

static dense dense_of(md2_pose pose)
{
    dense d;
    memset(&d, 0, sizeof d);
    CHECK(add_pose(&d, &pose, 1.0));
    return d;
}

static double dense_distance(const dense *a, const dense *b)
{
    double sum = 0.0;
    uint32_t i;
    for (i = 0; i < DENSE; ++i) sum += fabs(a->weight[i] - b->weight[i]);
    return sum;
}

/* A pose that everything may rely on: one to four frames in order of use, weights in 0..1 that sum
   to 1. */
static bool sound_pose(const md2_pose *pose)
{
    double sum = 0.0;
    uint32_t i;
    if (pose->count > 4) return false;
    for (i = 0; i < pose->count; ++i) {
        if (!(pose->weight[i] >= 0.0f && pose->weight[i] <= 1.0f)) return false;
        sum += (double)pose->weight[i];
    }
    return pose->count == 0 || fabs(sum - 1.0) < 1e-5;
}

/* The frame a and the share of the frame after it, both within the animation, from first
   principles. */
static dense expected_pose(const md2_anim *anim, md2_mode mode, double seconds)
{
    dense d;
    double n = (double)anim->count, p = seconds * (double)anim->fps, k, lerp;
    double period = mode == MD2_PING_PONG ? 2.0 * (n - 1.0) : n;
    uint32_t from, to;
    memset(&d, 0, sizeof d);
    if (mode == MD2_ONCE)
        p = p < 0.0 ? 0.0 : p > n - 1.0 ? n - 1.0 : p;
    else if (period < 1.0)
        p = 0.0;
    else
        p -= floor(p / period) * period;
    if (mode == MD2_PING_PONG && p > n - 1.0) p = period - p;
    k = floor(p);
    lerp = p - k;
    from = (uint32_t)k % anim->count;
    to = mode == MD2_LOOP ? (from + 1) % anim->count : from + 1 < anim->count ? from + 1 : from;
    d.weight[anim->first + from] += 1.0 - lerp;
    d.weight[anim->first + to] += lerp;
    return d;
}

static void check_pose_at(const md2_anim *anim, md2_mode mode, double seconds, double tolerance)
{
    md2_pose pose = md2_pose_at(anim, mode, seconds);
    dense got = dense_of(pose), want = expected_pose(anim, mode, seconds);
    CHECK(sound_pose(&pose));
    CHECK(pose.count >= 1 && pose.count <= 2);
    CHECK_NEAR(dense_distance(&got, &want), 0.0, tolerance);
}

static const md2_mode modes[3] = { MD2_LOOP, MD2_ONCE, MD2_PING_PONG };

/* One call of the dice after the other: in a list of arguments their order would be the
   compiler's. */
static md2_anim random_anim_of(random_source *random, uint32_t firsts, uint32_t least,
                               uint32_t counts, float fps)
{
    uint32_t first = random_below(random, firsts);
    return make_anim(first, least + random_below(random, counts), fps);
}

static void test_pose_at(void)
{
    random_source random = { 3 };
    uint32_t i;
    check_section("pose at");
    for (i = 0; i < 20000; ++i) {
        md2_anim anim = random_anim_of(&random, 100, 1, i % 3 ? 8 : 100, 1.0f);
        anim.fps = (float)(1 + random_below(&random, 60)) / 2.0f;
        check_pose_at(&anim, modes[i % 3], (random_unit(&random) - 0.3) * 30.0, 1e-6);
    }
}

/* At k / fps it is frame k and nothing else, with rates whose reciprocal is exact and with those
   that it is not. */
static void test_pose_at_frames(void)
{
    static const float rates[] = { 8.0f, 10.0f, 24.0f, 7.0f, 60.0f, 0.3f };
    uint32_t r, k, mode;
    check_section("pose at frames");
    for (r = 0; r < 6; ++r) {
        md2_anim anim = make_anim(40, 6, rates[r]);
        for (k = 0; k < 200; ++k) {
            for (mode = 0; mode < 3; ++mode) {
                md2_pose pose = md2_pose_at(&anim, modes[mode], k / (double)rates[r]);
                uint32_t frame = mode == 0    ? k % 6
                                 : mode == 1  ? (k < 5 ? k : 5)
                                 : k % 10 < 6 ? k % 10
                                              : 10 - k % 10;
                if (r == 0) CHECK(pose.count == 1 && pose.weight[0] == 1.0f);
                CHECK_NEAR(dense_of(pose).weight[40 + frame], 1.0, 1e-6);
            }
        }
    }
}

static void test_lengths(void)
{
    md2_anim run = make_anim(40, 6, 10.0f), one = make_anim(7, 1, 10.0f);
    check_section("lengths");
    CHECK_NEAR(md2_anim_length(&run, MD2_LOOP), 0.6, 1e-12);
    CHECK_NEAR(md2_anim_length(&run, MD2_ONCE), 0.5, 1e-12);
    CHECK_NEAR(md2_anim_length(&run, MD2_PING_PONG), 1.0, 1e-12);
    CHECK_NEAR(md2_anim_length(&one, MD2_LOOP), 0.1, 1e-12);
    CHECK_EQ(md2_anim_length(&one, MD2_ONCE), 0);
    CHECK_EQ(md2_anim_length(&one, MD2_PING_PONG), 0);
    CHECK_EQ(md2_anim_length(NULL, MD2_LOOP), 0);
}

/* One frame: always that frame, never the one after it. */
static void test_one_frame(void)
{
    md2_anim one = make_anim(7, 1, 10.0f);
    uint32_t mode, i;
    check_section("one frame");
    for (mode = 0; mode < 3; ++mode) {
        for (i = 0; i < 100; ++i) {
            md2_pose pose = md2_pose_at(&one, modes[mode], (i - 50.0) * 0.037);
            CHECK(pose.count == 1 && pose.frame[0] == 7 && pose.weight[0] == 1.0f);
        }
    }
}

/* What no clock should give, and what a user's own animation may hold: always a sound pose. */
static void test_pose_at_extremes(void)
{
    static const double times[] = { 0.0, 1e300, -1e300, 1e18, -1e18, 4.5e15, 1e-320, 0.1, -0.1 };
    md2_anim run = make_anim(40, 6, 10.0f), odd;
    md2_pose pose;
    uint32_t i, mode;
    check_section("pose at extremes");
    for (mode = 0; mode < 3; ++mode) {
        for (i = 0; i < 12; ++i) {
            double t = i < 9     ? times[i]
                       : i == 9  ? HUGE_VAL
                       : i == 10 ? -HUGE_VAL
                                 : HUGE_VAL - HUGE_VAL;
            pose = md2_pose_at(&run, modes[mode], t);
            CHECK(sound_pose(&pose) && pose.count >= 1 && pose.frame[0] >= 40 &&
                  pose.frame[0] < 46);
            if (i >= 9) CHECK(pose.count == 1 && pose.frame[0] == 40); /* counts as 0 */
        }
    }
    odd = make_anim(3, 4, (float)(HUGE_VAL - HUGE_VAL));
    pose = md2_pose_at(&odd, MD2_LOOP, 0.15);
    CHECK(sound_pose(&pose) && pose.count >= 1 && pose.frame[0] >= 3 && pose.frame[0] < 7);
    odd = make_anim(3, 4, 0.0f);
    pose = md2_pose_at(&odd, MD2_LOOP, 0.15);
    CHECK(sound_pose(&pose) && pose.count >= 1 && pose.frame[0] >= 3 && pose.frame[0] < 7);
    odd = make_anim(3, 0, 10.0f);
    pose = md2_pose_at(&odd, MD2_LOOP, 0.15);
    CHECK(sound_pose(&pose) && pose.count <= 1);
    CHECK_EQ(md2_pose_at(NULL, MD2_LOOP, 1.0).count, 0);
    odd = make_anim(70000, 5, 10.0f); /* beyond any model: the last frame, not 70000 modulo 65536 */
    CHECK_EQ(md2_pose_at(&odd, MD2_LOOP, 0.0).frame[0], 65535);
    odd = make_anim(0xFFFFFFF0u, 0xFFFFFFFFu, 10.0f);
    pose = md2_pose_at(&odd, MD2_PING_PONG, 123456.7);
    CHECK(sound_pose(&pose) && pose.count >= 1 && pose.frame[0] == 65535);
}

/* A lerp so near to 1 that a float cannot tell is the next frame, so that weights never are 0 and
   1. */
static void test_lerp_rounds_up(void)
{
    md2_anim run = make_anim(40, 6, 1.0f);
    md2_pose pose = md2_pose_at(&run, MD2_LOOP, 3.0 - 1e-12);
    check_section("lerp rounds up");
    CHECK(pose.count == 1 && pose.frame[0] == 43);
    pose = md2_pose_at(&run, MD2_LOOP, 6.0 - 1e-12);
    CHECK(pose.count == 1 && pose.frame[0] == 40);
    pose = md2_pose_at(&run, MD2_ONCE, 5.0 - 1e-12);
    CHECK(pose.count == 1 && pose.frame[0] == 45);
}

/* A million steps are one step a million times as long: no drift, no lost remainders. */
static void test_million_steps(void)
{
    static const float steps[] = { 1.0f / 60.0f, 0.001f, 0.037f };
    md2_anim run = make_anim(40, 6, 10.0f);
    uint32_t i, s;
    check_section("million steps");
    for (s = 0; s < 3; ++s) {
        md2_player player;
        dense got, want;
        double total = 1e6 * (double)steps[s];
        memset(&player, 0, sizeof player);
        md2_play(&player, &run, MD2_LOOP, 0.0f);
        for (i = 0; i < 1000000; ++i) md2_advance(&player, steps[s]);
        CHECK_NEAR(player.track[0].time, total,
                   total * 2.3e-16); /* the sums are exact in double: one rounding at most */
        got = dense_of(md2_player_pose(&player));
        want = dense_of(md2_pose_at(&run, MD2_LOOP, total));
        CHECK_NEAR(dense_distance(&got, &want), 0.0, 1e-6);
    }
}

static void test_between(void)
{
    md2_pose pose = md2_pose_between(3, 9, 0.25f);
    dense d = dense_of(pose);
    check_section("between");
    CHECK_EQ(pose.count, 2);
    CHECK_NEAR(d.weight[3], 0.75, 1e-7);
    CHECK_NEAR(d.weight[9], 0.25, 1e-7);
    CHECK(md2_pose_between(3, 9, 0.0f).count == 1 && md2_pose_between(3, 9, 0.0f).frame[0] == 3);
    CHECK(md2_pose_between(3, 9, 1.0f).count == 1 && md2_pose_between(3, 9, 1.0f).frame[0] == 9);
    d = dense_of(md2_pose_between(5, 5, 0.4f));
    CHECK_NEAR(d.weight[5], 1.0, 1e-7);
    CHECK_EQ(md2_pose_between(70000, 1, 0.0f).frame[0], 65535);
    pose = md2_pose_between(3, 9, (float)(HUGE_VAL - HUGE_VAL));
    CHECK(sound_pose(&pose));
}

/* -- Mixing --------------------------------------------------------------- */

/* The four heaviest, each less the fifth's weight, renormalised; returns what was left before
   renormalising. */
static double keep_four(dense *d)
{
    double top[5] = { 0, 0, 0, 0, 0 }, sum = 0.0;
    uint32_t i, k;
    for (i = 0; i < DENSE; ++i) {
        double w = d->weight[i];
        for (k = 0; k < 5 && w > 0.0; ++k) {
            if (w > top[k]) {
                double less = top[k];
                top[k] = w;
                w = less;
            }
        }
    }
    for (i = 0; i < DENSE; ++i) {
        d->weight[i] = d->weight[i] > top[4] ? d->weight[i] - top[4] : 0.0;
        sum += d->weight[i];
    }
    for (i = 0; i < DENSE && sum > 0.0; ++i) d->weight[i] /= sum;
    return sum;
}

static md2_pose random_pose(random_source *random, uint32_t frames)
{
    md2_pose pose;
    uint32_t i;
    double sum = 0.0, weight[4];
    memset(&pose, 0, sizeof pose);
    pose.count = random_below(random, 5);
    for (i = 0; i < pose.count; ++i) sum += weight[i] = random_unit(random) + 0.001;
    for (i = 0; i < pose.count; ++i) {
        pose.frame[i] = (uint16_t)random_below(random, frames);
        pose.weight[i] = (float)(weight[i] / sum);
    }
    return pose;
}

static void test_mix(void)
{
    random_source random = { 11 };
    uint32_t i, compared = 0;
    check_section("mix");
    for (i = 0; i < 30000; ++i) {
        md2_pose a = random_pose(&random, i % 2 ? 6 : 200),
                 b = random_pose(&random, i % 2 ? 6 : 200), mixed;
        double t = (double)random_below(&random, 65) / 64.0, left;
        dense want, got;
        memset(&want, 0, sizeof want);
        add_pose(&want, &a, 1.0 - t);
        add_pose(&want, &b, t);
        left = keep_four(&want);
        mixed = md2_pose_mix(a, b, (float)t);
        CHECK(sound_pose(&mixed));
        if (left < 0.02) continue;
        got = dense_of(mixed);
        CHECK_NEAR(dense_distance(&got, &want), 0.0, 2e-6 / left);
        ++compared;
    }
    CHECK_FLOOR(compared, 25000, "mixes compared");
}

/* Small changes of t change the pose little, also where a frame enters or leaves the four. */
static void test_mix_continuity(void)
{
    random_source random = { 12 };
    uint32_t i, k;
    check_section("mix continuity");
    for (i = 0; i < 300; ++i) {
        md2_pose a = random_pose(&random, 200), b = random_pose(&random, 200);
        dense last, next, full;
        for (k = 0; k <= 400; ++k) {
            double left;
            memset(&full, 0, sizeof full);
            add_pose(&full, &a, 1.0 - k / 400.0);
            add_pose(&full, &b, k / 400.0);
            left = keep_four(&full);
            next = dense_of(md2_pose_mix(a, b, (float)(k / 400.0)));
            /* weights change by 2 * dt in all, their differences to the fifth by 5 times that, 1 /
               left scales it */
            if (k && left > 0.02)
                CHECK(dense_distance(&last, &next) <= 2.0 * 5.0 * 2.0 / 400.0 / left + 1e-5);
            last = next;
        }
    }
}

static void test_mix_edges(void)
{
    md2_pose a = md2_pose_between(1, 2, 0.5f), b = md2_pose_between(3, 4, 0.25f), none, eighth;
    dense got, want;
    uint32_t i;
    check_section("mix edges");
    memset(&none, 0, sizeof none);
    got = dense_of(md2_pose_mix(a, b, 0.0f));
    want = dense_of(a);
    CHECK_NEAR(dense_distance(&got, &want), 0.0, 1e-7);
    got = dense_of(md2_pose_mix(a, b, 1.0f));
    want = dense_of(b);
    CHECK_NEAR(dense_distance(&got, &want), 0.0, 1e-7);
    got = dense_of(md2_pose_mix(none, b, 0.5f)); /* no entries mean frame 0 */
    CHECK_NEAR(got.weight[0], 0.5, 1e-6);
    CHECK_NEAR(got.weight[3], 0.375, 1e-6);
    got = dense_of(md2_pose_mix(a, a, 0.5f));
    want = dense_of(a);
    CHECK_NEAR(dense_distance(&got, &want), 0.0, 1e-6);
    memset(&eighth, 0, sizeof eighth);
    eighth.count = 4;
    for (i = 0; i < 4; ++i) {
        eighth.weight[i] = 0.25f;
        eighth.frame[i] = (uint16_t)(10 + i);
    }
    none = eighth;
    for (i = 0; i < 4; ++i) none.frame[i] = (uint16_t)(20 + i);
    none = md2_pose_mix(eighth, none, 0.5f); /* eight of equal weight: any of them, but sound */
    CHECK(sound_pose(&none) && none.count >= 1);
    none = md2_pose_mix(a, b, (float)(HUGE_VAL - HUGE_VAL));
    CHECK(sound_pose(&none));
}

/* -- Vertices ------------------------------------------------------------- */

typedef struct worst_of {
    double position, normal; /* in parts of the extent; in units */
    uint64_t vertices;
} worst_of;

static double extent_of(const md2_model *m)
{
    double size = 0.0;
    uint32_t i;
    for (i = 0; i < 3; ++i) {
        double side = (double)m->max[i] - (double)m->min[i];
        size += side * side;
    }
    size = sqrt(size);
    for (i = 0; i < m->frame_count; ++i) {
        if ((double)m->frames[i].radius > size) size = (double)m->frames[i].radius;
    }
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
    uint32_t entry, axis, entries = pose->count ? pose->count : 1;
    double length;
    for (axis = 0; axis < 3; ++axis) {
        position[axis] = normal[axis] = 0.0;
        for (entry = 0; entry < entries; ++entry) {
            double weight = pose->count ? (double)pose->weight[entry] : 1.0;
            position[axis] += weight * view_position(v, frame_used(m, pose, entry), point, axis);
            normal[axis] += weight * view_normal(v, frame_used(m, pose, entry), point, axis);
        }
    }
    length = sqrt(dot3(normal, normal));
    for (axis = 0; axis < 3 && length > 0.0; ++axis) normal[axis] /= length;
    if (length < 1e-3) normal[0] = normal[1] = normal[2] = 2.0; /* too short to compare */
}

static void compare_pose(const md2_model *m, const view *v, const md2_pose *pose, worst_of *worst)
{
    float *positions = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
    float *normals = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
    double extent = extent_of(m), p[3], n[3];
    uint32_t i, axis;
    md2_pose_vertices(m, pose, positions, 0, normals, 0);
    for (i = 0; i < m->vertex_count; ++i) {
        reference_vertex(m, v, pose, m->vertices[i].point, p, n);
        for (axis = 0; axis < 3; ++axis) {
            double off = fabs((double)positions[i * 3 + axis] - p[axis]) / extent;
            double turned = n[0] > 1.5 ? 0.0 : fabs((double)normals[i * 3 + axis] - n[axis]);
            if (!(off <= worst->position)) worst->position = off;
            if (!(turned <= worst->normal)) worst->normal = turned;
        }
    }
    worst->vertices += m->vertex_count;
    free(positions);
    free(normals);
}

static void check_worst(const worst_of *worst)
{
    CHECK(worst->position <= 1e-6);
    CHECK(worst->normal <=
          2e-4); /* where normals nearly cancel, rounding is magnified up to a thousand times */
}

static void test_poses_against_reference(void)
{
    random_source random = { 21 };
    worst_of worst;
    uint32_t seed, i;
    check_section("poses against reference");
    memset(&worst, 0, sizeof worst);
    for (seed = 1; seed <= 60; ++seed) {
        m2_bytes bytes = m2_random(seed, 1 + seed * 3, seed * 5, 1 + seed % 7);
        md2_options options = options_of(seed % 16);
        md2_model *m;
        view v;
        options.scale = seed % 3 ? 0.0f : 2.5f;
        v = view_of(&bytes, &options);
        m = md2_load_memory(bytes.data, bytes.size, &options, NULL);
        for (i = 0; m && i < 20; ++i) {
            md2_pose pose = random_pose(&random, i < 16 ? m->frame_count : 100);
            compare_pose(m, &v, &pose, &worst);
        }
        md2_free_model(m);
        m2_free(&bytes);
    }
    printf("worst position %.3g of the extent, worst normal %.3g\n", worst.position, worst.normal);
    check_worst(&worst);
    CHECK_FLOOR(worst.vertices, 50000, "vertices against double precision");
}

/* Each frame is decoded with its own scale and translation before it is blended: bytes must not be
   blended first. */
static void test_frames_decode_alone(void)
{
    m2_bytes bytes = m2_named("moving_cube");
    uint8_t *second = m2_section(&bytes, M2_OFS_FRAMES) + 72;
    md2_model *m;
    md2_pose pose = md2_pose_between(0, 1, 0.5f);
    float positions[72];
    check_section("frames decode alone");
    m2_put_float(second, 1.0f);
    m2_put_float(second + 12, 100.0f);
    m = load_bytes(&bytes, 0);
    md2_pose_vertices(m, &pose, positions, 0, NULL, 0);
    CHECK_EQ(m->vertices[0].point, 0);
    CHECK_NEAR(positions[0], 0.5 * -0.5 + 0.5 * 100.0, 1e-6);
    CHECK_NEAR(m->max[0], 228.0, 1e-6);
    md2_free_model(m);
    m2_free(&bytes);
}

static void test_companion_weapon(void)
{
    md2_model *m = load_named("moving_cube", 0);
    md2_pose far = still(150), last = still(1), first = still(0), none;
    float a[72], b[72];
    check_section("companion weapon");
    memset(&none, 0, sizeof none);
    md2_pose_vertices(m, &far, a, 0, NULL, 0);
    md2_pose_vertices(m, &last, b, 0, NULL, 0);
    CHECK(memcmp(a, b, sizeof a) == 0);
    md2_pose_vertices(m, &none, a, 0, NULL, 0);
    md2_pose_vertices(m, &first, b, 0, NULL, 0);
    CHECK(memcmp(a, b, sizeof a) == 0);
    md2_free_model(m);
}

typedef struct layout {
    size_t position_stride, normal_stride, normal_offset;
} layout;

/* Writes exactly twelve bytes for each vertex and output, wherever they lie: everything between is
   left alone. */
static void check_layout(const md2_model *m, const md2_pose *pose, const layout *l)
{
    size_t n = m->vertex_count, ps = l->position_stride, ns = l->normal_stride, i, k, touched = 0;
    size_t end_p = n ? (n - 1) * ps + 12 : 0, end_n = n ? l->normal_offset + (n - 1) * ns + 12 : 0;
    size_t size = end_p > end_n ? end_p : end_n;
    uint8_t *out = (uint8_t *)malloc_or_abort(size), *mine = (uint8_t *)malloc_or_abort(size);
    float *p = (float *)malloc_or_abort(n * 12), *q = (float *)malloc_or_abort(n * 12);
    memset(out, 0x5C, size);
    memset(mine, 0, size);
    md2_pose_vertices(m, pose, p, 0, q, 0);
    md2_pose_vertices(m, pose, (float *)(void *)out, ps, (float *)(void *)(out + l->normal_offset),
                      ns);
    for (i = 0; i < n; ++i) {
        touched += memcmp(out + i * ps, p + i * 3, 12) != 0;
        touched += memcmp(out + l->normal_offset + i * ns, q + i * 3, 12) != 0;
        memset(mine + i * ps, 1, 12);
        memset(mine + l->normal_offset + i * ns, 1, 12);
    }
    for (k = 0; k < size; ++k) touched += !mine[k] && out[k] != 0x5C;
    CHECK_EQ(touched, 0);
    free(out);
    free(mine);
    free(p);
    free(q);
}

static void test_strides(void)
{
    static const layout layouts[] = { { 24, 24, 12 },   { 32, 32, 12 },   { 32, 32, 20 },
                                      { 16, 16, 4000 }, { 12, 12, 8000 }, { 20, 12, 9000 },
                                      { 48, 48, 16 },   { 28, 28, 16 },   { 36, 64, 12000 } };
    uint32_t points, k;
    random_source random = { 5 };
    check_section("strides");
    for (points = 1; points < 40; ++points) {
        md2_model *m = load_random(points, points, points, 3, 0);
        for (k = 0; k < sizeof layouts / sizeof layouts[0]; ++k) {
            md2_pose pose = random_pose(&random, 3);
            check_layout(m, &pose, &layouts[k]);
        }
        md2_free_model(m);
    }
}

static void test_null_outputs(void)
{
    md2_model *m = load_named("player", 0);
    md2_pose pose = md2_pose_between(3, 8, 0.3f);
    float both[2][72], alone[2][72], low[3];
    check_section("null outputs");
    md2_pose_vertices(m, &pose, both[0], 0, both[1], 0);
    md2_pose_vertices(m, &pose, alone[0], 0, NULL, 0);
    md2_pose_vertices(m, &pose, NULL, 0, alone[1], 0);
    md2_pose_vertices(m, &pose, NULL, 0, NULL, 0);
    CHECK(memcmp(both, alone, sizeof both) == 0);
    md2_pose_bounds(m, &pose, low, both[0]);
    CHECK(low[0] <= both[0][0]);
    md2_free_model(m);
}

static void test_normals_are_unit(void)
{
    random_source random = { 31 };
    uint32_t seed, i, k, wrong = 0;
    check_section("normals are unit");
    for (seed = 100; seed < 130; ++seed) {
        md2_model *m = load_random(seed, 60, 40, 4, seed % 2);
        float *n = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
        for (k = 0; k < 10; ++k) {
            md2_pose pose = random_pose(&random, 4);
            md2_pose_vertices(m, &pose, NULL, 0, n, 0);
            for (i = 0; i < m->vertex_count; ++i) {
                double d[3];
                d[0] = (double)n[i * 3];
                d[1] = (double)n[i * 3 + 1];
                d[2] = (double)n[i * 3 + 2];
                wrong += !(fabs(sqrt(dot3(d, d)) - 1.0) < 1e-6);
            }
        }
        free(n);
        md2_free_model(m);
    }
    CHECK_EQ(wrong, 0);
}

/* -- Bounds --------------------------------------------------------------- */

/* Over all points, used or not: the model is rebuilt so that its triangles use every point, and
   then they must agree exactly. */
static void test_pose_bounds(void)
{
    random_source random = { 41 };
    uint32_t seed, i, k, axis, wrong = 0;
    check_section("pose bounds");
    for (seed = 1; seed < 60; ++seed) {
        m2_bytes bytes = m2_random(seed, 3 * seed, seed, 5);
        md2_model *m;
        float *p, low[3], high[3], min[3], max[3];
        for (i = 0; i < seed * 3; ++i)
            m2_put16(m2_section(&bytes, M2_OFS_TRIS) + i / 3 * 12 + i % 3 * 2, i);
        m = load_bytes(&bytes, seed % 2);
        p = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
        for (k = 0; k < 12; ++k) {
            md2_pose pose = random_pose(&random, 6);
            md2_pose_vertices(m, &pose, p, 0, NULL, 0);
            md2_pose_bounds(m, &pose, min, max);
            for (axis = 0; axis < 3; ++axis) {
                low[axis] = high[axis] = p[axis];
                for (i = 1; i < m->vertex_count; ++i) {
                    if (p[i * 3 + axis] < low[axis]) low[axis] = p[i * 3 + axis];
                    if (p[i * 3 + axis] > high[axis]) high[axis] = p[i * 3 + axis];
                }
                wrong += low[axis] != min[axis] || high[axis] != max[axis];
            }
        }
        free(p);
        md2_free_model(m);
        m2_free(&bytes);
    }
    CHECK_EQ(wrong, 0);
}

static void test_bounds_count_unused_points(void)
{
    md2_model *m = load_named("sheet", 0);
    md2_pose pose = still(1);
    float min[3], max[3];
    check_section("bounds count unused points");
    md2_pose_bounds(m, &pose, min, max);
    CHECK(max[0] == 119.5f && max[1] == 119.5f && max[2] == 119.5f);
    CHECK(m->frames[1].max[2] == 119.5f && m->max[0] == 119.5f);
    CHECK(m->frames[0].max[0] < 119.5f);
    md2_free_model(m);
}

/* The point that lies farthest is another one in each frame, wherever in the frame that is. */
static void test_farthest_points(void)
{
    random_source random = { 24 };
    uint32_t     points, frame, i;
    float        min[3] = { 0, 0, 0 }, max[3] = { 0, 0, 0 };
    check_section("farthest points");
    for (points = 1; points <= 100; ++points) {
        m2_file    f;
        m2_bytes   bytes;
        md2_model *m;
        m2_begin(&f, 0, points, 1, 0, 0, 24);
        for (frame = 20; frame < 24; ++frame) { /* in a line, and one hardly farther than another */
            m2_frame(&f, frame, "", frame % 2 ? 0.7f : -0.7f, frame % 2 ? 6000.0f : -6000.0f);
            for (i = 0; i < points; ++i) {
                int along = (int)random_below(&random, 256);
                m2_set_point(&f, frame, i, along, along, along, 0);
            }
        }
        for (frame = 0; frame < 20; ++frame) {
            m2_frame(&f, frame, "", frame % 5 ? 0.7f : -0.7f, -60.0f);
            for (i = 0; i < points; ++i) {
                m2_set_point(&f, frame, i, 60 + (int)random_below(&random, 60),
                             60 + (int)random_below(&random, 60),
                             60 + (int)random_below(&random, 60), 0);
            }
            m2_set_point(&f, frame, random_below(&random, points),
                         255 * (int)random_below(&random, 2),
                         255 * (int)random_below(&random, 2), 255, 0);
        }
        bytes = m2_write(&f);
        m = load_bytes(&bytes, points % 2 ? MD2_Y_UP : MD2_BORROW);
        for (frame = 0; frame < 24; ++frame) {
            check_frame_bounds(m, frame, min, max);
        }
        md2_free_model(m);
        m2_free(&bytes);
        m2_end(&f);
    }
}

static void test_bounds_of_stills(void)
{
    md2_model *m = load_named("player", MD2_Y_UP);
    uint32_t i, wrong = 0;
    check_section("bounds of stills");
    for (i = 0; i < m->frame_count; ++i) {
        md2_pose pose = still(i);
        float min[3], max[3];
        md2_pose_bounds(m, &pose, min, max);
        wrong += !same_floats(min, m->frames[i].min, 3) || !same_floats(max, m->frames[i].max, 3);
    }
    CHECK_EQ(wrong, 0);
    md2_free_model(m);
}

/* -- Triangle frames ------------------------------------------------------ */

static void widen(const float *from, double to[3])
{
    to[0] = (double)from[0];
    to[1] = (double)from[1];
    to[2] = (double)from[2];
}

static void check_triangle(const md2_model *m, const float *p, uint32_t triangle,
                           const float frame[16])
{
    double corner[3][3], edge[3], other[3], normal[3], x[3], y[3], z[3], c[3], size = extent_of(m);
    uint32_t i;
    for (i = 0; i < 3; ++i) widen(p + m->indices[triangle * 3 + i] * 3, corner[i]);
    for (i = 0; i < 3; ++i) {
        edge[i] = corner[1][i] - corner[0][i];
        other[i] = corner[2][i] - corner[0][i];
        CHECK_NEAR(frame[12 + i], (corner[0][i] + corner[1][i] + corner[2][i]) / 3.0, 2e-6 * size);
    }
    cross3(edge, other, normal);
    widen(frame, x);
    widen(frame + 4, y);
    widen(frame + 8, z);
    cross3(z, x, c);
    for (i = 0; i < 3; ++i) {
        double tolerance = 1e-4;
        CHECK_NEAR(x[i], edge[i] / sqrt(dot3(edge, edge)), tolerance);
        CHECK_NEAR(z[i], normal[i] / sqrt(dot3(normal, normal)), tolerance * 100.0);
        CHECK_NEAR(y[i], c[i], tolerance);
    }
    CHECK_NEAR(dot3(x, x), 1.0, 1e-5);
    CHECK_NEAR(dot3(y, y), 1.0, 1e-5);
    CHECK_NEAR(dot3(z, z), 1.0, 1e-5);
    CHECK(frame[3] == 0.0f && frame[7] == 0.0f && frame[11] == 0.0f && frame[15] == 1.0f);
}

static void test_triangle_frames(void)
{
    random_source random = { 51 };
    md2_model *m = load_named("player", 0);
    float p[72], frame[16];
    uint32_t i, k, seen = 0;
    check_section("triangle frames");
    for (k = 0; k < 50; ++k) {
        md2_pose pose = random_pose(&random, 198);
        md2_pose_vertices(m, &pose, p, 0, NULL, 0);
        for (i = 0; i < m->index_count / 3; ++i) {
            if (!md2_pose_triangle(m, &pose, i, frame)) continue;
            check_triangle(m, p, i, frame);
            ++seen;
        }
    }
    CHECK_FLOOR(seen, 400, "triangle frames");
    md2_free_model(m);
}

/* No area, no frame; and no triangle beyond the last. */
static void test_triangle_frames_without_area(void)
{
    md2_model *m = load_named("degenerate_triangles", 0), *none = load_named("no_triangles", 0);
    md2_pose pose = still(0);
    float frame[16];
    check_section("triangle frames without area");
    CHECK(!md2_pose_triangle(m, &pose, 0, frame));
    CHECK(!md2_pose_triangle(m, &pose, 1, frame));
    CHECK(md2_pose_triangle(m, &pose, 2, frame));
    CHECK(!md2_pose_triangle(m, &pose, 12, frame));
    CHECK(!md2_pose_triangle(m, &pose, 0xFFFFFFFFu, frame));
    CHECK(!md2_pose_triangle(none, &pose, 0, frame));
    md2_free_model(m);
    md2_free_model(none);
}

/* On the face z = +0.5 of the cube: origin on the face, z straight out of it, however the triangles
   are wound. */
static void test_triangle_frame_of_cube(void)
{
    uint32_t flags;
    check_section("triangle frame of the cube");
    for (flags = 0; flags <= (uint32_t)MD2_KEEP_WINDING; flags += (uint32_t)MD2_KEEP_WINDING) {
        md2_model *m = load_named("cube", flags);
        md2_pose pose = still(0);
        float frame[16];
        CHECK(md2_pose_triangle(m, &pose, 10, frame));
        CHECK_NEAR(frame[8], 0, 1e-6);
        CHECK_NEAR(frame[9], 0, 1e-6);
        CHECK_NEAR(frame[10], 1, 1e-6);
        CHECK_NEAR(frame[14], 0.5, 1e-6);
        md2_free_model(m);
    }
}

/* Positions may be huge, what is made of them stays finite. */
static void test_far_out(void)
{
    md2_model *m = load_named("far_out", 0);
    float frame[16];
    uint32_t i, k;
    check_section("far out");
    for (i = 0; i < 12; ++i) {
        md2_pose pose = md2_pose_between(0, 1, (float)(i % 3) * 0.5f);
        if (!md2_pose_triangle(m, &pose, i, frame)) continue;
        for (k = 0; k < 16; ++k) CHECK(frame[k] - frame[k] == 0.0f);
    }
    for (i = 0; i < m->frame_count; ++i) CHECK(m->frames[i].radius - m->frames[i].radius == 0.0f);
    md2_free_model(m);
}

/* -- Scalar against SIMD -------------------------------------------------- */

static bool same_as_scalar(const md2_model *m, const md2_model *s, const md2_pose *pose, size_t ps,
                           size_t ns)
{
    size_t room = m->vertex_count * (ps > ns ? ps : ns) + 16;
    uint8_t *a = (uint8_t *)malloc_or_abort(4 * room), *b = a + room, *c = b + room, *d = c + room;
    float bounds[12];
    bool same;
    memset(a, 0x33, 4 * room);
    memset(bounds, 0, sizeof bounds);
    md2_pose_vertices(m, pose, (float *)(void *)a, ps, (float *)(void *)b, ns);
    scalar_vertices(s, pose, (float *)(void *)c, ps, (float *)(void *)d, ns);
    same = memcmp(a, c, room) == 0 && memcmp(b, d, room) == 0;
    md2_pose_bounds(m, pose, bounds, bounds + 3);
    scalar_bounds(s, pose, bounds + 6, bounds + 9);
    same = same && memcmp(bounds, bounds + 6, 6 * sizeof(float)) == 0;
    free(a);
    return same;
}

static bool same_triangles(const md2_model *m, const md2_model *s, const md2_pose *pose)
{
    float a[16], b[16];
    uint32_t i;
    for (i = 0; i < m->index_count / 3; ++i) {
        bool x = md2_pose_triangle(m, pose, i, a), y = scalar_triangle(s, pose, i, b);
        if (x != y || (x && memcmp(a, b, sizeof a) != 0)) return false;
    }
    return true;
}

static void test_scalar_is_simd(void)
{
    static const size_t strides[] = { 12, 16, 20, 24, 32, 36, 64 };
    random_source random = { 61 };
    uint32_t seed, k, different = 0, compared = 0;
    check_section("scalar is SIMD");
    for (seed = 1; seed <= 90; ++seed) {
        m2_bytes bytes = m2_random(seed * 77, 1 + seed, seed, 1 + seed % 6);
        md2_options options = options_of(seed % 16);
        md2_model *m = md2_load_memory(bytes.data, bytes.size, &options, NULL);
        md2_model *s = scalar_load(bytes.data, bytes.size, &options);
        CHECK(m && s && same_model(m, s));
        for (k = 0; m && s && k < 24; ++k, ++compared) {
            md2_pose pose = random_pose(&random, m->frame_count + k % 2);
            different += !same_as_scalar(m, s, &pose, strides[k % 7], strides[(k + seed) % 7]);
            different += !same_triangles(m, s, &pose);
        }
        md2_free_model(m);
        scalar_free(s);
        m2_free(&bytes);
    }
    CHECK_EQ(different, 0);
    CHECK_FLOOR(compared, 2000, "poses, scalar against SIMD");
}

/* -- The player, against a second one in double precision ----------------- */

typedef struct ref_track {
    md2_anim anim;
    md2_mode mode;
    double time, fade; /* fade from 0 to 1 */
    double fade_length;
} ref_track;

typedef struct ref_player {
    uint32_t count;
    double speed;
    ref_track track[4];
} ref_player;

/* What each track shows: the newest its fade, those below share the rest by the same rule, the
   oldest takes what is left. Of four, the lightest gives way and its weight is taken from all, as
   with frames. Returns what that leaves. */
static double ref_weights(const ref_player *r, double weight[4])
{
    double rest = 1.0, least = 1.0, left;
    uint32_t i;
    for (i = r->count; i-- > 0;) {
        weight[i] = i ? rest * r->track[i].fade : rest;
        rest -= weight[i];
        if (weight[i] < least) least = weight[i];
    }
    left = r->count == 4 ? 1.0 - 4.0 * least : 1.0;
    for (i = 0; i < r->count && r->count == 4 && left > 0.0; ++i)
        weight[i] = (weight[i] - least) / left;
    return left;
}

/* The lightest of four goes; the others' fades are set so that they show what they showed. */
static void ref_make_room(ref_player *r)
{
    double weight[4], sum = 0.0;
    uint32_t i, lightest = 0, kept = 0;
    (void)ref_weights(r, weight);
    for (i = 1; i < 4; ++i)
        if (weight[i] < weight[lightest]) lightest = i;
    for (i = 0; i < 4; ++i) {
        if (i == lightest) continue;
        sum += weight[i];
        r->track[kept] = r->track[i];
        r->track[kept++].fade = sum > 0.0 ? weight[i] / sum : 0.0;
    }
    r->count = kept;
}

static void ref_play(ref_player *r, const md2_anim *anim, md2_mode mode, double fade)
{
    ref_track t;
    bool alone = !(fade > 0.0) || r->count == 0;
    if (alone) r->count = 0;
    if (r->count == 4) ref_make_room(r);
    t.anim = *anim;
    t.mode = mode;
    t.time = 0.0;
    t.fade = alone ? 1.0 : 0.0;
    t.fade_length = fade;
    r->track[r->count++] = t;
    r->speed = 1.0;
}

static void ref_advance(ref_player *r, double delta)
{
    uint32_t i, from = 0;
    for (i = 0; i < r->count; ++i) {
        ref_track *t = &r->track[i];
        t->time += delta * r->speed;
        if (t->mode == MD2_ONCE) {
            double end = ((double)t->anim.count - 1.0) / (double)t->anim.fps;
            t->time = t->time < 0.0 ? 0.0 : t->time > end ? end : t->time;
        }
        if (t->fade < 1.0) t->fade += fabs(delta) / t->fade_length;
        if (t->fade > 1.0) t->fade = 1.0;
        if (t->fade >= 1.0) from = i;
    }
    r->count -= from;
    memmove(r->track, r->track + from, r->count * sizeof r->track[0]);
}

static void add_dense(dense *to, const dense *from, double share)
{
    uint32_t i;
    for (i = 0; i < DENSE; ++i) to->weight[i] += from->weight[i] * share;
}

/* All frames of all tracks weighed at once, then the four heaviest. `left` says how far these stand
   out. */
static dense ref_pose(const ref_player *r, double *left)
{
    dense sum;
    double weight[4];
    uint32_t i;
    *left = ref_weights(r, weight);
    memset(&sum, 0, sizeof sum);
    for (i = 0; i < r->count; ++i) {
        dense one = expected_pose(&r->track[i].anim, r->track[i].mode, r->track[i].time);
        add_dense(&sum, &one, weight[i]);
    }
    *left *= keep_four(&sum);
    return sum;
}

typedef struct duel { /* a player and its reference, going through the same */
    md2_player player;
    ref_player ref;
    double worst; /* difference, in units of what rounding may make of it */
    uint32_t compared;
} duel;

static void duel_play(duel *d, const md2_anim *anim, md2_mode mode, float fade)
{
    md2_play(&d->player, anim, mode, fade);
    ref_play(&d->ref, anim, mode, (double)fade);
}

static void duel_advance(duel *d, float delta)
{
    md2_advance(&d->player, delta);
    ref_advance(&d->ref, (double)delta);
}

static void duel_compare(duel *d)
{
    md2_pose pose = md2_player_pose(&d->player);
    dense got = dense_of(pose), want;
    double left, difference;
    CHECK(sound_pose(&pose));
    want = ref_pose(&d->ref, &left);
    if (left <= 0.02) return;
    difference = dense_distance(&got, &want) / (2e-5 / left);
    CHECK(difference <= 1.0);
    if (difference > d->worst) d->worst = difference;
    ++d->compared;
}

static md2_anim random_anim(random_source *random)
{
    return random_anim_of(random, 180, 1, 18, 10.0f);
}

/* Random plays, fades, steps and speeds: every pose is the one that the rules give. */
static void duel_round(duel *d, random_source *random)
{
    uint32_t step;
    memset(&d->player, 0, sizeof d->player);
    memset(&d->ref, 0, sizeof d->ref);
    for (step = 0; step < 120; ++step) {
        if (step == 0 || random_below(random, 7) == 0) {
            md2_anim anim = random_anim(random);
            float fade = random_below(random, 5) == 0
                             ? 0.0f
                             : (float)(0.1 + random_unit(random) * 0.6);
            md2_mode mode = modes[random_below(random, 3)];
            duel_play(d, &anim, mode, fade);
            if (random_below(random, 3) == 0) {
                d->player.speed = (float)random_below(random, 9) / 2.0f - 2.0f;
                d->ref.speed = (double)d->player.speed;
            }
        }
        duel_advance(d, (float)(random_unit(random) * 0.12 - 0.02));
        duel_compare(d);
        CHECK_EQ(d->player.track_count, d->ref.count);
    }
}

static void test_player_against_reference(void)
{
    random_source random = { 71 };
    duel d;
    uint32_t i;
    check_section("player against reference");
    d.worst = 0.0;
    d.compared = 0;
    for (i = 0; i < 200; ++i) duel_round(&d, &random);
    printf("worst player pose: %.3f of what rounding accounts for\n", d.worst);
    CHECK_FLOOR(d.compared, 20000, "player poses against reference");
}

static double moved(const md2_model *m, const float *a, const float *b)
{
    double most = 0.0;
    uint32_t i;
    for (i = 0; i < m->vertex_count; ++i) {
        double d[3], length;
        d[0] = (double)a[i * 3] - (double)b[i * 3];
        d[1] = (double)a[i * 3 + 1] - (double)b[i * 3 + 1];
        d[2] = (double)a[i * 3 + 2] - (double)b[i * 3 + 2];
        length = sqrt(dot3(d, d));
        if (length > most) most = length;
    }
    return most;
}

/* The farthest that any vertex is ever from where it is in another frame. */
static double reach_of(const md2_model *m)
{
    double most = 0.0;
    uint32_t i, k;
    float *a = (float *)malloc_or_abort((size_t)m->vertex_count * 12),
          *b = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
    for (i = 0; i < m->frame_count; ++i) {
        md2_pose pose = still(i);
        md2_pose_vertices(m, &pose, a, 0, NULL, 0);
        for (k = i + 1; k < m->frame_count; ++k) {
            double d;
            pose = still(k);
            md2_pose_vertices(m, &pose, b, 0, NULL, 0);
            d = moved(m, a, b);
            if (d > most) most = d;
        }
    }
    free(a);
    free(b);
    return most;
}

/* How fast the weights may change, in all, per second: an animation hands weight from frame to
   frame at fps * speed, a fade from below to above at 1 / length; each moves its weight out of one
   place and into another, so twice. */
static double weight_rate(const ref_player *r)
{
    double rate = 0.0, fastest = 0.0;
    uint32_t i;
    for (i = 0; i < r->count; ++i) {
        double speed = (double)r->track[i].anim.fps * fabs(r->speed);
        if (speed > fastest) fastest = speed;
        if (r->track[i].fade < 1.0) rate += 2.0 / r->track[i].fade_length;
    }
    return rate + 2.0 * fastest;
}

/* No vertex may move further in one small step than the animations and fades account for: half of
   what the weights change times the farthest that two frames are apart. Where five frames or four
   tracks meet, those that are shown stand out by `left` in all; their own weights and the
   lightest's, which each of them loses, then change that much faster. */
static void glide_step(duel *d, const md2_model *m, float delta, float last[72], double reach,
                       double *left, double *worst)
{
    float now[72];
    md2_pose pose;
    double rate = weight_rate(&d->ref), before = *left, stands_out, bound;
    duel_advance(d, delta);
    (void)ref_pose(&d->ref, left);
    pose = md2_player_pose(&d->player);
    md2_pose_vertices(m, &pose, now, 0, NULL, 0);
    stands_out = before < *left ? before : *left;
    bound = 0.5 * reach * rate * (double)delta * (stands_out > 0.9999 ? 1.0 : 10.0 / stands_out) +
            1e-5 * reach;
    if (stands_out > 0.05) {
        double ratio = moved(m, now, last) / bound;
        CHECK(ratio <= 1.0);
        if (ratio > *worst) *worst = ratio;
    }
    memcpy(last, now, sizeof now);
}

/* Playing something new with a fade changes nothing at that moment. */
static void glide_play(duel *d, const md2_model *m, random_source *random, const float last[72],
                       double reach)
{
    float now[72], speed = d->player.speed;
    md2_anim anim = random_anim(random);
    md2_mode mode = modes[random_below(random, 3)];
    md2_pose pose;
    duel_play(d, &anim, mode, (float)(0.2 + random_unit(random) * 0.4));
    d->player.speed = random_below(random, 4) == 0 ? -speed : speed;
    d->ref.speed = (double)d->player.speed;
    pose = md2_player_pose(&d->player);
    md2_pose_vertices(m, &pose, now, 0, NULL, 0);
    CHECK(moved(m, now, last) <= 1e-5 * reach);
}

static void test_player_glides(void)
{
    random_source random = { 81 };
    md2_model *m = load_named("player", 0);
    double reach = reach_of(m), worst = 0.0, left;
    uint32_t round, step;
    check_section("player glides");
    for (round = 0; round < 40; ++round) {
        duel d;
        float last[72];
        md2_anim anim = random_anim(&random);
        md2_pose pose;
        memset(&d, 0, sizeof d);
        duel_play(&d, &anim, MD2_LOOP, 0.3f);
        pose = md2_player_pose(&d.player);
        md2_pose_vertices(m, &pose, last, 0, NULL, 0);
        left = 1.0;
        for (step = 0; step < 1500; ++step) {
            if (random_below(&random, 100) == 0) glide_play(&d, m, &random, last, reach);
            glide_step(&d, m, 0.001f, last, reach, &left, &worst);
        }
    }
    printf("largest step %.3f of what the animations account for\n", worst);
    CHECK(worst > 0.1); /* or the bound is so wide that nothing could fail */
    md2_free_model(m);
}

/* More plays than there are tracks, one upon the other: the picture jumps at none of them. */
static void test_fifth_track(void)
{
    random_source random = { 91 };
    md2_model *m = load_named("player", 0);
    double reach = reach_of(m);
    uint32_t round, step, fifths = 0;
    check_section("fifth track");
    for (round = 0; round < 60; ++round) {
        md2_player player;
        float last[72], now[72];
        md2_pose pose;
        memset(&player, 0, sizeof player);
        for (step = 0; step < 12; ++step) {
            md2_anim anim = random_anim(&random);
            pose = md2_player_pose(&player);
            md2_pose_vertices(m, &pose, last, 0, NULL, 0);
            fifths += player.track_count == 4;
            md2_play(&player, &anim, MD2_LOOP, step ? 0.4f + 0.1f * (float)(step % 3) : 0.0f);
            CHECK(player.track_count >= 1 && player.track_count <= 4);
            CHECK(player.track[player.track_count - 1].anim.first == anim.first);
            pose = md2_player_pose(&player);
            md2_pose_vertices(m, &pose, now, 0, NULL, 0);
            if (step) CHECK(moved(m, now, last) <= 1e-4 * reach);
            md2_advance(&player, (float)(0.01 + random_unit(&random) * 0.15));
        }
    }
    CHECK_FLOOR(fifths, 100, "fifth tracks");
    md2_free_model(m);
}

static void test_fades(void)
{
    md2_anim run = make_anim(40, 1, 10.0f), jump = make_anim(66, 1, 10.0f),
             flip = make_anim(72, 1, 10.0f);
    md2_player p;
    dense d;
    check_section("fades");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.5f);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[40],
             1.0); /* nothing played before: nothing to fade from */
    CHECK_EQ(p.track_count, 1);
    md2_play(&p, &jump, MD2_LOOP, 0.5f);
    CHECK_NEAR(dense_of(md2_player_pose(&p)).weight[40], 1.0, 1e-7);
    md2_advance(&p, 0.125f);
    d = dense_of(md2_player_pose(&p));
    CHECK_NEAR(d.weight[40], 0.75, 1e-6);
    CHECK_NEAR(d.weight[66], 0.25, 1e-6);
    md2_play(&p, &flip, MD2_LOOP, 0.25f);
    CHECK_EQ(p.track_count, 3);
    md2_advance(&p, -0.125f); /* a fade goes on whichever way time goes */
    d = dense_of(md2_player_pose(&p));
    CHECK_NEAR(d.weight[72], 0.5, 1e-6);
    CHECK_NEAR(d.weight[66], 0.25, 1e-6);
    CHECK_NEAR(d.weight[40], 0.25, 1e-6);
    md2_advance(&p, 0.125f);
    CHECK_EQ(p.track_count, 1);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[72], 1.0);
    md2_play(&p, &run, MD2_LOOP, (float)(HUGE_VAL - HUGE_VAL));
    CHECK(p.track_count == 1 && dense_of(md2_player_pose(&p)).weight[40] == 1.0);
    md2_play(&p, &jump, MD2_LOOP, -1.0f);
    CHECK(p.track_count == 1 && dense_of(md2_player_pose(&p)).weight[66] == 1.0);
}

/* Fades do not go faster when the animations do. */
static void test_fade_ignores_speed(void)
{
    md2_anim a = make_anim(0, 4, 10.0f), b = make_anim(10, 1, 10.0f);
    md2_player p;
    check_section("fade ignores speed");
    memset(&p, 0, sizeof p);
    md2_play(&p, &a, MD2_LOOP, 0.0f);
    md2_play(&p, &b, MD2_LOOP, 1.0f);
    p.speed = 4.0f;
    md2_advance(&p, 0.25f);
    CHECK_NEAR(dense_of(md2_player_pose(&p)).weight[10], 0.25, 1e-6);
    CHECK_NEAR(p.track[1].time, 1.0, 1e-9);
    CHECK_NEAR(p.track[0].time, 1.0, 1e-9); /* every track moves on by delta * speed */
    p.speed = 0.0f;
    md2_advance(&p, 0.25f);
    CHECK_NEAR(dense_of(md2_player_pose(&p)).weight[10], 0.5, 1e-6);
}

static void test_play_restarts(void)
{
    md2_anim run = make_anim(40, 6, 10.0f);
    md2_player p;
    check_section("play restarts");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_ONCE, 0.0f);
    p.speed = 3.0f;
    md2_advance(&p, 100.0f);
    md2_pause(&p, true);
    CHECK(p.finished && p.paused);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    CHECK(!p.finished && !p.paused && p.speed == 1.0f);
    CHECK_EQ(p.track[0].time, 0.0);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[40], 1.0);
    CHECK_EQ(p.track[0].mode, MD2_LOOP);
}

/* An animation that is not there shows frame 0, in a player that goes on working. */
static void test_missing_animation(void)
{
    md2_model *m = load_named("player", 0);
    md2_player p;
    md2_pose pose;
    check_section("missing animation");
    memset(&p, 0, sizeof p);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[0], 1.0);
    CHECK_EQ(md2_advance(&p, 0.1f), 0);
    CHECK_EQ(md2_crossed(&p, 0), 0);
    md2_pause(&p, true);
    md2_pause(&p, false);
    md2_seek(&p, 1.0);
    md2_stop(&p);
    memset(&p, 0, sizeof p);
    md2_play(&p, md2_find_anim(m, "no such thing"), MD2_LOOP, 0.0f);
    md2_advance(&p, 3.33f);
    pose = md2_player_pose(&p);
    CHECK_EQ(dense_of(pose).weight[0], 1.0);
    CHECK(p.track[0].anim.first == 0 && p.track[0].anim.count == 1 && p.track[0].anim.fps == 10.0f);
    CHECK_TEXT(p.track[0].anim.name, "");
    md2_play(&p, md2_find_anim(m, "run"), MD2_LOOP, 0.0f);
    md2_advance(&p, 0.1f);
    CHECK_NEAR(dense_of(md2_player_pose(&p)).weight[41], 1.0, 1e-5);
    md2_free_model(m);
}

/* Two players of one model know nothing of each other. */
static void test_independent_players(void)
{
    md2_anim run = make_anim(40, 6, 10.0f);
    md2_player p, q;
    check_section("independent players");
    memset(&p, 0, sizeof p);
    memset(&q, 0, sizeof q);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_play(&q, &run, MD2_LOOP, 0.0f);
    md2_advance(&p, 0.25f);
    CHECK_EQ(dense_of(md2_player_pose(&q)).weight[40], 1.0);
    CHECK_NEAR(dense_of(md2_player_pose(&p)).weight[42], 0.5, 1e-5);
}

static void test_wild_deltas(void)
{
    md2_anim run = make_anim(40, 6, 8.0f);
    md2_player p;
    md2_pose pose;
    double nan = HUGE_VAL - HUGE_VAL;
    check_section("wild deltas");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_advance(&p, 0.125f);
    CHECK_EQ(md2_advance(&p, (float)nan), 0);
    CHECK_EQ(md2_advance(&p, (float)HUGE_VAL), 0);
    CHECK_EQ(md2_advance(&p, (float)-HUGE_VAL), 0);
    CHECK_EQ(p.track[0].time, 0.125);
    CHECK(md2_advance(&p, 3600.0f) & (uint32_t)MD2_LOOPED); /* a hitch of an hour */
    CHECK_EQ(p.track[0].time, 3600.125);
    md2_advance(&p, -7200.0f);
    CHECK_EQ(p.track[0].time, -3599.875);
    pose = md2_player_pose(&p);
    CHECK(sound_pose(&pose) && pose.frame[0] >= 40 && pose.frame[0] < 46);
    p.speed = (float)nan;
    md2_advance(&p, 1.0f);
    pose = md2_player_pose(&p);
    CHECK(sound_pose(&pose));
    p.speed = 3e38f;
    md2_advance(&p, 3e38f);
    md2_advance(&p, 3e38f);
    pose = md2_player_pose(&p);
    CHECK(sound_pose(&pose));
    (void)md2_crossed(&p, 41);
}

/* -- Pause, stop, seek ---------------------------------------------------- */

static void test_pause(void)
{
    md2_anim run = make_anim(40, 6, 8.0f), jump = make_anim(66, 6, 8.0f);
    md2_player p;
    check_section("pause");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    CHECK(!p.begun && !p.passed_start);
    md2_advance(&p, 0.125f);
    CHECK(p.begun && p.passed_start);
    CHECK_EQ(md2_crossed(&p, 41), 1);
    md2_pause(&p, true);
    CHECK_EQ(md2_advance(&p, 10.0f), 0);
    CHECK(p.begun && !p.passed_start);
    CHECK_EQ(md2_crossed(&p, 41), 0);
    CHECK_EQ(p.track[0].time, 0.125);
    CHECK_EQ(p.previous_time, 0.125);
    md2_pause(&p, false);
    md2_advance(&p, 0.125f);
    CHECK(md2_crossed(&p, 41) == 0 && md2_crossed(&p, 42) == 1);
    md2_play(&p, &jump, MD2_LOOP, 1.0f);
    md2_advance(&p, 0.25f);
    md2_pause(&p, true);
    md2_advance(&p, 10.0f); /* fades stand still as well */
    CHECK_NEAR(dense_of(md2_player_pose(&p)).weight[68], 0.25, 1e-6);
    CHECK_EQ(p.track_count, 2);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_pause(&p, true);
    md2_advance(&p, 1.0f);
    md2_pause(&p, false);
    md2_advance(&p, 0.01f);
    CHECK_EQ(md2_crossed(&p, 40), 1);
}

static void test_stop(void)
{
    md2_anim run = make_anim(40, 6, 8.0f), jump = make_anim(66, 6, 8.0f);
    md2_player p;
    check_section("stop");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_advance(&p, 0.3f);
    md2_play(&p, &jump, MD2_ONCE, 1.0f);
    md2_advance(&p, 0.3f);
    md2_stop(&p);
    CHECK(p.paused && !p.finished && p.track_count == 1);
    CHECK_EQ(p.track[0].time, 0.0);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[66], 1.0);
    CHECK_EQ(md2_crossed(&p, 66), 0);
    CHECK_EQ(md2_advance(&p, 1.0f), 0);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[66], 1.0);
    md2_pause(&p, false);
    md2_advance(&p, 0.125f);
    CHECK(md2_crossed(&p, 66) == 1 && md2_crossed(&p, 67) == 1);
    md2_advance(&p, 10.0f);
    CHECK(p.finished);
    md2_stop(&p);
    CHECK(!p.finished);
}

static void test_seek(void)
{
    md2_anim run = make_anim(40, 6, 8.0f);
    md2_player p;
    check_section("seek");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_seek(&p, 0.25);
    CHECK(p.track[0].time == 0.25 && p.previous_time == 0.25);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[42], 1.0);
    CHECK(md2_crossed(&p, 40) == 0 && md2_crossed(&p, 41) == 0 && md2_crossed(&p, 42) == 0);
    md2_advance(&p, 0.0625f);
    CHECK(md2_crossed(&p, 42) == 0 && md2_crossed(&p, 43) == 0);
    md2_advance(&p, 0.0625f);
    CHECK_EQ(md2_crossed(&p, 43), 1);
    md2_play(&p, &run, MD2_ONCE, 0.0f);
    md2_advance(&p, 100.0f);
    CHECK(p.finished);
    md2_seek(&p, 0.125);
    CHECK(!p.finished);
    CHECK_EQ(md2_advance(&p, 100.0f), MD2_FINISHED); /* and it can finish again */
    md2_seek(&p, 1e9);
    CHECK_EQ(p.track[0].time, 0.625);
    md2_seek(&p, -5.0);
    CHECK_EQ(p.track[0].time, 0.0);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_seek(&p, HUGE_VAL - HUGE_VAL);
    md2_advance(&p, 0.125f);
    CHECK_NEAR(dense_of(md2_player_pose(&p)).weight[41], 1.0, 1e-6);
}

/* To change the animation and keep the phase: play, then seek to where the old one was. */
static void test_seek_keeps_phase(void)
{
    md2_anim run = make_anim(40, 6, 8.0f), walk = make_anim(154, 6, 8.0f);
    md2_player p;
    double phase;
    check_section("seek keeps phase");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_advance(&p, 0.375f);
    phase = p.track[p.track_count - 1].time;
    md2_play(&p, &walk, MD2_LOOP, 0.25f);
    md2_seek(&p, phase);
    md2_advance(&p, 0.25f);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[159], 1.0);
    CHECK(md2_crossed(&p, 154) == 0 && md2_crossed(&p, 158) == 1 && md2_crossed(&p, 159) == 1);
}

/* -- Events --------------------------------------------------------------- */

/* Which frame the j-th key of the endless animation is; -1 where there is none. */
static long key_frame(const md2_anim *anim, md2_mode mode, double j)
{
    double n = (double)anim->count, period = mode == MD2_PING_PONG ? 2.0 * (n - 1.0) : n;
    if (mode == MD2_ONCE) return j < 0.0 || j > n - 1.0 ? -1 : (long)j + (long)anim->first;
    j -= floor(j / period) * period;
    if (j > n - 1.0) j = period - j;
    return (long)j + (long)anim->first;
}

/* Passings counted one by one: (from, to] forwards, [to, from) backwards; the very first advance
   counts where it began too. */
static int count_passings(const md2_anim *anim, md2_mode mode, double from, double to, bool first,
                          uint32_t frame)
{
    double fps = (double)anim->fps, a = from * fps, b = to * fps, j;
    int passings = 0;
    for (j = floor((a < b ? a : b) - 1.0); j <= (a < b ? b : a) + 1.0; j += 1.0) {
        bool inside = a <= b ? (j > a && j <= b) : (j >= b && j < a);
        if (first && j == a) inside = true;
        if (inside && key_frame(anim, mode, j) == (long)frame) ++passings;
    }
    return passings;
}

static bool round_changed(const md2_anim *anim, md2_mode mode, double from, double to)
{
    double length = md2_anim_length(anim, mode);
    return mode != MD2_ONCE && floor(from / length) != floor(to / length);
}

/* All in eighths and sixty-fourths, so that every key is met exactly and every sum is exact. */
static void event_round(random_source *random, uint32_t *events)
{
    md2_mode mode = modes[random_below(random, 3)];
    md2_anim anim = random_anim_of(random, 50, mode == MD2_PING_PONG ? 2 : 1, 7, 8.0f);
    md2_player p;
    double from = 0.0, to, end = ((double)anim.count - 1.0) / 8.0;
    uint32_t step, frame;
    memset(&p, 0, sizeof p);
    md2_play(&p, &anim, mode, 0.0f);
    p.speed = random_below(random, 3) == 0 ? -1.0f : 1.0f;
    for (step = 0; step < 30; ++step) {
        double delta = ((double)random_below(random, 32) - 8.0) / 64.0;
        uint32_t happened;
        if (random_below(random, 9) == 0) delta *= 50.0;
        happened = md2_advance(&p, (float)delta);
        to = from + delta * (double)p.speed;
        if (mode == MD2_ONCE) to = to < 0.0 ? 0.0 : to > end ? end : to;
        CHECK_EQ(p.track[0].time, to);
        for (frame = anim.first ? anim.first - 1 : 0; frame <= anim.first + anim.count; ++frame) {
            int wanted = count_passings(&anim, mode, from, to, step == 0, frame);
            CHECK_EQ(md2_crossed(&p, frame), wanted);
            *events += (uint32_t)wanted;
        }
        if (mode != MD2_ONCE)
            CHECK_EQ((happened & (uint32_t)MD2_LOOPED) != 0, round_changed(&anim, mode, from, to));
        from = to;
    }
}

static void test_events(void)
{
    random_source random = { 101 };
    uint32_t i, events = 0;
    check_section("events");
    for (i = 0; i < 600; ++i) event_round(&random, &events);
    CHECK_FLOOR(events, 20000, "events");
}

/* Steps of any size lose no event and count none twice: the sum is what one step over all of them
   passes. */
static void test_events_add_up(void)
{
    random_source random = { 111 };
    md2_anim run = make_anim(40, 6, 10.0f);
    uint32_t i, k, mode;
    check_section("events add up");
    for (mode = 0; mode < 3; ++mode) {
        for (i = 0; i < 60; ++i) {
            md2_player p, whole;
            int sum[6] = { 0, 0, 0, 0, 0, 0 };
            double total = 0.0;
            memset(&p, 0, sizeof p);
            md2_play(&p, &run, modes[mode], 0.0f);
            whole = p;
            for (k = 0; k < 500; ++k) {
                float delta = (float)(random_unit(&random) * 0.05);
                total += (double)delta;
                md2_advance(&p, delta);
                sum[0] += md2_crossed(&p, 40);
                sum[3] += md2_crossed(&p, 43);
                sum[5] += md2_crossed(&p, 45);
            }
            md2_advance(&whole, (float)total);
            CHECK(abs(sum[0] - md2_crossed(&whole, 40)) <= (fabs(fmod(total, 0.1)) < 1e-5));
            CHECK_EQ(sum[0], count_passings(&run, modes[mode], 0.0, p.track[0].time, true, 40));
            CHECK_EQ(sum[3], count_passings(&run, modes[mode], 0.0, p.track[0].time, true, 43));
            CHECK_EQ(sum[5], count_passings(&run, modes[mode], 0.0, p.track[0].time, true, 45));
        }
    }
}

static void test_first_frame_event(void)
{
    md2_anim run = make_anim(40, 6, 8.0f);
    md2_player p;
    check_section("first frame event");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    CHECK_EQ(md2_crossed(&p, 40), 0);
    md2_advance(&p, 0.01f);
    CHECK_EQ(md2_crossed(&p, 40), 1);
    md2_advance(&p, 0.01f);
    CHECK_EQ(md2_crossed(&p, 40), 0);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    p.speed = -1.0f;
    md2_advance(&p, 0.01f);
    CHECK(md2_crossed(&p, 40) == 1 && md2_crossed(&p, 45) == 0);
    md2_advance(&p, 0.125f);
    CHECK_EQ(md2_crossed(&p, 45), 1);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_advance(&p, 0.75f * 3.0f); /* three rounds in one step */
    CHECK(md2_crossed(&p, 40) == 4 && md2_crossed(&p, 43) == 3);
    md2_play(&p, &run, MD2_PING_PONG, 0.0f);
    md2_advance(&p, 1.25f); /* one period: there and back */
    CHECK(md2_crossed(&p, 40) == 2 && md2_crossed(&p, 41) == 2 && md2_crossed(&p, 45) == 1);
    CHECK_EQ(md2_crossed(&p, 46), 0);
    CHECK_EQ(md2_crossed(&p, 0xFFFFFFFFu), 0);
}

static void test_events_of_newest_track(void)
{
    md2_anim run = make_anim(40, 6, 8.0f), jump = make_anim(66, 6, 8.0f);
    md2_player p;
    check_section("events of the newest track");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_advance(&p, 0.125f);
    md2_play(&p, &jump, MD2_LOOP, 10.0f);
    md2_advance(&p, 0.125f);
    CHECK(md2_crossed(&p, 42) == 0 && md2_crossed(&p, 66) == 1 && md2_crossed(&p, 67) == 1);
}

static void test_once_finishes(void)
{
    md2_anim death = make_anim(178, 6, 8.0f), one = make_anim(5, 1, 8.0f);
    md2_player p;
    uint32_t i, finished = 0;
    check_section("once finishes");
    memset(&p, 0, sizeof p);
    md2_play(&p, &death, MD2_ONCE, 0.0f);
    CHECK_EQ(md2_advance(&p, 0.5f), 0);
    CHECK(!p.finished);
    CHECK_EQ(md2_advance(&p, 0.125f), MD2_FINISHED);
    CHECK(p.finished);
    for (i = 0; i < 10; ++i) finished += md2_advance(&p, 0.3f) != 0;
    CHECK_EQ(finished, 0);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[183],
             1.0); /* holds the last frame, never blends into the first */
    p.speed = -1.0f;
    CHECK_EQ(md2_advance(&p, 0.125f), 0);
    CHECK(!p.finished);
    CHECK_EQ(md2_advance(&p, 10.0f), MD2_FINISHED);
    CHECK(p.finished && p.track[0].time == 0.0);
    md2_play(&p, &one, MD2_ONCE, 0.0f);
    for (i = 0; i < 5; ++i) finished += md2_advance(&p, 0.1f) == (uint32_t)MD2_FINISHED;
    CHECK_EQ(finished, 1);
    CHECK_EQ(dense_of(md2_player_pose(&p)).weight[5], 1.0);
}

static void test_looped(void)
{
    md2_anim run = make_anim(40, 6, 8.0f);
    md2_player p;
    check_section("looped");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    CHECK_EQ(md2_advance(&p, 0.625f), 0);
    CHECK_EQ(md2_advance(&p, 0.125f), MD2_LOOPED);
    CHECK_EQ(md2_advance(&p, 0.625f), 0);
    CHECK_EQ(md2_advance(&p, 7.5f), MD2_LOOPED);
    CHECK_EQ(md2_advance(&p, -7.5f), MD2_LOOPED);
    md2_play(&p, &run, MD2_PING_PONG, 0.0f);
    CHECK_EQ(md2_advance(&p, 1.125f), 0);
    CHECK_EQ(md2_advance(&p, 0.125f), MD2_LOOPED);
}

/* Backwards is forwards in a mirror. */
static void test_backwards(void)
{
    md2_anim run = make_anim(40, 6, 10.0f);
    md2_player p;
    dense got, want;
    uint32_t i;
    check_section("backwards");
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    p.speed = -2.0f;
    for (i = 0; i < 200; ++i) {
        md2_advance(&p, 0.013f);
        got = dense_of(md2_player_pose(&p));
        want = dense_of(md2_pose_at(&run, MD2_LOOP, -2.0 * (i + 1.0) * (double)0.013f));
        CHECK_NEAR(dense_distance(&got, &want), 0.0, 1e-5);
    }
}

/* -- Skins ---------------------------------------------------------------- */

static md2_model *load_with_skin(const char *skin)
{
    m2_bytes bytes = m2_named("cube");
    md2_model *m;
    memset(m2_section(&bytes, M2_OFS_SKINS), 0, 64);
    memcpy(m2_section(&bytes, M2_OFS_SKINS), skin, strlen(skin) < 64 ? strlen(skin) : 64);
    m = load_bytes(&bytes, 0);
    m2_free(&bytes);
    return m;
}

/* All paths, in order, joined by bars. */
static const char *all_paths(const md2_model *m, const char *model_path, uint32_t skin)
{
    static char text[8192];
    char path[512];
    uint32_t attempt;
    char *at = text;
    *at = 0;
    for (attempt = 0;
         attempt < 40 && md2_skin_path(m, model_path, skin, attempt, path, sizeof path);
         ++attempt) {
        if (strlen(path) > 190) break;
        at += sprintf(at, "%s%s", attempt ? "|" : "", path);
    }
    CHECK(attempt < 40);
    return text;
}

#define TRIS                                                                                 \
  "m/cube/tris.png|m/cube/tris.tga|m/cube/tris.jpg|m/cube/tris.jpeg|m/cube/tris.bmp|m/cube/" \
  "tris.pcx"
#define RED "|m/cube/red.png|m/cube/red.tga|m/cube/red.jpg|m/cube/red.jpeg|m/cube/red.bmp"

static const struct skin_case {
    const char *skin, *model, *paths;
} skin_cases[] = {
    { "models/far/red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "models\\far\\red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "D:/far/red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "/red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "../../red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "red.png", "m/cube/tris.md2",
      "m/cube/red.png|m/cube/red.tga|m/cube/red.jpg|m/cube/red.jpeg|m/cube/red.bmp|"
      "m/cube/red.pcx|" TRIS },
    { "", "m/cube/tris.md2", TRIS },
    { "players/far/", "m/cube/tris.md2", TRIS },
    { "..", "m/cube/tris.md2", TRIS },
    { "", "tris.md2", "tris.png|tris.tga|tris.jpg|tris.jpeg|tris.bmp|tris.pcx" },
    { "", "v1.2/tris",
      "v1.2/tris.png|v1.2/tris.tga|v1.2/tris.jpg|v1.2/tris.jpeg|v1.2/tris.bmp|v1.2/tris.pcx" },
    { "", "C:\\m\\tris.md2",
      "C:\\m\\tris.png|C:\\m\\tris.tga|C:\\m\\tris.jpg|C:\\m\\tris.jpeg|C:\\m\\tris.bmp|C:"
      "\\m\\tris.pcx" },
    { "a.tga", "/tris.md2",
      "/a.tga|/a.png|/a.jpg|/a.jpeg|/a.bmp|/a.pcx|/tris.png|/tris.tga|/tris.jpg|/tris.jpeg|/"
      "tris.bmp|/tris.pcx" },
    { "\xF6.pcx", "t.md2",
      "\xF6.pcx|\xF6.png|\xF6.tga|\xF6.jpg|\xF6.jpeg|\xF6.bmp|t.png|t.tga|t.jpg|t.jpeg|t.bmp|t."
      "pcx" }
};

static void test_skin_paths(void)
{
    size_t i, count = sizeof skin_cases / sizeof skin_cases[0];
    check_section("skin paths");
    for (i = 0; i < count; ++i) {
        md2_model *m = load_with_skin(skin_cases[i].skin);
        check_subject(skin_cases[i].skin);
        CHECK_TEXT(all_paths(m, skin_cases[i].model, 0), skin_cases[i].paths);
        md2_free_model(m);
    }
    CHECK_FLOOR(count, 15, "skin path lists");
}

/* Names differ in case from the files they mean: one of the guesses is the listed name in lower
   case. */
static void test_skin_paths_lower_case(void)
{
    md2_model *m = load_with_skin("Players/Male/GrUnt_1.PCX");
    const char *paths = all_paths(m, "M/Cube/Tris.MD2", 0);
    check_section("skin paths in lower case");
    CHECK(strncmp(paths, "M/Cube/GrUnt_1.PCX|M/Cube/GrUnt_1.png|", 38) == 0);
    CHECK(strstr(paths, "|M/Cube/Tris.png|M/Cube/Tris.tga|") != NULL);
    CHECK(strstr(paths, "|M/Cube/grunt_1.pcx") != NULL);
    CHECK(strstr(paths, "m/cube") == NULL); /* the folder is the caller's, not the file's */
    md2_free_model(m);
}

/* No skins listed, or asked for one that is not: what lies beside the model remains. */
static void test_skin_paths_without_skins(void)
{
    md2_model *m = load_named("no_skins", 0), *sheet = load_named("sheet", 0);
    check_section("skin paths without skins");
    CHECK_TEXT(all_paths(m, "m/cube/tris.md2", 0), TRIS);
    CHECK_TEXT(all_paths(sheet, "m/cube/tris.md2", 2), TRIS);
    CHECK(strncmp(all_paths(sheet, "m/cube/tris.md2", 1), "m/cube/blue.tga|m/cube/blue.png|", 32) ==
          0);
    md2_free_model(m);
    md2_free_model(sheet);
}

static void check_stays_inside(const md2_model *m)
{
    char path[256];
    uint32_t attempt;
    for (attempt = 0;
         attempt < 40 && md2_skin_path(m, "base/dir/tris.md2", 0, attempt, path, sizeof path);
         ++attempt) {
        const char *name = path + 9;
        CHECK(strncmp(path, "base/dir/", 9) == 0);
        CHECK(*name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0);
        CHECK(strpbrk(name, "/\\:") == NULL);
    }
    CHECK(attempt >= 6 && attempt < 40);
}

static void test_skin_traversal(void)
{
    static const char *const bad[] = { "../../etc/passwd",
                                       "..\\..\\boot.ini",
                                       "/etc/passwd",
                                       "C:\\x.pcx",
                                       "C:x.pcx",
                                       "\\\\server\\share\\x.pcx",
                                       "..",
                                       ".",
                                       "a/..",
                                       "a/.",
                                       "a\\..",
                                       "....//x.pcx",
                                       "x/../../y.pcx",
                                       "/",
                                       "\\",
                                       "//",
                                       "con:",
                                       "x.pcx:stream",
                                       ".pcx",
                                       "..pcx",
                                       "../",
                                       "E:/quake2/BASEQ2/players/x.pcx",
                                       "a:b:c.pcx",
                                       ":",
                                       "..:",
                                       "x/..:",
                                       "c:..",
                                       "C:/..",
                                       "C:..\\..",
                                       "..\\",
                                       "...",
                                       "x/C:.." };
    size_t i, count = sizeof bad / sizeof bad[0];
    check_section("skin traversal");
    for (i = 0; i < count; ++i) {
        md2_model *m = load_with_skin(bad[i]);
        check_subject(bad[i]);
        check_stays_inside(m);
        md2_free_model(m);
    }
    CHECK_FLOOR(count, 30, "traversals");
}

static void test_skin_path_room(void)
{
    md2_model *m = load_with_skin("models/far/red.pcx");
    char path[64];
    size_t room;
    check_section("skin path room");
    for (room = 0; room < 40; ++room) {
        memset(path, '#', sizeof path);
        CHECK_EQ(md2_skin_path(m, "m/cube/tris.md2", 0, 0, path, room),
                 room > strlen("m/cube/red.pcx"));
        CHECK_EQ(path[room], '#');
        if (room > 14) CHECK_TEXT(path, "m/cube/red.pcx");
    }
    CHECK(!md2_skin_path(m, "m/cube/tris.md2", 0, 12, path, sizeof path));
    CHECK(!md2_skin_path(m, "m/cube/tris.md2", 0, 0xFFFFFFFFu, path, sizeof path));
    md2_free_model(m);
}

/* -- Pictures ------------------------------------------------------------- */

static uint32_t wrong_pixels(const uint8_t *rgba, uint32_t width, uint32_t height)
{
    uint32_t x, y, wrong = 0;
    uint8_t rgb[3];
    for (y = 0; y < height; ++y) {
        for (x = 0; x < width; ++x) {
            const uint8_t *p = rgba + ((size_t)y * width + x) * 4;
            m2_pcx_colour(m2_pcx_index(x, y), rgb);
            wrong += memcmp(p, rgb, 3) != 0 || (p[3] != 255 && m2_pcx_index(x, y) != 255);
        }
    }
    return wrong;
}

static uint8_t *load_pcx(const m2_bytes *bytes, uint32_t *width, uint32_t *height,
                         counting_allocator *memory, md2_error *error)
{
    md2_options options = options_of(0);
    use_memory(&options, memory);
    return md2_load_pcx_memory(bytes->data, bytes->size, width, height, &options, error);
}

static void free_pcx(uint8_t *pixels, uint32_t width, uint32_t height, counting_allocator *memory)
{
    md2_options options = options_of(0);
    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = memory;
    md2_free_image(pixels, width, height, &options);
    CHECK(counting_is_clean(memory));
}

static void check_good_pcx(uint32_t width, uint32_t height, uint32_t bytes_per_line, int style)
{
    m2_bytes bytes = m2_pcx(width, height, bytes_per_line, style);
    counting_allocator memory;
    md2_error error;
    uint32_t w = 0, h = 0;
    uint8_t *pixels = load_pcx(&bytes, &w, &h, &memory, &error);
    if (CHECK(pixels != NULL)) {
        CHECK_EQ(error.code, MD2_OK);
        CHECK_EQ(w, width);
        CHECK_EQ(h, height);
        CHECK_EQ(wrong_pixels(pixels, w, h), 0);
        CHECK_EQ(memory.live_bytes, (size_t)width * height * 4);
    } else {
        printf("    %s\n", error.message);
    }
    free_pcx(pixels, w, h, &memory);
    m2_free(&bytes);
}

static void test_pcx(void)
{
    static const uint32_t sizes[][3] = { { 64, 64, 64 }, { 1, 1, 2 },     { 61, 40, 64 },
                                         { 61, 40, 62 }, { 256, 3, 256 }, { 319, 200, 320 },
                                         { 5, 300, 6 },  { 7, 7, 7 },     { 20, 20, 100 } };
    size_t i;
    check_section("pcx");
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        check_good_pcx(sizes[i][0], sizes[i][1], sizes[i][2], M2_PCX_PLAIN);
        check_good_pcx(sizes[i][0], sizes[i][1], sizes[i][2], M2_PCX_RUNS);
        if (sizes[i][0] == sizes[i][2])
            check_good_pcx(sizes[i][0], sizes[i][1], sizes[i][2], M2_PCX_RUNS_ACROSS_LINES);
    }
    md2_free_image(NULL, 0, 0, NULL);
}

/* As small as a picture can be for its size: two bytes for each line of 63 pixels. */
static void test_pcx_one_colour(void)
{
    m2_bytes whole = m2_pcx(63, 1, 63, M2_PCX_RUNS), bytes = m2_pcx(63, 1, 63, M2_PCX_RUNS);
    static const uint8_t line[2] = { 0xFF, 77 };
    counting_allocator memory;
    md2_error error;
    uint8_t *pixels, rgb[3];
    uint32_t w = 0, h = 0, i, wrong = 0;
    check_section("pcx of one colour");
    m2_resize(&bytes, 128);
    bytes.data[10] = 199;
    for (i = 0; i < 200; ++i) m2_append(&bytes, line, 2);
    m2_append(&bytes, whole.data + whole.size - 769, 769);
    m2_pcx_colour(77, rgb);
    pixels = load_pcx(&bytes, &w, &h, &memory, &error);
    if (CHECK(pixels && w == 63 && h == 200)) {
        for (i = 0; i < w * h; ++i) wrong += memcmp(pixels + i * 4, rgb, 3) != 0;
    }
    CHECK_EQ(wrong, 0);
    free_pcx(pixels, w, h, &memory);
    m2_free(&bytes);
    m2_free(&whole);
}

static void check_bad_pcx(const m2_bytes *bytes)
{
    counting_allocator memory;
    md2_error error;
    uint32_t w = 0, h = 0;
    uint8_t *pixels = load_pcx(bytes, &w, &h, &memory, &error);
    CHECK(pixels == NULL);
    CHECK(error.code != MD2_OK && strlen(error.message) >= 10);
    CHECK(memory.peak_bytes <= 128 * bytes->size + (1u << 20));
    free_pcx(pixels, w, h, &memory);
}

static void spoil_pcx(size_t offset, uint32_t byte, size_t count)
{
    m2_bytes bytes = m2_pcx(61, 40, 64, M2_PCX_RUNS);
    memset(bytes.data + offset, (int)byte, count);
    check_bad_pcx(&bytes);
    m2_free(&bytes);
}

static void test_bad_pcx(void)
{
    m2_bytes bytes = m2_pcx(61, 40, 64, M2_PCX_RUNS);
    size_t length;
    check_section("bad pcx");
    spoil_pcx(0, 11, 1);   /* no PCX */
    spoil_pcx(3, 1, 1);    /* one bit */
    spoil_pcx(65, 3, 1);   /* true colour */
    spoil_pcx(8, 0xFF, 4); /* 65,536 x 65,536 of next to nothing */
    spoil_pcx(5, 0xFF, 1); /* begins right of its end */
    spoil_pcx(7, 0xFF, 1);
    spoil_pcx(66, 0, 2);    /* lines of no bytes */
    spoil_pcx(66, 10, 1);   /* lines shorter than the picture is wide */
    spoil_pcx(67, 0xFF, 1); /* lines longer than the data */
    for (length = 0; length < bytes.size; ++length) {
        m2_bytes cut = m2_pcx(61, 40, 64, M2_PCX_RUNS);
        m2_resize(&cut, length);
        check_bad_pcx(&cut);
        m2_free(&cut);
    }
    m2_free(&bytes);
}

/* The byte that announces the palette is missing in real files: the picture is shown as it is or
   refused. */
static void test_pcx_palette_marker(void)
{
    m2_bytes bytes = m2_pcx(64, 64, 64, M2_PCX_RUNS);
    counting_allocator memory;
    md2_error error;
    uint32_t w = 0, h = 0;
    uint8_t *pixels;
    check_section("pcx palette marker");
    bytes.data[bytes.size - 769] = 0;
    pixels = load_pcx(&bytes, &w, &h, &memory, &error);
    if (pixels)
        CHECK(w == 64 && h == 64 && wrong_pixels(pixels, w, h) == 0);
    else
        CHECK(error.code != MD2_OK && strlen(error.message) >= 10);
    free_pcx(pixels, w, h, &memory);
    memmove(bytes.data + bytes.size - 769, bytes.data + bytes.size - 768,
            768); /* and without any */
    m2_resize(&bytes, bytes.size - 1);
    pixels = load_pcx(&bytes, &w, &h, &memory, &error);
    if (pixels)
        CHECK(w == 64 && h == 64 && wrong_pixels(pixels, w, h) == 0);
    else
        CHECK(error.code != MD2_OK && strlen(error.message) >= 10);
    free_pcx(pixels, w, h, &memory);
    m2_free(&bytes);
}

static void test_pcx_arguments(void)
{
    m2_bytes bytes = m2_pcx(64, 64, 64, M2_PCX_RUNS);
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    uint32_t w, h;
    check_section("pcx arguments");
    CHECK(md2_load_pcx_memory(NULL, 10, &w, &h, NULL, &error) == NULL);
    CHECK_EQ(error.code, MD2_ERROR_ARGUMENT);
    options.max_bytes = 64 * 64 * 4 - 1;
    CHECK(md2_load_pcx_memory(bytes.data, bytes.size, &w, &h, &options, &error) == NULL);
    CHECK_EQ(error.code, MD2_ERROR_LIMIT);
    options = options_of(0);
    use_memory(&options, &memory);
    memory.fail_at = 1;
    CHECK(md2_load_pcx_memory(bytes.data, bytes.size, &w, &h, &options, &error) == NULL);
    CHECK_EQ(error.code, MD2_ERROR_MEMORY);
    CHECK(counting_is_clean(&memory));
    m2_free(&bytes);
}

/* Any single byte may be anything: a picture or a refusal, nothing else. */
static void test_pcx_byte_changes(void)
{
    m2_bytes bytes = m2_pcx(13, 9, 14, M2_PCX_RUNS);
    size_t i;
    uint32_t value, loaded = 0, refused = 0;
    check_section("pcx byte changes");
    for (i = 0; i < bytes.size; i += i < 300 ? 1 : 31) {
        uint8_t kept = bytes.data[i];
        for (value = 0; value < 256; value += i < 128 ? 1 : 5) {
            counting_allocator memory;
            md2_error error;
            uint32_t w = 0, h = 0;
            uint8_t *pixels;
            bytes.data[i] = (uint8_t)value;
            pixels = load_pcx(&bytes, &w, &h, &memory, &error);
            if (pixels)
                ++loaded;
            else
                ++refused;
            CHECK((pixels == NULL) == (error.code != MD2_OK));
            free_pcx(pixels, w, h, &memory);
        }
        bytes.data[i] = kept;
    }
    CHECK_FLOOR(loaded, 10000, "changed pictures that still load");
    CHECK_FLOOR(refused, 500, "changed pictures that are refused");
    m2_free(&bytes);
}

/* -- Every model under MODELS --------------------------------------------- */

typedef struct collection {
    uint64_t file_bytes, model_bytes;
    uint32_t loaded, with_strips, strips_match, twins, players, players_right, other_story,
        welds_known;
    worst_of worst;
} collection;

/* Measured once, by hand: how many vertices welding must leave. */
static const struct known_weld {
    const char *name;
    uint32_t corners, vertices;
} known_welds[] = { { "faerie.md2", 1962, 503 }, { "sydney.md2", 2037, 482 },
                    { "flag.md2", 612, 134 },    { "horse.md2", 2070, 540 },
                    { "ogro.md2", 2010, 541 },   { "usmc.md2", 1824, 526 },
                    { "female.md2", 1776, 434 }, { "blade.md2", 2268, 810 } };

static void check_known_weld(const char *path, const md2_model *m, collection *all)
{
    size_t i;
    for (i = 0; i < sizeof known_welds / sizeof known_welds[0]; ++i) {
        if (!has_suffix(path, known_welds[i].name) ||
            m->index_count != known_welds[i].corners)
            continue;
        CHECK_EQ(m->vertex_count, known_welds[i].vertices);
        ++all->welds_known;
    }
}

static bool on_table_edge(uint32_t frame)
{
    uint32_t i;
    for (i = 1; i < M2_PLAYER_CLIPS; ++i)
        if (m2_player_clips[i].first == frame) return true;
    return false;
}

/* Three cuts or more, one after the first frame not counted, fewer than half of them where the
   table has one: then the names know better. Unless a third of the table is there among the slips:
   then either answer is right. */
static bool tells_another_story(const md2_anim *list, uint32_t count, bool *slips)
{
    uint32_t i, cuts = 0, edges = 0;
    for (i = 1; i < count; ++i) {
        if (list[i].first == 1) continue;
        ++cuts;
        edges += on_table_edge(list[i].first);
    }
    *slips = edges * 3 >= 19;
    return cuts >= 3 && edges * 2 < cuts;
}

static void check_player_model(const char *path, const md2_model *m, const md2_model *by_name,
                               collection *all)
{
    bool table = m->anim_count == 20 && has_table(m->anims, 20, 0, 20, 0);
    bool slips, story = tells_another_story(by_name->anims, by_name->anim_count, &slips);
    ++all->players;
    all->players_right += table;
    all->other_story += story;
    if (!(story && slips)) CHECK_EQ(table, !story);
    if (!table) CHECK_EQ(m->anim_count, by_name->anim_count);
    if (!table) printf("    not id's 20 animations: %s\n", path);
}

static void check_poses_of(const md2_model *m, const md2_model *s, const m2_bytes *bytes,
                           collection *all)
{
    random_source random = { 121 };
    md2_options options = options_of(0);
    view v = view_of(bytes, &options);
    uint32_t i, different = 0;
    for (i = 0; i < 4; ++i) {
        md2_pose pose = i == 0 ? still(m->frame_count - 1) : random_pose(&random, m->frame_count);
        compare_pose(m, &v, &pose, &all->worst);
        different += !same_as_scalar(m, s, &pose, i % 2 ? 12 : 32, 24);
    }
    CHECK_EQ(different, 0);
}

static void check_collected(const char *path, const m2_bytes *bytes, collection *all)
{
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    md2_model *m, *s = scalar_load(bytes->data, bytes->size, &options), *by_name;
    use_memory(&options, &memory);
    m = md2_load_memory(bytes->data, bytes->size, &options, &error);
    if (!CHECK(m != NULL)) {
        printf("    %s\n", error.message);
        return;
    }
    check_memory_of(m, &memory, bytes->size);
    check_model(m, bytes, &options);
    ++all->loaded;
    all->file_bytes += bytes->size;
    all->model_bytes += m->bytes;
    if (m->strip_count) {
        check_strips(m, bytes, &options);
        ++all->with_strips;
        all->strips_match += strips_match_triangles(m);
    }
    check_known_weld(path, m, all);
    check_poses_of(m, s, bytes, all);
    if (CHECK(s && same_model(m, s))) ++all->twins;
    by_name = load_bytes(bytes, MD2_FRAME_NAMES);
    if (by_name && m->frame_count == 198) check_player_model(path, m, by_name, all);
    md2_free_model(by_name);
    md2_free_model(m);
    scalar_free(s);
    CHECK(counting_is_clean(&memory));
}

static void test_collection(void)
{
    file_list files = list_models("md2", ".md2");
    collection all;
    size_t i;
    check_section("collection");
    memset(&all, 0, sizeof all);
    for (i = 0; i < files.count; ++i) {
        m2_bytes bytes;
        check_subject(files.path[i]);
        bytes.data = read_file(files.path[i], &bytes.size);
        if (CHECK(bytes.data != NULL)) check_collected(files.path[i], &bytes, &all);
        m2_free(&bytes);
    }
    check_subject("");
    if (files.count) {
        printf("worst position %.3g of the extent, worst normal %.3g\n", all.worst.position,
               all.worst.normal);
        check_worst(&all.worst);
        CHECK_EQ(all.loaded, files.count);
        printf("memory: %.3f of the files\n", (double)all.model_bytes / (double)all.file_bytes);
        CHECK(all.model_bytes <= all.file_bytes * 5 / 4);
        CHECK_FLOOR(all.loaded, 300, "collected models loaded");
        CHECK_FLOOR(all.worst.vertices, 200000, "their vertices against double precision");
        CHECK_FLOOR(all.with_strips, 300, "with strips");
        CHECK_FLOOR(all.strips_match, all.with_strips - all.with_strips / 50,
                    "whose strips show their triangles");
        CHECK_FLOOR(all.welds_known, 3, "with a known number of vertices");
        CHECK_FLOOR(all.players, 80, "with 198 frames");
        CHECK_FLOOR(all.players_right, all.players - all.players / 50,
                    "that get id's 20 animations");
    }
    file_list_free(&files);
}

/* What is broken is refused with a sentence; a model of another game is called by its name. */
static void check_broken(const m2_bytes *bytes, uint32_t *refused)
{
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    md2_model *m;
    use_memory(&options, &memory);
    m = md2_load_memory(bytes->data, bytes->size, &options, &error);
    CHECK(memory.peak_bytes <= 64 * bytes->size + (1u << 20));
    if (m) {
        check_model(m, bytes, &options);
    } else {
        check_refused(m, &error, error.code);
        ++*refused;
        if (bytes->size >= 4 && memcmp(bytes->data, "IDP3", 4) == 0) {
            CHECK_EQ(error.code, MD2_ERROR_NOT_MD2);
            CHECK(strstr(error.message, "MD3") != NULL);
        }
        printf("    %s\n", error.message);
    }
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
}

static void test_broken_collection(void)
{
    file_list files = list_models("bad", ".md2");
    uint32_t refused = 0;
    size_t i;
    check_section("broken collection");
    for (i = 0; i < files.count; ++i) {
        m2_bytes bytes;
        check_subject(files.path[i]);
        bytes.data = read_file(files.path[i], &bytes.size);
        if (CHECK(bytes.data != NULL)) check_broken(&bytes, &refused);
        m2_free(&bytes);
    }
    check_subject("");
    if (files.count) CHECK_FLOOR(refused, 11, "broken models refused");
    file_list_free(&files);
}

/* A plain reading of the same picture; NULL where it is none. */
static uint8_t *plain_pcx(const m2_bytes *b, uint32_t *width, uint32_t *height)
{
    uint32_t line = m2_get16(b->data + 66), run = 0, x, y;
    size_t at = 128;
    uint8_t value = 0, *out;
    const uint8_t *palette = b->data + b->size - 768;
    *width = m2_get16(b->data + 8) - m2_get16(b->data + 4) + 1;
    *height = m2_get16(b->data + 10) - m2_get16(b->data + 6) + 1;
    out = (uint8_t *)malloc_or_abort((size_t)*width * *height * 4);
    for (y = 0; y < *height; ++y) {
        for (x = 0; x < line; ++x) {
            if (run == 0 && at + 1 < b->size) {
                run = b->data[at] >= 0xC0 ? b->data[at++] & 63u : 1;
                value = b->data[at++];
            }
            run -= run > 0;
            if (x >= *width) continue;
            memcpy(out + ((size_t)y * *width + x) * 4, palette + value * 3, 3);
            out[((size_t)y * *width + x) * 4 + 3] = 255;
        }
    }
    return out;
}

static uint32_t check_collected_pcx(const m2_bytes *bytes)
{
    counting_allocator memory;
    md2_error error;
    uint32_t w = 0, h = 0, x = 0, y = 0;
    uint8_t *pixels = load_pcx(bytes, &w, &h, &memory, &error), *plain;
    if (!pixels) {
        printf("    %s: %s\n", check_state.subject, error.message);
        CHECK(strlen(error.message) >= 10);
        return 0;
    }
    plain = plain_pcx(bytes, &x, &y);
    if (CHECK(w == x && h == y)) CHECK(memcmp(pixels, plain, (size_t)w * h * 4) == 0);
    free(plain);
    free_pcx(pixels, w, h, &memory);
    return 1;
}

static void test_collected_pictures(void)
{
    file_list files = list_models("md2", ".pcx");
    uint32_t loaded = 0;
    size_t i;
    check_section("collected pictures");
    for (i = 0; i < files.count; ++i) {
        m2_bytes bytes;
        check_subject(files.path[i]);
        bytes.data = read_file(files.path[i], &bytes.size);
        if (CHECK(bytes.data != NULL)) loaded += check_collected_pcx(&bytes);
        m2_free(&bytes);
    }
    check_subject("");
    if (files.count) CHECK_FLOOR(loaded, 84, "pictures loaded");
    file_list_free(&files);
}

/* -- All of it ------------------------------------------------------------ */

static void (*const tests[])(void) = { test_every_shape,
                                       test_every_shape_with_options,
                                       test_error_places,
                                       test_cut_sections,
                                       test_bad_number_place,
                                       test_contradictions,
                                       test_null_arguments,
                                       test_result_names,
                                       test_fps_option,
                                       test_max_bytes,
                                       test_failing_allocations,
                                       test_reader,
                                       test_failing_reader,
                                       test_endless_reader,
                                       test_files,
                                       test_exact_cube,
                                       test_winding,
                                       test_texture_options,
                                       test_texture_edges,
                                       test_y_up,
                                       test_wild_normals,
                                       test_vanishing_normals,
                                       test_scale_option,
                                       test_options_on_random_models,
                                       test_weld_by_value,
                                       test_borrow,
                                       test_sheet_strips,
                                       test_strip_shapes,
                                       test_words_after_terminator,
                                       test_normal_table,
                                       test_normal_properties,
                                       test_normals_out_of_range,
                                       test_split_names,
                                       test_split_odd_names,
                                       test_split_long_names,
                                       test_split_capacity,
                                       test_split_names_or_table,
                                       test_split_player,
                                       test_split_player_with_extras,
                                       test_split_weapon,
                                       test_split_table_alone,
                                       test_split_random_names,
                                       test_split_many,
                                       test_weld_many,
                                       test_find,
                                       test_find_exact_name,
                                       test_split_tables,
                                       test_pose_at,
                                       test_pose_at_frames,
                                       test_lengths,
                                       test_one_frame,
                                       test_pose_at_extremes,
                                       test_lerp_rounds_up,
                                       test_million_steps,
                                       test_between,
                                       test_mix,
                                       test_mix_continuity,
                                       test_mix_edges,
                                       test_poses_against_reference,
                                       test_frames_decode_alone,
                                       test_companion_weapon,
                                       test_strides,
                                       test_null_outputs,
                                       test_normals_are_unit,
                                       test_pose_bounds,
                                       test_bounds_count_unused_points,
                                       test_farthest_points,
                                       test_bounds_of_stills,
                                       test_triangle_frames,
                                       test_triangle_frames_without_area,
                                       test_triangle_frame_of_cube,
                                       test_far_out,
                                       test_scalar_is_simd,
                                       test_player_against_reference,
                                       test_player_glides,
                                       test_fifth_track,
                                       test_fades,
                                       test_fade_ignores_speed,
                                       test_play_restarts,
                                       test_missing_animation,
                                       test_independent_players,
                                       test_wild_deltas,
                                       test_pause,
                                       test_stop,
                                       test_seek,
                                       test_seek_keeps_phase,
                                       test_events,
                                       test_events_add_up,
                                       test_first_frame_event,
                                       test_events_of_newest_track,
                                       test_once_finishes,
                                       test_looped,
                                       test_backwards,
                                       test_skin_paths,
                                       test_skin_paths_lower_case,
                                       test_skin_paths_without_skins,
                                       test_skin_traversal,
                                       test_skin_path_room,
                                       test_pcx,
                                       test_pcx_one_colour,
                                       test_bad_pcx,
                                       test_pcx_palette_marker,
                                       test_pcx_arguments,
                                       test_pcx_byte_changes,
                                       test_collection,
                                       test_broken_collection,
                                       test_collected_pictures };

int main(void)
{
    size_t i;
    for (i = 0; i < sizeof tests / sizeof tests[0]; ++i) {
        clock_t start = clock();
        tests[i]();
        if (getenv("TIMES") && seconds_since(start) > 0.05)
            printf("%.2f s: %s\n", seconds_since(start), check_state.section);
    }
    check_section("");
    CHECK_FLOOR(sizeof tests / sizeof tests[0], 95, "tests");
    return check_finish();
}
