/* torture_md2: every model of the tests' own, and every one under MODELS, cut short at every
   length, with bytes changed, with allocations failing and readers breaking off. Whatever still
   loads is used. Meant for the sanitizers; `--quick` (or TORTURE=quick) takes a sample that fits
   into any test run, `--brief` one for a machine that is emulated. Public domain. */
#define MD2_IMPLEMENTATION
#include "../md2.h"

#include "check.h"
#include "models_md2.h"

#include <time.h>

static struct torture {
    bool quick, brief, collected; /* brief is quicker than quick */
    uint32_t files, lengths, changes, allocations, readers, pictures;
    uint32_t loaded, refused, used_whole;
    uint64_t vertices; /* posed */
    double slowest;    /* seconds for one load */
    float sink;        /* what was computed, so that it is */
} torture;

static check_random dice = { 2024 };

static const uint32_t flag_sets[] = { 0,
                                      MD2_Y_UP,
                                      MD2_KEEP_WINDING | MD2_FLIP_V,
                                      MD2_BORROW,
                                      MD2_HALF_TEXEL,
                                      MD2_FRAME_NAMES,
                                      0,
                                      MD2_QUAKE2_ANIMS | MD2_Y_UP };

static md2_options next_options(check_memory *memory)
{
    static uint32_t turn;
    md2_options options;
    memset(&options, 0, sizeof options);
    memset(memory, 0, sizeof *memory);
    options.flags = flag_sets[turn++ % (sizeof flag_sets / sizeof flag_sets[0])];
    options.allocator.alloc = check_alloc;
    options.allocator.release = check_release;
    options.allocator.user = memory;
    return options;
}

/* -- Using a model that loaded -------------------------------------------- */

static void use_lists(const md2_model *m)
{
    uint32_t i, k, wrong = 0;
    for (i = 0; i < m->vertex_count; ++i) {
        wrong += m->vertices[i].point >= m->point_count;
        torture.sink += m->vertices[i].u * 1e-30f;
    }
    for (i = 0; i < m->index_count; ++i) wrong += m->indices[i] >= m->vertex_count;
    for (i = 0; i < m->strip_count; ++i) {
        wrong += (uint64_t)m->strips[i].first + m->strips[i].count > m->strip_vertex_count;
        for (k = 0; k < m->strips[i].count && !wrong; ++k) {
            wrong += m->strip_vertices[m->strips[i].first + k].vertex >= m->vertex_count;
        }
    }
    for (i = 0; i < m->anim_count; ++i) {
        wrong += (uint64_t)m->anims[i].first + m->anims[i].count > m->frame_count ||
                 m->anims[i].count == 0;
        wrong += memchr(m->anims[i].name, 0, sizeof m->anims[i].name) == NULL;
    }
    for (i = 0; i < m->frame_count; ++i) {
        wrong += memchr(m->frames[i].name, 0, sizeof m->frames[i].name) == NULL;
        wrong +=
            !(m->frames[i].radius >= 0.0f && m->frames[i].radius - m->frames[i].radius == 0.0f);
    }
    CHECK_EQ(wrong, 0);
}

static void use_names(const md2_model *m)
{
    char path[64];
    uint32_t i, attempt;
    for (i = 0; i <= m->skin_count && i < 3; ++i) {
        for (attempt = 0; attempt < 40; ++attempt) {
            if (!md2_skin_path(m, "a/b/tris.md2", i, attempt, path, sizeof path)) break;
            torture.sink += (float)path[0] * 1e-30f;
        }
    }
    CHECK(m->anim_count == 0 || md2_find_anim(m, m->anims[m->anim_count - 1].name) != NULL);
    CHECK(md2_find_frame(m, m->frames[m->frame_count - 1].name) >= 0);
}

static void use_pose(const md2_model *m, const md2_pose *pose, float *out)
{
    float frame[16], min[3], max[3];
    uint32_t i, bad = 0;
    md2_pose_vertices(m, pose, out, 24, out + 3, 24);
    for (i = 0; i < m->vertex_count * 6; ++i) bad += !(out[i] - out[i] == 0.0f);
    md2_pose_bounds(m, pose, min, max);
    bad += !(min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]);
    if (md2_pose_triangle(m, pose, m->index_count / 6, frame))
        bad += !(frame[12] - frame[12] == 0.0f);
    CHECK_EQ(bad, 0);
    torture.vertices += m->vertex_count;
}

