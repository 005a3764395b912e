/* copy_in: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_COPY_IN_H
#define INFERNO_OPS_COPY_IN_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/call.h>

/**
 * copy_in: copies bytes of host memory into a buffer of the backend; the only way for the host to write one
 *
 * out, host  no overlap
 */
typedef struct ifn_copy_in_args {
    ifn_call call;
    void *out;
    const void *host;
    size_t bytes;
} ifn_copy_in_args;

/* clang-format off */
#define IFN_SIGNATURE_copy_in                                                       \
    BYTES(bytes)                                                                    \
    HOST(host, BYTE, SIZE(bytes))                                                   \
    OUT(out, BYTE, APART, SIZE(bytes))
/* clang-format on */

#define IFN_COST_copy_in EACH(0, 0)

#endif
