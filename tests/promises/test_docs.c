/* The headers are their own reference: every function, struct field, enum constant and macro that is
   public has a comment, and some test uses it. Run in the repository. Public domain.

   And what the README links to, and the targets that it names, are there.

   A comment belongs to a declaration when it begins on one of its lines, or stands on the lines
   directly above. It belongs to all declarations of a block below it when it says "Each" or "Both".
   A macro may be in the list OPTIONS at the top instead. */
#include "check.h"
#include "support.h"

#include <ctype.h>

enum { MOST_LINES = 8000, MOST_NAMES = 600, KINDS = 4 };

typedef enum kind { FUNCTION, FIELD, CONSTANT, MACRO } kind;
static const char *const kind_names[KINDS] = { "function", "field", "constant", "macro" };

typedef struct line {
    char code[128];                   /* without comments */
    bool begins;                      /* a comment begins here */
    bool text;                        /* nothing but a comment, which began on such a line */
    bool every;                       /* of such a comment: it says Each or Both */
} line;

typedef struct name {
    char   text[64];
    kind   what;
    size_t first, last;               /* lines of its declaration */
    bool   documented;
} name;

static line   lines[MOST_LINES];
static size_t line_count;
static name   names[MOST_NAMES];
static size_t name_count;

/* -- Text -------------------------------------------------------------------------------------- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The first place at which `word` stands by itself. */
static const char *find_word(const char *text, const char *word)
{
    size_t      length = strlen(word);
    const char *at = text;
    for (; (at = strstr(at, word)) != NULL; ++at) {
        if ((at == text || !is_word(at[-1])) && !is_word(at[length])) return at;
    }
    return NULL;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t') ++text;
    return text;
}

/* Blanks out comments, and the insides of strings and characters; lines stay lines. */
static void strip(char *text)
{
    char *at = text, end;
    while (*at) {
        if (at[0] == '/' && at[1] == '*') {
            for (; *at && !(at[0] == '*' && at[1] == '/'); ++at) {
                if (*at != '\n') *at = ' ';
            }
            if (*at) at[0] = at[1] = ' ';
        } else if (at[0] == '/' && at[1] == '/') {
            while (*at && *at != '\n') *at++ = ' ';
        } else if (*at == '"' || *at == '\'') {
            for (end = *at++; *at && *at != end && *at != '\n'; *at++ = ' ') {
                if (*at == '\\' && at[1]) *at++ = ' ';
            }
            if (*at) ++at;
        } else {
            ++at;
        }
    }
}

static char *read_text(const char *path)
{
    size_t size = 0;
    char  *bytes = (char *)read_file(path, &size);
    char  *text = (char *)malloc_or_abort(size + 1);
    if (CHECK(bytes != NULL)) memcpy(text, bytes, size);
    text[size] = 0;
    free(bytes);
    return text;
}

/* -- Lines ------------------------------------------------------------------------------------- */

/* One line of the file, inside a comment or not; says whether the comment goes on behind it. */
static bool split_line(line *l, const char *text, size_t length, bool inside, bool *own)
{
    size_t i, count = 0;
    bool   comment = inside;
    memset(l, 0, sizeof *l);
    for (i = 0; i < length; ++i) {
        if (inside) {
            if (text[i] == '*' && text[i + 1] == '/') inside = false, ++i;
        } else if (text[i] == '/' && text[i + 1] == '*') {
            inside = comment = l->begins = true;
            *own = *skip_blanks(l->code) == 0;
            ++i;
        } else if (count + 1 < sizeof l->code) {
            l->code[count++] = text[i];
        }
    }
    l->text = comment && *own && *skip_blanks(l->code) == 0;
    return inside;
}

static bool says_every(const char *text, size_t length)
{
    char copy[256];
    if (length >= sizeof copy) length = sizeof copy - 1;
    memcpy(copy, text, length);
    copy[length] = 0;
    return find_word(copy, "Each") || find_word(copy, "Both");
}

/* A comment of several lines says it where one of them does. */
static void spread_every(void)
{
    size_t i;
    for (i = 1; i < line_count; ++i) {
        if (lines[i].text && !lines[i].begins && lines[i - 1].every) lines[i].every = true;
    }
}

