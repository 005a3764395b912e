/* One case in the hands of the judge: what judge.c, judge_parts.c and judge_compare.c share. */
#ifndef CONFORM_JUDGE_RUN_H
#define CONFORM_JUDGE_RUN_H

#include <stdbool.h>
#include <unistd.h>

#include "abi.h"
#include "judge_session.h"
#include "part_region.h"

typedef struct judge_run {
    conform_judge *judge;
    const conform_slot *slot;
    const conform_module *module;
    conform_verdict *verdict;
    bool is_long;                          /* one place for each tensor, fewer runs: sampled.h */
    const struct conform_borders *borders; /* where parts meet, while these are compared */
    guard_place home;                      /* where the tensors of the first run lie */
    size_t overread;                       /* bytes after a tensor that may be read: declared */
    guard_tensor tensors[CONFORM_MAX_TENSORS];
    guard_tensor scratch, unused;
    ifn_packed packed[IFN_LINEAR_MAX]; /* what prepare gave */
    ifn_packed handed[IFN_LINEAR_MAX]; /* what the op gets of it; data NULL: raw */
    ifn_backend *packer;               /* who made and releases them */
    ifn_allocator guarded;             /* in the place of the packer's own while it does */
    const ifn_allocator *own;
    ifn_packed images[IFN_LINEAR_MAX]; /* that handles were adopted from: data and bytes */
    int n_packed;
    int n_others;              /* handles that live beside those of the case */
    uint32_t uses_packed;      /* IFN_USE_* that they were asked for */
    struct judge_rival *rival; /* who prepares at the same time; NULL: nobody (judge_rival.c) */
    int n_unguarded;           /* blocks the packer has asked for beyond those that have guards */
    int lent_poison;           /* what lent blocks hold at first: 0 or 1 of conform_poison */
    bool has_grown;            /* what is held, when the call was repeated */
    process_holdings held;
    bool turns_floats; /* calls find another rounding mode: their numbers are nobody's */
    conform_truth truth[CONFORM_MAX_TENSORS];  /* under the backend's own declarations */
    unsigned char *whole[CONFORM_MAX_TENSORS]; /* outputs of the first run */
    conform_call call;                         /* of the latest bind */
    bool is_attempt; /* one of CONFORM_CHECKS: any call may be left to the base */
    bool is_left;    /* one was: there is nothing to compare */
    void *data[CONFORM_MAX_TENSORS];
} judge_run;

/* Tells the site, if there is one, where data[], scratch, unused entries and block i
 * are (judge_site.c). */
void judge_tell_tensors(judge_run *r);
void judge_tell_scratch(judge_run *r);
/* Tensors lie nowhere in particular, until they are told again. */
void judge_tell_no_places(judge_run *r);
/* Tensor i lies elsewhere, until all of them are told again. */
void judge_tell_far(judge_run *r, int i, const void *data, size_t bytes,
                    const guard_region *region);
void judge_tell_unused(judge_run *r);
/* The block table of a call; NULL: there is none. */
void judge_tell_pages(judge_run *r, const guard_block *table);
/* Tensors and scratch lie on the device, until they are told again. */
void judge_tell_device(judge_run *r);
void judge_tell_block(judge_run *r, int i);
const char *judge_block_name(int i);
/* A call has returned: where the op, or prepare or release, has forked and come back twice, the
 * process that is not `own` (judge->process) is nobody's, and would go on with the whole run. */
static inline void judge_end_twin(pid_t own)
{
    if (getpid() != own)
        _exit(0);
}

/* What an op may leave in use is taken out of `changed` and noted. */
static inline void judge_note_left(judge_run *r, uint32_t *changed)
{
    const conform_abi_left left = conform_abi_take_left(changed);
    r->verdict->left_upper |= left.upper;
    r->verdict->left_tiles |= left.tiles;
}

/* A call is about to be made. */
void judge_tell_run(judge_run *r, conform_run run);
void judge_tell_step(judge_run *r);

