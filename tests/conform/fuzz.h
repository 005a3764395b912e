/*
 * Random cases of one op on the scalar backend, in plain memory, to test the oracles without the
 * runner. An honest backend must pass every case; a fault planted by a test must not.
 *
 *     fuzz f;
 *     fuzz_open(&f, IFN_OP_LINEAR);
 *     while (fuzz_next(&f, 500)) { choose f.c.dim, dtype, ...; fuzz_honest(&f); }
 *     fuzz_close(&f);                                   fails if no element was compared
 */
#ifndef CONFORM_FUZZ_H
#define CONFORM_FUZZ_H

#include <inferno/backend.h>

#include "case_pool.h"
#include "compare.h"
#include "module.h"
#include "test.h"

typedef struct fuzz {
    const conform_module *module;
    ifn_backend *backend;
    conform_pool pool;
    conform_case c;
    uint64_t n, random;
    int64_t n_cases, n_compared, n_skipped, n_blunt;
    double worst[TIER_COUNT], worst_decoded; /* largest error / bound of an honest case */
    /* The case that is running. */
    conform_layout l;
    void *data[CONFORM_MAX_TENSORS]; /* absent tensors: NULL */
    conform_truth truth[CONFORM_MAX_TENSORS];
    conform_call call;
} fuzz;

void fuzz_open(fuzz *f, ifn_op op);
void fuzz_close(fuzz *f);

/* The next case: seed, tier and family are set, everything else is 0. `n` cases, or as many as the
 * environment variable CONFORM_FUZZ says. */
int fuzz_next(fuzz *f, uint64_t n);

/* Draw a number from the case's own stream: in [low, high], often one of the two; one of a list. */
int64_t fuzz_size(fuzz *f, int64_t low, int64_t high);
int64_t fuzz_pick_of(fuzz *f, const int64_t *list, size_t n);
#define FUZZ_PICK(f, ...)                                                                          \
    fuzz_pick_of(f, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / 8)

/* Prepares one case: layout, inputs, truth, arguments. 0 if the case makes no sense for the op. */
int fuzz_begin(fuzz *f);
void fuzz_run(fuzz *f);
/* The number of elements that the truth finds wrong; fails if the status was not IFN_OK. */
int64_t fuzz_wrong(fuzz *f);
void fuzz_end(fuzz *f);

/* All steps from fuzz_begin to fuzz_end; fails if an element is wrong. */
void fuzz_honest(fuzz *f);

/* A tensor by its name, as floats. */
float *fuzz_floats(fuzz *f, const char *name);

/*
 * Runs `n` cases of one tier and family, chosen by `choose`, with a fault, and returns how many are
 * found wrong, in percent. `fault` changes inputs or arguments and calls fuzz_run, or writes wrong
 * outputs by itself.
 */
int fuzz_caught(ifn_op op, conform_tier tier, conform_family family, int n, void (*choose)(fuzz *f),
                void (*fault)(fuzz *f));

#endif
