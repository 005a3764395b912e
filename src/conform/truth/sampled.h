/*
 * Large cases: the backend computes all of it, truth is made for chosen outputs only (numerics
 * 4.4). An output is lines of elements (rows, or columns); some lines are chosen, and some elements
 * of each: first and last, both sides of powers of two, of multiples of the tiles in use and of
 * offsets of 2^8 .. 2^32, and as many at random.
 */
#ifndef CONFORM_SAMPLED_H
#define CONFORM_SAMPLED_H

#include "stream.h"
#include "truth.h"

/* Element e of line i is at i * line_step + e * element_step of the output. */
typedef struct conform_grid {
    int64_t n_lines, length;
    int64_t line_step, element_step;
    int64_t cost;     /* multiply-adds of what a line's truth begins with */
    int64_t per_line; /* elements to choose of each */
} conform_grid;

typedef struct conform_lines {
    int64_t n;
    const int64_t *at; /* ascending; NULL: all */
} conform_lines;

/* Marks everything else as not judged and tells the lines; all of them unless t->is_sampled. */
conform_lines conform_choose_lines(const conform_case *c, conform_truth *t, const conform_grid *g,
                                   conform_pool *pool);

static inline int64_t conform_chosen_line(const conform_lines *l, int64_t i)
{
    return l->at ? l->at[i] : i;
}

/* Place i of a sample: where kernels change their way along `extent` lines that lie `step`
 * elements apart. */
int64_t conform_edge_at(conform_stream s, uint64_t i, int64_t extent, int64_t step);

#endif
