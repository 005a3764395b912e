/* One case in the hands of the judge: what judge.c, judge_parts.c and judge_compare.c share. */
#ifndef CONFORM_JUDGE_RUN_H
#define CONFORM_JUDGE_RUN_H

#include "judge.h"

typedef struct judge_run {
    conform_judge *judge;
    const conform_slot *slot;
    const conform_module *module;
    conform_verdict *verdict;
    guard_place home; /* where the tensors of the first run lie */
    guard_tensor tensors[CONFORM_MAX_TENSORS];
    guard_tensor scratch;
    ifn_packed packed[IFN_LINEAR_MAX]; /* what prepare gave */
    ifn_packed handed[IFN_LINEAR_MAX]; /* what the op gets of it; data NULL: raw */
    ifn_backend *packer;               /* who made and releases them */
    int n_packed;
    conform_truth truth[CONFORM_MAX_TENSORS];  /* under the backend's own declarations */
    unsigned char *whole[CONFORM_MAX_TENSORS]; /* outputs of the first run */
    conform_call call;                         /* of the latest bind */
    void *data[CONFORM_MAX_TENSORS];
} judge_run;

/* Points data[] to the tensors at `place`; empty tensors are NULL where `with_null`. */
void judge_point(judge_run *r, guard_place place, int with_null);
/* Fills the outputs that data[] points to. */
void judge_prefill(judge_run *r, int which);
/* Fills in call from data[]. */
void judge_bind(judge_run *r);
/* Calls the op through the register guard. Returns its status; ABI faults go to the verdict. */
ifn_status judge_call(judge_run *r, ifn_backend *backend, conform_run run);
/* Gaps, slack and inputs are as they were; `which` is the prefill. */
void judge_check_memory(judge_run *r, guard_place place, conform_run run, int which);
int judge_failed(const judge_run *r);

/* First run: outputs against the truth, and against the scalar backend. */
void judge_values(judge_run *r);
/* Later runs: data[] against whole[]; a difference is `fault`. */
void judge_same(judge_run *r, conform_fault fault, conform_run run);
/* The same where equal bits are not promised: data[] against the truth. */
void judge_like(judge_run *r, conform_fault fault, conform_run run);
/* 1 if two buffers of tensor i hold the same elements: NaNs alike unless raw; gaps do not count. */
int judge_equal(const judge_run *r, int i, const void *a, const void *b, int64_t *where);

/* The op in random legal parts (judge_parts.c). */
void judge_parts(judge_run *r);

/* The same thing in primitive ops, now and then; the last of all runs (judge_law.c). */
void judge_law(judge_run *r);

#endif
