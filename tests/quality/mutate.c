/* mutate.c: makes small changes to the headers, one at a time, and counts how many of them the tests
   notice. A change that does not compile does not count; one that makes a test fail, crash or run for
   too long is noticed. What no test notices is printed, unless tests/quality/mutants.txt says why nobody can.

   mutate [--count N] [--seed N] [--header FILE] [--lines LINES] [--parts TITLES] [--kinds KINDS]
          [--simd] [--no-second-look] [--trust] [--cc COMPILER] [--work FOLDER] [--percent N] [--slice K/N]
          [--quick]

   --count          so many changes, chosen at random; 0 is all of them
   --lines          only these: 17,120-144
   --parts          only below these titles of the header: Bytes,Parsing
   --kinds          only these: condition, comparison, logic, arithmetic, constant, swap, statement
   --trust          what tests/quality/mutants.txt explains is not tried
   --simd           only the lines that MD2_NO_SIMD and MD5_NO_SIMD leave out, with gcc
   --quick          without the torture, and without a first run of the tests
   --second-look    what survives is tried again under gcc's sanitizers: it may have read out of bounds

   Runs from the repository's root, on POSIX. Public domain. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* -- What is tried --------------------------------------------------------- */

typedef struct program {
    const char *header, *name, *arguments;
    char       *files;                /* and how to compile them, by the Makefile */
    bool       *active;               /* [line] of the header: compiled into this program */
    double      seconds;              /* it takes, without a change */
    double      sanitized;            /* and under the sanitizers; 0 = not yet known */
} program;

static program programs[] = {
    { "md2.h", "test_md2", "", NULL, NULL, 0, 0 },
    { "md2.h", "test_names", "", NULL, NULL, 0, 0 },
    { "md2.h", "test_gl_mock", "out", NULL, NULL, 0, 0 },
    { "md2.h", "torture_md2", "--quick", NULL, NULL, 0, 0 },
    { "md5.h", "test_md5", "--quick", NULL, NULL, 0, 0 },
    { "md5.h", "test_gl_mock", "out", NULL, NULL, 0, 0 },
    { "md5.h", "torture_md5", "--quick", NULL, NULL, 0, 0 }
};

enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static struct settings {
    long        count, seed, percent, slice, slices;
    const char *header, *cc, *work;
    const char *lines, *parts, *kinds; /* NULL is all */
    bool        simd, second_look, quick, trust;
} settings = { 200, 1, 90, 0, 1, NULL, "tcc", "build/mutate", NULL, NULL, NULL, false, true, false, false };

static const char sanitizer[] = "gcc -O0 -g0 -w -fsanitize=address,undefined -fno-sanitize-recover=all";

static void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n0 passed, 1 failed\n");
    exit(EXIT_FAILURE);
}

static void *room(size_t size)
{
    void *block = calloc(size ? size : 1, 1);
    if (!block) stop("mutate: no memory");
    return block;
}

/* -- Text ------------------------------------------------------------------ */

typedef struct text {
    char  *bytes;
    size_t size;
} text;

static text read_file(const char *path)
{
    text  out;
    FILE *file = fopen(path, "rb");
    long  size;
    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) stop("mutate: cannot read %s", path);
    rewind(file);
    out.size = (size_t)size;
    out.bytes = (char *)room(out.size + 1);
    if (fread(out.bytes, 1, out.size, file) != out.size) stop("mutate: cannot read %s", path);
    fclose(file);
    return out;
}

static void write_file(const char *path, const char *a, size_t a_size, const char *b, const char *c, size_t c_size)
{
    FILE *file = fopen(path, "wb");
    if (!file) stop("mutate: cannot write %s", path);
    fwrite(a, 1, a_size, file);
    fwrite(b, 1, strlen(b), file);
    fwrite(c, 1, c_size, file);
    if (fclose(file) != 0) stop("mutate: cannot write %s", path);
}

enum { WORD, NUMBER, MARK, LITERAL };

typedef struct token {
    int    kind;
    size_t start, end;
    long   line;
    int    depth;                     /* of braces */
    bool   in_function;
    int    function;                  /* the how manyth */
} token;

typedef struct tokens {
    token *at;
    size_t count;
} tokens;

static const char *const marks[] = { "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
                                     "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=" };

static bool is(const text *source, const token *one, const char *word)
{
    size_t size = one->end - one->start;
    return strlen(word) == size && memcmp(source->bytes + one->start, word, size) == 0;
}

/* Behind the comment, the string or the line of the preprocessor that begins at i; i where none does. */
static size_t skip_other(const text *source, size_t i)
{
    const char *s = source->bytes;
    if (s[i] == '/' && s[i + 1] == '*') {
        for (i += 2; !(s[i] == '*' && s[i + 1] == '/'); ++i) {}
        return i + 2;
    }
    if (s[i] == '#') {
        while (s[i] && s[i] != '\n') i += s[i] == '\\' && s[i + 1] == '\n' ? 2 : 1;
    }
    return i;
}

