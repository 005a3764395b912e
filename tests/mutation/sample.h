/* Chooses mutants of many files: as many of each file, and within a file as many of each kind. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdint.h>

#include "mutants.h"

typedef struct sample_entry {
    const char *path; /* borrowed */
    size_t number;    /* of the mutant */
    uint64_t round;   /* how many mutants of its file come before it */
    uint64_t hash;
} sample_entry;

/* The caller sets seed. */
typedef struct sample {
    uint64_t seed;
    sample_entry *entries; /* owned */
    size_t n;
} sample;

void sample_add(sample *self, const char *path, const mutant_list *mutants);
/* Sorts by rounds, and within a round by a hash of seed, file and text, independent of the order of the files. */
void sample_order(sample *self);
void sample_free(sample *self);

#endif
