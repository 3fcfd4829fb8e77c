/* The functions of test_md2.h. Public domain. */
#include "test_md2.h"

/* -- Running --------------------------------------------------------------- */

static struct kept { /* what the running test has created */
    counting_allocator memory;
    md2_model         *models[1200];
    m2_bytes          *bytes[3200];
    size_t             model_count, bytes_count;
} kept;

void release_kept(void)
{
    while (kept.model_count) md2_free_model(kept.models[--kept.model_count]);
    while (kept.bytes_count) {
        m2_free(kept.bytes[--kept.bytes_count]);
        free(kept.bytes[kept.bytes_count]);
    }
    CHECK(counting_is_clean(&kept.memory));
}

/* -- Models that live until the end of a test ------------------------------- */

md2_options options_of(uint32_t flags)
{
    const md2_options options = { flags, 0, 0, 0, { NULL, NULL, NULL } };
    return options;
}

md2_options counting_options(counting_allocator *memory)
{
    const md2_allocator counting = { counting_alloc, counting_release, memory };
    md2_options         options = options_of(0);
    memset(memory, 0, sizeof *memory);
    options.allocator = counting;
    return options;
}

static m2_bytes *keep_bytes(m2_bytes bytes)
{
    m2_bytes *one = (m2_bytes *)malloc_or_abort(sizeof *one);
    if (kept.bytes_count == sizeof kept.bytes / sizeof kept.bytes[0]) abort();
    *one = bytes;
    return kept.bytes[kept.bytes_count++] = one;
}

m2_bytes *named(const char *name) { return keep_bytes(m2_named(name)); }

m2_bytes *random_bytes(uint32_t seed, uint32_t points, uint32_t tris, uint32_t frames)
{
    return keep_bytes(m2_random(seed, points, tris, frames));
}

m2_bytes *pcx_bytes(uint32_t width, uint32_t height, uint32_t bytes_per_line, int style)
{
    return keep_bytes(m2_pcx(width, height, bytes_per_line, style));
}

m2_bytes *written(m2_file *file)
{
    return keep_bytes(m2_write(file));
}

md2_model *load_with(const m2_bytes *bytes, const md2_options *options)
{
    const md2_allocator counting = { counting_alloc, counting_release, &kept.memory };
    md2_options         counted = *options;
    md2_error           error;
    counted.allocator = counting;
    md2_model *model = md2_load_memory(bytes->data, bytes->size, &counted, &error);
    if (!model) check_step("it does not load: %s", error.message);
    CHECK(model != NULL && error.code == MD2_OK);
    if (kept.model_count == sizeof kept.models / sizeof kept.models[0]) abort();
    return kept.models[kept.model_count++] = model;
}

md2_model *load(const m2_bytes *bytes, uint32_t flags)
{
    md2_options options = options_of(flags);
    return load_with(bytes, &options);
}

md2_model *load_named(const char *name, uint32_t flags)
{
    m2_bytes   bytes = m2_named(name);
    md2_model *model = load(&bytes, flags);
    m2_free(&bytes);
    return model;
}

md2_error refusal_of(const m2_bytes *bytes, const md2_options *options)
{
    md2_error  error;
    md2_model *model = md2_load_memory(bytes->data, bytes->size, options, &error);
    CHECK(model == NULL);
    md2_free_model(model);
    return error;
}

void check_error(const md2_error *error, md2_result code, size_t offset, const char *message)
{
    CHECK_TEXT(md2_result_name(error->code), md2_result_name(code));
    CHECK_EQ(error->offset, offset);
    CHECK_TEXT(error->message, message);
}

void check_refused(const void *loaded, const md2_error *error, md2_result code)
{
    CHECK(loaded == NULL);
    CHECK_TEXT(md2_result_name(error->code), md2_result_name(code));
    CHECK(memchr(error->message, 0, sizeof error->message) != NULL);
    CHECK(strlen(error->message) >= 10);
}

bool same_floats(const float *a, const float *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof(float)) == 0;
}

/* -- Whole models ----------------------------------------------------------------- */

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

