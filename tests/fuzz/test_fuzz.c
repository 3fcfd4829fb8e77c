/* test_fuzz FOLDER: what the fuzzers have found, once more: the files in FOLDER/regress/TARGET that
   showed a mistake, the packs in FOLDER/corpus that reach all they ever reached, and what the
   fuzzers' own mutators make of both with the dice always cast alike. A plain C compiler will do.
   Public domain. */
#include "support.h"

#define MD2_GL
#define MD2_SMOOTH
#define MD5_GL
#include "holds.h"

#include "md2.c"
#include "md5_mesh.c"
#include "md5_anim.c"
#include "md5_scale.c"
#include "pcx.c"
#include "frame_names.c"
#include "paths.c"
#include "everything.c"

typedef struct target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
    fuzz_mutator *mutator;
    uint32_t mutations; /* of the whole corpus */
} target;

static const target targets[] = { { "md2", fuzz_md2, fuzz_mutate_bytes, 12000 },
                                  { "md5_mesh", fuzz_md5_mesh, fuzz_mutate_tokens, 12000 },
                                  { "md5_anim", fuzz_md5_anim, fuzz_mutate_tokens, 12000 },
                                  { "md5_scale", fuzz_md5_scale, fuzz_mutate_tokens, 8000 },
                                  { "pcx", fuzz_pcx, fuzz_mutate_pcx, 8000 },
                                  { "frame_names", fuzz_frame_names, fuzz_mutate_tokens, 4000 },
                                  { "paths", fuzz_paths, fuzz_mutate_bytes, 4000 },
                                  { "everything", fuzz_everything, fuzz_mutate_models, 3000 } };

enum { LARGEST = 4096 };

static uint32_t replayed, mutated;
static uint64_t fingerprint; /* of all that was run */

/* In the place of libFuzzer's. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    static fuzz_dice dice = { 7, NULL, NULL };
    return fuzz_edit_bytes(data, size, max, &dice);
}

static void run(const target *which, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; ++i) fingerprint = (fingerprint ^ data[i]) * 0x100000001b3u;
    which->run(data, size);
    CHECK(true);
}

static void replay_folder(const char *folder, const target *which)
{
    char path[256];
    size_t size;
    snprintf(path, sizeof path, "%s/regress/%s", folder, which->name);
    file_list files = list_files(path, "");
    for (size_t i = 0; i < files.count; ++i) {
        uint8_t *data = read_file(files.path[i], &size);
        check_subject(files.path[i]);
        if (!data) continue;
        run(which, data, size);
        ++replayed;
        free(data);
    }
    file_list_free(&files);
}

/* From one file to the next, always further from it, back to the file now and then. */
static void mutate(const target *which, const uint8_t *data, size_t size, uint32_t times,
                   uint32_t seed)
{
    static uint8_t changed[LARGEST];
    size_t now = 0;
    for (uint32_t i = 0; i < times && size <= LARGEST; ++i) {
        if (i % 6 == 0) {
            memcpy(changed, data, size);
            now = size;
        }
        now = fuzz_mutate(changed, now, LARGEST, seed + i, which->mutator);
        run(which, changed, now);
        ++mutated;
    }
}

static void replay_pack(const char *folder, const target *which)
{
    char path[256];
    size_t size = 0, at = 0, files = 0;
    snprintf(path, sizeof path, "%s/corpus/%s.pack", folder, which->name);
    check_subject(path);
    uint8_t *pack = read_file(path, &size);
    if (!CHECK(pack != NULL)) return;
    for (at = 0; at + 2 <= size; at += 2 + (pack[at] | (size_t)pack[at + 1] << 8)) ++files;
    CHECK_EQ(at, size);
    uint32_t times = files ? which->mutations / (uint32_t)files + 1 : 0;
    for (at = 0; at + 2 <= size;) {
        size_t length = pack[at] | (size_t)pack[at + 1] << 8;
        if (at + 2 + length > size) break;
        run(which, pack + at + 2, length);
        mutate(which, pack + at + 2, length, times, (uint32_t)(at * 31));
        ++replayed;
        at += 2 + length;
    }
    free(pack);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "tests/fuzz";
    for (size_t i = 0; i < FUZZ_COUNT(targets); ++i) {
        check_section(targets[i].name);
        replay_folder(folder, &targets[i]);
        replay_pack(folder, &targets[i]);
    }
    fuzz_end_everything();
    check_section("totals");
    check_subject("");
    CHECK_FLOOR(replayed, 400, "files replayed");
    CHECK_FLOOR(mutated, 50000, "files made from them");
    printf("fingerprint %08lx%08lx\n", (unsigned long)(fingerprint >> 32),
           (unsigned long)(fingerprint & 0xffffffffu));
    return check_finish();
}