/* With every frame once when `whole`, else with some of them. */
static void use_poses(const md2_model *m, bool whole, float *out)
{
    uint32_t i, step = whole ? 1 : m->frame_count / 2 + 1;
    for (i = 0; i < m->frame_count; i += step) {
        md2_pose pose = md2_pose_between(i, i + 1, i % 3 ? 0.25f : 0.0f);
        use_pose(m, &pose, out);
    }
}

static void use_player(const md2_model *m, bool whole, float *out)
{
    md2_player player;
    uint32_t i;
    memset(&player, 0, sizeof player);
    for (i = 0; i < (whole ? 6u : 2u); ++i) {
        md2_pose pose;
        md2_play(&player, m->anim_count ? &m->anims[i % m->anim_count] : NULL, (md2_mode)(i % 3),
                 i ? 0.5f : 0.0f);
        md2_advance(&player, 0.17f);
        torture.sink += (float)md2_crossed(&player, i) * 1e-30f;
        pose = md2_player_pose(&player);
        use_pose(m, &pose, out);
    }
}

static void use_model(const md2_model *m, bool whole)
{
    float *out = (float *)check_malloc((size_t)m->vertex_count * 24 + 12);
    use_lists(m);
    use_names(m);
    use_poses(m, whole, out);
    use_player(m, whole, out);
    torture.used_whole += whole;
    free(out);
}

/* -- One load and what follows -------------------------------------------- */

static void check_outcome(md2_model *m, const md2_error *error, check_memory *memory, size_t size,
                          bool whole)
{
    CHECK((m == NULL) == (error->code != MD2_OK));
    CHECK(memory->peak_bytes <= 64 * size + (1u << 20));
    if (m) {
        ++torture.loaded;
        use_model(m, whole);
    } else {
        ++torture.refused;
        CHECK(memchr(error->message, 0, sizeof error->message) != NULL &&
              strlen(error->message) >= 10);
    }
    md2_free_model(m);
    CHECK(check_memory_clean(memory));
}

static void load_and_use(const uint8_t *data, size_t size, bool whole)
{
    check_memory memory;
    md2_options options = next_options(&memory);
    md2_error error;
    clock_t start = clock();
    md2_model *m = md2_load_memory(data, size, &options, &error);
    double seconds = (double)(clock() - start) / (double)CLOCKS_PER_SEC;
    if (seconds > torture.slowest) torture.slowest = seconds;
    check_outcome(m, &error, &memory, size, whole);
}

/* -- The ways of breaking a file ------------------------------------------ */

/* All of them for a file that somebody made; for our own monsters, as many as a minute allows. */
static uint32_t tries_for(size_t size, uint32_t full)
{
    uint32_t most = torture.quick ? full / 10 : full;
    size_t bytes = torture.quick ? 1000000u : torture.collected ? 4000000000u : 200000000u;
    return bytes / (size + 1) < most ? (uint32_t)(bytes / (size + 1)) + 2 : most;
}

/* What is left lies at the end of the block, so that one byte too far is seen. */
static void cut(const m2_bytes *b, uint8_t *room, size_t length)
{
    uint8_t *data = room + (b->size - length);
    memcpy(data, b->data, length);
    load_and_use(data, length, false);
    ++torture.lengths;
}

static void cut_everywhere(const m2_bytes *b)
{
    uint8_t *room = (uint8_t *)check_malloc(b->size);
    uint32_t tries = tries_for(b->size, 2000), i;
    size_t length;
    if (b->size <= 20480 && !torture.quick) {
        for (length = 0; length < b->size; ++length) cut(b, room, length);
    } else {
        for (i = 0; i < tries; ++i) cut(b, room, (size_t)((double)b->size * i / tries));
        for (i = 0; i < 20 && i < b->size; ++i) cut(b, room, b->size - 1 - i);
    }
    free(room);
}

/* Half of them anywhere, half in a section of its own choosing: the small ones would else never be
   hit. */
static size_t random_place(const m2_bytes *b)
{
    static const int fields[] = { M2_OFS_SKINS, M2_OFS_ST, M2_OFS_TRIS, M2_OFS_WORDS,
                                  M2_OFS_FRAMES };
    size_t at = check_random_below(&dice, (uint32_t)b->size), from;
    if (b->size <= M2_HEADER || check_random_below(&dice, 2)) return at;
    from = m2_field(b, fields[check_random_below(&dice, 5)]);
    if (from >= b->size) return at;
    return from +
           check_random_below(&dice, (uint32_t)(b->size - from < 2000 ? b->size - from : 2000));
}

