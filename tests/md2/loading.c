/* Loading: the cube by hand with every option; from memory, readers and files; memory and its
   limits; normals outside the table. Public domain. */
#include "test_md2.h"

/* -- The cube, by hand ------------------------------------------------------------ */

static void test_model(void)
{
    md2_model *m = load_named("cube", 0);
    CHECK_EQ(m->point_count, 8);
    CHECK_EQ(m->vertex_count, 24); /* each side has its own texture coordinates */
    CHECK_EQ(m->index_count, 36);
    CHECK_EQ(m->skin_width, 64);
    CHECK_TEXT(m->skins[0].path, "models/cube/cube.pcx");
    CHECK_TEXT(m->frames[0].name, "move1");
    CHECK_TEXT(m->anims[0].name, "move");
    CHECK_EQ(m->min[0], -0.5);
    CHECK_EQ(m->max[2], 0.5);
}

/* The moving cube with different scales and positions on each axis, three skins, and more bytes in each frame than
   its points need. Three sides meet at each point: two of them have the same s, and two may have the same t. */
static void build_contents(m2_file *f)
{
    m2_build_moving_cube(f);
    f->frame_slack = 12;
    f->skin_width = 128;
    f->skin_count = 3;
    free(f->skins);
    f->skins = (char *)m2_zeroes(3, 64);
    m2_skin(f, 0, "players/cube/red.pcx");
    m2_skin(f, 1, "blue.pcx");
    m2_skin(f, 2, "green.tga");
    for (int corner = 0; corner < 24; ++corner) {
        f->st[2 * corner] = (int16_t)(5 + corner / 4 / 4);
        f->st[2 * corner + 1] = (int16_t)(7 + corner / 4 % 4);
    }
    for (int frame = 0; frame < 2; ++frame) {
        for (int axis = 0; axis < 3; ++axis) {
            f->frames[frame].scale[axis] = 0.5f + 0.25f * (float)axis + (float)frame;
            f->frames[frame].translate[axis] = 10.0f * (float)axis - (float)frame;
        }
    }
    for (uint32_t point = 0; point < f->point_count; ++point) m2_point(f, 1, point)[point % 3] ^= 7;
    m2_point(f, 0, 0)[3] = 161; /* the last normal of the table */
}

static void check_frame_contents(const md2_model *m, const m2_file *f, uint32_t frame)
{
    for (uint32_t k = 0; k < 3; ++k) {
        uint32_t axis = m->flags & MD2_Y_UP ? (k + 1) % 3 : k;
        check_step("frame %u, axis %u", (unsigned)frame, (unsigned)k);
        CHECK_EQ(m->frames[frame].scale[k], f->frames[frame].scale[axis]);
        CHECK_EQ(m->frames[frame].translate[k], f->frames[frame].translate[axis]);
        for (uint32_t point = 0; point < f->point_count; ++point) {
            const uint8_t   *stored = f->points + 4 * (frame * f->point_count + point);
            const md2_point *got = &m->frames[frame].points[point];
            const uint8_t    bytes[3] = { got->x, got->y, got->z };
            CHECK_EQ(bytes[k], stored[axis]);
            CHECK_EQ(md2_normal(got->normal)[k], md2_normal(stored[3])[axis]);
        }
    }
}

static void check_corner_contents(const md2_model *m, const m2_file *f, uint32_t triangle, uint32_t k)
{
    uint32_t          from = m->flags & MD2_KEEP_WINDING || k == 0 ? k : 3 - k;
    const uint16_t   *stored = f->tris + 6 * triangle;
    const md2_vertex *got = &m->vertices[m->indices[3 * triangle + k]];
    double            u = (f->st[2 * stored[3 + from]] + 0.5) / f->skin_width;
    double            v = (f->st[2 * stored[3 + from] + 1] + 0.5) / f->skin_height;
    check_step("triangle %u, corner %u", (unsigned)triangle, (unsigned)k);
    CHECK_EQ(got->point, stored[from]);
    CHECK_NEAR(got->u, u, 1e-6);
    CHECK_NEAR(got->v, m->flags & MD2_FLIP_V ? 1 - v : v, 1e-6);
}