static size_t token_end(const text *source, size_t i, int *kind)
{
    const char *s = source->bytes;
    size_t      k, start = i;
    if (isalpha((unsigned char)s[i]) || s[i] == '_') {
        *kind = WORD;
        while (isalnum((unsigned char)s[i]) || s[i] == '_') ++i;
        return i;
    }
    if (isdigit((unsigned char)s[i]) || (s[i] == '.' && isdigit((unsigned char)s[i + 1]))) {
        *kind = NUMBER;
        while (isalnum((unsigned char)s[i]) || s[i] == '.' ||
               ((s[i] == '-' || s[i] == '+') && (s[i - 1] == 'e' || s[i - 1] == 'E') && s[start + 1] != 'x')) ++i;
        return i;
    }
    if (s[i] == '"' || s[i] == '\'') {
        *kind = LITERAL;
        for (++i; s[i] != s[start]; ++i) i += s[i] == '\\';
        return i + 1;
    }
    *kind = MARK;
    for (k = 0; k < sizeof marks / sizeof marks[0]; ++k) {
        if (strncmp(s + i, marks[k], strlen(marks[k])) == 0) return i + strlen(marks[k]);
    }
    return i + 1;
}

/* The code of the implementation that is compiled, without comments and the preprocessor. */
static tokens split(const text *source, const bool *compiled)
{
    const char *begin = strstr(source->bytes, "End of the interface"), *end = strstr(source->bytes, "/* -- Licence");
    size_t      i, last, depth = 0;
    bool        inside = false;
    tokens      out;
    int         functions = 0;
    long        line = 1;
    if (!begin || !end) stop("mutate: where does the implementation begin and end?");
    while (*begin != '\n') ++begin;
    out.at = (token *)room(source->size * sizeof(token));
    out.count = 0;
    for (i = 0; i < (size_t)(begin - source->bytes); ++i) line += source->bytes[i] == '\n';
    while (i < (size_t)(end - source->bytes)) {
        token *one = &out.at[out.count];
        last = i;
        i = skip_other(source, i);
        if (i == last && isspace((unsigned char)source->bytes[i])) ++i;
        if (i > last) {
            for (; last < i; ++last) line += source->bytes[last] == '\n';
            continue;
        }
        one->start = i;
        one->end = i = token_end(source, i, &one->kind);
        one->line = line;
        if (!compiled[line]) continue;
        if (is(source, one, "}")) --depth;
        if (is(source, one, "{") && depth == 0) {
            inside = out.count && is(source, &out.at[out.count - 1], ")");
            ++functions;
        }
        one->function = functions;
        one->depth = (int)depth;
        one->in_function = inside && depth > 0;
        if (is(source, one, "{")) ++depth;
        ++out.count;
    }
    return out;
}

/* -- The changes ----------------------------------------------------------- */

typedef struct mutant {
    size_t start, end;                /* this part of the header ... */
    char  *by;                        /* ... is replaced */
    long   line;
    const char *kind;
    int    function;
} mutant;

typedef struct mutants {
    mutant *at;
    size_t  count, capacity;
} mutants;

static void add(mutants *list, const char *kind, long line, size_t start, size_t end, const char *by)
{
    mutant *one;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 1024;
        list->at = (mutant *)realloc(list->at, list->capacity * sizeof *list->at);
        if (!list->at) stop("mutate: no memory");
    }
    one = &list->at[list->count++];
    one->kind = kind;
    one->line = line;
    one->start = start;
    one->end = end;
    one->by = (char *)room(strlen(by) + 1);
    strcpy(one->by, by);
}

static bool is_spaced(const text *source, const token *one)
{
    char before = source->bytes[one->start - 1], after = source->bytes[one->end];
    return (before == ' ' || before == '\n') && (after == ' ' || after == '\n');
}

/* a < b ? a : b, where it is all the same what becomes of equal ones. The operands have no blanks. */
static bool is_lesser_or_greater(const text *source, const token *one)
{
    char        operand[4][64];
    const char *at = source->bytes + one->start - 2;
    while (!strchr(" (", *at)) --at;
    if (sscanf(at + 1, "%63s %*s %63s ? %63s : %63[^;, )]", operand[0], operand[1], operand[2], operand[3]) != 4) return false;
    return (strcmp(operand[0], operand[2]) == 0 && strcmp(operand[1], operand[3]) == 0) ||
           (strcmp(operand[0], operand[3]) == 0 && strcmp(operand[1], operand[2]) == 0);
}

