/* read_json.c - parses a JSON text into a list of values. Public domain. */
#include "read_json.h"
#include "convert.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200 };

typedef struct parser {
    char  *at, *end;                  /* position in the text, and its end, where a NUL is */
    json  *values;
    size_t count, room;
} parser;

/* -- Tokens ------------------------------------------------------------------------------------ */

static void skip_blanks(parser *p)
{
    while (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at) ++p->at;
}

static bool accept(parser *p, char c)
{
    skip_blanks(p);
    if (p->at >= p->end || *p->at != c) return false;
    ++p->at;
    return true;
}

static bool accept_word(parser *p, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0) return false;
    p->at += length;
    return true;
}

/* Reads four hexadecimal digits; returns false if there are fewer. */
static bool parse_code(parser *p, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; ++i, ++p->at) {
        static const char digits[] = "0123456789abcdef";
        char              c = p->at < p->end ? *p->at : 0;
        const char       *digit = strchr(digits, c >= 'A' && c <= 'F' ? c + 'a' - 'A' : c);
        if (!c || !digit) return false;
        *code = *code * 16 + (uint32_t)(digit - digits);
    }
    return true;
}

/* Writes a character as UTF-8, over its escape sequence, which is never shorter. */
static char *put_character(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 63));
        *out++ = (char)(0x80 | (code & 63));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 63));
        *out++ = (char)(0x80 | (code >> 6 & 63));
        *out++ = (char)(0x80 | (code & 63));
    }
    return out;
}

/* Reads an escape sequence after its u. A surrogate pair is one character. Half of a pair becomes U+FFFD, and so does a
   NUL, which would end the string. */
static bool parse_escaped_code(parser *p, char **out)
{
    const uint32_t no_character = 0xFFFD;
    uint32_t       code, low;
    if (!parse_code(p, &code)) return false;

    bool is_pair = code >= 0xD800 && code < 0xDC00 && p->end - p->at >= 6 && p->at[0] == '\\' &&
                   p->at[1] == 'u';
    if (is_pair) {
        char *after = p->at;
        p->at += 2;
        if (!parse_code(p, &low)) return false;
        bool is_low = low >= 0xDC00 && low < 0xE000;
        if (is_low) code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        else p->at = after;
    }
    if (code == 0 || (code >= 0xD800 && code < 0xE000)) code = no_character;
    *out = put_character(*out, code);
    return true;
}

/* Reads a string after its opening quotation mark. The result overwrites the text from there, and ends with a NUL. */
static const char *parse_string(parser *p)
{
    static const char escapes[] = "\"\\/bfnrt", characters[] = "\"\\/\b\f\n\r\t";
    char             *start = p->at, *out = p->at;
    while (p->at < p->end && *p->at != '"') {
        char c = *p->at++;
        if (c == 0) return NULL;
        if (c != '\\') {
            *out++ = c;
        } else if (p->at < p->end && *p->at == 'u') {
            ++p->at;
            if (!parse_escaped_code(p, &out)) return NULL;
        } else {
            const char *escape = p->at < p->end && *p->at ? strchr(escapes, *p->at++) : NULL;
            if (!escape) return NULL;
            *out++ = characters[escape - escapes];
        }
    }
    if (p->at >= p->end) return NULL;
    ++p->at;
    *out = 0;
    return start;
}

/* Reads a number. The checks exclude the words and hexadecimal numbers that strtod also reads. */
static bool parse_number(parser *p, double *number)
{
    size_t length = strspn(p->at, "0123456789+-.eE");
    char  *end;
    if (!strchr("-0123456789", *p->at)) return false;
    *number = strtod(p->at, &end);
    if (end == p->at || end > p->at + length) return false;
    p->at = end;
    return true;
}

/* -- Values ------------------------------------------------------------------------------------ */

