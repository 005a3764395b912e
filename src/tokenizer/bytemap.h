/*
 * The byte <-> printable character map of byte-level BPE: each of the 256 bytes is spelled as one
 * character that is neither space nor control, so that a vocabulary is a list of readable words.
 */
#ifndef IFN_BYTEMAP_H
#define IFN_BYTEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/gguf.h>

/* Writes the UTF-8 (1 or 2 bytes) of the character that stands for `byte`; returns its length. */
size_t ifn_bytemap_spell(uint8_t byte, char out[2]);

/* The byte that the character at p[0 .. n) stands for, and the character's length in bytes; 0 if
 * the character stands for none. */
size_t ifn_bytemap_read(const char *p, size_t n, uint8_t *byte);

/* True if every character of `text` stands for a byte. */
bool ifn_bytemap_covers(ifn_string text);

#endif
