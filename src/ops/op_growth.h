/* Calls between those who know more arguments and those who know fewer (backend.h, Growth). */
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

/* What this descriptor records of an op; of one that its table does not have, nothing. */
ifn_known ifn_known_of(const ifn_backend_desc *desc, ifn_op op);

/* True where the call is just as long as what is known, and sets nothing beyond: most are. */
static inline bool ifn_call_is_plain(const ifn_call *args, ifn_known known)
{
    uint64_t set = 0;
    for (size_t i = 0; i < sizeof args->reserved / sizeof *args->reserved; i++)
        set |= args->reserved[i];
    return args->bytes == known.args && set == 0;
}

/* The first byte that is set and not known; 0, where the call's own size is, for none. */
size_t ifn_call_unknown(const ifn_call *args, ifn_known known);

/* Writes what stands there as a message names it: 'phase', or "byte 96" where this library does not
 * know it either. */
void ifn_call_name_unknown(ifn_op op, size_t at, char *out, size_t bytes);

/* Bytes of the arguments of an op in the first version that has them: callers may be that old. */
size_t ifn_op_least_bytes(ifn_op op);

/* False for a call that is too short or too long to be one: who made it did not fill it in. */
bool ifn_call_has_size(ifn_op op, const ifn_call *args);

/* Copies the call as long as what is known: with zeros for what the caller does not have, and
 * without those that it has beyond. */
void ifn_call_fit(const ifn_call *args, ifn_known known, ifn_args *out);

/* Where the first argument is that says of pages of a cache, and is set; 0: none is. */
size_t ifn_call_pages_at(ifn_op op, const ifn_call *args);

/* What this library knows of an op. */
ifn_known ifn_known_here(ifn_op op);

/* The call with all arguments that this library knows: itself, or a copy in `room` of an older
 * caller's. */
const ifn_call *ifn_call_whole(ifn_op op, const ifn_call *args, ifn_args *room);

#endif
