/* A growing buffer of bytes, such as a prompt read from a file or a generated text. */
#ifndef IFN_PROGRAM_TEXT_H
#define IFN_PROGRAM_TEXT_H

#include <stddef.h>

#include <inferno/status.h>

/* All zero is empty. Terminated by a NUL that is not counted, once something was appended. */
typedef struct text {
    char *data;
    size_t bytes, room;
} text;

ifn_status text_append(text *self, const char *data, size_t bytes, ifn_error *err);
void text_free(text *self);

/* An ifn_text_sink; the cookie is a text. */
ifn_status text_sink(void *cookie, const char *data, size_t bytes);

/* The most that ifn_tokenize takes. */
#define TEXT_MOST_BYTES ((size_t)1 << 29)

/* Appends a whole file, byte for byte; "-" is standard input. A pipe is read after a note on
 * standard error.
 * Errors  IFN_ERR_IO; IFN_ERR_ARGUMENT: a device, or more than TEXT_MOST_BYTES */
ifn_status text_read(text *self, const char *path, ifn_error *err);

#endif
