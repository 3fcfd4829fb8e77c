/* The functions of test_md2.h that need no more than the interface of md2.h. Public domain. */
#include "test_md2.h"

/* -- Running --------------------------------------------------------------- */

static struct kept { /* what the running test has loaded */
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

/* -- Poses as sets of weights --------------------------------------------------- */

const md2_mode modes[3] = { MD2_LOOP, MD2_ONCE, MD2_PING_PONG };

bool sound_pose(const md2_pose *pose)
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
            printf("    frame %u weighs %.9g, wanted %.9g\n", frame, got->weight[frame],
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

void turn_triangles(m2_bytes *bytes)
{
    for (uint32_t i = 0; i < m2_field(bytes, M2_TRIS); ++i) {
        uint8_t *at = m2_section(bytes, M2_OFS_TRIS) + 12 * i;
        for (uint32_t k = 0; k < 8; k += k == 1 ? 5 : 1) { /* the first two corners, both parts */
            uint8_t swapped = at[k];
            at[k] = at[k + 2];
            at[k + 2] = swapped;
        }
    }
}
