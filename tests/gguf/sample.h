/* A small file with one of everything, made by the writer. */
#ifndef IFN_TEST_SAMPLE_H
#define IFN_TEST_SAMPLE_H

#include <inferno/gguf.h>

/* Every value type as a scalar and in an array, strings, an array of arrays, six tensors. */
void sample_write(const char *path, uint32_t alignment);

#define SAMPLE_N_TENSORS 6

#endif
