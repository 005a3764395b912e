/*
 * The guarded memory that a backend gets from its allocator while it prepares weights and releases them. Each block
 * lies between protected pages or, on a device, between bands; it is read-only while ops run; and release must free it.
 * Messages call the n-th block packed_<n>.
 */
#ifndef CONFORM_JUDGE_LEND_H
#define CONFORM_JUDGE_LEND_H

#include <pthread.h>
#include <stdbool.h>

#include "judge_meet.h"
#include "judge_run.h"
#include "write_trap.h"

/* Copies of the ifn_tensor structs for prepare. They vanish when prepare has returned; the data that they point to
 * stays until release. */
typedef struct judge_shown {
    guard_block copies;
    const ifn_tensor *given[IFN_LINEAR_MAX];
} judge_shown;

void judge_shown_open(judge_shown *s, const ifn_tensor *const *w, int n);
void judge_shown_close(judge_shown *s);

/* Calls prepare of `who` with such copies. */
ifn_status judge_prepare_shown(ifn_backend *who, const ifn_tensor *const *w, int n, uint32_t uses,
                               ifn_packed *out, ifn_error *err);

/* Whether weights of the case are also prepared without memory, and which allocation of it fails, from 1 on. */
bool judge_is_starved(const conform_case *c);
int judge_starved_at(const conform_case *c);

/* Before prepare: makes room on a device for the packed form of weights of `bytes` bytes. */
IFN_NODISCARD ifn_status judge_lend_open(judge_run *r, const ifn_backend *who, size_t bytes);
/* After release, or a prepare that has failed: fails the case for each block that is still allocated. `by` says after
 * which. */
void judge_lend_close(judge_run *r, const char *by);

/* From judge_lend to judge_lend_end, `who` allocates guarded memory; then its own allocator is restored. */
void judge_lend(judge_run *r, ifn_backend *who);
void judge_lend_end(judge_run *r, ifn_backend *who);

/* After prepare: checks that it has written inside its blocks only, and makes the blocks read-only. */
void judge_lend_protect(judge_run *r);
/* Before release: checks that nothing has written to the blocks since, and makes them writable. */
void judge_lend_unprotect(judge_run *r);
/* Makes the block at `data`, an image, read-only until it is freed. */
void judge_lend_seal(judge_run *r, const void *data);

/*
 * Handles that live beside those of the case and go to no op: the weights they are made of, and their number.
 */
typedef struct judge_others {
    ifn_tensor shown[IFN_LINEAR_MAX];
    const ifn_tensor *w[IFN_LINEAR_MAX];
    ifn_packed packed[IFN_LINEAR_MAX];
    int n;
} judge_others;

/*
 * A rival: a thread that prepares other weights while the packer is stopped in the middle of its own prepare. The
 * packer's prepare has stretches: from its beginning to its first allocation, from there to the next one, and so on.
 */
typedef struct judge_rival {
    judge_others others;
    ifn_backend *who;
    uint32_t uses;
    int round; /* the number of this round */
    pthread_t packer;
    int stretch;     /* the one that the packer is in */
    int n_stretches; /* in its latest prepare; 0: unknown */
    /* Stretches first .. last may be stopped: n_steps instructions after their beginning, or after the first write to
     * the block that the packer got there, from a drawn byte (`cut`) on. */
    int first, last;
    judge_stop_at stop;
    write_trap trap;
    size_t cut;
    const void *block;
    bool has_traps, is_inside;
    bool has_begun; /* true between judge_rival_meet and judge_rival_leave */
    bool has_met;   /* the others are prepared and must be released */
    int n_met;      /* how often the others were prepared, in all rounds */
} judge_rival;

/* Returns false if there can be no such thread. */
bool judge_rival_open(judge_run *r, judge_rival *rival);
void judge_rival_close(void);

/* The packer is about to call prepare. This and the functions below do nothing without a rival. */
void judge_rival_meet(judge_run *r);
/* The packer's allocator is asked for `bytes` bytes. Returns the byte of the block at which a page must begin, or
 * `bytes`: at none. */
size_t judge_rival_asked(judge_run *r, size_t bytes, size_t align);
/* The allocator is about to return. `block`: the new block, NULL if it has no pages of its own. `gone`: the block that
 * was freed in the same call, NULL if none. */
void judge_rival_lent(judge_run *r, const void *block, size_t bytes, const void *gone);
/* prepare has returned. Returns false if it must be called again: it has failed, perhaps because the kernel was to
 * write to a watched page (read(2) then fails, and no signal is sent). */
bool judge_rival_leave(judge_run *r, ifn_status status);

#endif
