/* The registry of a program's tests: each TEST adds itself, so that none is forgotten. */
#ifndef IFN_TEST_REGISTRY_H
#define IFN_TEST_REGISTRY_H

#include <stddef.h>

typedef struct test_entry {
    const char *file;
    struct CMUnitTest test;
    struct test_entry *next;
} test_entry;

/* Adds a test. Tests of a file keep the order in which they stand in it. */
void test_add(test_entry *entry);

/* Runs the tests of <name>_test.c; NULL: all tests. Returns how many failed. */
int test_run(const char *name);

#endif
