/* test_fuzz.c: damages files and loads them. The files are regress/TARGET, each of which once exposed a mistake; the
   packs in corpus/, which reach all code that the fuzzers have reached; models that the tests build; and those under
   $MODELS. Each file is read whole, with failing memory, failing readers and all options; cut off at many lengths;
   with unusual values in the words of its header; and changed by the mutators of the fuzzers, with fixed random
   numbers. A plain C compiler is enough, but most mistakes are visible only with a sanitizer.

   test_fuzz                    as `make test` runs it; `make fuzz` continues without end
   test_fuzz --quick            fewer changes, for emulated machines and repeated runs
     --input=17                 only this input, whose number a failure prints
     --folder=FOLDER            the folder of regress and corpus; the default is tests/fuzz

   Public domain. */
#include "model_builder_md2.h"
#include "support.h"

#define MD2_GL
#define MD2_SMOOTH
#define MD5_GL
#include "replay.h"
#include "tests/md5/test_md5.h"

#include "md2.c"
#include "md5_mesh.c"
#include "md5_anim.c"
#include "md5_scale.c"
#include "pcx.c"
#include "frame_names.c"
#include "paths.c"
#include "calls.c"
#include "gltf.c"
#include "archive.c"

enum { MD2_FILE, MESH_FILE, ANIM_FILE, PCX_FILE, FILE_KINDS };

typedef struct target {
    const char *name, *description;
    void (*run)(fuzz_input *input);
    fuzz_mutator *mutator;
    uint32_t mutations;  /* number for the whole corpus */
    bool takes[FILE_KINDS]; /* kinds of models that it reads: those of the tests, and those under $MODELS */
} target;

static const target targets[] = {
    { "md2", "any bytes either load as a valid model or are refused", fuzz_md2, fuzz_mutate_bytes,
      12000, { true, false, false, false } },
    { "md5_mesh", "any text either loads as a valid mesh or is refused", fuzz_md5_mesh,
      fuzz_mutate_tokens, 12000, { false, true, false, false } },
    { "md5_anim", "any text either loads as a valid animation or is refused", fuzz_md5_anim,
      fuzz_mutate_tokens, 12000, { false, false, true, false } },
    { "md5_scale", "any list of scales either gives a valid animation or is refused",
      fuzz_md5_scale, fuzz_mutate_tokens, 8000, { false, false, false, false } },
    { "pcx", "any bytes either load as a valid picture or are refused", fuzz_pcx, fuzz_mutate_pcx,
      8000, { false, false, false, true } },
    { "frame_names", "frames of any names are split into animations in their order",
      fuzz_frame_names, fuzz_mutate_tokens, 4000, { false, false, false, false } },
    { "paths", "a picture of any name is searched for only in the folder of its model", fuzz_paths,
      fuzz_mutate_bytes, 4000, { false, false, false, false } },
    { "gltf", "any bytes either load as a valid scene that can be posed or are refused", fuzz_gltf,
      fuzz_mutate_tokens, 8000, { false, false, false, false } },
    { "archive", "any archive either has its files read, and no files outside of it, or is refused",
      fuzz_archive, fuzz_mutate_bytes, 8000, { false, false, false, false } },
    { "calls", "loaded models can be posed, played and drawn with any numbers, in any order",
      fuzz_calls, fuzz_mutate_models, 300, { false, false, false, false } }
};

static const char   *folder;
static const target *current; /* the running target */
static long          only_input; /* number of the only input to run; 0 = all */
static long          number; /* number of the running input, from 1 */
static uint32_t      replayed;
static fuzz_dice     dice;

/* Replaces libFuzzer's function. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    return fuzz_edit_bytes(data, size, max, &dice);
}

static void run(fuzz_input *input, const char *damage)
{
    if (++number != only_input && only_input) return;
    check_step("%s; %lu bytes, flags %u, run only this input with --input=%ld", damage,
               (unsigned long)input->size, (unsigned)input->flags, number);
    current->run(input);
    CHECK(true);
}

/* -- Kinds of damage, each to a new copy of the file -------------------------- */