static void split_lines(const char *text)
{
    bool inside = false, own = false;
    for (line_count = 0; *text && line_count < MOST_LINES; ++line_count) {
        size_t length = strcspn(text, "\n");
        inside = split_line(&lines[line_count], text, length, inside, &own);
        lines[line_count].every = lines[line_count].text && says_every(text, length);
        text += length + (text[length] != 0);
    }
    CHECK(!*text);
    spread_every();
}

/* -- Declarations ------------------------------------------------------------------------------ */

static bool is_directive(size_t i) { return *skip_blanks(lines[i].code) == '#'; }

static bool is_blank(size_t i) { return *skip_blanks(lines[i].code) == 0 && !lines[i].text; }

/* Whether a comment above says Each or Both, with nothing but declarations between. */
static bool in_group(size_t first)
{
    size_t i = first;
    while (i-- > 0 && !is_blank(i)) {
        if (lines[i].text) return lines[i].every;
    }
    return false;
}

static bool is_documented(size_t first, size_t last)
{
    size_t i;
    for (i = first; i <= last; ++i) {
        if (lines[i].begins && !lines[i].text) return true;
    }
    return (first > 0 && lines[first - 1].text) || in_group(first);
}

static void add_name(const char *start, size_t length, kind what, size_t first, size_t last)
{
    name *n = &names[name_count];
    if (!CHECK(name_count < MOST_NAMES && length > 0 && length < sizeof n->text)) return;
    memcpy(n->text, start, length);
    n->text[length] = 0;
    n->what = what;
    n->first = first + 1;
    n->last = last + 1;
    n->documented = is_documented(first, last);
    ++name_count;
}

/* The identifier that ends at `end`. */
static void add_ending_at(const char *text, const char *end, kind what, size_t first, size_t last)
{
    const char *start;
    while (end > text && !is_word(end[-1])) --end;
    for (start = end; start > text && is_word(start[-1]); --start) {}
    add_name(start, (size_t)(end - start), what, first, last);
}

/* "float u, v" and "float min[3], max[3]" and "void *(*alloc)(void *user, size_t size)". */
static void add_fields(const char *text, size_t first, size_t last)
{
    const char *star = strstr(text, "(*"), *end;
    if (star) {
        add_ending_at(text, strchr(star, ')'), FIELD, first, last);
        return;
    }
    for (; *text; text = end + (*end == ',')) {
        end = text + strcspn(text, ",");
        add_ending_at(text, text + strcspn(text, "[,"), FIELD, first, last);
    }
}

/* "MD2_LOOPED = 1, MD2_FINISHED = 2". */
static void add_constants(const char *text, size_t first, size_t last)
{
    while (*(text = text + strspn(text, " ,\n")) != 0) {
        size_t length = 0;
        while (is_word(text[length])) ++length;
        add_name(text, length, CONSTANT, first, last);
        text += strcspn(text, ",");
    }
}

/* What is declared where the code stands that is being read. */
typedef struct reader {
    char   text[1024];                /* of a declaration, until it is whole */
    size_t first;
    int    block;                     /* 0, or 's' or 'e' inside of a struct or an enum */
} reader;

static void read_declaration(reader *r, size_t last)
{
    const char *text = skip_blanks(r->text), *bracket = strchr(text, '(');
    if (r->block == 's') {
        add_fields(text, r->first, last);
    } else if (r->block == 'e') {
        add_constants(text, r->first, last);
    } else if (strstr(text, "_API ") && bracket) {
        add_ending_at(text, bracket, FUNCTION, r->first, last);
    }
    r->text[0] = 0;
}

static void read_character(reader *r, char c, size_t i)
{
    size_t length = strlen(r->text);
    if (length == 0) r->first = i;
    if (c == '{') {
        r->block = find_word(r->text, "enum") ? 'e' : find_word(r->text, "struct") ? 's' : 0;
        r->text[0] = 0;
    } else if (c == '}') {
        if (*skip_blanks(r->text)) read_declaration(r, i);
        r->block = 0;
        r->text[0] = 0;
    } else if (c == ';' || (c == ',' && r->block == 'e')) {
        read_declaration(r, i);
    } else if ((length > 0 || c != ' ') && length + 1 < sizeof r->text) {
        r->text[length] = c;
        r->text[length + 1] = 0;
    }
}

/* From the guard to the end of the interface. */
static void read_declarations(size_t first, size_t last)
{
    reader r;
    size_t i, k;
    memset(&r, 0, sizeof r);
    for (i = first; i < last; ++i) {
        for (k = 0; !is_directive(i) && lines[i].code[k]; ++k) read_character(&r, lines[i].code[k], i);
    }
}

