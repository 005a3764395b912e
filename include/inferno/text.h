/*
 * Text from files, arguments and plugins, made fit for a person's terminal.
 *
 * Stability: experimental: made for the programs of this project, and as they need it.
 */
#ifndef INFERNO_TEXT_H
#define INFERNO_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

#define IFN_UTF8_REPLACEMENT 0xfffdu

/* Room for one character as ifn_text_printable writes it: four bytes, each escaped, and the end. */
enum { IFN_TEXT_CHARACTER_ROOM = 4 * 4 + 1 };

/**
 * The character at `data`; `bytes` is at least 1. Returns its length. Bytes that are no character
 * become one IFN_UTF8_REPLACEMENT for each start of a character, as the Unicode standard recommends
 * (section 3.9), with *valid = 0.
 */
IFN_EXPERIMENTAL IFN_API size_t ifn_utf8_next(const char *data, size_t bytes, uint32_t *code,
                                              int *valid);

/**
 * Writes `bytes` bytes of text to `out` with what a terminal or a reader would take for something
 * else as \xNN: control characters, bytes that are no UTF-8, and marks that are invisible or turn
 * the direction of writing. Always terminated (`room` is at least 1), and never cut inside a
 * character or an escape. Returns the length that the whole would have, as snprintf does.
 */
IFN_EXPERIMENTAL IFN_API size_t ifn_text_printable(const char *data, size_t bytes, char *out,
                                                   size_t room);

IFN_EXTERN_C_END

#endif