static json *add_value(parser *p, const char *key)
{
    if (p->count == p->room) {
        p->room = p->room * 2 + 64;
        json *more = (json *)allocate(p->room, sizeof *more);
        if (p->count > 0) memcpy(more, p->values, p->count * sizeof *more);
        release(p->values);
        p->values = more;
    }
    json *added = &p->values[p->count++];
    added->key = key;
    added->text = "";
    added->size = 1;
    return added;
}

static bool parse_value(parser *p, const char *key, int depth);

/* Reads the values between brackets or braces. */
static bool parse_children(parser *p, json_kind kind, int depth)
{
    char closing = kind == JSON_OBJECT ? '}' : ']';
    if (accept(p, closing)) return true;
    do {
        const char *key = NULL;
        if (kind == JSON_OBJECT) {
            if (!accept(p, '"')) return false;
            key = parse_string(p);
            if (!key || !accept(p, ':')) return false;
        }
        if (!parse_value(p, key, depth + 1)) return false;
    } while (accept(p, ','));
    return accept(p, closing);
}

static bool parse_value(parser *p, const char *key, int depth)
{
    size_t index = p->count;
    json  *value = add_value(p, key);
    if (depth > MAX_DEPTH) return false;

    bool is_object = accept(p, '{');
    if (is_object || accept(p, '[')) {
        value->kind = is_object ? JSON_OBJECT : JSON_ARRAY;
        bool is_good = parse_children(p, value->kind, depth);
        p->values[index].size = p->count - index;
        return is_good;
    }
    if (accept(p, '"')) {
        value->kind = JSON_STRING;
        value->text = parse_string(p);
        return value->text != NULL;
    }
    if (accept_word(p, "true")) {
        value->kind = JSON_TRUE;
        return true;
    }
    if (accept_word(p, "false") || accept_word(p, "null")) return true;
    value->kind = JSON_NUMBER;
    return p->at < p->end && parse_number(p, &value->number);
}

json *parse_json(char *text, size_t size)
{
    parser p;
    memset(&p, 0, sizeof p);
    p.at = text;
    p.end = text + size;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) p.at += 3;

    bool is_good = parse_value(&p, NULL, 0);
    skip_blanks(&p);
    while (p.at < p.end && *p.at == 0) ++p.at; /* some exporters pad the text with NULs */
    if (is_good && p.at == p.end) return p.values;
    release(p.values);
    return NULL;
}

/* -- Looking up -------------------------------------------------------------------------------- */

const json *first_child(const json *parent)
{
    bool has_children = parent && parent->size > 1;
    return has_children ? parent + 1 : NULL;
}

const json *next_child(const json *parent, const json *child)
{
    const json *next = child + child->size;
    return next < parent + parent->size ? next : NULL;
}

uint32_t count_children(const json *parent)
{
    uint32_t count = 0;
    for (const json *c = first_child(parent); c; c = next_child(parent, c)) ++count;
    return count;
}

const json *member(const json *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (const json *c = first_child(object); c; c = next_child(object, c)) {
        if (strcmp(c->key, key) == 0) return c;
    }
    return NULL;
}

const char *text_of(const json *object, const char *key, const char *fallback)
{
    const json *value = member(object, key);
    return value && value->kind == JSON_STRING ? value->text : fallback;
}

double number_of(const json *object, const char *key, double fallback)
{
    const json *value = member(object, key);
    return value && value->kind == JSON_NUMBER ? value->number : fallback;
}

bool is_true(const json *object, const char *key)
{
    const json *value = member(object, key);
    return value && value->kind == JSON_TRUE;
}

uint32_t numbers_of(const json *object, const char *key, double *out, uint32_t room)
{
    const json *array = member(object, key);
    uint32_t    count = 0;
    if (!array || array->kind != JSON_ARRAY) return 0;
    for (const json *c = first_child(array); c && count < room; c = next_child(array, c)) {
        if (c->kind != JSON_NUMBER) return count;
        out[count++] = c->number;
    }
    return count;
}