/* Points data[] to the tensors at `place`; empty tensors are NULL where `with_null`. */
void judge_point(judge_run *r, guard_place place, bool with_null);
/* Fills the outputs that data[] points to. */
void judge_prefill(judge_run *r, int which);
/* Scratch of a call beside the case's own, dirty; NULL for nothing. */
void *judge_take_scratch(judge_run *r, size_t bytes);
/* Fills in call from data[]. */
void judge_bind(judge_run *r);
/* How much of a scratch is made dirty for a case. A backend asks for what its largest op takes, and most calls use
 * little of it: beyond this, it holds what calls before have left. */
static inline size_t judge_dirty_bytes(size_t bytes)
{
    const size_t most = (size_t)1 << 18;
    return bytes < most ? bytes : most;
}
/* Calls the op through the register guard, in both phases where the call is one of two. Returns its
 * status; what breaks the ABI goes to the verdict. */
ifn_status judge_call(judge_run *r, ifn_backend *backend, conform_run run);
/* Makes PARTIALS that have been called the MERGE of them, which may not write to them, and returns 1;
 * 0 for all other calls. judge_merged: it is over. */
int judge_merge(judge_run *r);
void judge_merged(judge_run *r);
/* 1 if the call has been left to the base, as a device may do with any, others where they declare it. */
int judge_is_left(const judge_run *r, ifn_status status);
/* The call as it is bound and no other. */
ifn_status judge_call_part(judge_run *r, conform_run run);
/* Gaps, slack and inputs are as they were; `which` is the prefill. */
void judge_check_memory(judge_run *r, guard_place place, conform_run run, int which);
/* n bytes beside `name` of `bytes` bytes have changed, the first at `offset`. */
void judge_fail_slack(judge_run *r, conform_run run, int n, int64_t offset, size_t bytes,
                      const char *name);
static inline int judge_failed(const judge_run *r)
{
    return r->verdict->outcome == OUTCOME_FAIL;
}

/* First run: outputs against the truth, and against the scalar backend. */
void judge_values(judge_run *r);
/* A hash of all results in whole[], NaNs alike; never 0. */
uint64_t judge_digest(const judge_run *r);
/* Later runs: data[] against whole[]; a difference fails the run's check. */
void judge_same(judge_run *r, conform_run run);
/*
 * The same for a check of one of R0 .. R10, which is counted. Where equal bits are not
 * promised, different ones are judged by the truth.
 */
void judge_relate(judge_run *r, conform_run run);
/* The same where equal bits are not promised: data[] against the truth. */
void judge_like(judge_run *r, conform_check check);
/* 1 if two buffers of tensor i hold the same elements: NaNs alike unless raw; gaps do not count. */
int judge_equal(const judge_run *r, int i, const void *a, const void *b, int64_t *where);

/*
 * The same for a second call that owes the first one's bits without a promise, if one provider has
 * computed both: `other`, of `op`, has just run, and runs again where the bits differ. Where the
 * leaf has had one of the two from its base, data[] is judged by the truth.
 */
typedef struct judge_pair {
    ifn_op op;
    ifn_status (*other)(judge_run *r);
} judge_pair;

void judge_owe(judge_run *r, conform_run run, judge_pair pair);
/* 1 for equal floats, and for two NaN. */
int judge_same_float(const void *a, const void *b);
/* Of F32 or F16; elements of others hold none. */
bool judge_is_nan(ifn_dtype dtype, const void *at);

/* Counts one try of the relation that `check` is of. Returns 1 if equal bits are promised. */
int judge_count_relation(judge_run *r, conform_check check, int held);

/* Has each handle that can be kept replaced by one of a copy of its image; and gives those back. */
void judge_adopt(judge_run *r, const ifn_tensor *const *w, uint32_t uses);
void judge_adopt_end(judge_run *r);

/* Bytes that a call of the case may read past a tensor: as the backend declares of its op, or of any op of its own
 * where the composition law will hand the tensors to others (judge_law.c). */
size_t judge_overread(ifn_backend *backend, const conform_slot *slot);

/* True if inputs i and j hold the same, so that one memory may be both (judge_shared.c). */
bool judge_is_alike(const judge_run *r, int i, int j);

/* Weights of a prepared case go through prepare; and are given back (judge_prepare.c). */
void judge_prepare(judge_run *r);
void judge_release(judge_run *r);