static void change(const m2_bytes *b, size_t at, uint8_t value, bool whole)
{
    uint8_t kept = b->data[at];
    b->data[at] = value;
    load_and_use(b->data, b->size, whole);
    b->data[at] = kept;
    ++torture.changes;
}

static void change_header(const m2_bytes *b)
{
    static const uint8_t values[] = { 0x00, 0x01, 0x7F, 0x80, 0xFF };
    size_t at;
    uint32_t i, step = torture.quick ? 4 : 1;
    for (at = 0; at < M2_HEADER && at < b->size; ++at) {
        for (i = (uint32_t)at % step; i < 5; i += step) change(b, at, values[i], b->size < 20480);
    }
}

static void change_bytes(const m2_bytes *b)
{
    uint32_t tries = tries_for(b->size, 2000), i;
    if (b->size == 0) return;
    change_header(b);
    for (i = torture.quick ? 0 : 340; i < tries; ++i) {
        size_t at = random_place(b);
        uint8_t value = (uint8_t)check_random_below(&dice, 256);
        if (i % 4 == 0) value = (uint8_t)(b->data[at] ^ (1u << check_random_below(&dice, 8)));
        change(b, at, value, b->size <= 20480 || i % 32 == 0);
    }
}

static void starve(const m2_bytes *b)
{
    size_t n;
    for (n = 1; n < 100; ++n) {
        check_memory memory;
        md2_options options = next_options(&memory);
        md2_error error;
        md2_model *m;
        memory.fail_at = n;
        m = md2_load_memory(b->data, b->size, &options, &error);
        check_outcome(m, &error, &memory, b->size, false);
        ++torture.allocations;
        if (error.code != MD2_ERROR_MEMORY) break;
    }
    CHECK(n < 100);
}

typedef struct broken_reader {
    const m2_bytes *bytes;
    size_t at, fail_after, chunk;
} broken_reader;

static size_t broken_read(void *user, void *dst, size_t size)
{
    broken_reader *r = (broken_reader *)user;
    size_t n = r->chunk < size ? r->chunk : size;
    if (r->at >= r->fail_after) return SIZE_MAX;
    if (n > r->bytes->size - r->at) n = r->bytes->size - r->at;
    if (n > r->fail_after - r->at) n = r->fail_after - r->at;
    memcpy(dst, r->bytes->data + r->at, n);
    r->at += n;
    return n;
}

static void break_reader(const m2_bytes *b, size_t fail_after, size_t chunk)
{
    check_memory memory;
    md2_options options = next_options(&memory);
    md2_error error;
    md2_reader reader;
    broken_reader broken;
    md2_model *m;
    broken.bytes = b;
    broken.at = 0;
    broken.fail_after = fail_after;
    broken.chunk = chunk;
    reader.read = broken_read;
    reader.user = &broken;
    options.flags &= ~(uint32_t)MD2_BORROW;
    m = md2_load_reader(&reader, &options, &error);
    if (fail_after < b->size && fail_after < M2_HEADER) CHECK(m == NULL);
    check_outcome(m, &error, &memory, b->size, false);
    ++torture.readers;
}

static void break_readers(const m2_bytes *b)
{
    size_t step = b->size < 2000 && !torture.quick ? 1 : b->size / (torture.quick ? 8 : 40) + 1, n;
    for (n = 0; n < b->size; n += step) break_reader(b, n, 1000 + n % 77);
    break_reader(b, SIZE_MAX, 977);
}

static void torture_bytes(const m2_bytes *b)
{
    load_and_use(b->data, b->size, true);
    cut_everywhere(b);
    change_bytes(b);
    starve(b);
    break_readers(b);
    ++torture.files;
}

/* -- Pictures ------------------------------------------------------------- */

static void load_picture(const uint8_t *data, size_t size)
{
    check_memory memory;
    md2_options options = next_options(&memory);
    md2_error error;
    uint32_t width = 0, height = 0;
    uint8_t *pixels = md2_load_pcx_memory(data, size, &width, &height, &options, &error);
    CHECK((pixels == NULL) == (error.code != MD2_OK));
    CHECK(memory.peak_bytes <= 128 * size + (1u << 20)); /* two bytes may make 63 pixels of four */
    if (pixels) torture.sink += (float)pixels[(size_t)width * height * 4 - 1] * 1e-30f;
    md2_free_image(pixels, width, height, &options);
    CHECK(check_memory_clean(&memory));
    ++torture.pictures;
}

