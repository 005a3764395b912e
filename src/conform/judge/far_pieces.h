/*
 * A far_map all of whose bytes are there, at the price of a few megabytes. It comes in pieces:
 * those at its ends and on both sides of offsets 2^26, which is 2^24 floats, 2^31 and 2^32 have memory
 * of their own, all others are one and the same. What is in that one says little; the others tell which bytes are where.
 */
#ifndef CONFORM_FAR_PIECES_H
#define CONFORM_FAR_PIECES_H

#include "far_map.h"

/* Bytes of one: fewer where there are not thousands of them. */
size_t far_piece_bytes(const far_map *self);

/* Readable and writable. False without room, where the system repeats no memory, and under a
 * sanitizer, which keeps notes of every byte. */
bool far_pieces_open(far_map *self, size_t bytes, size_t overread);
/* All of it is readable alone from now on. */
bool far_pieces_protect(const far_map *self);

/* The pieces of memory that are told apart, in ascending order: those of its own, and one of the
 * others in the place of all. `at`: of region.body. */
typedef struct far_piece {
    size_t at, bytes;
    bool is_shared;
} far_piece;

/* The first from `from` on (a sum of at and bytes, or 0). False: there is none. */
bool far_pieces_next(const far_map *self, size_t from, far_piece *out);

#endif
