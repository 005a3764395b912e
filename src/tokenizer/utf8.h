/* Finds UTF-8 characters, well-formed as Unicode defines it (table 3-7). */
#ifndef IFN_UTF8_H
#define IFN_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes (1 to 4) of the well-formed character at the start of p[0 .. n); 0 if there is none. */
size_t ifn_utf8_char(const uint8_t *p, size_t n);

/* Bytes (0 to 3) at the end of p[0 .. n) that are the beginning of an unfinished character. */
size_t ifn_utf8_unfinished(const uint8_t *p, size_t n);

#endif