static void torture_picture(const m2_bytes *b)
{
    uint32_t i, tries = tries_for(b->size * 4, 400);
    load_picture(b->data, b->size);
    for (i = 0; i < tries; ++i) {
        size_t length = check_random_below(&dice, (uint32_t)b->size), at = length;
        uint8_t *data = (uint8_t *)check_malloc(length), kept;
        memcpy(data, b->data, length);
        load_picture(data, length);
        free(data);
        if (i % 2) at = i % 128 < b->size ? i % 128 : 0;
        kept = b->data[at];
        b->data[at] = (uint8_t)check_random_below(&dice, 256);
        load_picture(b->data, b->size);
        b->data[at] = kept;
    }
}

/* -- All of them ---------------------------------------------------------- */

static void torture_own(void)
{
    size_t i;
    check_section("own models");
    for (i = 0; i < M2_CASES; i += torture.brief ? 5 : 1) {
        m2_bytes bytes = m2_case_bytes(&m2_cases[i]);
        check_subject(m2_cases[i].name);
        torture_bytes(&bytes);
        m2_free(&bytes);
    }
    for (i = 0; i < 6; ++i) {
        m2_bytes bytes = m2_pcx(61, 40, 62 + (uint32_t)(i / 3) * 10, (int)(i % 3));
        check_subject("picture");
        torture_picture(&bytes);
        m2_free(&bytes);
    }
    check_subject("");
}

static uint32_t torture_folder(const char *part, const char *suffix, void (*how)(const m2_bytes *))
{
    check_list files = check_models(part, suffix);
    uint32_t count = 0;
    size_t i;
    check_section(part);
    for (i = 0; i < files.count; ++i) {
        m2_bytes bytes;
        check_subject(files.path[i]);
        bytes.data = check_read_file(files.path[i], &bytes.size);
        if (!CHECK(bytes.data != NULL)) continue;
        how(&bytes);
        ++count;
        m2_free(&bytes);
    }
    check_subject("");
    check_list_free(&files);
    return count;
}

static void torture_collection(void)
{
    const char *models = getenv("MODELS");
    uint32_t good, bad, pictures;
    if (!models || !*models) return;
    torture.collected = true;
    good = torture_folder("md2", ".md2", torture_bytes);
    bad = torture_folder("bad", ".md2", torture_bytes);
    pictures = torture_folder("md2", ".pcx", torture_picture);
    CHECK_FLOOR(good, 300, "collected models");
    CHECK_FLOOR(bad, 11, "broken models");
    CHECK_FLOOR(pictures, 80, "pictures");
}

/* The floors are those of the quick torture; the whole one does ten times as much of most. */
static void check_floors(uint32_t scale, uint32_t part)
{
    CHECK_FLOOR(torture.files, M2_CASES / part, "files");
    CHECK_FLOOR(torture.lengths, 8000 * scale / part, "lengths");
    CHECK_FLOOR(torture.changes, 20000 * scale / part, "byte changes");
    CHECK_FLOOR(torture.allocations, 200 / part, "failing allocations");
    CHECK_FLOOR(torture.readers, 800 / part, "breaking readers");
    CHECK_FLOOR(torture.pictures, 200 * scale, "pictures tried");
    CHECK_FLOOR(torture.loaded, 7000 * scale / part, "models that loaded all the same");
    CHECK_FLOOR(torture.refused, 10000 * scale / part, "models refused");
    CHECK_FLOOR(torture.used_whole, 5000 * scale / part, "models used whole");
}

static void print_totals(void)
{
    check_floors(torture.quick ? 1 : 10, torture.brief ? 5 : 1);
    printf("%.1f million vertices posed, slowest load %.3f s\n", (double)torture.vertices / 1e6,
           torture.slowest);
    CHECK(torture.slowest < 5.0);
    CHECK(torture.sink == torture.sink);
}

int main(int argc, char **argv)
{
    const char *mode = getenv("TORTURE");
    torture.brief = argc > 1 && strcmp(argv[1], "--brief") == 0;
    torture.quick = torture.brief || (argc > 1 && strcmp(argv[1], "--quick") == 0) ||
                    (mode && strcmp(mode, "quick") == 0);
    torture_own();
    torture_collection();
    check_section("totals");
    print_totals();
    return check_finish();
}
