/*
 * malloc that fails on purpose. In a test that CMake's ifn_fail_malloc names, calls of malloc, calloc,
 * realloc and aligned_alloc in the test and in the inferno library go through fail_malloc.c; calls
 * inside the C library do not.
 */
#ifndef IFN_FAIL_MALLOC_H
#define IFN_FAIL_MALLOC_H

/* Called at every request, on the requesting thread: if it returns 1, the request fails. NULL, the initial value:
 * none fails. */
extern int (*fail_malloc_decides)(void);

#endif
