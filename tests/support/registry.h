/* The tests of a program. Each TEST registers itself, so that none is forgotten. */
#ifndef IFN_TEST_REGISTRY_H
#define IFN_TEST_REGISTRY_H

#include <stddef.h>

typedef struct test_entry {
    const char *file;
    struct CMUnitTest test;
    struct test_entry *next;
} test_entry;

/* In the order in which they stand in their file. */
void test_add(test_entry *entry);

/* Runs those of <name>_test.c; NULL: all there are. Returns how many failed. */
int test_run(const char *name);

#endif