typedef struct damaged_file {
    const char *name;
    const uint8_t *data;
    size_t size;
} damaged_file;

/* Returns `times`, or less if the file is large. */
static uint32_t limit_times(const damaged_file *file, uint32_t times)
{
    size_t most = 200000 / (file->size + 1) + 1;
    if (check_is_quick()) times = times / 10 + 1;
    return times < most ? times : (uint32_t)most;
}

/* Loads the file at other addresses, with each flag, with less and less memory, and with a reader that fails. */
static void load_with_failures(const damaged_file *file)
{
    enum { ADDRESSES = 32, FAILURES = 48, BREAKS = 13, CASES = ADDRESSES + FAILURES + BREAKS };
    uint32_t step = CASES / limit_times(file, CASES);
    for (uint32_t i = 0; i < CASES; i += step) {
        fuzz_input input = fuzz_plain(file->data, file->size, i % 16);
        uint32_t failure = i - ADDRESSES, part = failure - FAILURES;
        char damage[100];
        if (i < ADDRESSES) {
            input.flags = (uint8_t)(1u << i % 8 | i / 16);
            input.step = i % 2 ? 1 : 997;
            snprintf(damage, sizeof damage, "whole, and from a reader in pieces of %lu", (unsigned long)input.step);
        } else if (failure < FAILURES) {
            input.fail_at = 1 + failure / 4;
            input.fail_once = failure % 2 == 1;
            input.step = failure / 2 % 2 ? 1000 : 0;
            snprintf(damage, sizeof damage, "allocation %lu fails%s%s", (unsigned long)input.fail_at,
                     input.fail_once ? "" : ", and all after it", input.step ? ", in pieces" : "");
        } else {
            input.step = 1 + part * 311;
            input.break_at = file->size * part / (BREAKS - 1);
            snprintf(damage, sizeof damage, "the reader fails at byte %lu, after pieces of %lu",
                     (unsigned long)input.break_at, (unsigned long)input.step);
        }
        run(&input, damage);
    }
}

/* Copies the first `size` bytes of the file to a block of that size, with a different flag for each i. */
static fuzz_input copy_part(const damaged_file *file, size_t size, uint32_t i)
{
    fuzz_input input = fuzz_plain(file->data, size, i % 16);
    input.flags = (uint8_t)(1u << i % 8);
    input.max_bytes = i % 3 ? 0 : SIZE_MAX;
    input.dice.state = i;
    return input;
}

static void cut_off(const damaged_file *file)
{
    uint32_t times = limit_times(file, 300);
    if (times > file->size) times = (uint32_t)file->size;
    for (uint32_t i = 0; i < times; ++i) {
        fuzz_input input = copy_part(file, (size_t)((double)file->size * i / times), i);
        run(&input, "cut off");
    }
}

/* Changes each of the 17 words of the header of an MD2. */
static void change_header(const damaged_file *file)
{
    enum { WORDS = 17, CHANGES = WORDS * FUZZ_STRANGE_WORDS };
    uint32_t step = CHANGES / limit_times(file, CHANGES);
    if (file->size < 4 * WORDS || memcmp(file->data, "IDP2", 4) != 0) return;
    uint8_t *changed = (uint8_t *)malloc_or_abort(file->size);
    memcpy(changed, file->data, file->size);
    for (uint32_t i = 0; i < CHANGES; i += step) {
        uint32_t at = i / FUZZ_STRANGE_WORDS * 4, word = fuzz_get_word(file->data + at);
        damaged_file other = { file->name, changed, file->size };
        char damage[100];
        fuzz_put_word(changed + at, fuzz_strange_word(i % FUZZ_STRANGE_WORDS, word));
        snprintf(damage, sizeof damage, "the word at byte %u is 0x%08X instead of 0x%08X",
                 (unsigned)at, (unsigned)fuzz_get_word(changed + at), (unsigned)word);
        fuzz_input input = copy_part(&other, file->size, i);
        run(&input, damage);
        fuzz_put_word(changed + at, word);
    }
    free(changed);
}

