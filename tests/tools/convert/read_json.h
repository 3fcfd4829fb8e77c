/* read_json.h - parses a JSON text into a list of values. Public domain. */
#ifndef READ_JSON_H_INCLUDED
#define READ_JSON_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_kind {
    JSON_NOTHING = 0,                 /* null or false */
    JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT
} json_kind;

/* A value in the list. The values in an array or object follow it, and each of them is followed by
   the values that it contains. */
typedef struct json {
    json_kind   kind;
    size_t      size;                 /* 1 + the number of all values in this value */
    double      number;
    const char *text;                 /* text of a string, in UTF-8; otherwise "" */
    const char *key;                  /* name of a member of an object; otherwise NULL */
} json;

/* Parses a text, which must end with a NUL at text[size]. The strings of the list stay in the text,
   so the text is changed, and must outlive the list. Returns NULL if the text is not valid JSON.
   Free the list. */
json *parse_json(char *text, size_t size);

/* These functions return NULL or `fallback` if there is no such value. `parent` may be NULL. */
const json *first_child(const json *parent);
const json *next_child(const json *parent, const json *child);
uint32_t    count_children(const json *parent);
const json *member(const json *object, const char *key);
const char *text_of(const json *object, const char *key, const char *fallback);
double      number_of(const json *object, const char *key, double fallback);
bool        is_true(const json *object, const char *key);
/* Reads at most `room` numbers from the start of an array; returns how many it has read. */
uint32_t    numbers_of(const json *object, const char *key, double *out, uint32_t room);

#endif /* READ_JSON_H_INCLUDED */
