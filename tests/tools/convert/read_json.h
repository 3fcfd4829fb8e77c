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

/* In the list, an array or object is followed by the values that it contains, each followed by its
   own. */
typedef struct json {
    json_kind   kind;
    size_t      size;                 /* number of list entries of this value, including all values
                                         in it */
    double      number;
    const char *text;                 /* text of a string, in UTF-8; otherwise "" */
    const char *key;                  /* name of a member of an object; otherwise NULL */
} json;

/* Parses a text. Strings stay in the text, which is changed, must end with a NUL at text[size], and
   must outlive the list. Returns a list that you free, or NULL if the text is not valid JSON. */
json *parse_json(char *text, size_t size);

/* These functions return NULL or `fallback` if there is no such value. `parent` may be NULL. */
const json *first_child(const json *parent);
const json *next_child(const json *parent, const json *child);
uint32_t    count_children(const json *parent);
const json *member(const json *object, const char *key);
const char *text_of(const json *object, const char *key, const char *fallback);
double      number_of(const json *object, const char *key, double fallback);
bool        is_true(const json *object, const char *key);
/* Reads the numbers at the start of an array, at most `room`; returns how many. */
uint32_t    numbers_of(const json *object, const char *key, double *out, uint32_t room);

#endif /* READ_JSON_H_INCLUDED */
