/* A small file with one of everything that the format has, made by the writer. */
#ifndef IFN_TEST_SAMPLE_H
#define IFN_TEST_SAMPLE_H

#include <inferno/gguf.h>

/* Writes every value type as a scalar and in an array, strings, an array of arrays, and six tensors. */
void sample_write(const char *path, uint32_t alignment);

#define SAMPLE_N_TENSORS 6

#endif