/* Operators that stand between two operands; the style of the headers has blanks around these alone. */
static void change_operator(mutants *list, const text *source, const token *one)
{
    static const char *const changes[][2] = {
        { "<", "<=" }, { "<", ">=" }, { "<=", "<" }, { "<=", ">" }, { ">", ">=" }, { ">", "<=" }, { ">=", ">" },
        { ">=", "<" }, { "==", "!=" }, { "!=", "==" }, { "+", "-" }, { "-", "+" }, { "*", "/" }, { "/", "*" },
        { "%", "/" }, { "<<", ">>" }, { ">>", "<<" }, { "&", "|" }, { "|", "&" }, { "^", "|" }, { "&&", "||" },
        { "||", "&&" }, { "+=", "-=" }, { "-=", "+=" }, { "*=", "/=" }, { "/=", "*=" }, { "|=", "=" }, { "&=", "=" },
        { "+=", "=" }, { "<<=", ">>=" }, { ">>=", "<<=" }
    };
    static const char *const kinds = "comparison";
    size_t i;
    if (!is_spaced(source, one)) return;
    for (i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
        const char *kind = i < 10 ? kinds : strcmp(changes[i][0], "&&") == 0 || strcmp(changes[i][0], "||") == 0
                                                ? "logic" : "arithmetic";
        if (kind == kinds && (strlen(changes[i][0]) == 1) != (strlen(changes[i][1]) == 1) &&
            changes[i][0][0] == changes[i][1][0] && is_lesser_or_greater(source, one)) continue;
        if (is(source, one, changes[i][0])) add(list, kind, one->line, one->start, one->end, changes[i][1]);
    }
}

static void change_sign(mutants *list, const text *source, const token *one)
{
    if (is(source, one, "++")) add(list, "arithmetic", one->line, one->start, one->end, "--");
    if (is(source, one, "--")) add(list, "arithmetic", one->line, one->start, one->end, "++");
    if (is(source, one, "!")) add(list, "logic", one->line, one->start, one->end, "");
    if (is(source, one, "-") && !is_spaced(source, one)) {
        add(list, "arithmetic", one->line, one->start, one->end, "");
    }
}

/* One more and one less. */
static void change_number(mutants *list, const text *source, const token *one)
{
    char   digits[64], by[96], *suffix;
    size_t size = one->end - one->start;
    int    step;
    if (size >= sizeof digits) return;
    memcpy(digits, source->bytes + one->start, size);
    digits[size] = 0;
    for (step = -1; step <= 1; step += 2) {
        bool hex = digits[0] == '0' && digits[1] == 'x';
        if (!hex && strpbrk(digits, ".eE")) {
            double value = strtod(digits, &suffix);
            snprintf(by, sizeof by, "%.9g", value + step);
            if (!strpbrk(by, ".e")) strcat(by, ".0");
        } else {
            unsigned long long value = strtoull(digits, &suffix, 0);
            if (value == 0 && step < 0) continue;
            snprintf(by, sizeof by, hex ? "0x%llx" : "%llu", value + (unsigned long long)(long long)step);
        }
        strcat(by, suffix);
        add(list, "constant", one->line, one->start, one->end, by);
    }
}

static size_t closing(const text *source, const tokens *all, size_t open)
{
    int depth = 0;
    for (; open < all->count; ++open) {
        if (is(source, &all->at[open], "(")) ++depth;
        if (is(source, &all->at[open], ")") && --depth == 0) break;
    }
    return open;
}

/* Whether it is handed to md2__fail or the like for a sentence without a # for it. */
static bool is_never_shown(const text *source, const tokens *all, size_t i)
{
    int  depth = 0;
    bool sentence = false;
    for (; i > 0 && depth >= 0; --i) {
        const token *one = &all->at[i];
        depth += is(source, one, ")");
        depth -= is(source, one, "(");
        if (one->kind == LITERAL && depth == 0) {
            if (memchr(source->bytes + one->start, '#', one->end - one->start)) return false;
            sentence = true;
        }
    }
    return sentence && (memcmp(source->bytes + all->at[i].end - 4, "fail", 4) == 0 ||
                        memcmp(source->bytes + all->at[i].end - 5, "blame", 5) == 0);
}

/* Never, and always. */
static void change_condition(mutants *list, const text *source, const tokens *all, size_t i)
{
    const token *one = &all->at[i];
    size_t       close;
    char        *by;
    int          never;
    if (!(is(source, one, "if") || is(source, one, "while")) || !is(source, one + 1, "(")) return;
    close = closing(source, all, i + 1);
    for (never = 1; never >= (is(source, one, "if") ? 0 : 1); --never) {
        size_t start = one[1].end, size = all->at[close].start - start;
        by = (char *)room(size + 32);
        sprintf(by, never ? "0 && (" : "1 || (");
        strncat(by, source->bytes + start, size);
        strcat(by, ")");
        add(list, "condition", one->line, start, start + size, by);
        free(by);
    }
}