/* Finds the next integer of a text after the one at `at`. */
static size_t next_number(const damaged_file *file, size_t at, size_t *length)
{
    return fuzz_find_number(file->data, file->size, at + *length, length);
}

/* Changes each integer of a text. Adds a tail if the file has none. */
static void change_numbers(const damaged_file *file, bool has_tail)
{
    size_t tail = has_tail ? 0 : (size_t)FUZZ_TAIL, most = file->size + tail + 16;
    size_t length = 0, count = 0, at;
    if (current->mutator != fuzz_mutate_tokens) return;
    for (at = 0; (at = next_number(file, at, &length)) < file->size;) ++count;

    uint32_t step = (uint32_t)count / limit_times(file, 60) + 1;
    uint8_t *changed = (uint8_t *)malloc_or_abort(most);
    at = length = 0;
    for (size_t i = 0; i < count; ++i) {
        at = next_number(file, at, &length);
        for (uint32_t kind = 0; i % step == 0 && kind < FUZZ_STRANGE_NUMBERS; ++kind) {
            char damage[100];
            memcpy(changed, file->data, file->size);
            memset(changed + file->size, 0, tail);
            size_t size = fuzz_change_number(changed, file->size + tail, most, at, length, kind);
            fuzz_input input = fuzz_open(changed, size);
            snprintf(damage, sizeof damage, "the number at byte %lu is changed, kind %u",
                     (unsigned long)at, (unsigned)kind);
            run(&input, damage);
        }
    }
    free(changed);
}

/* Applies the mutator again and again to its own result, and sometimes starts again from the file. Adds a tail if
   the file has none. */
static void mutate(const damaged_file *file, bool has_tail, uint32_t times, uint32_t seed)
{
    size_t tail = has_tail ? 0 : (size_t)FUZZ_TAIL, most = file->size + tail + 2048, size = 0;
    uint8_t *changed = (uint8_t *)malloc_or_abort(most);
    for (uint32_t i = 0; i < times; ++i) {
        char damage[100];
        if (i % 6 == 0) {
            if (file->size) memcpy(changed, file->data, file->size);
            memset(changed + file->size, 0, tail);
            size = file->size + tail;
            dice.state = seed + i;
        }
        size = fuzz_mutate(changed, size, most, seed + i, current->mutator);
        fuzz_input input = fuzz_open(changed, size);
        snprintf(damage, sizeof damage, "mutated by the seeds %u to %u", (unsigned)(seed + i - i % 6),
                 (unsigned)(seed + i));
        run(&input, damage);
    }
    free(changed);
}

static void damage_file(const char *name, const void *data, size_t size)
{
    damaged_file file = { name, (const uint8_t *)data, size };
    check_scene("%s", name);
    load_with_failures(&file);
    cut_off(&file);
    change_header(&file);
    change_numbers(&file, false);
    mutate(&file, false, limit_times(&file, 100), (uint32_t)number);
    ++replayed;
}

/* -- Models ------------------------------------------------------------------ */

static void damage_built_md2(void)
{
    for (size_t i = 0; i < M2_CASES; ++i) {
        m2_bytes bytes = m2_case_bytes(&m2_cases[i]);
        damage_file(m2_cases[i].name, bytes.data, bytes.size);
        m2_free(&bytes);
    }
}

/* The unusual texts of the tests must load. */
static void require_load(const m5_text *text)
{
    unsigned long before = fuzz_memory.loads;
    fuzz_input input = fuzz_plain((const uint8_t *)text->bytes, text->size, 0);
    run(&input, "as it is");
    CHECK(fuzz_memory.loads > before || only_input);
}

static void damage_built_md5(int kind)
{
    if (kind == M5_MESH) damage_file("the smallest mesh", tiny_mesh, strlen(tiny_mesh));
    else damage_file("the smallest animation", tiny_anim, strlen(tiny_anim));
    for (int i = 0; i < M5_MODELS; ++i) {
        m5_text text = { NULL, 0, 0 };
        m5_entry entry = m5_make(i, &text);
        check_scene("%s", entry.name);
        if (entry.kind == kind) require_load(&text);
        if (entry.kind == kind) damage_file(entry.name, text.bytes, text.size);
        m5_free(&text);
    }
}