static void test_contents(void)
{
    m2_file file, stored;
    build_contents(&file);
    build_contents(&stored);
    m2_bytes *bytes = written(&file);
    for (uint32_t flags = 0; flags < 8; ++flags) { /* MD2_Y_UP, MD2_KEEP_WINDING, MD2_FLIP_V */
        const md2_model *m = load(bytes, flags);
        check_scene("flags %u", (unsigned)flags);
        CHECK_EQ(m->flags, flags);
        CHECK_EQ(m->skin_width, 128);
        CHECK_EQ(m->skin_height, 64);
        CHECK_EQ(m->skin_count, 3);
        CHECK_TEXT(m->skins[0].path, "players/cube/red.pcx");
        CHECK_TEXT(m->skins[1].path, "blue.pcx");
        CHECK_TEXT(m->skins[2].path, "green.tga");
        CHECK_EQ(m->frame_count, 2);
        CHECK_TEXT(m->frames[0].name, "move1");
        CHECK_TEXT(m->frames[1].name, "move2");
        CHECK_EQ(m->point_count, 8);
        for (uint32_t frame = 0; frame < 2; ++frame) check_frame_contents(m, &stored, frame);
        CHECK_EQ(m->vertex_count, 24);
        CHECK_EQ(m->index_count, 3 * stored.tri_count);
        for (uint32_t corner = 0; corner < m->index_count; ++corner) {
            check_corner_contents(m, &stored, corner / 3, corner % 3);
        }
    }
    m2_end(&stored);
}

/* A name or path that fills its field has no NUL in the file. */
static void test_full_fields(void)
{
    char path[65];
    memset(path, 's', 64);
    path[64] = 0;
    CHECK_TEXT(load_named("name_without_nul", 0)->frames[1].name, "sixteen_letters2");
    CHECK_TEXT(load_named("skin_without_nul", 0)->skins[0].path, path);
}

/* Points and texture coordinates have numbers up to 65535. */
static void test_large_numbers(void)
{
    CHECK_EQ(load_named("65536_points", 0)->vertices[0].point, 65535);

    const md2_model *m = load_named("many_st", 0); /* s and t are the low and the high byte of the number */
    CHECK_EQ(m->vertices[m->vertex_count - 1].u, 255.5 / 64);
    CHECK_EQ(m->vertices[m->vertex_count - 1].v, 255.5 / 64);
}

/* s and t have signs. A width or height of 0 counts as 1 texel. */
static void test_extreme_texture_coordinates(void)
{
    const md2_model *m = load_named("st_extreme", 0); /* s is 32767, t is -32768 */
    CHECK_NEAR(m->vertices[0].u, 32767.5 / 64, 1e-4);
    CHECK_NEAR(m->vertices[0].v, -32767.5 / 64, 1e-4);

    m = load_named("skin_height_zero", 0);
    CHECK_EQ(m->vertices[m->indices[2]].u, 16.5 / 64);
    CHECK_EQ(m->vertices[m->indices[2]].v, 0.5);
    m = load_named("skin_size_zero", 0); /* the width is 0 */
    CHECK_EQ(m->vertices[m->indices[2]].u, 16.5);
    CHECK_EQ(m->vertices[m->indices[2]].v, 0.5 / 64);
}

/* Moves the cube so that point 0, its lowest corner, is at (1, 2, 3). */
static m2_bytes *cube_at_123(void)
{
    m2_bytes *bytes = named("cube");
    for (int i = 0; i < 3; ++i)
        m2_put_float(m2_section(bytes, M2_OFS_FRAMES) + 12 + 4 * i, (float)(i + 1));
    return bytes;
}

static void test_axes(void)
{
    static const float as_stored[3] = { 1, 2, 3 }, y_up[3] = { 2, 3, 1 };
    CHECK(same_floats(load(cube_at_123(), 0)->min, as_stored, 3));
    CHECK(same_floats(load(cube_at_123(), MD2_Y_UP)->min, y_up, 3));
}

