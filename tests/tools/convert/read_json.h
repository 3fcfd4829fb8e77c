/* read_json.h - a text of JSON as a list of values. Public domain. */
#ifndef READ_JSON_H_INCLUDED
#define READ_JSON_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_kind {
    JSON_NOTHING = 0,                 /* null, and false */
    JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT
} json_kind;

/* Behind an array or object in the list come the values in it, each with its own. */
typedef struct json {
    json_kind   kind;
    size_t      size;                 /* values in the list, this one and all in it */
    double      number;
    const char *text;                 /* of a string, in UTF-8; else "" */
    const char *key;                  /* in an object; else NULL */
} json;

/* Strings stay in the text, which is changed, must end with a NUL at text[size], and must outlive
   the list. Free the list; NULL if it is no JSON. */
json *parse_json(char *text, size_t size);

/* NULL, or what is given, where there is no such value. `parent` may be NULL. */
const json *first_child(const json *parent);
const json *next_child(const json *parent, const json *child);
uint32_t    count_children(const json *parent);
const json *member(const json *object, const char *key);
const char *text_of(const json *object, const char *key, const char *fallback);
double      number_of(const json *object, const char *key, double fallback);
bool        is_true(const json *object, const char *key);
/* The numbers that an array begins with, up to `room`; returns how many. */
uint32_t    numbers_of(const json *object, const char *key, double *out, uint32_t room);

#endif /* READ_JSON_H_INCLUDED */
