/* copy_out: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_COPY_OUT_H
#define INFERNO_OPS_COPY_OUT_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/call.h>

/**
 * copy_out: copies bytes of a buffer of the backend into host memory; the only way for the host to read one.
 * When it returns, the bytes are there: it waits for pending calls before it on its lane.
 *
 * host, x  no overlap
 */
typedef struct ifn_copy_out_args {
    ifn_call call;
    void *host;
    const void *x;
    size_t bytes;
} ifn_copy_out_args;

/* clang-format off */
#define IFN_SIGNATURE_copy_out                                                      \
    BYTES(bytes)                                                                    \
    IN(x, BYTE, SIZE(bytes))                                                        \
    HOST_OUT(host, BYTE, APART, SIZE(bytes))
/* clang-format on */

#define IFN_COST_copy_out EACH(0, 0)

#endif
