/* The state of one case while the judge runs it, and the functions that judge_*.c share. */
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
    bool is_long;                          /* one place per tensor, and fewer runs: sampled.h */
    const struct conform_borders *borders; /* where parts meet, while parts are compared */
    guard_place home;                      /* the place of the tensors in the first run */
    size_t overread;                       /* declared bytes after a tensor that may be read */
    guard_tensor tensors[CONFORM_MAX_TENSORS];
    guard_tensor scratch, unused;
    ifn_packed packed[IFN_LINEAR_MAX]; /* the handles that prepare made */
    ifn_packed handed[IFN_LINEAR_MAX]; /* the handles that the op gets; data NULL: raw */
    ifn_backend *packer;               /* the backend that made and releases them */
    ifn_allocator guarded;             /* the packer's allocator while it prepares or releases */
    const ifn_allocator *own;
    ifn_packed images[IFN_LINEAR_MAX]; /* images that handles were adopted from: data and bytes */
    int n_packed;
    int n_others;              /* handles that live beside those of the case */
    uint32_t uses_packed;      /* IFN_USE_* that they were prepared for */
    struct judge_rival *rival; /* prepares at the same time; NULL: none (judge_rival.c) */
    int n_unguarded;           /* blocks of the packer that have no guards */
    int lent_poison;           /* initial content of its blocks: 0 or 1 of conform_poison */
    int starved_at; /* so many allocations from now there is no memory for one; 0: never */
    bool has_grown; /* the repeated call has left something in the process */
    process_holdings held;
    bool turns_floats; /* calls get another rounding mode: their results are not compared */
    conform_truth truth[CONFORM_MAX_TENSORS];  /* under the backend's own declarations */
    unsigned char *whole[CONFORM_MAX_TENSORS]; /* outputs of the first run */
    const void *first_at[CONFORM_MAX_TENSORS]; /* addresses of all tensors in the first run */
    conform_call call;                         /* the call of the latest judge_bind */
    bool is_attempt; /* inside an attempt of CONFORM_CHECKS: any call may be left to the base */
    bool is_left;    /* a call of the attempt was left: nothing to compare */
    void *data[CONFORM_MAX_TENSORS];
} judge_run;

/* Write to the site, if there is one, where data[], scratch, unused entries and block i are (judge_site.c). */
void judge_tell_tensors(judge_run *r);
void judge_tell_scratch(judge_run *r);
/* Clears all places of the site, until tensors are told again. */
void judge_tell_no_places(judge_run *r);
/* Tells the site that tensor i lies elsewhere, until all tensors are told again. */
void judge_tell_far(judge_run *r, int i, const void *data, size_t bytes,
                    const guard_region *region);
void judge_tell_unused(judge_run *r);
/* Tells the site where the block table of a call is; NULL: there is none. */
void judge_tell_pages(judge_run *r, const guard_block *table);
/* Tells the site the device addresses of tensors and scratch, until they are told again. */
void judge_tell_device(judge_run *r);
void judge_tell_block(judge_run *r, int i);
const char *judge_block_name(int i);
/* Call this after each op, prepare or release. If the callee has forked and both processes returned, ends the child,
 * the one that is not `own` (judge->process), as it would go on with the whole run. */
static inline void judge_end_twin(pid_t own)
{
    if (getpid() != own)
        _exit(0);
}

/* Moves the register state that an op may leave in use from `changed` to the verdict. */
static inline void judge_note_left(judge_run *r, uint32_t *changed)
{
    const conform_abi_left left = conform_abi_take_left(changed);
    r->verdict->left_upper |= left.upper;
    r->verdict->left_tiles |= left.tiles;
}

/* Tell the site which run the next call is for, and that a call is about to be made. */
void judge_tell_run(judge_run *r, conform_run run);
void judge_tell_step(judge_run *r);

/* Points data[] to the tensors at `place`; empty tensors are NULL where `with_null`. */
void judge_point(judge_run *r, guard_place place, bool with_null);
/* Fills the outputs that data[] points to with prefill `which`. */
void judge_prefill(judge_run *r, int which);
/* Takes dirty scratch for a call other than the case's own; NULL for 0 bytes. */
void *judge_take_scratch(judge_run *r, size_t bytes);
/* Fills in r->call from data[]. */
void judge_bind(judge_run *r);
/* How many bytes of a scratch are overwritten for a case. A backend asks for what its largest op takes, and most calls
 * use little of it: beyond these bytes the scratch holds what earlier calls left. */
