/* copy_out: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_COPY_OUT_H
#define INFERNO_OPS_COPY_OUT_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/call.h>

/**
 * copy_out: bytes of a buffer of the backend into host memory: the one way to read one. The bytes
 * are there when it returns, whatever of the calls before it on its lane was still under way.
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