static void damage_built_pcx(void)
{
    for (int style = M2_PCX_PLAIN; style <= M2_PCX_RUNS_ACROSS_LINES; ++style) {
        m2_bytes bytes = m2_pcx(13, 7, 14, style);
        damage_file("a picture of 13 x 7 pixels", bytes.data, bytes.size);
        m2_free(&bytes);
    }
}

static void damage_files(file_list files)
{
    for (size_t i = 0; i < files.count; ++i) {
        size_t size;
        uint8_t *data = read_file(files.path[i], &size);
        CHECK(data != NULL);
        damage_file(files.path[i], data, size);
        free(data);
    }
    file_list_free(&files);
}

static void damage_models(int kind)
{
    static const char *const suffixes[FILE_KINDS] = { ".md2", ".md5mesh", ".md5anim", ".pcx" };
    if (kind == MD2_FILE) damage_built_md2();
    else if (kind == PCX_FILE) damage_built_pcx();
    else damage_built_md5(kind == MESH_FILE ? M5_MESH : M5_ANIM);
    damage_files(list_models(suffixes[kind]));
    damage_files(list_bad_models(suffixes[kind]));
}

/* -- Files from the fuzzers ---------------------------------------------------- */

static void replay_folder(void)
{
    char path[256];
    size_t size;
    snprintf(path, sizeof path, "%s/regress/%s", folder, current->name);
    file_list files = list_files(path, "");
    for (size_t i = 0; i < files.count; ++i) {
        uint8_t *data = read_file(files.path[i], &size);
        if (!data) continue; /* the path of the folder, if it does not exist */
        check_scene("%s", files.path[i]);
        fuzz_input input = fuzz_open(data, size);
        run(&input, "as it is");
        ++replayed;
        free(data);
    }
    file_list_free(&files);
}

static void replay_pack(void)
{
    char path[256], name[300];
    size_t size = 0, at = 0, files = 0;
    snprintf(path, sizeof path, "%s/corpus/%s.pack", folder, current->name);
    check_scene("%s", path);
    uint8_t *pack = read_file(path, &size);
    CHECK(pack != NULL);
    for (at = 0; at + 2 <= size; at += 2 + (pack[at] | (size_t)pack[at + 1] << 8)) ++files;
    CHECK_EQ(at, size);

    uint32_t times = files ? current->mutations / (uint32_t)files + 1 : 0;
    if (check_is_quick()) times /= 10;
    at = 0;
    for (size_t i = 1; i <= files; ++i, ++replayed) {
        damaged_file file = { name, pack + at + 2, pack[at] | (size_t)pack[at + 1] << 8 };
        snprintf(name, sizeof name, "%s, file %lu of %lu", path, (unsigned long)i,
                 (unsigned long)files);
        check_scene("%s", name);
        fuzz_input input = fuzz_open(file.data, file.size);
        run(&input, "as it is");
        change_numbers(&file, true);
        mutate(&file, true, times, (uint32_t)(at * 31));
        at += 2 + file.size;
    }
    free(pack);
}

static void test_target(void)
{
    number = 0;
    replay_folder();
    replay_pack();
    for (int kind = 0; kind < FILE_KINDS; ++kind) {
        if (current->takes[kind]) damage_models(kind);
    }
    if (only_input > number) check_scene("there are %ld inputs; there is no number %ld", number, only_input);
    CHECK(only_input <= number);
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--folder= --input=");
    folder = check_option("--folder=");
    if (!folder) folder = "tests/fuzz";
    if (check_option("--input=")) only_input = atol(check_option("--input="));
    for (current = targets; current < targets + FUZZ_COUNT(targets); ++current)
        check_run(current->name, current->description, test_target);
    fuzz_start_memory();
    fuzz_end_calls();
    if (check_failures() == 0) CHECK_FLOOR(replayed, 500, "files");
    return check_finish();
}