static inline size_t judge_dirty_bytes(size_t bytes)
{
    const size_t most = (size_t)1 << 18;
    return bytes < most ? bytes : most;
}
/* Calls the op through the register guard, in both phases if the call has two. Returns its status; a violation of the
 * ABI goes to the verdict. */
ifn_status judge_call(judge_run *r, ifn_backend *backend, conform_run run);
/* After the PARTIALS phase: turns r->call into the MERGE phase, makes the partials read-only and returns 1; returns 0
 * for all other calls. judge_merged: the merge is over, and they are writable again. */
int judge_merge(judge_run *r);
void judge_merged(judge_run *r);
/* 1 if the status says that the backend left the call to the base. A device may do so with any call, other backends
 * where they declare it. */
int judge_is_left(const judge_run *r, ifn_status status);
/* Makes the bound call alone, without its second phase. */
ifn_status judge_call_part(judge_run *r, conform_run run);
/* Fails the case if gaps, slack or inputs have changed; `which` is the prefill of the outputs. */
void judge_check_memory(judge_run *r, guard_place place, conform_run run, int which);
/* Fails the case: n bytes beside tensor `name` of `bytes` bytes have changed, the first at `offset`. */
void judge_fail_slack(judge_run *r, conform_run run, int n, int64_t offset, size_t bytes,
                      const char *name);
static inline int judge_failed(const judge_run *r)
{
    return r->verdict->outcome == OUTCOME_FAIL;
}

/* After the first run: compares outputs with the truth and with the scalar backend. */
void judge_values(judge_run *r);
/* A hash of all results in whole[]; all NaNs hash alike; never 0. */
uint64_t judge_digest(const judge_run *r);
/* After a later run: compares data[] with whole[]; a difference fails the run's check. */
void judge_same(judge_run *r, conform_run run);
/*
 * The same for a check of one of R0 .. R10, which is counted. If the backend does not promise equal bits, the truth
 * judges different ones.
 */
void judge_relate(judge_run *r, conform_run run);
/* The same where the backend does not owe equal bits for this very call, whatever it promises. */
void judge_resemble(judge_run *r, conform_run run);
/* As judge_relate, for a run whose first n rows were computed with all tensors at the place in their page that they had in the
 * first run: there a backend owes equal bits without R4, too. r->call is the whole call. */
void judge_relate_first(judge_run *r, conform_run run, int64_t n);
/* Takes zeros from the pool; for a backend without R4 at the place in its page that `like` has. */
void *judge_take_like(judge_run *r, const void *like, size_t bytes);
/* Compares data[] with the truth, for runs without a promise of equal bits. */
void judge_like(judge_run *r, conform_check check);
/* 1 if two buffers of tensor i hold the same elements. All NaNs are equal, unless the tensor is raw; gaps are
 * ignored. */
int judge_equal(const judge_run *r, int i, const void *a, const void *b, int64_t *where);

/*
 * The same for a call that owes the bits of the first run without a promise, but only if one provider has computed
 * both. `other`, which calls `op`, has just run, and runs again if the bits differ. If the leaf had its base compute
 * one of the two, the truth judges data[].
 */
typedef struct judge_pair {
    ifn_op op;
    ifn_status (*other)(judge_run *r);
} judge_pair;

void judge_owe(judge_run *r, conform_run run, judge_pair pair);
/* 1 for two floats with equal bits, and for two NaNs. */
int judge_same_float(const void *a, const void *b);
/* True if the element at `at` is a NaN of F32 or F16; elements of other dtypes hold none. */
bool judge_is_nan(ifn_dtype dtype, const void *at);

/* judge_adopt replaces each handle that has an image by one adopted from a copy of the image; judge_adopt_end frees
 * these copies. */
void judge_adopt(judge_run *r, const ifn_tensor *const *w, uint32_t uses);
void judge_adopt_end(judge_run *r);

/* The bytes that a call of the case may read past a tensor: as the backend declares for its op or, if the composition
 * law will pass the tensors to other ops, the most that it declares for any op (judge_law.c). */
size_t judge_overread(ifn_backend *backend, const conform_slot *slot);

/* True if inputs i and j have equal content, so that one memory may serve as both (judge_shared.c). */
bool judge_is_alike(const judge_run *r, int i, int j);

/* Prepare the weights of a prepared case, and release them (judge_prepare.c). */
void judge_prepare(judge_run *r);
void judge_release(judge_run *r);

