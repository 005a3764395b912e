/* Assertions about rows of a storage type, and random blocks for them. */
#ifndef IFN_BLOCKS_H
#define IFN_BLOCKS_H

#include <stdint.h>

#include <inferno/quant.h>

/* Asserts that the bytes decode to these n floats, bit for bit except for the payload of a NaN. */
void assert_decodes(ifn_dtype dtype, const void *bytes, const float *want, int64_t n);

/* Asserts that the n floats encode to these bytes. */
void assert_encodes(ifn_dtype dtype, const float *x, const void *want, int64_t n);

/* Asserts that flipping this bit of the block changes this weight by `step`, and no other weight. */
void assert_bit_moves(ifn_dtype dtype, uint8_t *block, size_t byte, int bit, int weight,
                      float step);

/* Encodes and decodes n floats. */
void round_trip(ifn_dtype dtype, const float *x, float *back, int64_t n);

/* Makes n floats of one magnitude between 2^-8 and 2^8; every index has another shape. */
void random_block(uint64_t index, float *x, int64_t n);

#endif
