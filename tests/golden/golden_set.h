/* All golden files of a folder. */
#ifndef GOLDEN_SET_H
#define GOLDEN_SET_H

#include "golden_spec.h"

typedef struct golden_set {
    golden_spec *specs; /* by name of the file */
    size_t n;
} golden_set;

/* Reads "<source dir>/<folder>/<name>.yaml", folders below left out; fails the test that asks where
 * one is malformed or there is none. */
golden_set golden_set_read(const char *folder);
void golden_set_free(golden_set *set);

/* Whether this build holds engines against file i: all are, or short ones of every few. */
int golden_set_tries(const golden_set *set, size_t i);

#endif