/* A REFUSE case: 1 if the backend must refuse the bound call, too (judge_refuse.c). */
int judge_must_refuse(judge_run *r);
/* True of calls that the caller has to avoid, and that only `check` must refuse. */
bool judge_is_callers_duty(const spec_entry *entry);
/* A REFUSE case that was refused: so it is with more changed (judge_refuse_more.c). */
void judge_refuse_more(judge_run *r);

enum { JUDGE_MAX_CUTS = 3, JUDGE_MAX_PARTS = (JUDGE_MAX_CUTS + 1) * (JUDGE_MAX_CUTS + 1) };

/* Ascending borders of the parts along one axis: n + 1 of them; n = 0: there is no such axis. */
typedef struct judge_cuts {
    int n;
    int64_t at[JUDGE_MAX_CUTS + 2];
} judge_cuts;

/* Part `index` of all that they make together. */
conform_part judge_part_of(const judge_cuts c[2], int64_t index);
/* Legal cuts of the call as it is bound, from the case's seed or its setting. */
judge_cuts judge_draw_cuts(const judge_run *r, int axis);

/* A call that was refused has left its outputs as conform_prefill made them (with this `which`): what was
 * written fails the case, in words that begin with `when`. */
void judge_expect_untouched(judge_run *r, int which, const char *when);

/* Outputs of a part between pages that may be read and not written: on one side, as the case draws
 * (judge_fence.c). Raised, the call is started and bound to them. */
typedef struct judge_fence {
    bool is_after;
    guard_region regions[CONFORM_MAX_TENSORS];
    unsigned char *from[CONFORM_MAX_TENSORS], *to[CONFORM_MAX_TENSORS];
} judge_fence;

/* Memory of which byte `border` begins a page; NULL: there is none, and no region. */
unsigned char *judge_fence_place(guard_region *region, size_t bytes, size_t border);
/* The call that is bound is of this part alone. */
void judge_set_part(judge_run *r, const conform_part *part);
/* One case in `turn` has one, where pages can be protected. */
bool judge_fence_is_due(const judge_run *r, uint64_t turn);
void judge_fence_raise(judge_run *r, judge_fence *f, const conform_part *part);
void judge_fence_lower(judge_run *r, judge_fence *f);

/* The attempts of CONFORM_CHECKS: judge_parts, judge_law, ... A case that has failed sees no more. */
#define X(NAME, word, relation, attempt, ...) void judge_##attempt(judge_run *r);
CONFORM_CHECKS(X)
#undef X

/* Of judge_parts: attention in its phases. Of judge_threads: one call in the midst of another. */
void judge_phases(judge_run *r);
void judge_duel(judge_run *r);
/* The first call of a process beside another; nothing where it is not asked for (judge_first.c). */
void judge_first(judge_run *r);
/* Of judge_view and judge_permuted: a KV cache of another length, its heads in another order. */
void judge_view_of_cache(judge_run *r);
void judge_permuted_heads(judge_run *r);

/* Other inputs that are as legal: those of the case, one row or one element further on. */
void judge_turn(const conform_tensor *t, const unsigned char *from, unsigned char *to);
/* 1 if it is this case's turn to have the relation of `check` tried. */
int judge_is_due(const judge_run *r, conform_check check);
/* 0 .. n - 1 in an order that the case draws for `what`, until the case is over. */
int64_t *judge_shuffled(judge_run *r, const char *what, int64_t n);
/* Starts a run with outputs prefilled: data[] at home, and the call bound to them. */
void judge_start(judge_run *r);
/* Calls what r->call says; anything but IFN_OK fails the run's check. */
void judge_must_run(judge_run *r, conform_run run);

/* What calls, prepare and release leave after in the process, now and then (judge_process.c). */
void judge_process(judge_run *r);
/* Fails the case if the process is not as it was at the last look. */
void judge_look_at_fixtures(judge_run *r);
/* Before and after a call that has been made before, for what it leaves each time. */
void judge_watch(judge_run *r);
void judge_watched(judge_run *r);
/* Of a processor, by this thread so far. */
double judge_seconds_used(void);

#endif