static void test_scale(void)
{
    md2_options options = options_of(0);
    CHECK_EQ(load_with(cube_at_123(), &options)->min[2], 3);
    options.scale = 0.25f;
    CHECK_EQ(load_with(cube_at_123(), &options)->min[2], 0.75);
    CHECK_EQ(load_with(cube_at_123(), &options)->max[2], 1); /* its sides have length 1 */
}

/* In the file, the points are 0, 2, 6: clockwise, seen from outside. */
static void test_winding(void)
{
    static const uint32_t turned[3] = { 0, 6, 2 }, stored[3] = { 0, 2, 6 };
    md2_model *m = load_named("cube", 0), *kept = load_named("cube", MD2_KEEP_WINDING);
    for (uint32_t i = 0; i < 3; ++i) {
        check_step("corner %u", (unsigned)i);
        CHECK_EQ(m->vertices[m->indices[i]].point, turned[i]);
        CHECK_EQ(kept->vertices[kept->indices[i]].point, stored[i]);
    }
}

/* The vertex is at texel (16, 0) of a skin of 64 x 64. */
static void expect_texture_coordinates(uint32_t flags, double u, double v)
{
    const md2_model *m = load_named("cube", flags);
    check_scene("flags %u", (unsigned)flags);
    CHECK_EQ(m->vertices[m->indices[2]].u, u);
    CHECK_EQ(m->vertices[m->indices[2]].v, v);
}

static void test_texture_coordinates(void)
{
    expect_texture_coordinates(0, 16.5 / 64, 0.5 / 64);
    expect_texture_coordinates(MD2_FLIP_V, 16.5 / 64, 63.5 / 64);
}

/* A program can copy the points of all frames to a GPU as one array. Vertices and strips are copied with their
   padding, so the padding must be 0. */
static void check_arrays(const md2_model *m)
{
    size_t count = m->point_count;
    for (uint32_t i = 0; i < m->frame_count; ++i) {
        check_step("frame %u", (unsigned)i);
        CHECK(m->frames[i].points == m->frames[0].points + i * count);
        if (m->frames[0].fine) CHECK(m->frames[i].fine == m->frames[0].fine + i * count);
    }
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        md2_vertex vertex;
        memset(&vertex, 0, sizeof vertex);
        vertex.point = m->vertices[i].point;
        vertex.u = m->vertices[i].u;
        vertex.v = m->vertices[i].v;
        check_step("the padding of vertex %u", (unsigned)i);
        CHECK(memcmp(&m->vertices[i], &vertex, sizeof vertex) == 0);
    }
    for (uint32_t i = 0; i < m->strip_count; ++i) {
        md2_strip strip;
        memset(&strip, 0, sizeof strip);
        strip.first = m->strips[i].first;
        strip.count = m->strips[i].count;
        strip.fan = m->strips[i].fan;
        check_step("the padding of strip %u", (unsigned)i);
        CHECK(memcmp(&m->strips[i], &strip, sizeof strip) == 0);
    }
}

/* Returns memory that is not zeroed. */
static void *alloc_dirty(void *user, size_t size)
{
    (void)user;
    return memset(malloc_or_abort(size), 0xA5, size);
}

