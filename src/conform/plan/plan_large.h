/*
 * Draws large sizes: in every octave of every dimension, up to the limit that the spec names or up to
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

/* Dimension `dim` must be a multiple of this, for the blocks of the case's dtypes and by the spec; 1: any size fits. */
int64_t plan_multiple(const plan_shape *shape, const conform_case *c, int dim);

/* The least number of cases in each octave, by profile. */
int64_t plan_per_octave(conform_profile profile);
/* Seconds that the cases added for octaves may take, for all dtypes of an op together. */
double plan_large_seconds(conform_profile profile);

/*
 * Draws sizes: `dim` in the octave, the other dimensions small or, in half of the attempts, one of them as large.
 * The case stays within what the profile affords for one case. Returns 0 if no such sizes were found.
 */
int plan_octave_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int dim,
                      int octave, plan_dice *d);

/* The number of heavy cases in a profile for ops that have a statistical bound. A heavy case is large in all
 * dimensions at once, about as large as one case may be. */
int64_t plan_heavy(conform_profile profile);
/* The least number of heavy cases for every other op. */
int64_t plan_boxes(conform_profile profile);
/* Draws the sizes of a heavy case: `longest` is the longest dimension, the others are alike. Returns 0 if none fit. */
int plan_heavy_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int longest,
                     plan_dice *d);

/* The number of tiled cases per dtype in a profile. In those every dimension is several tiles and a remainder. */
int64_t plan_tiled(conform_profile profile);
/* Draws the sizes of a tiled case. Returns 0 if none are cheap enough. */
int plan_tiled_sizes(const plan_shape *shape, conform_case *c, plan_dice *d);

/* Draws sizes with `dim` as large as models have it, and the others as for an octave. Returns 0 if `dim` is a choice
 * and not a size, or if nothing is affordable. */
int plan_large_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int dim,
                     plan_dice *d);

/* The highest octave of a dimension that the profile reaches in cases of these dtypes; -1: none. */
int plan_last_octave(const plan_shape *shape, conform_profile profile, const conform_case *c,
                     int dim);

/* Draws a regime of the op whose results are informative at any size. */
void plan_large_regime(const spec_op *spec, conform_case *c, plan_dice *d);

/* The estimated seconds that a case takes on the scalar backend. */
double plan_seconds(const conform_module *m, const conform_case *c);

#endif
