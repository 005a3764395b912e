/*
 * Large sizes: cases in every octave of every dimension, up to the limit that the spec names or to
 * what a profile affords.
 */
#ifndef CONFORM_PLAN_LARGE_H
#define CONFORM_PLAN_LARGE_H

#include "plan_sizes.h"

/* The dimensions of an op in the module's order. */
typedef struct plan_shape {
    const conform_module *module;
    const spec_dim *const *dims;
    int n_dims;
} plan_shape;

/* Elements per row that fit the dtypes of the case, for dimension `dim`; 1 where any do. */
int64_t plan_multiple(const plan_shape *shape, const conform_case *c, int dim);

/* How many cases of each octave a profile has, at least. */
int64_t plan_per_octave(conform_profile profile);
/* Seconds that the cases added for it may take, all dtypes of an op together. */
double plan_large_seconds(conform_profile profile);

/*
 * Draws sizes with that of `dim` in the octave, within what the profile affords for one case; the
 * others are small, or now and then as large. Returns 0 if there are none.
 */
int plan_octave_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int dim,
                      int octave, plan_dice *d);

/* How many cases a profile has that are about as large as one may be in all dimensions at once, of
 * ops in which there is more to them than to their sizes. */
int64_t plan_heavy(conform_profile profile);
/* How many of them any op has, at least. */
int64_t plan_boxes(conform_profile profile);
/* Their sizes: one dimension is longest, the others are alike. Returns 0 if there are none. */
int plan_heavy_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int longest,
                     plan_dice *d);

/* How many cases of each dtype a profile has in which every dimension is several tiles and a rest. */
int64_t plan_tiled(conform_profile profile);
/* Their sizes. Returns 0 if there are none that cost little. */
int plan_tiled_sizes(const plan_shape *shape, conform_case *c, plan_dice *d);

/* Draws sizes with that of `dim` as large as models have it, and the others as for an octave.
 * Returns 0 if there are none: it is a choice, or nothing is affordable. */
int plan_large_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int dim,
                     plan_dice *d);

/* The highest octave of a dimension that the profile reaches in cases of these dtypes; -1: none. */
int plan_last_octave(const plan_shape *shape, conform_profile profile, const conform_case *c,
                     int dim);

/* A regime of the op whose results tell something at any size. */
void plan_large_regime(const spec_op *spec, conform_case *c, plan_dice *d);

/* About how long a case takes on the scalar backend. */
double plan_seconds(const conform_module *m, const conform_case *c);

#endif
