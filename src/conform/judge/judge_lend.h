/*
 * The memory that a backend is lent while it prepares weights and releases them. What it asks its
 * allocator for lies between protected pages or, on a device, between bands; is read only while ops
 * run; and must be given back by release. The n-th block is packed_<n> in messages.
 */
#ifndef CONFORM_JUDGE_LEND_H
#define CONFORM_JUDGE_LEND_H

#include <pthread.h>
#include <stdbool.h>

#include "judge_meet.h"
#include "judge_run.h"
#include "write_trap.h"

/* The tensors that prepare is shown are gone when it has returned; the data they point to is not, until release. */
typedef struct judge_shown {
    guard_block copies;
    const ifn_tensor *given[IFN_LINEAR_MAX];
} judge_shown;

void judge_shown_open(judge_shown *s, const ifn_tensor *const *w, int n);
void judge_shown_close(judge_shown *s);

/* prepare of `who`, with such tensors. */
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
/* The block at `data`, an image, is never written to from here on. */
void judge_lend_seal(judge_run *r, const void *data);

/*
 * Handles beside those of the case, of which no op is called: what they are made of, and how many.
 */
typedef struct judge_others {
    ifn_tensor shown[IFN_LINEAR_MAX];
    const ifn_tensor *w[IFN_LINEAR_MAX];
    ifn_packed packed[IFN_LINEAR_MAX];
    int n;
} judge_others;

/*
 * A thread that prepares others while the packer is stopped in the midst of its own prepare, which has
 * stretches: from its beginning to the first block that it asks for, from there to the next one, and so on.
 */
typedef struct judge_rival {
    judge_others others;
    ifn_backend *who;
    uint32_t uses;
    int round; /* of several */
    pthread_t packer;
    int stretch;     /* that the packer is in */
    int n_stretches; /* of its latest prepare; 0: not known */
    /* It is stopped in this stretch or a later one: so many steps after its beginning; or after its first write after a
     * byte of the block that it has got there. */
    int first, last;
    judge_stop_at stop;
    write_trap trap;
    size_t cut;
    const void *block;
    bool has_traps, is_inside;
    bool has_begun; /* the packer is at work, from judge_rival_meet to judge_rival_leave */
    bool has_met;   /* the others are there to be released */
    int n_met;      /* how often they were prepared, by all rounds */
} judge_rival;

/* False where there can be no such thread. */
bool judge_rival_open(judge_run *r, judge_rival *rival);
void judge_rival_close(void);

/* The packer begins; nothing where there is no rival, here and below. */
void judge_rival_meet(judge_run *r);
/* It asks for a block of so many bytes: a page is to begin at the byte that is returned, or at none if that is bytes. */
size_t judge_rival_asked(judge_run *r, size_t bytes, size_t align);
/* It has got the block, NULL if none that has pages of its own; it has given one back in its place, NULL if none. */
void judge_rival_lent(judge_run *r, const void *block, size_t bytes, const void *gone);
/* It has ended. False: it has failed, maybe because the kernel was to write to a page that is watched (read(2) fails
 * there, and no signal is sent), and is to be called again. */
bool judge_rival_leave(judge_run *r, ifn_status status);

#endif