/* The first two arguments of a call, where they are words or numbers. */
static void swap_arguments(mutants *list, const text *source, const tokens *all, size_t i)
{
    const token *one = &all->at[i];
    size_t       a, b;
    char        *by;
    if (i + 5 >= all->count || one->kind != WORD || !is(source, one + 1, "(") || one[2].kind > NUMBER ||
        !is(source, one + 3, ",") || one[4].kind > NUMBER ||
        !(is(source, one + 5, ")") || is(source, one + 5, ","))) return;
    a = one[2].end - one[2].start;
    b = one[4].end - one[4].start;
    if (a == b && memcmp(source->bytes + one[2].start, source->bytes + one[4].start, a) == 0) return;
    by = (char *)room(a + b + 3);
    memcpy(by, source->bytes + one[4].start, b);
    memcpy(by + b, ", ", 2);
    memcpy(by + b + 2, source->bytes + one[2].start, a);
    add(list, "swap", one->line, one[2].start, one[4].end, by);
    free(by);
}

/* An assignment, a call, a break or a return of nothing. */
static void remove_statement(mutants *list, const text *source, const tokens *all, size_t i)
{
    static const char *const others[] = { "if", "for", "while", "do", "switch", "return", "case", "default", "const",
                                          "static", "else", "goto", "typedef", "struct", "unsigned", "char" };
    const token *one = &all->at[i], *before = one - 1;
    size_t       k, end = i;
    int          depth = 0;
    if (!one->in_function || !i || !(is(source, before, ";") || is(source, before, "{") || is(source, before, "}"))) return;
    if (one->kind == WORD) {
        bool declares = one[1].kind == WORD || (is(source, one + 1, "*") && !is(source, one, "*"));
        for (k = 0; k < sizeof others / sizeof others[0]; ++k) {
            if (is(source, one, others[k]) && !(is(source, one, "return") && is(source, one + 1, ";"))) return;
        }
        if (declares) return;
    } else if (!(is(source, one, "++") || is(source, one, "--") || is(source, one, "*"))) {
        return;
    }
    for (; end < all->count && !(depth == 0 && is(source, &all->at[end], ";")); ++end) {
        depth += is(source, &all->at[end], "(") || is(source, &all->at[end], "{");
        depth -= is(source, &all->at[end], ")") || is(source, &all->at[end], "}");
        if (depth < 0) return;
    }
    add(list, "statement", one->line, one->start, all->at[end].start, "");
}

static mutants all_mutants(const text *source, const tokens *all)
{
    mutants list = { NULL, 0, 0 };
    size_t  i, outside = 0;
    for (i = 1; i + 1 < all->count; ++i) {
        const token *one = &all->at[i];
        size_t       before = list.count;
        if (one->kind == MARK && one->in_function) {
            change_operator(&list, source, one);
            change_sign(&list, source, one);
        }
        if (one->kind == NUMBER && (one->in_function || (one->depth && outside++ % 8 == 0)) &&
            !(i >= 3 && is(source, one - 3, "sizeof")) && /* the 0 of x[0] */
            !is_never_shown(source, all, i)) change_number(&list, source, one);
        if (one->in_function) {
            if (is(source, one, "true")) add(&list, "constant", one->line, one->start, one->end, "false");
            if (is(source, one, "false")) add(&list, "constant", one->line, one->start, one->end, "true");
            change_condition(&list, source, all, i);
            swap_arguments(&list, source, all, i);
        }
        remove_statement(&list, source, all, i);
        for (; before < list.count; ++before) list.at[before].function = one->function;
    }
    return list;
}

/* -- Running --------------------------------------------------------------- */

static double now(void)
{
    struct timeval at;
    gettimeofday(&at, NULL);
    return (double)at.tv_sec + (double)at.tv_usec / 1e6;
}

/* The exit status of a command of the shell; -1 where it was ended by a signal, or by us after so many
   seconds of processor time, or of many more by the clock: others may use the processor. */
static int run(const char *command, double seconds)
{
    pid_t  child = fork();
    int    status = 0;
    double begun = now();
    if (child < 0) stop("mutate: cannot fork");
    if (child == 0) {
        struct rlimit limit;
        int           nowhere = open("/dev/null", O_RDWR);
        setpgid(0, 0);
        dup2(nowhere, 0);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        limit.rlim_cur = limit.rlim_max = (rlim_t)(seconds + 1);
        setrlimit(RLIMIT_CPU, &limit);
        limit.rlim_cur = limit.rlim_max = 0;
        setrlimit(RLIMIT_CORE, &limit);
        limit.rlim_cur = limit.rlim_max = (rlim_t)256 << 20;
        setrlimit(RLIMIT_FSIZE, &limit);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        struct timespec nap = { 0, 3000000 };
        nanosleep(&nap, NULL);
        if (now() - begun > 20 * seconds + 60) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) < 128 ? WEXITSTATUS(status) : -1;
}

