/* test_fuzz: what the fuzzers have found, once more: the files in regress/TARGET that
   showed a mistake, the packs in corpus/ that reach all they ever reached, and what the
   fuzzers' own mutators make of both with the dice always cast alike. A plain C compiler will do.

   test_fuzz TARGET             one target, such as md5_mesh
     --input=17                 alone the input of this number, which a failure tells
     --folder=FOLDER            where regress and corpus are, else tests/fuzz

   Public domain. */
#include "support.h"

#define MD2_GL
#define MD2_SMOOTH
#define MD5_GL
#include "replay.h"

#include "md2.c"
#include "md5_mesh.c"
#include "md5_anim.c"
#include "md5_scale.c"
#include "pcx.c"
#include "frame_names.c"
#include "paths.c"
#include "calls.c"

typedef struct target {
    const char *name, *promise;
    void (*run)(const uint8_t *data, size_t size);
    fuzz_mutator *mutator;
    uint32_t mutations; /* of the whole corpus */
} target;

static const target targets[] = {
    { "md2", "a model of any bytes loads soundly, or is refused", fuzz_md2, fuzz_mutate_bytes,
      12000 },
    { "md5_mesh", "a mesh of any text loads soundly, or is refused", fuzz_md5_mesh,
      fuzz_mutate_tokens, 12000 },
    { "md5_anim", "an animation of any text loads soundly, or is refused", fuzz_md5_anim,
      fuzz_mutate_tokens, 12000 },
    { "md5_scale", "an animation with any list of scales loads soundly, or is refused",
      fuzz_md5_scale, fuzz_mutate_tokens, 8000 },
    { "pcx", "a picture of any bytes loads soundly, or is refused", fuzz_pcx, fuzz_mutate_pcx,
      8000 },
    { "frame_names", "frames of any names are split into animations in their order",
      fuzz_frame_names, fuzz_mutate_tokens, 4000 },
    { "paths", "a picture of any name is looked for in the folder of its model alone", fuzz_paths,
      fuzz_mutate_bytes, 4000 },
    { "calls", "what loads can be posed, played and drawn with any numbers, in any order",
      fuzz_calls, fuzz_mutate_models, 3000 }
};

enum { LARGEST = 4096 };

static const char   *folder;
static const target *now;        /* the target that runs */
static long          wanted;     /* the number of its only input to run, 0 for all */
static long          number;     /* of the input that runs, from 1 */
static uint32_t      replayed;
static uint64_t      fingerprint; /* of all that was run */
static fuzz_dice     dice;

/* In the place of libFuzzer's. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    return fuzz_edit_bytes(data, size, max, &dice);
}

static void run(const uint8_t *data, size_t size)
{
    if (++number != wanted && wanted) return;
    for (size_t i = 0; i < size; ++i) fingerprint = (fingerprint ^ data[i]) * 0x100000001b3u;
    check_step("%lu bytes; alone with --input=%ld", (unsigned long)size, number);
    now->run(data, size);
    CHECK(true);
}

static void replay_folder(void)
{
    char path[256];
    size_t size;
    snprintf(path, sizeof path, "%s/regress/%s", folder, now->name);
    file_list files = list_files(path, "");
    for (size_t i = 0; i < files.count; ++i) {
        uint8_t *data = read_file(files.path[i], &size);
        if (!data) continue; /* the folder itself, where there is none */
        check_scene("%s", files.path[i]);
        run(data, size);
        ++replayed;
        free(data);
    }
    file_list_free(&files);
}

/* From one input to the next, always further from the file, back to it now and then. */
static void mutate(const char *name, const uint8_t *data, size_t size, uint32_t times,
                   uint32_t seed)
{
    static uint8_t changed[LARGEST];
    size_t changed_size = 0;
    for (uint32_t i = 0; i < times && size <= LARGEST; ++i) {
        if (i % 6 == 0) {
            memcpy(changed, data, size);
            changed_size = size;
            dice.state = seed + i;
        }
        changed_size = fuzz_mutate(changed, changed_size, LARGEST, seed + i, now->mutator);
        check_scene("%s, mutated by the seeds %u to %u", name, (unsigned)(seed + i - i % 6),
                    (unsigned)(seed + i));
        run(changed, changed_size);
    }
}

static void replay_pack(void)
{
    char path[256], name[300];
    size_t size = 0, at = 0, files = 0;
    snprintf(path, sizeof path, "%s/corpus/%s.pack", folder, now->name);
    check_scene("%s", path);
    uint8_t *pack = read_file(path, &size);
    CHECK(pack != NULL);
    for (at = 0; at + 2 <= size; at += 2 + (pack[at] | (size_t)pack[at + 1] << 8)) ++files;
    CHECK_EQ(at, size);

    uint32_t times = files ? now->mutations / (uint32_t)files + 1 : 0;
    at = 0;
    for (size_t file = 1; file <= files; ++file, ++replayed) {
        size_t length = pack[at] | (size_t)pack[at + 1] << 8;
        snprintf(name, sizeof name, "%s, file %lu of %lu", path, (unsigned long)file,
                 (unsigned long)files);
        check_scene("%s", name);
        run(pack + at + 2, length);
        mutate(name, pack + at + 2, length, times, (uint32_t)(at * 31));
        at += 2 + length;
    }
    free(pack);
}

static void test_target(void)
{
    number = 0;
    replay_folder();
    replay_pack();
    if (wanted > number) check_scene("there are %ld inputs, and no number %ld", number, wanted);
    CHECK(wanted <= number);
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--folder= --input=");
    folder = check_option("--folder=");
    if (!folder) folder = "tests/fuzz";
    if (check_option("--input=")) wanted = atol(check_option("--input="));
    for (now = targets; now < targets + FUZZ_COUNT(targets); ++now)
        check_run(now->name, now->promise, test_target);
    fuzz_end_calls();
    if (check_failures() == 0) CHECK_FLOOR(replayed, 400, "files replayed");
    printf("    fingerprint %08lx%08lx\n", (unsigned long)(fingerprint >> 32),
           (unsigned long)(fingerprint & 0xffffffffu));
    return check_finish();
}