/* -- Macros ------------------------------------------------------------------------------------ */

static bool is_guard(const char *text, size_t length)
{
    static const char *const ends[] = { "_INCLUDED", "_ONCE" };
    size_t i;
    for (i = 0; i < 2; ++i) {
        size_t tail = strlen(ends[i]);
        if (length > tail && strncmp(text + length - tail, ends[i], tail) == 0) return true;
    }
    return false;
}

static bool known_macro(const char *text, size_t length)
{
    size_t i;
    for (i = 0; i < name_count; ++i) {
        if (strlen(names[i].text) == length && strncmp(names[i].text, text, length) == 0) return true;
    }
    return false;
}

/* Each word of the directives that begins with `prefix`, is no guard and not private. */
static void read_macros(const char *prefix, const char *manual)
{
    size_t i, length, start = strlen(prefix);
    for (i = 0; i < line_count; ++i) {
        const char *at = lines[i].code;
        for (; is_directive(i) && *at; at += length ? length : 1) {
            for (length = 0; is_word(at[length]); ++length) {}
            if (length > start && begins_with(at, prefix) && at[start] != '_' &&
                !is_guard(at, length) && !known_macro(at, length)) {
                name *n = &names[name_count];
                add_name(at, length, MACRO, i, i);
                if (find_word(manual, n->text)) n->documented = true;
            }
        }
    }
}

/* -- Headers ----------------------------------------------------------------------------------- */

static size_t find_line(const char *part)
{
    size_t i = 0;
    while (i < line_count && !strstr(lines[i].code, part)) ++i;
    return i;
}

/* The list OPTIONS in the comment at the top, with an end of its own. */
static char *options_of(const char *text)
{
    const char *start = strstr(text, "OPTIONS, defined before"), *end;
    char       *copy;
    size_t      length;
    if (!start) start = text + strlen(text);
    end = strstr(start, "CONVENTIONS");
    length = end ? (size_t)(end - start) : 0;
    copy = (char *)malloc_or_abort(length + 1);
    memcpy(copy, start, length);
    copy[length] = 0;
    return copy;
}

static void read_header(const char *text, const char *prefix)
{
    char  *options = options_of(text), guard[64];
    size_t first, last;
    name_count = 0;
    split_lines(text);
    snprintf(guard, sizeof guard, "#ifndef %sMODEL_H_INCLUDED", prefix);
    first = find_line(guard);
    snprintf(guard, sizeof guard, "#if defined(%sIMPLEMENTATION)", prefix);
    last = find_line(guard);
    CHECK(first < last && last < line_count);
    read_declarations(first, last);
    read_macros(prefix, options);
    free(options);
}

/* A field is used as .name or ->name, all else by its name alone. */
static bool is_used(const name *n, const char *code)
{
    const char *at = code;
    while ((at = find_word(at, n->text)) != NULL) {
        if (n->what != FIELD) return true;
        if (at > code && (at[-1] == '.' || (at[-1] == '>' && at - 1 > code && at[-2] == '-'))) return true;
        ++at;
    }
    return false;
}

/* The programs of tests/promises/compile are written for md2.h, and rewritten for md5.h. */
static bool rewritten(const char *path, const char *header)
{
    return strstr(path, "compile/") && strcmp(header, "md5.h") == 0;
}

static void rewrite(char *text)
{
    for (; *text; ++text) {
        if (begins_with(text, "md2") || begins_with(text, "MD2")) text[2] = '5';
    }
}

/* A file that names the header, or a chapter of the header's own tests. */
static bool is_about(const char *path, const char *text, const char *header)
{
    char folder[16];
    snprintf(folder, sizeof folder, "tests/%.3s/", header);
    return strstr(text, header) || strstr(path, folder);
}

/* All tests of this header, without comments and strings. */
static char *read_tests(const char *header)
{
    file_list files = list_files("tests", ".c"), more = list_files("tests", ".h");
    size_t     i, size = 0, count = 0;
    char      *all = (char *)malloc_or_abort(1);
    all[0] = 0;
    for (i = 0; i < more.count; ++i) file_list_add(&files, "", more.path[i]);
    for (i = 0; i < files.count; ++i) {
        char  *text = read_text(files.path[i]);
        size_t length = strlen(text);
        if (rewritten(files.path[i], header)) rewrite(text);
        if (is_about(files.path[i], text, header) && !has_suffix(files.path[i], "test_docs.c")) {
            strip(text);
            all = (char *)realloc(all, size + length + 1);
            if (!all) abort();
            memcpy(all + size, text, length + 1);
            size += length;
            ++count;
        }
        free(text);
    }
    file_list_free(&files);
    file_list_free(&more);
    CHECK_FLOOR(count, 25, "files of tests");
    return all;
}