static const char *simd_flags(void) { return settings.simd ? "" : "-DMD2_NO_SIMD -DMD5_NO_SIMD"; }

static bool compile(const program *one, const char *cc)
{
    char command[1000];
    snprintf(command, sizeof command, "cd %s && %s %s -o %s %s -lm", settings.work, cc, simd_flags(), one->name,
             one->files);
    return run(command, 120) == 0;
}

static int execute(const program *one, double seconds)
{
    char command[1000];
    /* a runaway may not take all memory; the sanitizers need addresses without end */
    snprintf(command, sizeof command, "cd %s && %s CHECK_STOP=1 UBSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_leaks=0 exec ./%s %s",
             settings.work, one->sanitized > 0 ? "" : "ulimit -v 4000000;", one->name, one->arguments);
    return run(command, seconds);
}

/* Marks the lines of the header that are compiled into a program. */
static void find_active(program *one, const char *cc, long lines)
{
    char  command[1000], line[20000];
    long  number = 0;
    bool  inside = false;
    FILE *pipe;
    one->active = (bool *)room((size_t)lines + 2);
    snprintf(command, sizeof command, "cd %s && %s %s -E %s", settings.work, cc, simd_flags(), one->files);
    pipe = popen(command, "r");
    while (pipe && fgets(line, sizeof line, pipe)) {
        char path[1000];
        if (sscanf(line, "# %ld \"%999[^\"]\"", &number, path) == 2 ||
            sscanf(line, "#line %ld \"%999[^\"]\"", &number, path) == 2) {
            const char *name = strrchr(path, '/');
            inside = strcmp(name ? name + 1 : path, one->header) == 0;
            continue;
        }
        if (inside && number > 0 && number <= lines && strspn(line, " \t\r\n") < strlen(line)) one->active[number] = true;
        ++number;
    }
    if (pipe) pclose(pipe);
}

/* -- Explanations ---------------------------------------------------------- */

typedef struct excuse {
    char *function;                   /* in it alone, unless NULL */
    char *old_text, *new_text;
    bool  used, vectors;              /* vectors: of lines that only --simd tries */
} excuse;

static excuse *excuses;
static size_t  excuse_count;

/* Blanks squeezed, and md5 read as md2: what stands in both headers is explained once. */
static char *squeezed(const char *from, size_t size)
{
    char  *out = (char *)room(size + 1);
    size_t i, n = 0;
    for (i = 0; i < size; ++i) {
        char c = from[i];
        if (isspace((unsigned char)c)) {
            if (n && out[n - 1] != ' ') out[n++] = ' ';
        } else {
            if (c == '5' && n >= 2 && (out[n - 1] == 'd' || out[n - 1] == 'D') && (out[n - 2] == 'm' || out[n - 2] == 'M')) c = '2';
            out[n++] = c;
        }
    }
    while (n && out[n - 1] == ' ') --n;
    out[n] = 0;
    return out;
}

static void read_excuses(const char *path)
{
    text  list = read_file(path);
    char *line, *next, *function = NULL, *old_text = NULL;
    bool  vectors = false;
    excuses = (excuse *)room((list.size / 4 + 1) * sizeof *excuses);
    for (line = list.bytes; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (!*line) {
            function = NULL;
            vectors = false;
        }
        if (strcmp(line, "with vectors") == 0) vectors = true;
        if (strncmp(line, "in ", 3) == 0) function = squeezed(line + 3, strlen(line + 3));
        if (*line == '-') old_text = squeezed(line + 1, strlen(line + 1));
        if (*line == '+' && old_text) {
            excuses[excuse_count].function = function;
            excuses[excuse_count].vectors = vectors;
            excuses[excuse_count].old_text = old_text;
            excuses[excuse_count++].new_text = squeezed(line + 1, strlen(line + 1));
        }
    }
}

/* The whole lines around a change, before and after it. */
static void show(const text *source, const mutant *one, char **old_text, char **new_text)
{
    size_t first = one->start, last = one->end, by = strlen(one->by);
    char  *changed;
    while (first && source->bytes[first - 1] != '\n') --first;
    while (source->bytes[last] && source->bytes[last] != '\n') ++last;
    *old_text = squeezed(source->bytes + first, last - first);
    changed = (char *)room(last - first + by + 1);
    memcpy(changed, source->bytes + first, one->start - first);
    memcpy(changed + (one->start - first), one->by, by);
    memcpy(changed + (one->start - first) + by, source->bytes + one->end, last - one->end);
    *new_text = squeezed(changed, strlen(changed));
    free(changed);
}

