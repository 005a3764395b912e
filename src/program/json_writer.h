/* Writes one JSON document, in order, straight to a file. */
#ifndef IFN_PROGRAM_JSON_WRITER_H
#define IFN_PROGRAM_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Caller's storage: {.out = file}. Containers nest at most 31 deep. */
typedef struct json_writer {
    FILE *out;
    int depth;
    uint32_t has_items; /* bit d: the container at depth d is not empty */
    bool after_key;
    bool is_line; /* the next item begins a new line, indented by `blanks` blanks */
    int blanks;
} json_writer;

void json_begin_object(json_writer *self);
void json_end_object(json_writer *self);
void json_begin_array(json_writer *self);
void json_end_array(json_writer *self);
/* The next item, or the end of the container, begins a new line, indented by `blanks` blanks. */
void json_line(json_writer *self, int blanks);
/* Writes the key of a member; the next value is the member's. */
void json_key(json_writer *self, const char *key);

/* Bytes that are not UTF-8 become U+FFFD: JSON cannot represent them. */
void json_put_bytes(json_writer *self, const char *data, size_t bytes);
void json_put_string(json_writer *self, const char *text); /* NULL: null */
void json_put_int(json_writer *self, int64_t value);
void json_put_uint(json_writer *self, uint64_t value);
/* The fewest digits that read back as the same value; null for NaN and infinities. */
void json_put_double(json_writer *self, double value);
void json_put_float(json_writer *self, float value);
void json_put_bool(json_writer *self, bool value);

/* Writes a member whose value is a string. */
void json_member(json_writer *self, const char *key, const char *text);

/* Ends the document with a newline. */
void json_finish(json_writer *self);

#endif
