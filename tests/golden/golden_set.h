/* All golden files of a folder, without those of its subfolders. */
#ifndef GOLDEN_SET_H
#define GOLDEN_SET_H

#include "golden_spec.h"

typedef struct golden_set {
    golden_spec *specs; /* sorted by file name */
    size_t n;
} golden_set;

/* Reads "<source dir>/<folder>/<name>.yaml" without subfolders; fails the test if a file is malformed or there is
 * none. */
golden_set golden_set_read(const char *folder);
void golden_set_free(golden_set *set);

/* Returns whether this build tries file i: normally all of them, else only every few, and short ones. */
int golden_set_tries(const golden_set *set, size_t i);

#endif
