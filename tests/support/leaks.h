/* Leak checks for child processes that end by _exit, where AddressSanitizer does not check by itself. */
#ifndef LEAKS_H
#define LEAKS_H

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

enum { HAS_LEAKED = 98 }; /* the status of such a child */

/* 1 if memory has leaked, with a message on standard error; 0 without AddressSanitizer. */
static inline int has_leaked(void)
{
#ifdef __SANITIZE_ADDRESS__
    return __lsan_do_recoverable_leak_check();
#else
    return 0;
#endif
}

#endif
