/* One call of any op to be timed repeatedly, with operands made by the conformance suite. */
#ifndef IFN_CLI_BENCH_CALL_H
#define IFN_CLI_BENCH_CALL_H

#include <stdbool.h>

#include <inferno/backend.h>

#include "case_call.h"
#include "ceilings.h"
#include "invoke.h"

typedef enum bench_form {
    BENCH_RAW,     /* weights as in a file */
    BENCH_PACKED,  /* packed weights; refused if the backend does not pack these */
    BENCH_PREPARED /* as a model has them: packed if the backend packs, else raw */
} bench_form;

typedef struct bench_call {
    ifn_backend *backend;
    conform_case c; /* the op and its sizes */
    bench_form form;
    bool is_hot; /* only one copy of the weights, so that they stay in a cache */
    /* set by bench_call_open */
    conform_layout layout;
    bool is_packed;
    ifn_op_cost cost;
    uint64_t working_bytes; /* bytes that consecutive calls touch */
    int n_copies, next;
    struct bench_copy *copies; /* owned; if few rows read them, so many that the stored operands
                                * exceed the caches */
    conform_pool pool;
    bool defers;   /* calls return before they have run, so timing must wait for the device */
    void *scratch; /* a buffer of a device; NULL: host memory is used */
    size_t scratch_bytes;
} bench_call;

/* Makes the operands. In decoding few rows read many weights and keys, which are cold in the caches; copies reproduce
 * this. On a device the operands lie in its memory, as in a model. Close the call even after a failure. Errors
 * IFN_ERR_NOMEM; IFN_ERR_SHAPE: the op has no such sizes; IFN_ERR_UNSUPPORTED: no packed form, or the op refuses the
 * call. */
ifn_status bench_call_open(bench_call *self, ifn_error *err);
void bench_call_close(bench_call *self);

/* Makes one call on the next copy. The cookie is the bench_call. */
void bench_call_run(void *cookie);

/* Returns true if the operations are sums of products of bytes. */
bool bench_call_is_of_dots(const bench_call *self);
/* Writes the sizes that are not 0, without n_w=1: "rows=1,n=3072,k=1024". */
void bench_call_sizes(const bench_call *self, char *out, size_t bytes);

#endif
