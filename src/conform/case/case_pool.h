/*
 * Memory that lives until the case is over: chunks are kept and used again. A shared pool is one
 * mapping, at the same address in every process forked afterwards.
 */
#ifndef CONFORM_CASE_POOL_H
#define CONFORM_CASE_POOL_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct conform_pool {
    struct conform_chunk *first, *current;
    size_t shared_bytes; /* of the mapping; 0: private chunks, as many as it takes */
    jmp_buf *exhausted;  /* where a take without memory goes; NULL: the program ends */
} conform_pool;

/* "inferno: conform: out of memory: 123 bytes for the inputs of a case": exit status 2. */
_Noreturn void conform_out_of_memory(size_t bytes, const char *what);

/* Zeroed, aligned to 64. Without memory it does not return. */
void *conform_pool_take(conform_pool *pool, size_t count, size_t size);
/* The same, with anything in it: for what is filled at once. */
void *conform_pool_take_raw(conform_pool *pool, size_t count, size_t size);

void conform_pool_init(conform_pool *self);
/* The same, shared: a take beyond `bytes` finds no memory. */
void conform_pool_init_shared(conform_pool *self, size_t bytes);
/* Everything taken so far is void; the memory stays for the next case. */
void conform_pool_reset(conform_pool *self);
/* Bytes taken since the last reset. */
size_t conform_pool_used(const conform_pool *self);
void conform_pool_fini(conform_pool *self);

#endif