/* The title, the macro and the newest line of the history tell of one version. */
static void check_version(const char *text, const char *header)
{
    unsigned    major = 0, minor = 0, patch = 0, number = 0;
    char        title[64], written[64];
    const char *at = strstr(text, "_VERSION "), *history = strstr(text, "VERSION HISTORY\n");
    snprintf(title, sizeof title, "/* %s - ", header);
    CHECK(begins_with(text, title) &&
          sscanf(text + strlen(title), "%u.%u.%u -", &major, &minor, &patch) == 3);
    CHECK(at && sscanf(at, "_VERSION %u", &number) == 1);
    CHECK_EQ(number, major * 10000 + minor * 100 + patch);
    snprintf(written, sizeof written, "%u.%u.%u ", major, minor, patch);
    CHECK(history && begins_with(skip_blanks(strchr(history, '\n') + 1), written));
}

static void test_header(const char *header, const char *prefix, const unsigned long floors[KINDS])
{
    static const char *const plural[KINDS] = { "functions", "fields", "constants", "macros" };
    char *text = read_text(header), *tests = read_tests(header);
    unsigned long counts[KINDS] = { 0, 0, 0, 0 };
    size_t i;
    check_section(header);
    check_version(text, header);
    read_header(text, prefix);
    for (i = 0; i < name_count; ++i) {
        const name *n = &names[i];
        char        subject[128];
        snprintf(subject, sizeof subject, "%s %.63s of line %lu", kind_names[n->what], n->text,
                 (unsigned long)n->first);
        check_subject(subject);
        CHECK(n->documented);
        CHECK(is_used(n, tests));
        ++counts[n->what];
    }
    check_subject("");
    for (i = 0; i < KINDS; ++i) {
        printf("%s: ", header);
        CHECK_FLOOR(counts[i], floors[i], plural[i]);
    }
    free(text);
    free(tests);
}

/* -- The page ---------------------------------------------------------------------------------- */

/* "a-walk" names the heading "A walk". */
static bool has_heading(const char *page, const char *anchor, size_t length)
{
    for (; (page = strstr(page, "\n#")) != NULL; ++page) {
        const char *title = page + 1 + strspn(page + 1, "# ");
        size_t      i = 0;
        while (i < length && anchor[i] == (title[i] == ' ' ? '-' : tolower((unsigned char)title[i]))) ++i;
        if (i == length && title[i] == '\n') return true;
    }
    return false;
}

/* What lies here, or stands on it, and the page links to, or shows. */
static unsigned long check_links(const char *page, const char *before)
{
    unsigned long count = 0;
    const char   *whole = page;
    for (; (page = strstr(page, before)) != NULL; ++page) {
        char        path[128];
        FILE       *file;
        const char *start = page + strlen(before);
        size_t      length = strcspn(start, ")#\"");
        if (begins_with(start, "http") || !CHECK(length < sizeof path)) continue;
        memcpy(path, start, length);
        path[length] = 0;
        check_subject(path);
        if (*start == '#') {
            CHECK(has_heading(whole, start + 1, strcspn(start + 1, ")")));
            continue;
        }
        file = fopen(path, "rb");
        CHECK(file != NULL);
        if (file) fclose(file);
        ++count;
    }
    return count;
}

/* The rule of a target as the Makefile has it: what is in build/ stands behind $(BUILD). False where no
   target is named. */
static bool rule_of(const char *target, char *rule, size_t size)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-", more[] = "abcdefghijklmnopqrstuvwxyz-_./0123456789";
    bool   file = begins_with(target, "build/");
    size_t length = strspn(target, file ? more : letters);
    if (!CHECK(length + 16 < size)) return false;
    if (file) snprintf(rule, size, "\n$(BUILD)%.*s:", (int)length - 5, target + 5);
    else snprintf(rule, size, "\n%.*s:", (int)length, target);
    return length > 0;
}

