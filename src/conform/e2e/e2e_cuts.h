/* The ways in which a long prompt is split into chunks: whole, in chunks of several sizes, and in single steps. */
#ifndef CONFORM_E2E_CUTS_H
#define CONFORM_E2E_CUTS_H

#include "e2e_engine.h"

enum { E2E_MAX_CUTS = 6, E2E_CUT_SIZES = 5 };

typedef struct e2e_cut {
    char name[32]; /* "whole", "chunks of 17" */
    int64_t sizes[E2E_CUT_SIZES];
    int64_t n_sizes;
} e2e_cut;

typedef struct e2e_cuts {
    int n;
    e2e_cut list[E2E_MAX_CUTS];
} e2e_cuts;

/* Makes the cuts of n ids: whole; 1 + 16 + 17 + most of the rest with single steps after it; with n_cuts above 2 also
 * chunks of 16, 17 and 256 and 1 + the rest. `index` chooses with which of these four to begin. */
e2e_cuts e2e_cuts_of(int64_t n, int n_cuts, int index);

e2e_chunks e2e_cut_chunks(const e2e_cut *cut);

/* Lists the last position of every chunk of every cut of n ids, in ascending order, each once. steps [n]. Returns how
 * many there are. */
int64_t e2e_cuts_steps(const e2e_cuts *self, int64_t n, int64_t *steps);

#endif
