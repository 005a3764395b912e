/* Limits and expressions that hold on any processor, even one without any level of simd. */
#ifndef THIS_MACHINE_H
#define THIS_MACHINE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <inferno/backend.h>

/* More bytes than any allocation has; with pointers of 32 bits, an eighth of the address space can be allocated. */
#define TOO_MUCH (sizeof(size_t) == 8 ? SIZE_MAX / 8 : SIZE_MAX / 16 * 15)

static inline int has_simd(void)
{
    ifn_backend *backend;
    const int is_there = ifn_backend_open("simd", NULL, &backend, NULL) == IFN_OK;
    ifn_backend_close(backend);
    return is_there;
}

/* The expression with "simd" replaced by "scalar" if this processor has no simd. Valid until the next call. */
static inline const char *on_this_machine(const char *expression)
{
    static char text[512];
    const size_t n = strlen(expression), leaf = strlen("simd");
    if (n < leaf || strcmp(expression + n - leaf, "simd") != 0 || has_simd())
        return expression;
    snprintf(text, sizeof text, "%.*sscalar", (int)(n - leaf), expression);
    return text;
}

#endif
