/* UTF-8, one character at a time, from bytes that nobody promised are UTF-8. */
#ifndef IFN_CLI_UTF8_DECODE_H
#define IFN_CLI_UTF8_DECODE_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xfffdu

/**
 * Decodes the character at the start of `bytes` > 0 bytes and returns its length. Where the bytes
 * are no character, *code is UTF8_REPLACEMENT, *valid 0, and the length that of the longest start
 * of a character there (what the Unicode standard calls a maximal subpart), at least 1.
 */
size_t utf8_next(const char *data, size_t bytes, uint32_t *code, int *valid);

#endif