/* The name of the function around a place: its definition begins a line, and so does its brace. */
static char *function_at(const text *source, size_t at)
{
    const char *s = source->bytes, *name;
    while (at && strncmp(s + at, "\n{", 2) != 0) --at;
    while (at && !(s[at] == '\n' && s[at + 1] != ' ' && s[at + 1] != '{')) --at;
    while (s[at] && s[at] != '(') ++at;
    for (name = s + at; name > s && (isalnum((unsigned char)name[-1]) || name[-1] == '_'); --name) {}
    return squeezed(name, (size_t)(s + at - name));
}

static excuse *excuse_of(const char *function, const char *old_text, const char *new_text)
{
    size_t i;
    for (i = 0; i < excuse_count; ++i) {
        excuse *one = &excuses[i];
        if (strcmp(one->old_text, old_text) == 0 && strcmp(one->new_text, new_text) == 0 &&
            (!one->function || strcmp(one->function, function) == 0)) return one;
    }
    return NULL;
}

/* -- The verdict on one ---------------------------------------------------- */

enum { INVALID, NOTICED, SURVIVED };

static double allowance(double seconds) { return 4 * seconds + 2; }

static bool is_run(const program *one, const char *header, long line)
{
    return strcmp(one->header, header) == 0 && one->active[line];
}

/* The fake GL is for what is compiled nowhere else. */
static bool is_worth_running(const program *one, const char *header, long line)
{
    const program *before = programs;
    if (!is_run(one, header, line) || (settings.quick && strncmp(one->name, "torture", 7) == 0)) return false;
    for (; before < one && strcmp(one->name, "test_gl_mock") == 0; ++before) {
        if (is_run(before, header, line)) return false;
    }
    return true;
}

enum { MOST_FUNCTIONS = 2000, COMPILING = 1 };

static unsigned short noticed_by[2][MOST_FUNCTIONS][PROGRAMS];

/* The programs, those first that have noticed most in this function for the time they take. */
static void set_order(int order[PROGRAMS], const unsigned short *noticed)
{
    double worth[PROGRAMS], kept;
    int    i, k;
    for (i = 0; i < PROGRAMS; ++i) {
        kept = (1.0 + noticed[i]) / (COMPILING + programs[i].seconds);
        for (k = i; k > 0 && worth[k - 1] < kept; --k) {
            worth[k] = worth[k - 1];
            order[k] = order[k - 1];
        }
        worth[k] = kept;
        order[k] = i;
    }
}

static int try_mutant(const char *header, const text *source, const mutant *one, const char *cc)
{
    char            path[600];
    int             order[PROGRAMS], i, built = 0;
    bool            sanitized = cc == sanitizer;
    unsigned short *noticed = noticed_by[header[2] == '5'][one->function % MOST_FUNCTIONS];
    snprintf(path, sizeof path, "%s/%s", settings.work, header);
    write_file(path, source->bytes, one->start, one->by, source->bytes + one->end, source->size - one->end);
    set_order(order, noticed);
    for (i = 0; i < PROGRAMS; ++i) {
        program *p = &programs[order[i]];
        program  trial = *p;
        if (!is_worth_running(p, header, one->line)) continue;
        trial.sanitized = sanitized ? 1 : 0;
        if (!compile(p, cc)) return built ? NOTICED : INVALID;
        ++built;
        if (execute(&trial, allowance(sanitized ? p->seconds * 20 + 5 : p->seconds)) != 0) {
            ++noticed[order[i]];
            return NOTICED;
        }
    }
    return built ? SURVIVED : INVALID;
}

static bool is_line_wanted(long line)
{
    const char *at = settings.lines;
    char       *behind;
    while (at) {
        long first = strtol(at, &behind, 10), last = *behind == '-' ? strtol(behind + 1, NULL, 10) : first;
        if (line >= first && line <= last) return true;
        at = strchr(at, ',');
        if (at) ++at;
    }
    return !settings.lines;
}

/* Scalar code is active in the SIMD build too: with --simd only what is active in nothing else. */
static bool is_wanted(const char *header, const bool *plain, long line)
{
    int i;
    if (!is_line_wanted(line) || (plain && plain[line])) return false;
    for (i = 0; i < PROGRAMS; ++i) {
        if (is_run(&programs[i], header, line)) return true;
    }
    return false;
}

static uint64_t random_state;

static size_t random_below(size_t limit)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (size_t)((random_state * 2685821657736338717ull >> 33) % limit);
}

/* -- All of it ------------------------------------------------------------- */

typedef struct work_item {
    int    header;
    mutant one;
} work_item;

static const char *const headers[2] = { "md2.h", "md5.h" };

static struct totals {
    unsigned long made, noticed, excused, invalid, unexplained, conditions;
} totals;

static char *files_of(const char *name)
{
    char   command[200], *files = (char *)room(1000);
    size_t length = 0;
    FILE  *pipe;
    snprintf(command, sizeof command, "make -s --no-print-directory files-%s", name);
    pipe = popen(command, "r");
    if (pipe) length = fread(files, 1, 999, pipe);
    if (!pipe || pclose(pipe) != 0 || length == 0) stop("mutate: make knows no files of %s", name);
    files[strcspn(files, "\n")] = 0;
    return files;
}

