/*
 * Requests for memory that fail on purpose. In a test that CMake's ifn_fail_malloc names, malloc
 * and its kin of the test's own code, the library's included, go through fail_malloc.c; those of
 * the C library itself are left alone.
 */
#ifndef IFN_FAIL_MALLOC_H
#define IFN_FAIL_MALLOC_H

/* Called at every request, on the thread that makes it; the request fails if it returns 1. NULL, the default: none
 * fails. */
extern int (*fail_malloc_decides)(void);

#endif
