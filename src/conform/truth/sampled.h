/*
 * Sampled truth for large cases: the backend computes the whole output, the oracle only chosen elements (numerics
 * 4.4). An output consists of lines (rows, or columns). The sample has some lines, and of each line some elements:
 * first and last, both sides of powers of two, of multiples of the tiles in use and of offsets of 2^8 .. 2^32, and
 * as many at random.
 */
#ifndef CONFORM_SAMPLED_H
#define CONFORM_SAMPLED_H

#include "stream.h"
#include "truth.h"

/* Element e of line i is at i * line_step + e * element_step of the output. */
typedef struct conform_grid {
    int64_t n_lines, length;
    int64_t line_step, element_step;
    int64_t cost;     /* multiply-adds that a line's truth takes before its first element */
    int64_t per_line; /* elements to choose in each line */
} conform_grid;

typedef struct conform_lines {
    int64_t n;
    const int64_t *at; /* ascending; NULL: all */
} conform_lines;

/* Chooses lines and elements, marks all other elements as not judged, and returns the lines; all of them unless
 * t->is_sampled. */
conform_lines conform_choose_lines(const conform_case *c, conform_truth *t, const conform_grid *g,
                                   conform_pool *pool);

static inline int64_t conform_chosen_line(const conform_lines *l, int64_t i)
{
    return l->at ? l->at[i] : i;
}

/* Index i of a sample of `extent` lines, `step` elements apart: an index at which kernels change their code path. */
int64_t conform_edge_at(conform_stream s, uint64_t i, int64_t extent, int64_t step);

#endif
