/* many.c: a fuzzer for many runs, beside libFuzzer: its targets are compiled without
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

enum { MANY_LARGEST = 1024, MANY_INPUTS = 1 << 16, MANY_CHAIN = 6, MANY_SECONDS = 60 };

typedef struct many_input {
    uint8_t *bytes;
    size_t size;
} many_input;

static struct many {
    uint8_t *begin, *end; /* how often each edge was taken in this run */
    uint8_t *seen;        /* a bit for each class of counts that the edge ever had */
    size_t edges, input_count;
    uint64_t runs, last_edge; /* the run that found the last new one */
    many_input inputs[MANY_INPUTS];
    uint8_t now[MANY_LARGEST];
    size_t now_size;
    const char *folder, *crash;
    fuzz_dice dice;
} many;

void __sanitizer_cov_8bit_counters_init(uint8_t *begin, uint8_t *end)
{
    many.begin = begin;
    many.end = end - (end - begin) % 8; /* all but a few of the last ones */
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    return fuzz_edit_bytes(data, size, max, &many.dice);
}

/* An endless run ends by SIGALRM. */
static void many_crashed(int signal)
{
    write_file(many.crash, many.now, many.now_size);
    printf("signal %d: Test unit written to %s\n", signal, many.crash);
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

/* The classes of other fuzzers: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more. */
static uint8_t many_class(uint8_t count)
{
    static const uint8_t small[] = { 0, 1, 2, 4, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16 };
    return count < 16 ? small[count] : count < 32 ? 32 : count < 128 ? 64 : 128;
}

static bool many_see(size_t edge)
{
    uint8_t class = many_class(many.begin[edge]);
    if (!(class & ~many.seen[edge])) return false;
    if (!many.seen[edge]) {
        ++many.edges;
        many.last_edge = many.runs;
    }
    many.seen[edge] |= class;
    return true;
}

/* Whether the last run did something that none did before. Most edges are not taken: eight at
   once. */
static bool many_find_news(void)
{
    size_t edge = 0, count = (size_t)(many.end - many.begin);
    bool found = false;
    while (edge < count) {
        uint64_t taken;
        memcpy(&taken, many.begin + edge, sizeof taken);
        if (taken) found |= many_see(edge++);
        else edge += sizeof taken;
    }
    memset(many.begin, 0, count);
    return found;
}

static bool many_run(void)
{
    many_input *input = &many.inputs[many.input_count];
    ++many.runs;
    LLVMFuzzerTestOneInput(many.now, many.now_size);
    if (!many_find_news() || many.input_count + 1 == MANY_INPUTS) return false;
    input->bytes = (uint8_t *)malloc(MANY_LARGEST);
    FUZZ_CHECK(input->bytes != NULL);
    memcpy(input->bytes, many.now, many.now_size);
    input->size = many.now_size;
    ++many.input_count;
    return true;
}

static void many_run_files(const char *folder)
{
    file_list files = list_files(folder, "");
    size_t size;
    for (size_t i = 0; i < files.count; ++i) {
        uint8_t *data = read_file(files.path[i], &size);
        many.now_size = data && size <= MANY_LARGEST ? size : 0;
        if (data) memcpy(many.now, data, many.now_size);
        many_run();
        free(data);
    }
    file_list_free(&files);
}

/* Half of the time one of those that came last, and always the smaller one of two. */
static const many_input *many_choose(void)
{
    size_t recent = many.input_count < 64 || fuzz_below(&many.dice, 2) ? many.input_count : 64;
    const many_input *one = &many.inputs[many.input_count - 1 - fuzz_below(&many.dice, recent)];
    const many_input *other = &many.inputs[many.input_count - 1 - fuzz_below(&many.dice, recent)];
    return one->size < other->size ? one : other;
}

static void many_run_changed(void)
{
    const many_input *chosen = many_choose();
    many.now_size = chosen->size;
    memcpy(many.now, chosen->bytes, chosen->size);
    for (int left = MANY_CHAIN; left; --left) {
        char path[512];
        uint32_t changes = 1 + fuzz_below(&many.dice, 3);
        for (; changes; --changes) {
            uint32_t seed = fuzz_below(&many.dice, UINT32_MAX);
            many.now_size = LLVMFuzzerCustomMutator(many.now, many.now_size, MANY_LARGEST, seed);
        }
        if (!many_run()) continue;
        snprintf(path, sizeof path, "%s/many-%lx", many.folder, (unsigned long)many.dice.state);
        write_file(path, many.now, many.now_size);
    }
}

int main(int argc, char **argv)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGALRM };
    uint64_t begin = (uint64_t)time(NULL), seconds = 0, most_runs, most_seconds;
    if (argc < 5) return EXIT_FAILURE;
    most_runs = strtoull(argv[1], NULL, 10);
    most_seconds = strtoull(argv[2], NULL, 10);
    many.crash = argv[3];
    many.folder = argv[4];
    many.dice.state = begin;
    many.seen = (uint8_t *)calloc((size_t)(many.end - many.begin), 1);
    FUZZ_CHECK(many.seen != NULL);
    for (size_t k = 0; k < FUZZ_COUNT(signals); ++k) signal(signals[k], many_crashed);
    for (int i = 4; i < argc; ++i) many_run_files(argv[i]);
    many.runs = many.last_edge = 0;
    while (many.runs < most_runs && seconds < most_seconds) {
        alarm(MANY_SECONDS);
        for (int i = 0; i < 200; ++i) many_run_changed();
        seconds = (uint64_t)time(NULL) - begin;
    }
    printf("%lu runs %lu/s %lu of %lu edges, none new in the last %lu runs; %lu inputs\n",
           (unsigned long)many.runs, (unsigned long)(many.runs / (seconds ? seconds : 1)),
           (unsigned long)many.edges, (unsigned long)(many.end - many.begin),
           (unsigned long)(many.runs - many.last_edge), (unsigned long)many.input_count);
    return EXIT_SUCCESS;
}
