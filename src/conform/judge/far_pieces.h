/*
 * A far_map with memory for every byte, at the price of a few megabytes. It consists of pieces. The pieces at both ends
 * and on both sides of the offsets 2^26 (2^24 floats), 2^31 and 2^32 have memory of their own. All other pieces map the
 * same shared memory. The shared piece tells little about a wrong offset; the own pieces tell which bytes went where.
 */
#ifndef CONFORM_FAR_PIECES_H
#define CONFORM_FAR_PIECES_H

#include "far_map.h"

/* Bytes of one piece: 2^18 in a map below 2^28 bytes, else 2^21. */
size_t far_piece_bytes(const far_map *self);

/* Opens a readable and writable map. Returns false without memory, where the system cannot map memory twice, and under
 * a sanitizer that keeps shadow memory for every byte. */
bool far_pieces_open(far_map *self, size_t bytes, size_t overread);
/* Makes the whole map read-only. */
bool far_pieces_protect(const far_map *self);

/* A distinct piece of memory. far_pieces_next goes through the own pieces and, in place of all shared ones, the first
 * of them, in ascending order. `at` is an offset in region.body. */
typedef struct far_piece {
    size_t at, bytes;
    bool is_shared;
} far_piece;

/* Finds the first piece from `from` on (0, or at + bytes of the piece before). Returns false at the end. */
bool far_pieces_next(const far_map *self, size_t from, far_piece *out);

#endif
