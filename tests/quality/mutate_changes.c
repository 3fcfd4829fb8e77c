/* The changes that mutate makes to a header, found by its tokens. Public domain. */
#include "mutate.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n0 passed, 1 failed\n");
    exit(EXIT_FAILURE);
}

void *allocate(size_t size)
{
    void *block = calloc(size ? size : 1, 1);
    if (!block) stop("mutate: no memory");
    return block;
}

/* -- Text ------------------------------------------------------------------ */

char *copy_text(const char *from, size_t size)
{
    char *out = (char *)allocate(size + 1);
    memcpy(out, from, size);
    return out;
}

char *format_text(const char *format, ...)
{
    va_list arguments;
    char   *out;
    int     size;
    va_start(arguments, format);
    size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (size < 0) stop("mutate: cannot format %s", format);
    out = (char *)allocate((size_t)size + 1);
    va_start(arguments, format);
    vsnprintf(out, (size_t)size + 1, format, arguments);
    va_end(arguments);
    return out;
}

text read_file(const char *path)
{
    text  out;
    FILE *file = fopen(path, "rb");
    long  size;
    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) stop("mutate: cannot read %s", path);
    rewind(file);
    out.size = (size_t)size;
    out.bytes = (char *)allocate(out.size + 1);
    if (fread(out.bytes, 1, out.size, file) != out.size) stop("mutate: cannot read %s", path);
    fclose(file);
    return out;
}

enum { WORD, NUMBER, MARK, LITERAL };

typedef struct token {
    int         kind;
    size_t      start, end;
    long        line;
    int         depth;                /* of braces */
    const char *function;             /* its name; NULL outside */
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

/* The end of the comment or line of the preprocessor that begins at i; i where none does. */
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

/* The name of the function whose body follows the last token, a closing parenthesis. */
static char *function_name(const text *source, const tokens *all)
{
    size_t i = all->count;
    int    depth = 0;
    while (i-- > 1) {
        depth += is(source, &all->at[i], ")");
        depth -= is(source, &all->at[i], "(");
        if (depth == 0) break;
    }
    return copy_text(source->bytes + all->at[i - 1].start, all->at[i - 1].end - all->at[i - 1].start);
}

/* The code of the implementation that is compiled, without comments and the preprocessor. */
static tokens split(const text *source, const bool *compiled)
{
    const char *begin = strstr(source->bytes, "End of the interface"), *end = strstr(source->bytes, "/* -- Licence");
    const char *function = NULL;
    size_t      i, last;
    tokens      out;
    int         depth = 0;
    long        line = 1;
    if (!begin || !end) stop("mutate: cannot find the ends of the implementation");
    while (*begin != '\n') ++begin;
    out.at = (token *)allocate(source->size * sizeof(token));
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
            bool has_body = out.count && is(source, &out.at[out.count - 1], ")");
            function = has_body ? function_name(source, &out) : NULL;
        }
        one->depth = depth;
        one->function = depth > 0 ? function : NULL;
        if (is(source, one, "{")) ++depth;
        ++out.count;
    }
    return out;
}

/* -- The changes ----------------------------------------------------------- */

static void add(mutants *list, const char *kind, const token *at, size_t start, size_t end, const char *by, char *change)
{
    mutant *one;
    size_t  i;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 1024;
        list->at = (mutant *)realloc(list->at, list->capacity * sizeof *list->at);
        if (!list->at) stop("mutate: no memory");
    }
    one = &list->at[list->count];
    one->kind = kind;
    one->line = at->line;
    one->start = start;
    one->end = end;
    one->by = copy_text(by, strlen(by));
    one->change = change;
    one->function = at->function ? at->function : "tables";
    one->nth = 1;
    for (i = list->count++; i-- > 0 && list->at[i].function == one->function;) {
        one->nth += strcmp(list->at[i].change, change) == 0;
    }
}

static void replace_token(mutants *list, const text *source, const char *kind, const token *one, const char *by)
{
    add(list, kind, one, one->start, one->end, by,
        format_text("%.*s -> %s", (int)(one->end - one->start), source->bytes + one->start, *by ? by : "nothing"));
}