static void free_dirty(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

static void test_arrays(void)
{
    static const char *const names[] = { "cube", "moving_cube", "player", "501_frames" };
    static const uint32_t    flags[] = { 0, MD2_Y_UP, MD2_FLIP_V };
    for (uint32_t i = 0; i < 12; ++i) {
        m2_bytes   *bytes = named(names[i % 4]);
        md2_options options = options_of(flags[i / 4]);
        options.allocator.alloc = alloc_dirty;
        options.allocator.release = free_dirty;
        md2_model *m = md2_load_memory(bytes->data, bytes->size, &options, NULL);
        md2_model *s = md2_smooth_model(m, &options, NULL);
        CHECK(m && s);
        check_scene("%s, flags %u", names[i % 4], (unsigned)flags[i / 4]);
        check_arrays(m);
        check_scene("%s, flags %u, smoothed", names[i % 4], (unsigned)flags[i / 4]);
        check_arrays(s);
        md2_free_model(s);
        md2_free_model(m);
    }
}

static void test_rate_of_anims(void)
{
    md2_options options = options_of(0);
    CHECK_EQ(load_with(named("player"), &options)->anims[1].fps, 10);
    options.fps = 24;
    const md2_anim *run = &load_with(named("player"), &options)->anims[1];
    CHECK_NEAR(md2_anim_length(run, MD2_LOOP), 6 / 24.0, 1e-6);
}

/* A negative scale mirrors the points, so the largest byte becomes the lowest position. */
static void test_negative_scale(void)
{
    m2_bytes *bytes = named("cube");
    m2_put_float(m2_section(bytes, M2_OFS_FRAMES), -2.0f);
    md2_model       *m = load(bytes, 0);
    const md2_frame *frame = &m->frames[0];
    float            low = 1e30f, high = -1e30f;
    CHECK_EQ(frame->scale[0], -2);
    for (uint32_t i = 0; i < m->point_count; ++i) {
        float x = frame->translate[0] - 2.0f * frame->points[i].x;
        low = fminf(low, x);
        high = fmaxf(high, x);
    }
    CHECK(low < high);
    CHECK_EQ(frame->min[0], low);
    CHECK_EQ(frame->max[0], high);
    CHECK_EQ(m->min[0], low);
    CHECK_EQ(m->max[0], high);
}

/* The normals of the table are in the recorded hashes. */
static void test_normals_outside_table(void)
{
    static const uint32_t beyond[] = { 162, 255, 256, 65535, 0x7FFFFFFF, 0xFFFFFFFFu };
    for (uint32_t i = 0; i < 6; ++i) {
        const float *n = md2_normal(beyond[i]);
        check_step("index %.0f", (double)beyond[i]);
        CHECK(n[0] == 0.0f && n[1] == 0.0f && n[2] == 1.0f);
    }
}

/* -- Readers, files, arguments and limits ---------------------------------------- */

static void *sample(bool large, size_t *size)
{
    m2_bytes *bytes = large ? random_bytes(5, 2000, 1000, 30) : named("player");
    *size = bytes->size;
    return bytes->data;
}

static void check_sample(const md2_model *model, bool large)
{
    m2_bytes bytes;
    bytes.data = (uint8_t *)sample(large, &bytes.size);
    check_same_model(model, load(&bytes, 0));
}

#define load_memory  md2_load_memory
#define load_reader  md2_load_reader
#define load_file    md2_load_file
#define NO_DATA      "no data is given"
#define BAD_SCALE    "options.scale is not a finite number above 0"
#define NOT_MINE     MD2_ERROR_NOT_MD2
#define FILE_NAME    "test_md2.tmp"
#include "tests/both/names_md2.h"
#include "tests/both/loading.h"

static void test_contradictions(void)
{
    md2_options options = options_of(MD2_FRAME_NAMES | MD2_QUAKE2_ANIMS);
    expect_refused(&options, "MD2_FRAME_NAMES and MD2_QUAKE2_ANIMS exclude each other");
}

static void test_rate_refused(void)
{
    const float rates[3] = { -1.0f, (float)HUGE_VAL, (float)not_a_number() };
    md2_options options = options_of(0);
    for (int i = 0; i < 3; ++i) {
        options.fps = rates[i];
        expect_refused(&options, "options.fps is not a finite number above 0");
    }
}

static void test_large_scale(void)
{
    md2_options options = options_of(0);
    options.scale = 3e38f;
    md2_error error = refusal_of(named("player"), &options);
    CHECK_EQ(error.code, MD2_ERROR_ARGUMENT);
    CHECK_TEXT(error.message, "options.scale is too large for frame 0 of 198: a position is not "
                              "finite");

    check_scene("a file that has this scale, and options that make it even larger");
    m2_bytes *bytes = named("player");
    m2_put_float(m2_section(bytes, M2_OFS_FRAMES), 3e38f);
    CHECK_EQ(refusal_of(bytes, &options).code, MD2_ERROR_CORRUPT);
}

/* -- Memory ----------------------------------------------------------------------- */

static void test_usual_limit(void)
{
    counting_allocator memory;
    md2_options        options = counting_options(&memory);
    md2_error          error;
    size_t             size;
    const void        *data = sample(false, &size);
    feed               from = feed_of(data, size, 0);
    md2_reader         reader = { read_feed, &from };
    from.endless = true;
    CHECK(!md2_load_reader(&reader, &options, &error));
    CHECK_EQ(error.code, MD2_ERROR_LIMIT);
    check_step("%s", error.message);
    CHECK(strstr(error.message, "but max_bytes is 67108864") != NULL);
    CHECK(memory.peak_bytes <= (size_t)64 << 20);
    CHECK(memory.peak_bytes > (size_t)32 << 20);
}

static void test_memory(void)
{
    static const char *const names[3] = { "cube", "sheet", "moving_cube" };
    static const size_t kept[3] = { 1232, 2012, 1344 }, most[3] = { 3584, 6708, 3728 };
    for (int i = 0; i < 3 && sizeof(void *) == 8; ++i) {
        m2_bytes          *bytes = named(names[i]);
        counting_allocator memory;
        md2_options        options = counting_options(&memory);
        check_scene("%s", names[i]);
        md2_model *model = md2_load_memory(bytes->data, bytes->size, &options, NULL);
        CHECK(model != NULL);
        CHECK_EQ(model->bytes, kept[i]);
        CHECK_EQ(memory.peak_bytes, most[i]);
        md2_free_model(model);
        CHECK(counting_is_clean(&memory));
    }
}

/* -- The limit of memory that the interface states ----------------------------------- */

enum { FROM_MEMORY, FROM_FILE, FROM_READER };

static double peak_of(const m2_bytes *bytes, int from)
{
    static const size_t times[3] = { 14, 15, 16 }, plus[3] = { 1024, 1024, 1024 + 65536 };
    counting_allocator  memory;
    md2_options         options = counting_options(&memory);
    feed                source = feed_of(bytes->data, bytes->size, 0);
    md2_reader          reader = { read_feed, &source };
    md2_model          *model = NULL;
    options.max_bytes = (size_t)1 << 30;

    check_step("from %s",
               from == FROM_MEMORY ? "memory" : from == FROM_FILE ? "a file" : "a reader");
    if (from == FROM_MEMORY) model = md2_load_memory(bytes->data, bytes->size, &options, NULL);
    if (from == FROM_FILE) model = md2_load_file(check_path(FILE_NAME), &options, NULL);
    if (from == FROM_READER) model = md2_load_reader(&reader, &options, NULL);
    CHECK(model != NULL);
    CHECK(memory.peak_bytes <= times[from] * bytes->size + plus[from]);
    md2_free_model(model);
    CHECK(counting_is_clean(&memory));
    return (double)memory.peak_bytes / (double)bytes->size;
}

/* A file that has only points, texture coordinates, triangles and frames. Each corner is a separate vertex. */
static m2_bytes *bare_bytes(uint32_t points, uint32_t triangles, uint32_t frames)
{
    m2_file f;
    uint32_t texcoords = 3 * triangles / points + 1; /* one for each use of a point */
    m2_begin(&f, 0, points, texcoords, triangles, 0, frames);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        m2_frame(&f, frame, "stand", 1, 0);
        for (uint32_t i = 0; i < points; ++i)
            m2_set_point(&f, frame, i, (int)(i & 255), (int)(i >> 8 & 255), 7, (int)(i % 162));
    }

    m2_bytes *bytes = written(&f);
    for (uint32_t i = 0; i < texcoords; ++i)
        m2_put16(m2_section(bytes, M2_OFS_ST) + 4 * (size_t)i, i);
    for (uint32_t corner = 0; corner < 3 * triangles; ++corner) {
        uint8_t *triangle = m2_section(bytes, M2_OFS_TRIS) + 12 * (size_t)(corner / 3);
        m2_put16(triangle + 2 * (corner % 3), corner % points);
        m2_put16(triangle + 6 + 2 * (corner % 3), corner / points);
    }
    return bytes;
}

