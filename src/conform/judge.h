/*
 * Judges one backend on one slot: every placement, both prefills, parts, aliasing, registers, and
 * the comparison with the truth. Runs in the worker process, or in the only one with --in-process.
 */
#ifndef CONFORM_JUDGE_H
#define CONFORM_JUDGE_H

#include <stdatomic.h>

#include "case_pool.h"
#include "guard_arena.h"
#include "slot.h"
#include "verdict.h"

/* What a run of the op is for. X(NAME, what it is called in messages) */
/* clang-format off */
#define CONFORM_RUNS(X)                                 \
    X(END, "tensors flush against their ends")          \
    X(AGAIN, "the same call again, other prefill")      \
    X(START, "tensors flush against their beginnings")  \
    X(FREE, "tensors at any legal address")             \
    X(PARTS, "in parts")                                \
    X(THREADS, "in parts on two threads")               \
    X(WHOLE, "in one call")                             \
    X(ALIAS, "in place")                                \
    X(INNER, "what the wrapper wraps")                  \
    X(BATCH, "rows by themselves")                      \
    X(CHUNKS, "decoded in chunks")                      \
    X(VIEW, "with other strides")                       \
    X(ORDER, "behind another call")                     \
    X(PERMUTED, "rows or heads permuted")               \
    X(TRUNCATED, "behind a cache cut back")             \
    X(FORM, "in f32, then quantized")                   \
    X(LAW, "composed of primitive ops")
/* clang-format on */

typedef enum conform_run {
#define X(NAME, text) RUN_##NAME,
    CONFORM_RUNS(X)
#undef X
        RUN_COUNT
} conform_run;

const char *conform_run_name(conform_run run);

/* Where a worker is: read by the parent after the worker has died. In shared memory. */
typedef struct conform_site {
    atomic_int_least64_t step; /* grows with every call: the watchdog's pulse */
    int32_t slot;              /* of the batch; -1: between cases */
    int32_t run;               /* conform_run */
    int32_t n;
    struct conform_site_tensor {
        const char *name; /* static: the same in parent and worker */
        uintptr_t begin;
        size_t bytes;
    } t[CONFORM_MAX_TENSORS];
    int32_t signal; /* 0: none was caught */
    uintptr_t address;
    uint64_t families; /* of tests, 1 << family, that have been taken away: museum_family.h */
} conform_site;

/* Calls carry lanes 0 .. CONFORM_LANES - 1: what a backend that is judged is opened for. */
enum { CONFORM_LANES = 2 };

typedef struct conform_judge {
    ifn_backend *backend;
    conform_site *site; /* may be NULL */
    guard_arena arena;
    conform_pool pool; /* of the case at hand */
} conform_judge;

void conform_judge_open(conform_judge *self, ifn_backend *backend, conform_site *site);
void conform_judge_close(conform_judge *self); /* not the backend */

void conform_judge_case(conform_judge *self, const conform_slot *slot, conform_verdict *out);

#endif