/* For a REFUSE case: 1 if the backend itself must refuse the bound call (judge_refuse.c). */
int judge_must_refuse(judge_run *r);
/* True for calls that the caller must avoid, and that only the wrapper `check` must refuse. */
bool judge_is_callers_duty(const spec_entry *entry);
/* For a REFUSE case that was refused: checks that it is still refused with more arguments changed
 * (judge_refuse_more.c). */
void judge_refuse_more(judge_run *r);

enum { JUDGE_MAX_CUTS = 3, JUDGE_MAX_PARTS = (JUDGE_MAX_CUTS + 1) * (JUDGE_MAX_CUTS + 1) };

/* Ascending borders of the n parts along one axis: n + 1 of them; n = 0: the op has no such axis. */
typedef struct judge_cuts {
    int n;
    int64_t at[JUDGE_MAX_CUTS + 2];
} judge_cuts;

/* Part `index` of the grid of parts that the cuts of both axes make. */
conform_part judge_part_of(const judge_cuts c[2], int64_t index);
/* Draws legal cuts of the bound call from the case's seed, or takes the cut of its setting. */
judge_cuts judge_draw_cuts(const judge_run *r, int axis);

/* After a refused call: fails the case if outputs differ from conform_prefill with this `which`. `when` begins the
 * message. */
void judge_expect_untouched(judge_run *r, int which, const char *when);

/* A fence: the pages next to a part of the outputs, on one side that the case draws, are read-only (judge_fence.c).
 * judge_fence_raise also starts the run and binds the call to these outputs. */
typedef struct judge_fence {
    bool is_after;
    guard_region regions[CONFORM_MAX_TENSORS];
    unsigned char *from[CONFORM_MAX_TENSORS], *to[CONFORM_MAX_TENSORS];
} judge_fence;

/* Allocates memory whose byte `border` begins a page. Returns NULL without memory; there is no region then. */
unsigned char *judge_fence_place(guard_region *region, size_t bytes, size_t border);
/* Restricts the bound call to this part. */
void judge_set_part(judge_run *r, const conform_part *part);
/* True for one case in `turn`, if pages can be protected. */
bool judge_fence_is_due(const judge_run *r, uint64_t turn);
void judge_fence_raise(judge_run *r, judge_fence *f, const conform_part *part);
void judge_fence_lower(judge_run *r, judge_fence *f);

/* The attempts of CONFORM_CHECKS: judge_parts, judge_law, ... They stop at the first failure of the case. */
#define X(NAME, word, relation, attempt, ...) void judge_##attempt(judge_run *r);
CONFORM_CHECKS(X)
#undef X

/* Subroutines: of judge_parts, attention in its phases; of judge_threads, one call in the middle of another. */
void judge_phases(judge_run *r);
void judge_duel(judge_run *r);
/* Makes the first call of a process meet another one, where the runner asks for it (judge_first.c). */
void judge_first(judge_run *r);
/* Subroutines: of judge_view, a KV cache of another length; of judge_permuted, one with its heads in another order. */
void judge_view_of_cache(judge_run *r);
void judge_permuted_heads(judge_run *r);

/* Makes other legal inputs: those of the case, rotated by one row or one element. */
void judge_turn(const conform_tensor *t, const unsigned char *from, unsigned char *to);
/* 1 if this case tries the relation of `check`: one in a few does. */
int judge_is_due(const judge_run *r, conform_check check);
/* A permutation of 0 .. n - 1 that the case draws for `what`; it lives until the case ends. */
int64_t *judge_shuffled(judge_run *r, const char *what, int64_t n);
/* Starts a run with outputs prefilled: data[] at home, and the call bound to them. */
void judge_start(judge_run *r);
/* Makes r->call; any status but IFN_OK fails the run's check. */
void judge_must_run(judge_run *r, conform_run run);
/* Makes the bound call, which is illegal, and expects ERR_SHAPE. what: what is wrong with it. */
void judge_must_be_refused(judge_run *r, conform_run run, const char *what);

/* Now and then checks what calls, prepare and release leave in the process (judge_process.c). */
void judge_process(judge_run *r);
/* Fails the case if the process is not as it was at the last look. */
void judge_look_at_fixtures(judge_run *r);
/* Bracket a repeated call, to see what it leaves in the process each time. */
void judge_watch(judge_run *r);
void judge_watched(judge_run *r);
/* Processor time that this thread has used so far, in seconds. */
double judge_seconds_used(void);

#endif
