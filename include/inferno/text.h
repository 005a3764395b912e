/*
 * Makes text from files, arguments and plugins safe to print on a terminal.
 *
 * Stability: experimental: it serves the programs of this project, and changes with them.
 */
#ifndef INFERNO_TEXT_H
#define INFERNO_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

#define IFN_UTF8_REPLACEMENT 0xfffdu

/* Bytes that ifn_text_printable needs for one character: four bytes, each escaped, and the NUL. */
enum { IFN_TEXT_CHARACTER_ROOM = 4 * 4 + 1 };

/**
 * Decodes the character at `data` and returns its length; `bytes` is at least 1. Invalid bytes
 * become one IFN_UTF8_REPLACEMENT per maximal start of a character, as the Unicode standard recommends
 * (section 3.9), with *valid = 0.
 */
IFN_EXPERIMENTAL IFN_API size_t ifn_utf8_next(const char *data, size_t bytes, uint32_t *code,
                                              int *valid);

/**
 * Copies `bytes` bytes of text to `out`, and writes as \xNN what would mislead a terminal or a reader:
 * control characters, bytes that are no UTF-8, and marks that are invisible or change the direction of
 * writing. Always terminated (`room` is at least 1), and never cut inside a character or an escape.
 * Returns the length that the whole would have, as snprintf does.
 */
IFN_EXPERIMENTAL IFN_API size_t ifn_text_printable(const char *data, size_t bytes, char *out,
                                                   size_t room);

IFN_EXTERN_C_END

#endif