/* The memory is between `least` and `most` times the size of the file. If pointers have 32 bits, it may be less. */
static void test_most_memory(void)
{
    static const struct { uint32_t points, triangles, frames; double least, most; } models[] = {
        { 500, 800, 198, 1.3, 2.0 }, { 200, 400, 198, 1.3, 2.0 }, { 900, 1200, 100, 1.3, 2.0 },
        { 1000, 2000, 20, 2.0, 5.0 }, { 60000, 100000, 1, 9.0, 14.0 },
        { 60000, 20000, 1, 8.3, 8.7 }, { 65536, 1, 1, 3.9, 4.1 }, { 2000, 200000, 1, 13.8, 14.0 },
        { 1, 1, 3000, 1.5, 5.0 }, { 1, 1, 1, 0.1, 14.0 }
    };
    for (uint32_t i = 0; i < sizeof models / sizeof models[0]; ++i) {
        m2_bytes *bytes = bare_bytes(models[i].points, models[i].triangles, models[i].frames);
        double    size = (double)bytes->size;
        check_scene("%u points, %u triangles, %u frames: %lu bytes", (unsigned)models[i].points,
                    (unsigned)models[i].triangles, (unsigned)models[i].frames,
                    (unsigned long)bytes->size);
        CHECK(write_file(check_path(FILE_NAME), bytes->data, bytes->size));
        peak_of(bytes, FROM_READER);
        double file = peak_of(bytes, FROM_FILE);
        double memory = peak_of(bytes, FROM_MEMORY);
        remove_file(check_path(FILE_NAME));

        CHECK(memory <= models[i].most && (sizeof(void *) < 8 || memory >= models[i].least));
        CHECK_NEAR(file - memory, 1, 0.01 + 64 / size);
    }
}

