/* A small JSON reader for expected values. Aborts on malformed input, as test data belong to the tree. */
#ifndef IFN_JSON_H
#define IFN_JSON_H

#include <stddef.h>
#include <stdint.h>

typedef enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_type;

typedef struct json {
    json_type type;
    double number;
    char *string; /* JSON_STRING: UTF-8, terminated; lone surrogates as three bytes */
    size_t bytes; /* of the string */
    size_t n;     /* items of an array or an object */
    char **keys;  /* objects only */
    struct json *items;
} json;

/* Parses one value; *end, if wanted, becomes the byte after it. Free with json_free. */
json *json_parse(const char *text, const char **end);
void json_free(json *value);

/* A member of an object; NULL if there is none, or value is NULL or no object. */
const json *json_get(const json *value, const char *key);
int64_t json_int(const json *value);
/* A hex string as bytes; the caller frees. */
uint8_t *json_hex(const json *value, size_t *bytes);

#endif
