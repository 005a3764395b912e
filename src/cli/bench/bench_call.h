/* One call of any op, with its operands as the conformance suite makes them, to be timed again and
 * again. */
#ifndef IFN_CLI_BENCH_CALL_H
#define IFN_CLI_BENCH_CALL_H

#include <stdbool.h>

#include <inferno/backend.h>

#include "case_call.h"
#include "ceilings.h"
#include "invoke.h"

typedef enum bench_form {
    BENCH_RAW,     /* weights as they lie in a file */
    BENCH_PACKED,  /* in the backend's own form; what has none is refused */
    BENCH_PREPARED /* as a model has them: packed where the backend packs */
} bench_form;

typedef struct bench_call {
    ifn_backend *backend;
    conform_case c; /* what is called */
    bench_form form;
    bool is_hot; /* one copy of the weights, however few rows read it */
    /* of a call that is open */
    conform_layout layout;
    bool is_packed;
    ifn_op_cost cost;
    uint64_t working_bytes; /* what many calls in turn touch */
    int n_copies, next;
    struct bench_copy
        *copies; /* owned: as many as make stored operands too large for a cache, where
                                * few rows meet them */
    conform_pool pool;
    bool defers;   /* calls return before they have run: who times them waits */
    void *scratch; /* a buffer of a device; NULL: memory of the host serves */
    size_t scratch_bytes;
} bench_call;

/* Decoding meets weights and caches cold: few rows for so much that is read. On a device the operands
 * are in its memory, as a model's are.
 * Errors  IFN_ERR_NOMEM; IFN_ERR_SHAPE: the op has no such sizes; IFN_ERR_UNSUPPORTED: no packed
 *         form, or the op refuses the call. What failed is to be closed as well. */
ifn_status bench_call_open(bench_call *self, ifn_error *err);
void bench_call_close(bench_call *self);

/* One call, on the next copy. The cookie is the bench_call. */
void bench_call_run(void *cookie);

/* The operations are sums of products of bytes. */
bool bench_call_is_of_dots(const bench_call *self);
/* "rows=1,n=3072,k=1024": the sizes that are not 0; n_w that is 1 goes without saying. */
void bench_call_sizes(const bench_call *self, char *out, size_t bytes);

#endif