static void prepare(void)
{
    char command[2000];
    int  i;
    snprintf(command, sizeof command,
             "rm -rf %s && mkdir -p %s/out && cp md2.h md5.h %s/ && cp -R tests %s/", settings.work, settings.work,
             settings.work, settings.work);
    if (run(command, 60) != 0) stop("mutate: cannot fill %s", settings.work);
    for (i = 0; i < PROGRAMS; ++i) {
        double begun;
        programs[i].files = files_of(programs[i].name);
        programs[i].seconds = 5;
        if (settings.quick || (settings.header && strcmp(settings.header, programs[i].header) != 0)) continue;
        if (!compile(&programs[i], settings.cc)) stop("mutate: %s does not compile", programs[i].name);
        begun = now();
        if (execute(&programs[i], 300) != 0) stop("mutate: %s fails without a change", programs[i].name);
        programs[i].seconds = now() - begun;
        printf("mutate: %s of %s takes %.2f s\n", programs[i].name, programs[i].header, programs[i].seconds);
    }
}

static long count_lines(const text *source)
{
    size_t i;
    long   lines = 1;
    for (i = 0; i < source->size; ++i) lines += source->bytes[i] == '\n';
    return lines;
}

/* With --simd: the lines that are active without it. */
static bool *plain_lines(const char *header, long lines)
{
    bool *plain = (bool *)room((size_t)lines + 2);
    int   i;
    long  line;
    settings.simd = false;
    for (i = 0; i < PROGRAMS; ++i) {
        program one = programs[i];
        if (strcmp(one.header, header) != 0) continue;
        find_active(&one, settings.cc, lines);
        for (line = 1; line <= lines; ++line) plain[line] = plain[line] || one.active[line];
        free(one.active);
    }
    settings.simd = true;
    return plain;
}

/* Whether the list, with commas between its items, holds this one; no list holds all. */
static bool is_listed(const char *list, const char *item, size_t size)
{
    while (list) {
        if (strncmp(list, item, size) == 0 && (list[size] == ',' || !list[size])) return true;
        list = strchr(list, ',');
        if (!list) return false;
        ++list;
    }
    return true;
}

/* The title above a place of the header, up to the dashes behind it. */
static bool is_part_wanted(const text *source, size_t at)
{
    const char *title;
    while (at && strncmp(source->bytes + at, "\n/* -- ", 7) != 0) --at;
    title = source->bytes + at + 7;
    return is_listed(settings.parts, title, (size_t)(strstr(title, " --") - title));
}

static size_t collect(work_item **items, text sources[2])
{
    size_t count = 0, capacity = 0, i;
    int    h, p;
    for (h = 0; h < 2; ++h) {
        tokens  all;
        mutants list;
        long    lines, line;
        bool   *plain = NULL, *compiled;
        sources[h] = read_file(headers[h]);
        if (settings.header && strcmp(settings.header, headers[h]) != 0) continue;
        lines = count_lines(&sources[h]);
        compiled = (bool *)room((size_t)lines + 2);
        for (p = 0; p < PROGRAMS; ++p) {
            if (strcmp(programs[p].header, headers[h]) != 0) continue;
            find_active(&programs[p], settings.cc, lines);
            for (line = 1; line <= lines; ++line) compiled[line] = compiled[line] || programs[p].active[line];
        }
        if (settings.simd) plain = plain_lines(headers[h], lines);
        all = split(&sources[h], compiled);
        list = all_mutants(&sources[h], &all);
        for (i = 0; i < list.count; ++i) {
            const mutant *one = &list.at[i];
            if (!is_wanted(headers[h], plain, one->line) || !is_part_wanted(&sources[h], one->start) ||
                !is_listed(settings.kinds, one->kind, strlen(one->kind))) continue;
            if (count == capacity) {
                capacity = capacity ? 2 * capacity : 4096;
                *items = (work_item *)realloc(*items, capacity * sizeof **items);
                if (!*items) stop("mutate: no memory");
            }
            (*items)[count].header = h;
            (*items)[count++].one = *one;
        }
        printf("mutate: %s: %lu changes are possible so far\n", headers[h], (unsigned long)count);
        free(all.at);
        free(plain);
        free(compiled);
    }
    return count;
}

