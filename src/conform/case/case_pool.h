/*
 * A pool: an arena of memory that lives until the case is over; its chunks are kept and used again. A shared pool is
 * one mapping, at the same address in every process that is forked afterwards.
 */
#ifndef CONFORM_CASE_POOL_H
#define CONFORM_CASE_POOL_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct conform_pool {
    struct conform_chunk *first, *current;
    size_t shared_bytes; /* size of the mapping; 0: private chunks, as many as needed */
    jmp_buf *exhausted;  /* longjmp target when memory runs out; NULL: the program ends */
} conform_pool;

/* Prints "inferno: conform: out of memory: 123 bytes for the inputs of a case" and ends with exit status 2. */
_Noreturn void conform_out_of_memory(size_t bytes, const char *what);

/* Takes zeroed memory, aligned to 64 bytes. Does not return if there is no memory. */
void *conform_pool_take(conform_pool *pool, size_t count, size_t size);
/* The same, uninitialised: for buffers that the caller fills at once. */
void *conform_pool_take_raw(conform_pool *pool, size_t count, size_t size);

void conform_pool_init(conform_pool *self);
/* The same for a shared pool of `bytes`; a take beyond that finds no memory. */
void conform_pool_init_shared(conform_pool *self, size_t bytes);
/* Releases everything taken so far; the pool keeps the memory for the next case. */
void conform_pool_reset(conform_pool *self);
/* Bytes taken since the last reset. */
size_t conform_pool_used(const conform_pool *self);
void conform_pool_fini(conform_pool *self);

#endif