static bool is_spaced(const text *source, const token *one)
{
    char before = source->bytes[one->start - 1], after = source->bytes[one->end];
    return (before == ' ' || before == '\n') && (after == ' ' || after == '\n');
}

/* a < b ? a : b, which gives the same for equal operands under <=. The operands have no blanks. */
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
        if (is(source, one, changes[i][0])) replace_token(list, source, kind, one, changes[i][1]);
    }
}

static void change_sign(mutants *list, const text *source, const token *one)
{
    if (is(source, one, "++")) replace_token(list, source, "arithmetic", one, "--");
    if (is(source, one, "--")) replace_token(list, source, "arithmetic", one, "++");
    if (is(source, one, "!")) replace_token(list, source, "logic", one, "");
    if (is(source, one, "-") && !is_spaced(source, one)) {
        replace_token(list, source, "arithmetic", one, "");
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
        replace_token(list, source, "constant", one, by);
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

/* An argument of md2__fail and its like for a sentence without a # is never shown. */
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
    return sentence && memcmp(source->bytes + all->at[i].start + 3, "__fail", 6) == 0;
}

/* A condition that never holds, and one that always does. */
static void change_condition(mutants *list, const text *source, const tokens *all, size_t i)
{
    const token *one = &all->at[i];
    const char  *word = is(source, one, "if") ? "if" : "while";
    int          never, size;
    size_t       start;
    if (!is(source, one, word) || !is(source, one + 1, "(")) return;
    start = one[1].end;
    size = (int)(all->at[closing(source, all, i + 1)].start - start);
    for (never = 1; never >= (word[0] == 'i' ? 0 : 1); --never) {
        char *by = format_text(never ? "0 && (%.*s)" : "1 || (%.*s)", size, source->bytes + start);
        add(list, "condition", one, start, start + (size_t)size, by,
            format_text("%s -> %s", word, never ? "never" : "always"));
        free(by);
    }
}

/* Swaps the first two arguments of a call if they are words or numbers. */
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
    by = format_text("%.*s, %.*s", (int)b, source->bytes + one[4].start, (int)a, source->bytes + one[2].start);
    add(list, "swap", one, one[2].start, one[4].end, by, format_text("arguments -> swapped"));
    free(by);
}

/* Removes an assignment, a call, a break or a return of nothing. */
static void remove_statement(mutants *list, const text *source, const tokens *all, size_t i)
{
    static const char *const others[] = { "if", "for", "while", "do", "switch", "return", "case", "default", "const",
                                          "static", "else", "goto", "typedef", "struct", "unsigned", "char" };
    const token *one = &all->at[i], *before = one - 1;
    size_t       k, end = i;
    int          depth = 0;
    if (!one->function || !i || !(is(source, before, ";") || is(source, before, "{") || is(source, before, "}"))) return;
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
    add(list, "statement", one, one->start, all->at[end].start, "", format_text("statement -> nothing"));
}

mutants find_changes(const char *header, const text *source, const bool *compiled)
{
    tokens  split_source = split(source, compiled), *all = &split_source;
    mutants list = { NULL, 0, 0 };
    size_t  i, outside = 0;
    for (i = 1; i + 1 < all->count; ++i) {
        const token *one = &all->at[i];
        if (one->kind == MARK && one->function) {
            change_operator(&list, source, one);
            change_sign(&list, source, one);
        }
        if (one->kind == NUMBER && (one->function || (one->depth && outside++ % 8 == 0)) &&
            !(i >= 3 && is(source, one - 3, "sizeof")) && /* the 0 of x[0] */
            !is_never_shown(source, all, i)) change_number(&list, source, one);
        if (one->function) {
            if (is(source, one, "true")) replace_token(&list, source, "constant", one, "false");
            if (is(source, one, "false")) replace_token(&list, source, "constant", one, "true");
            change_condition(&list, source, all, i);
            swap_arguments(&list, source, all, i);
        }
        remove_statement(&list, source, all, i);
    }
    for (i = 0; i < list.count; ++i) list.at[i].header = header;
    free(split_source.at);
    return list;
}