void check_same_model(const md2_model *m, const md2_model *want)
{
    CHECK_EQ(m->skin_width, want->skin_width);
    CHECK_EQ(m->skin_height, want->skin_height);
    CHECK_EQ(m->flags, want->flags);
    CHECK_EQ(m->defects, want->defects);
    CHECK_EQ(m->dropped_triangles, want->dropped_triangles);
    CHECK_EQ(m->skin_count, want->skin_count);
    for (uint32_t i = 0; i < want->skin_count; ++i) CHECK_TEXT(m->skins[i].path, want->skins[i].path);

    CHECK_EQ(m->vertex_count, want->vertex_count);
    CHECK_EQ(m->index_count, want->index_count);
    CHECK(same_bytes(m->vertices, want->vertices, want->vertex_count * sizeof *want->vertices));
    CHECK(same_bytes(m->indices, want->indices, want->index_count * sizeof *want->indices));

    CHECK_EQ(m->point_count, want->point_count);
    CHECK_EQ(m->frame_count, want->frame_count);
    for (uint32_t i = 0; i < want->frame_count; ++i) {
        const md2_frame *a = &m->frames[i], *b = &want->frames[i];
        check_step("frame %u", (unsigned)i);
        CHECK_TEXT(a->name, b->name);
        CHECK(same_floats(a->scale, b->scale, 3) && same_floats(a->translate, b->translate, 3));
        CHECK(same_floats(a->min, b->min, 3) && same_floats(a->max, b->max, 3));
        CHECK(same_bytes(a->points, b->points, want->point_count * sizeof *b->points));
    }
    check_step("%s", "");
    CHECK(same_floats(m->min, want->min, 3) && same_floats(m->max, want->max, 3));

    CHECK_EQ(m->anim_count, want->anim_count);
    for (uint32_t i = 0; i < want->anim_count; ++i) {
        CHECK_TEXT(m->anims[i].name, want->anims[i].name);
        CHECK_EQ(m->anims[i].first, want->anims[i].first);
        CHECK_EQ(m->anims[i].count, want->anims[i].count);
        CHECK_EQ(m->anims[i].fps, want->anims[i].fps);
    }

    CHECK_EQ(m->strip_count, want->strip_count);
    CHECK_EQ(m->strip_vertex_count, want->strip_vertex_count);
    CHECK(same_bytes(m->strips, want->strips, want->strip_count * sizeof *want->strips));
    CHECK(same_bytes(m->strip_vertices, want->strip_vertices,
                     want->strip_vertex_count * sizeof *want->strip_vertices));
}

void check_bounds(const md2_model *m)
{
    float low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
    for (uint32_t i = 0; i < 3 * m->frame_count; ++i) {
        const md2_frame *f = &m->frames[i / 3];
        uint32_t         axis = i % 3;
        double           scale = (double)f->scale[axis], translate = (double)f->translate[axis];
        double           rounding = 1e-6 * (255 * fabs(scale) + fabs(translate));
        double           min = HUGE_VAL, max = -HUGE_VAL;
        for (uint32_t k = 0; k < m->point_count; ++k) {
            const uint8_t bytes[3] = { f->points[k].x, f->points[k].y, f->points[k].z };
            min = fmin(min, bytes[axis] * scale + translate);
            max = fmax(max, bytes[axis] * scale + translate);
        }
        check_step("frame %u, axis %u", (unsigned)(i / 3), (unsigned)axis);
        CHECK_NEAR(f->min[axis], min, rounding);
        CHECK_NEAR(f->max[axis], max, rounding);
        if (i < 3 || f->min[axis] < low[axis]) low[axis] = f->min[axis];
        if (i < 3 || f->max[axis] > high[axis]) high[axis] = f->max[axis];
    }
    check_step("all frames");
    for (uint32_t axis = 0; axis < 3; ++axis) {
        CHECK_EQ(m->min[axis], low[axis]);
        CHECK_EQ(m->max[axis], high[axis]);
    }
    check_step("%s", "");
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

/* A model whose faces are kept inside out has normals that point away from the front of its faces. */
bool is_lit_outside(const md2_model *m, uint32_t frame)
{
    double outward = outward_of(m, frame);
    return (m->defects & MD2_FACES_INWARD ? -outward : outward) > -0.1;
}

double extent_of(const md2_model *m)
{
    double sides = 0.0, reach = 0.0; /* squares of the diagonal, and of the distance from the origin */
    for (uint32_t i = 0; i < 3; ++i) {
        double low = (double)m->min[i], high = (double)m->max[i];
        sides += (high - low) * (high - low);
        reach += fmax(low * low, high * high);
    }
    double size = sqrt(fmax(sides, reach));
    return size > 0.0 ? size : 1.0;
}

void check_memory_of(const md2_model *m, const counting_allocator *memory, size_t size)
{
    CHECK(memory->peak_bytes <= 17 * size + 66560); /* as the interface states */
    CHECK(memory->peak_blocks <= 2);
    CHECK_EQ(memory->live_blocks, m ? 1 : 0);
    CHECK_EQ(memory->live_bytes, m ? m->bytes : 0);
    CHECK_EQ(memory->mistakes, 0);
}

/* -- Poses as sets of weights --------------------------------------------------- */

const md2_mode modes[3] = { MD2_LOOP, MD2_ONCE, MD2_PING_PONG };

bool is_valid_pose(const md2_pose *pose)
{
    double sum = 0.0;
    CHECK(pose->count <= MD2_MAX_POSE_FRAMES);
    for (uint32_t i = 0; i < MD2_MAX_POSE_FRAMES; ++i) {
        bool is_used = i < pose->count;
        CHECK(pose->weight[i] >= 0.0f && pose->weight[i] <= (is_used ? 1.0f : 0.0f));
        CHECK(is_used || pose->frame[i] == 0);
        sum += (double)pose->weight[i];
    }
    return pose->count == 0 || CHECK_NEAR(sum, 1.0, 1e-5);
}

void add_pose(dense *d, const md2_pose *pose, double share)
{
    CHECK(pose->count <= 8);
    if (pose->count == 0) d->weight[0] += share;
    for (uint32_t i = 0; i < pose->count; ++i) {
        CHECK(pose->frame[i] < DENSE);
        d->weight[pose->frame[i]] += (double)pose->weight[i] * share;
    }
}

dense dense_of(md2_pose pose)
{
    dense d;
    memset(&d, 0, sizeof d);
    add_pose(&d, &pose, 1.0);
    return d;
}

double dense_distance(const dense *a, const dense *b)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < DENSE; ++i) sum += fabs(a->weight[i] - b->weight[i]);
    return sum;
}

