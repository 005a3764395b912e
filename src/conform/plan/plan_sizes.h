/* Draws the sizes of one case. */
#ifndef CONFORM_PLAN_SIZES_H
#define CONFORM_PLAN_SIZES_H

#include "module.h"
#include "profile.h"
#include "spec.h"
#include "stream.h"

static inline int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A random stream that is read in order. */
typedef struct plan_dice {
    conform_stream stream;
    uint64_t next;
} plan_dice;

int64_t plan_roll(plan_dice *d, int64_t low, int64_t high);

/* The octave of a size: j for 2^j .. 2^(j+1) - 1, -1 for 0 and below. A dimension has the octaves up to that of its
 * limit. */
int conform_octave(int64_t size);

int64_t plan_log_uniform(int64_t low, int64_t high, plan_dice *d);

/* Draws the size of one dimension: an edge, a size near a multiple of a vector width, or a log-uniform one. The size is
 * a multiple of `multiple`, at least 1, and of the spec's own. */
int64_t plan_size(const spec_dim *dim, int64_t multiple, plan_dice *d);
/* Draws a model size, or an ordinary size if the dimension has no model sizes. */
int64_t plan_model_size(const spec_dim *dim, int64_t multiple, plan_dice *d);

/* Finds the dimensions of the op in the module's order. Returns how many, up to the first one that the spec lacks. */
int plan_find_dims(const conform_module *module, const spec_op *spec,
                   const spec_dim *dims[CONFORM_MAX_DIMS]);

/* The number of elements of all tensors together; -1 if the module has no such case. */
int64_t plan_elements(const conform_case *c);

#endif
