/* fast_runner.c: a fuzzer for many runs, beside libFuzzer: its targets are compiled without
   AddressSanitizer and their blocks end at guard pages, so that most of a run's time is the
   library's.

   TARGET RUNS SECONDS CRASH FOLDER... runs the files of the folders and then what is made from
   them, until one of both is reached. What reaches something new is kept in the first folder, what
   crashes in the file CRASH. Public domain. */
#include "fuzz.h"

#include "support.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

int    LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
void   __sanitizer_cov_8bit_counters_init(uint8_t *begin, uint8_t *end);

enum { RUNNER_LARGEST = 1024, RUNNER_INPUTS = 1 << 16, RUNNER_CHAIN = 6, RUNNER_SECONDS = 60 };

typedef struct runner_input {
    uint8_t *bytes;
    size_t size;
} runner_input;

static struct runner {
    uint8_t *begin, *end; /* how often each edge was taken in this run */
    uint8_t *seen;        /* a bit for each class of counts that the edge ever had */
    size_t edges, input_count;
    uint64_t runs, last_edge; /* the run that found the last new one */
    runner_input inputs[RUNNER_INPUTS];
    uint8_t now[RUNNER_LARGEST];
    size_t now_size;
    const char *folder, *crash;
    fuzz_dice dice;
} runner;

void __sanitizer_cov_8bit_counters_init(uint8_t *begin, uint8_t *end)
{
    runner.begin = begin;
    runner.end = end - (end - begin) % 8; /* all but a few of the last ones */
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    return fuzz_edit_bytes(data, size, max, &runner.dice);
}

/* An endless run ends by SIGALRM. */
static void runner_crashed(int signal)
{
    write_file(runner.crash, runner.now, runner.now_size);
    printf("signal %d: Test unit written to %s\n", signal, runner.crash);
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

/* The classes of other fuzzers: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more. */
static uint8_t runner_class(uint8_t count)
{
    static const uint8_t small[] = { 0, 1, 2, 4, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16 };
    return count < 16 ? small[count] : count < 32 ? 32 : count < 128 ? 64 : 128;
}

static bool runner_see(size_t edge)
{
    uint8_t class = runner_class(runner.begin[edge]);
    if (!(class & ~runner.seen[edge])) return false;
    if (!runner.seen[edge]) {
        ++runner.edges;
        runner.last_edge = runner.runs;
    }
    runner.seen[edge] |= class;
    return true;
}

/* Whether the last run did something that none did before. Most edges are not taken: eight at
   once. */
static bool runner_find_news(void)
{
    size_t edge = 0, count = (size_t)(runner.end - runner.begin);
    bool found = false;
    while (edge < count) {
        uint64_t taken;
        memcpy(&taken, runner.begin + edge, sizeof taken);
        if (taken) found |= runner_see(edge++);
        else edge += sizeof taken;
    }
    memset(runner.begin, 0, count);
    return found;
}

static bool runner_run(void)
{
    runner_input *input = &runner.inputs[runner.input_count];
    ++runner.runs;
    LLVMFuzzerTestOneInput(runner.now, runner.now_size);
    if (!runner_find_news() || runner.input_count + 1 == RUNNER_INPUTS) return false;
    input->bytes = (uint8_t *)malloc(RUNNER_LARGEST);
    FUZZ_CHECK(input->bytes != NULL);
    memcpy(input->bytes, runner.now, runner.now_size);
    input->size = runner.now_size;
    ++runner.input_count;
    return true;
}

static void runner_run_files(const char *folder)
{
    file_list files = list_files(folder, "");
    size_t size;
    for (size_t i = 0; i < files.count; ++i) {
        uint8_t *data = read_file(files.path[i], &size);
        runner.now_size = data && size <= RUNNER_LARGEST ? size : 0;
        if (data) memcpy(runner.now, data, runner.now_size);
        runner_run();
        free(data);
    }
    file_list_free(&files);
}

/* Half of the time one of those that came last, and always the smaller one of two. */
static const runner_input *runner_choose(void)
{
    size_t recent = runner.input_count < 64 || fuzz_below(&runner.dice, 2) ? runner.input_count : 64;
    const runner_input *one = &runner.inputs[runner.input_count - 1 - fuzz_below(&runner.dice, recent)];
    const runner_input *other = &runner.inputs[runner.input_count - 1 - fuzz_below(&runner.dice, recent)];
    return one->size < other->size ? one : other;
}

static void runner_run_changed(void)
{
    const runner_input *chosen = runner_choose();
    runner.now_size = chosen->size;
    memcpy(runner.now, chosen->bytes, chosen->size);
    for (int left = RUNNER_CHAIN; left; --left) {
        char path[512];
        uint32_t changes = 1 + fuzz_below(&runner.dice, 3);
        for (; changes; --changes) {
            uint32_t seed = fuzz_below(&runner.dice, UINT32_MAX);
            runner.now_size = LLVMFuzzerCustomMutator(runner.now, runner.now_size, RUNNER_LARGEST, seed);
        }
        if (!runner_run()) continue;
        snprintf(path, sizeof path, "%s/fast-%lx", runner.folder, (unsigned long)runner.dice.state);
        write_file(path, runner.now, runner.now_size);
    }
}

int main(int argc, char **argv)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGALRM };
    uint64_t begin = (uint64_t)time(NULL), seconds = 0, most_runs, most_seconds;
    if (argc < 5) return EXIT_FAILURE;
    most_runs = strtoull(argv[1], NULL, 10);
    most_seconds = strtoull(argv[2], NULL, 10);
    runner.crash = argv[3];
    runner.folder = argv[4];
    runner.dice.state = begin;
    runner.seen = (uint8_t *)calloc((size_t)(runner.end - runner.begin), 1);
    FUZZ_CHECK(runner.seen != NULL);
    for (size_t k = 0; k < FUZZ_COUNT(signals); ++k) signal(signals[k], runner_crashed);
    for (int i = 4; i < argc; ++i) runner_run_files(argv[i]);
    runner.runs = runner.last_edge = 0;
    while (runner.runs < most_runs && seconds < most_seconds) {
        alarm(RUNNER_SECONDS);
        for (int i = 0; i < 200; ++i) runner_run_changed();
        seconds = (uint64_t)time(NULL) - begin;
    }
    printf("%lu runs %lu/s %lu of %lu edges, none new in the last %lu runs; %lu inputs\n",
           (unsigned long)runner.runs, (unsigned long)(runner.runs / (seconds ? seconds : 1)),
           (unsigned long)runner.edges, (unsigned long)(runner.end - runner.begin),
           (unsigned long)(runner.runs - runner.last_edge), (unsigned long)runner.input_count);
    return EXIT_SUCCESS;
}