void test_loading(void)
{
    RUN(test_model, "a cube has the counts, names and bounds of its file");
    RUN(test_contents, "every number of a file is in the model, converted as the flags say");
    RUN(test_full_fields, "a frame name may have 16 letters, and a path 64");
    RUN(test_large_numbers, "points and texture coordinates have numbers of 16 bits");
    RUN(test_extreme_texture_coordinates, "texture coordinates may be far outside a skin, even of size 0");
    RUN(test_axes, "x, y, z are as stored; with MD2_Y_UP they are y, z, x");
    RUN(test_scale, "options.scale multiplies all positions; 0 is 1");
    RUN(test_winding, "triangles are counter-clockwise, unless MD2_KEEP_WINDING");
    RUN(test_texture_coordinates, "u is (s + 0.5) / width, v is (t + 0.5) / height, or 1 minus that with MD2_FLIP_V");
    RUN(test_rate_of_anims, "options.fps is the rate of all animations; 0 is 10");
    RUN(test_negative_scale, "the bounds of a frame with a negative scale contain its points exactly");
    RUN(test_arrays, "the points of all frames are one array, and vertices and strips have no uninitialized bytes");
    RUN(test_readers, "a reader returns its bytes in pieces of any size, or fails");
    RUN(test_files, "a file has a path in UTF-8; if it cannot be read, the error names it");
    RUN(test_paths, "a path that is not UTF-8 opens nothing");
    RUN(test_printed_paths, "a message has the path unchanged, except for control characters");
    RUN(test_version, "the version that was compiled is that of the header");
    RUN(test_result_names, "each result has a name");
    RUN(test_missing_arguments, "missing arguments are refused and reported");
    RUN(test_copied_model, "a copied struct owns nothing, and neither does a struct that was not loaded");
    RUN(test_refused_options, "half an allocator and an invalid scale are refused");
    RUN(test_contradictions, "flags that contradict each other are refused");
    RUN(test_rate_refused, "options.fps is refused if it is below 0 or not finite");
    RUN(test_large_scale, "a scale that makes positions infinite is refused");
    RUN(test_usual_limit, "loading takes at most 64 MiB unless max_bytes says otherwise");
    RUN(test_limits, "max_bytes limits the memory that is allocated at the same time");
    RUN(test_memory, "a model is one block of exactly the size that it needs");
    RUN(test_most_memory, "loading takes at most the memory that the interface states");
    RUN(test_normals_outside_table, "normals with an index outside the table point up");
}
