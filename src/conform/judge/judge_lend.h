/*
 * The memory that a backend is lent while it prepares weights and releases them. What it asks its
 * allocator for lies between protected pages or, on a device, between bands; is read only while ops
 * run; and must be given back by release. The n-th block is packed_<n> in messages.
 */
#ifndef CONFORM_JUDGE_LEND_H
#define CONFORM_JUDGE_LEND_H

#include <pthread.h>
#include <stdbool.h>

#include "judge_run.h"

/* prepare of `who`, shown tensors that are gone when it returns. */
ifn_status judge_prepare_shown(ifn_backend *who, const ifn_tensor *const *w, int n, uint32_t uses,
                               ifn_packed *out, ifn_error *err);

/* Before prepare: room for what weights of `bytes` bytes become. */
IFN_NODISCARD ifn_status judge_lend_open(judge_run *r, const ifn_backend *who, size_t bytes);
/* After release, or a prepare that has failed: blames who keeps a block. */
void judge_lend_close(judge_run *r);

/* From here on `who` gets such memory, until its own allocator is put back. */
void judge_lend(judge_run *r, ifn_backend *who);
void judge_lend_end(judge_run *r, ifn_backend *who);

/* Prepare has returned: it has written to its blocks alone, and from here on nobody writes to them; */
void judge_lend_protect(judge_run *r);
/* nor has anybody, and release may. */
void judge_lend_unprotect(judge_run *r);

/*
 * Handles beside those of the case, of which no op is called: what they are made of, and how many.
 */
typedef struct judge_others {
    ifn_tensor shown[IFN_LINEAR_MAX];
    const ifn_tensor *w[IFN_LINEAR_MAX];
    ifn_packed packed[IFN_LINEAR_MAX];
    int n;
} judge_others;

/* A thread that prepares others while the packer is stopped in the midst of its own prepare. */
typedef ifn_status judge_prepare_fn(ifn_backend *who, const ifn_tensor *const *w, int n,
                                    uint32_t uses, ifn_packed *out, ifn_error *err);

typedef struct judge_rival {
    judge_prepare_fn *prepare; /* judge_prepare_shown */
    judge_others others;
    ifn_backend *who;
    uint32_t uses;
    int round; /* of several: later ones stop sooner */
    pthread_t packer;
    uint64_t n_lent;
    bool is_there;
    ifn_status status; /* of the other prepare */
} judge_rival;

/* The packer begins; has got a block; has ended, and so has the thread. Nothing where there is no rival. */
void judge_rival_meet(judge_run *r);
void judge_rival_lent(judge_run *r);
void judge_rival_leave(judge_run *r);

#endif
