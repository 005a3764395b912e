#include "signal_access.h"

#include <stddef.h>
#include <ucontext.h> /* REG_ERR: this file alone is built with _GNU_SOURCE */

conform_access conform_access_of(const void *context)
{
#if defined __x86_64__ && defined REG_ERR
    enum { PAGE_FAULT_WRITES = 2 }; /* a bit of the error code that the processor pushes */
    const ucontext_t *const at = context;
    return at->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITES ? ACCESS_WRITE : ACCESS_READ;
#else
    (void)context;
    return ACCESS_UNKNOWN;
#endif
}

const char *conform_access_name(conform_access access)
{
    static const char *const names[] = {
        [ACCESS_UNKNOWN] = "", [ACCESS_READ] = " reading", [ACCESS_WRITE] = " writing"};
    return (size_t)access < sizeof names / sizeof *names ? names[access] : "";
}