void check_distance(const dense *got, const dense *want, double tolerance)
{
    double distance = dense_distance(got, want);
    for (unsigned frame = 0; frame < DENSE && distance > tolerance; ++frame) {
        if (got->weight[frame] > 0 || want->weight[frame] > 0)
            printf("    frame %u has the weight %.9g, wanted %.9g\n", frame, got->weight[frame],
                   want->weight[frame]);
    }
    CHECK_NEAR(distance, 0, tolerance);
}

dense expected_pose(const md2_anim *anim, md2_mode mode, double seconds)
{
    dense d;
    int   from, to;
    double time = seconds * (double)anim->fps;
    double t = find_frames((int)anim->count, false, (int)mode, time, &from, &to);
    memset(&d, 0, sizeof d);
    d.weight[anim->first + (uint32_t)from] += 1.0 - t;
    d.weight[anim->first + (uint32_t)to] += t;
    return d;
}

md2_pose random_pose(random_source *random, uint32_t frames)
{
    md2_pose pose;
    double sum = 0.0, weight[8];
    memset(&pose, 0, sizeof pose);
    pose.count = random_below(random, 9);
    for (uint32_t i = 0; i < pose.count; ++i) sum += weight[i] = random_unit(random) + 0.001;
    for (uint32_t i = 0; i < pose.count; ++i) {
        pose.frame[i] = (uint16_t)random_below(random, frames);
        pose.weight[i] = (float)(weight[i] / sum);
    }
    return pose;
}

md2_pose still(uint32_t frame) { return md2_pose_between(frame, frame, 0.0f); }

md2_anim make_anim(uint32_t first, uint32_t count, float fps)
{
    const md2_anim anim = { first, count, fps, "made" };
    return anim;
}

/* -- Vectors ---------------------------------------------------------------------- */

double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

double not_a_number(void) { return HUGE_VAL - HUGE_VAL; }

void reverse_triangles(m2_bytes *bytes)
{
    for (uint32_t i = 0; i < m2_field(bytes, M2_TRIS); ++i) {
        uint8_t *at = m2_section(bytes, M2_OFS_TRIS) + 12 * i;
        for (uint32_t k = 0; k < 8; k += k == 1 ? 5 : 1) { /* points and texture coordinates of two corners */
            uint8_t swapped = at[k];
            at[k] = at[k + 2];
            at[k + 2] = swapped;
        }
    }
}
