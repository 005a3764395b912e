/* The most probable tokens of one position. */
#ifndef IFN_CLI_TOPK_H
#define IFN_CLI_TOPK_H

#include <stdint.h>

typedef struct candidate {
    int32_t id;
    float logit;
    double prob; /* under the softmax of all logits, in f64 */
} candidate;

/**
 * Lists the n largest logits, largest first, lower ids first among equals; a NaN is smaller than any number. Returns
 * n, or n_vocab if that is less.
 *
 * logits  [n_vocab]
 * out     [n]
 */
int64_t topk(const float *logits, int64_t n_vocab, int64_t n, candidate *out);

#endif
