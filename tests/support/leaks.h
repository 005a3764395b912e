/* For children that end by _exit, where AddressSanitizer does not look for leaks by itself. */
#ifndef LEAKS_H
#define LEAKS_H

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

enum { HAS_LEAKED = 98 }; /* the status of such a child */

/* 1 if memory has leaked, which is reported on standard error; 0 if none has, or without LeakSanitizer. */
static inline int has_leaked(void)
{
#ifdef __SANITIZE_ADDRESS__
    return __lsan_do_recoverable_leak_check();
#else
    return 0;
#endif
}

#endif
