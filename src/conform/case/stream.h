/*
 * Counter-based random numbers: hash(seed, name, index), the same on every platform, at any thread
 * count, in any language (fixtures/make/conform_inputs.py is the twin).
 */
#ifndef CONFORM_STREAM_H
#define CONFORM_STREAM_H

#include <stdint.h>

/* 64 bits of (seed, FNV-1a of the name, index), by splitmix64's finalizer: stream.c states it. */
uint64_t conform_hash(uint64_t seed, const char *name, uint64_t index);

/* A stream: seed and name hashed once. */
typedef struct conform_stream {
    uint64_t key;
} conform_stream;

conform_stream conform_stream_of(uint64_t seed, const char *name);
uint64_t conform_bits(conform_stream s, uint64_t index);
/* In [0, 1), 53 bits. */
double conform_uniform(conform_stream s, uint64_t index);
/* In [low, high]. */
int64_t conform_integer(conform_stream s, uint64_t index, int64_t low, int64_t high);
/* About normal (sum of uniforms), mean 0, variance 1, no zero. */
float conform_normal(conform_stream s, uint64_t index);

#endif