static void judge(const work_item *item, const text sources[2])
{
    const mutant *one = &item->one;
    const text   *source = &sources[item->header];
    const char   *header = headers[item->header];
    char         *old_text, *new_text, *function = function_at(source, one->start);
    char          path[600];
    excuse       *explained;
    int           verdict = SURVIVED;
    show(source, one, &old_text, &new_text);
    explained = excuse_of(function, old_text, new_text);
    if (!explained || !settings.trust) verdict = try_mutant(header, source, one, settings.cc);
    if (verdict == SURVIVED && settings.second_look && !explained) {
        verdict = try_mutant(header, source, one, sanitizer) == SURVIVED ? SURVIVED : NOTICED;
    }
    snprintf(path, sizeof path, "%s/%s", settings.work, header);
    write_file(path, source->bytes, source->size, "", "", 0);
    if (verdict == INVALID) ++totals.invalid;
    else ++totals.made;
    if (verdict == NOTICED) ++totals.noticed;
    if (verdict == SURVIVED && explained) {
        explained->used = true;
        ++totals.excused;
    } else if (verdict == SURVIVED) {
        ++totals.unexplained;
        totals.conditions += strcmp(one->kind, "condition") == 0;
        printf("%s:%ld: %s\nin %s\n- %s\n+ %s\n", header, one->line, one->kind, function, old_text, new_text);
        fflush(stdout);
    }
    free(function);
    free(old_text);
    free(new_text);
}

static long argument(int argc, char **argv, int *i)
{
    if (*i + 1 >= argc) stop("mutate: %s of what?", argv[*i]);
    return strtol(argv[++*i], NULL, 10);
}

static void read_arguments(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--count") == 0) settings.count = argument(argc, argv, &i);
        else if (strcmp(argv[i], "--seed") == 0) settings.seed = argument(argc, argv, &i);
        else if (strcmp(argv[i], "--percent") == 0) settings.percent = argument(argc, argv, &i);
        else if (strcmp(argv[i], "--slice") == 0) {
            settings.slice = argument(argc, argv, &i);
            settings.slices = strchr(argv[i], '/') ? strtol(strchr(argv[i], '/') + 1, NULL, 10) : 1;
        } else if (strcmp(argv[i], "--simd") == 0) {
            settings.simd = true;
            settings.cc = "gcc -O0 -w";
        } else if (strcmp(argv[i], "--no-second-look") == 0) settings.second_look = false;
        else if (strcmp(argv[i], "--quick") == 0) settings.quick = true;
        else if (strcmp(argv[i], "--trust") == 0) settings.trust = true;
        else if (i + 1 < argc && strcmp(argv[i], "--lines") == 0) settings.lines = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--parts") == 0) settings.parts = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--kinds") == 0) settings.kinds = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--header") == 0) settings.header = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--cc") == 0) settings.cc = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--work") == 0) settings.work = argv[++i];
        else stop("mutate: what is %s?", argv[i]);
    }
}

static int report(bool complete)
{
    unsigned long counted = totals.made - totals.excused, i, stale = 0, passed = 0, failed = 0;
    bool          enough = counted && totals.noticed * 100 >= counted * (unsigned long)settings.percent;
    for (i = 0; complete && i < excuse_count; ++i) {
        if (!excuses[i].used && !excuses[i].vectors) {
            ++stale;
            printf("mutate: explained, but noticed or gone:\n- %s\n+ %s\n", excuses[i].old_text, excuses[i].new_text);
        }
    }
    printf("mutate: %lu changes, %lu noticed (%.1f %% of those that could be), %lu explained, %lu unexplained, "
           "%lu of them checks; %lu more did not compile\n",
           totals.made, totals.noticed, counted ? 100.0 * (double)totals.noticed / (double)counted : 0.0, totals.excused,
           totals.unexplained, totals.conditions, totals.invalid);
    if (!enough) printf("mutate: FAIL: fewer than %ld %% noticed\n", settings.percent);
    if (totals.conditions) printf("mutate: FAIL: checks that no test misses\n");
    passed = (enough ? 1 : 0) + (totals.conditions == 0 ? 1 : 0);
    failed = 2 - passed + (stale ? 1 : 0);
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    work_item *items = NULL;
    text       sources[2];
    size_t     count, i;
    long       done = 0;
    double     begun;
    read_arguments(argc, argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    read_excuses("tests/quality/mutants.txt");
    prepare();
    count = collect(&items, sources);
    random_state = (uint64_t)settings.seed * 2654435761u + 88172645463325252ull;
    for (i = count; i > 1; --i) {
        size_t    other = random_below(i);
        work_item kept = items[i - 1];
        items[i - 1] = items[other];
        items[other] = kept;
    }
    begun = now();
    for (i = 0; i < count && (settings.count == 0 || done < settings.count); ++i) {
        if ((long)(i % (size_t)settings.slices) != settings.slice) continue;
        judge(&items[i], sources);
        if (++done % 25 == 0) {
            printf("mutate: %ld tried in %.0f s, %lu unexplained\n", done, now() - begun, totals.unexplained);
        }
    }
    return report(settings.count == 0 && settings.slices == 1 && !settings.header && !settings.simd &&
                  !settings.lines && !settings.parts && !settings.kinds);
}
