/*
 * The memory that a backend is lent while it prepares weights and releases them. What it asks its
 * allocator for lies between protected pages or, on a device, between bands; is read only while ops
 * run; and must be given back by release. The n-th block is packed_<n> in messages.
 */
#ifndef CONFORM_JUDGE_LEND_H
#define CONFORM_JUDGE_LEND_H

#include "judge_run.h"

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

#endif
