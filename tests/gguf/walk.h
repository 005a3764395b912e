/* Reads everything that an open file gives access to, so that a wrong bound ends in a crash. */
#ifndef IFN_TEST_WALK_H
#define IFN_TEST_WALK_H

#include <stdbool.h>

#include <inferno/gguf.h>

/* Returns whether every entry was found under its own name; *sum keeps a compiler from omitting the reads. */
bool walk_everything(const ifn_gguf *gguf, uint64_t *sum);

#endif
