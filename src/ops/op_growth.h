/* Calls between callers and backends built with different versions of the argument structs (backend.h, Growth). */
#ifndef IFN_OP_GROWTH_H
#define IFN_OP_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

#include <inferno/backend.h>

/* How many bytes of an argument struct, and of the ifn_call that opens it, a backend was built
 * with. */
typedef struct ifn_known {
    uint32_t args, call;
} ifn_known;

/* The sizes that a descriptor records for an op; zeros if its table does not have the op. */
ifn_known ifn_known_of(const ifn_backend_desc *desc, ifn_op op);

/* True if the call has exactly the known size and sets no reserved field, as most calls do. */
static inline bool ifn_call_is_plain(const ifn_call *args, ifn_known known)
{
    uint64_t set = 0;
    for (size_t i = 0; i < sizeof args->reserved / sizeof *args->reserved; i++)
        set |= args->reserved[i];
    return args->bytes == known.args && set == 0;
}

/* The offset of the first byte that is set and not known; 0 if there is none (byte 0 is part of call.bytes). */
size_t ifn_call_unknown(const ifn_call *args, ifn_known known);

/* Writes the name of the argument at this offset, for messages: 'phase', or "byte 96" if this library does
 * not know it either. */
void ifn_call_name_unknown(ifn_op op, size_t at, char *out, size_t bytes);

/* Bytes of the op's argument struct in its first version: callers may be that old. */
size_t ifn_op_least_bytes(ifn_op op);

/* False if call.bytes is smaller or larger than any version's: the caller did not fill it in. */
bool ifn_call_has_size(ifn_op op, const ifn_call *args);

/* Copies the call to a struct of the known size: appends zeros if the caller's is shorter, and leaves out
 * what lies beyond if it is longer. */
void ifn_call_fit(const ifn_call *args, ifn_known known, ifn_args *out);

/* The offset of the first argument about pages of a cache that is set; 0 if none is. */
size_t ifn_call_pages_at(ifn_op op, const ifn_call *args);

/* The sizes with which this library was built. */
ifn_known ifn_known_here(ifn_op op);

/* The call with all arguments that this library knows: `args` itself or, for an older caller, a longer copy
 * in `room`. */
const ifn_call *ifn_call_whole(ifn_op op, const ifn_call *args, ifn_args *room);

#endif
