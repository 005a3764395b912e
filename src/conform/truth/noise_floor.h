/* The noise floor: how far correct arithmetic lies from the truth, in f32 (numerics 11.2) or as declared (11.7). */
#ifndef CONFORM_NOISE_FLOOR_H
#define CONFORM_NOISE_FLOOR_H

#include <inferno/context.h>
#include <inferno/model.h>

#include "arithmetic.h"

enum { CONFORM_NOISE_RUNS = 8 }; /* the fewest variants that numerics 11.2 allows */

/*
 * sigma[i] = the largest |l - l*| of step i over n_runs variants (variants.h) whose logits differ
 * from one another; f32 activations, f32 cache. A variant whose logits equal those of an earlier one, bit for
 * bit, does not count.
 *
 * truth     [n, n_vocab], from conform_forward_f64 with f32 activations and cache
 * sigma     [n]
 * variants  [n_runs] names of those that counted, static; or NULL
 *
 * Errors  IFN_ERR_ARGUMENT: fewer distinct variants than n_runs
 */
IFN_NODISCARD ifn_status conform_noise_floor(const ifn_model *model, const ifn_token *ids,
                                             int64_t n, const double *truth, int n_runs,
                                             const ifn_allocator *alloc, double *sigma,
                                             const char **variants, ifn_error *err);

/* Computes logits [n, n_vocab] on the backend `variant`. */
typedef ifn_status (*conform_noise_run)(void *cookie, ifn_backend *variant, float *logits,
                                        ifn_error *err);

/* The same for any function `run` that evaluates the n ids, in declared arithmetic (NULL: f32). Sets *n_distinct to the
 * number of variants that differ; too few of them are no error. */
IFN_NODISCARD ifn_status conform_noise_floor_of(conform_noise_run run, void *cookie,
                                                const conform_arithmetics *declared, int64_t n,
                                                int64_t n_vocab, const double *truth, int n_runs,
                                                const ifn_allocator *alloc, double *sigma,
                                                const char **variants, int *n_distinct,
                                                ifn_error *err);

/* Computes the logits of all n ids on one backend: fused graph, f32 activations, f32 cache. out [n, n_vocab]. */
IFN_NODISCARD ifn_status conform_run_model(const ifn_model *model, ifn_backend *backend,
                                           const ifn_token *ids, int64_t n,
                                           const ifn_allocator *alloc, float *out, ifn_error *err);

#endif