/* The Makefile and those that it includes. The viewer's may lie in the Makefile itself. */
static char *read_makefiles(void)
{
    static const char *const paths[] = { "Makefile", "tests/tests.mk", "tests/viewer/viewer.mk" };
    size_t i, size = 0, length;
    char  *all = (char *)malloc_or_abort(1);
    for (i = 0; i < sizeof paths / sizeof *paths; ++i) {
        char *text = (char *)read_file(paths[i], &length);
        if (!CHECK(text != NULL || i == 2) || !text) continue;
        all = (char *)realloc(all, size + length + 1);
        if (!all) abort();
        memcpy(all + size, text, length);
        size += length;
        free(text);
    }
    all[size] = 0;
    return all;
}

/* Each target that the page names, in a code span or a list of commands, is one of the Makefiles. */
static unsigned long check_targets(const char *page, const char *makefile)
{
    unsigned long count = 0;
    for (; (page = find_word(page, "make")) != NULL; ++page) {
        char rule[64];
        if (page[4] != ' ' || (page[-1] != '`' && page[-1] != '\n' && page[-1] != ' ')) continue;
        if (page[-1] == ' ' && !begins_with(page - 2, "; ") && !begins_with(page - 2, "R ")) continue;
        if (!rule_of(page + 5, rule, sizeof rule)) continue;
        check_subject(rule + 1);
        CHECK(strstr(makefile, rule) != NULL);
        ++count;
    }
    return count;
}

static void test_page(void)
{
    char *page = read_text("README.md"), *makefile = read_makefiles();
    check_section("README.md");
    CHECK_FLOOR(check_links(page, "]("), 9, "links");
    CHECK_FLOOR(check_links(page, "src=\""), 1, "pictures");
    CHECK_FLOOR(check_targets(page, makefile), 18, "targets");
    free(page);
    free(makefile);
}

/* -- This test itself -------------------------------------------------------------------------- */

static const char sample[] =
    "/* OPTIONS, defined before\n"
    "   T_LISTED  is in the list\n"
    "   CONVENTIONS */\n"
    "#ifndef T_MODEL_H_INCLUDED\n"
    "#define T_VERSION 1 /* yes */\n"
    "#define T_BARE 1\n"
    "#ifdef T_LISTED\n"
    "#endif\n"
    "typedef enum t_mode {\n"
    "    T_ONE = 0,      /* yes, and\n"
    "                       more of it */\n"
    "    T_TWO,\n"
    "    T_THREE\n"
    "} t_mode;\n"
    "enum { T_FOUR = 1, T_FIVE = 2 }; /* yes */\n"
    "typedef struct t_thing {  /* of the thing alone */\n"
    "    int no, none[3];\n"
    "    float yes, more[3]; /* yes */\n"
    "    /* yes */\n"
    "    void *(*call)(void *user, int size);\n"
    "    void (*quiet)(void);\n"
    "} t_thing;\n"
    "/* Each of them, yes. */\n"
    "T_API int t_first(int a,\n"
    "                  int b);\n"
    "T_API int *t_second(void);\n"
    "\n"
    "T_API void t_bare(void);\n"
    "/* yes */\n"
    "T_API void t_yes(void);\n"
    "T_API void t_no(void);\n"
    "T_API void t_beside(void); /* yes */\n"
    "#if defined(T_IMPLEMENTATION)\n";

static void test_sample(void)
{
    static const char wanted[] =
        "+T_ONE -T_TWO -T_THREE +T_FOUR +T_FIVE -no -none +yes +more +call -quiet +t_first +t_second "
        "-t_bare +t_yes -t_no +t_beside +T_VERSION -T_BARE +T_LISTED -T_IMPLEMENTATION ";
    char   found[1024] = "";
    size_t i;
    check_section("sample");
    read_header(sample, "T_");
    for (i = 0; i < name_count; ++i) {
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%c%.63s ", names[i].documented ? '+' : '-',
                 names[i].text);
    }
    CHECK_TEXT(found, wanted);
}

int main(void)
{
    static const unsigned long md2_floors[KINDS] = { 34, 93, 24, 10 };
    static const unsigned long md5_floors[KINDS] = { 41, 99, 21, 10 };
    test_sample();
    test_header("md2.h", "MD2_", md2_floors);
    test_header("md5.h", "MD5_", md5_floors);
    test_page();
    return check_finish();
}
