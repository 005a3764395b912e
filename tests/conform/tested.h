/* Backends with one fault each, and specs to judge them by. */
#ifndef CONFORM_TESTED_H
#define CONFORM_TESTED_H

#include "judge.h"
#include "runner.h"
#include "spec.h"

/* Hand-made specs with few sizes, not read from files. Static. */
const spec_op *matmul_spec(void);
const spec_op *add_spec(void);

/* X(name, what it does wrong) */
/* clang-format off */
#define FAULTY_BACKENDS(X)                                                \
    X(honest, "nothing")                                                  \
    X(one_past_the_end, "writes a float after out")                      \
    X(one_before, "writes a float before out")                            \
    X(reads_past, "reads a float after b")                               \
    X(reads_before, "reads a float before a")                             \
    X(writes_input, "writes to a")                                        \
    X(changes_mxcsr, "flushes subnormals from now on")                    \
    X(clobbers_rbx, "does not restore rbx")                               \
    X(leaves_upper, "leaves the upper halves of vector registers dirty")  \
    X(leaves_tiles, "leaves tile registers in use")                       \
    X(crashes, "a null pointer when m is 3")                              \
    X(dies, "a signal of tested_signal when m is 3")                     \
    X(exits, "leaves the process when m is 3")                            \
    X(hangs, "never returns when m is 3")                                 \
    X(spins, "nothing; once, many threads spin for tested_spins_for")    \
    X(spins_on, "many threads spin for ever when m is 3")                 \
    X(stale_output, "adds to what out holds")                             \
    X(drops_last, "leaves out the last term")                             \
    X(swaps_rows, "rows 0 and 1 exchanged")                               \
    X(zeros, "everything is zero")                                        \
    X(whole_in_every_part, "each part writes all of out")                 \
    X(ignores_parts, "a part writes nothing but its first row")           \
    X(part_dependent, "another order of summation in parts")              \
    X(address_dependent, "another order of summation at odd addresses")   \
    X(refuses, "IFN_ERR_UNSUPPORTED")                                     \
    X(fails, "IFN_ERR_SHAPE for legal shapes")                            \
    X(wobbles, "the last bit of out[0] depends on the number of calls")   \
    X(negative_only, "zeros where a[0] is below zero")                    \
    X(sometimes, "zeros in one call of 150")                              \
    X(tail_4099, "drops the last term from k = 9 on, unless k % 4 == 0")  \
    X(from_31, "drops the last term from n = 31 on")                      \
    X(odd_halves, "drops the last term where n % 64 = 32")                \
    X(two_sizes, "zeros from m = 17 on where p is 9 or more")             \
    X(small_only, "zeros up to n = 12")
/* clang-format on */

extern int tested_signal;       /* the signal that `dies` raises */
extern double tested_spins_for; /* for `spins`: seconds of CPU time that each thread uses */

#define X(name, text) extern const conform_tested tested_##name;
FAULTY_BACKENDS(X)
#undef X

/* part_dependent without a manifest: it promises nothing about parts, so it is honest. */
extern const conform_tested tested_undeclared;

/* Backends with faults in other ops, and around ops (tested_other.c). */
extern const conform_tested tested_writes_gap;     /* linear: the pad after the first row */
extern const conform_tested tested_reads_late;     /* add: clears out before it reads x */
extern const conform_tested tested_own_arithmetic; /* a wrapper that adds 1 */
extern const conform_tested tested_writes_refused; /* matmul: writes, then IFN_ERR_UNSUPPORTED */
extern const conform_tested tested_packs;          /* linear with a handle gives zeros */
extern const conform_tested tested_packs_for_q8;   /* the same, but its handles are not for it */
extern const conform_tested tested_cannot_pack;    /* prepare fails */
extern const conform_tested tested_one_granule;    /* matmul: columns only in fours, or garbage */

extern const conform_tested tested_shallow; /* matmul: up to 4 rows are deeper than it declares */

/* Judge one case in this process, without a spec or with one. If tested_site is set, it records what is called. */
extern conform_site *tested_site;
conform_verdict judge_once(const conform_tested *tested, const conform_case *c);
conform_verdict judge_once_by(const spec_op *spec, const conform_tested *tested,
                              const conform_case *c);
/* True if judging the case kills a child process; otherwise *outcome is set. */
bool judge_is_fatal(const conform_tested *tested, const conform_case *c, conform_outcome *outcome);

#endif
