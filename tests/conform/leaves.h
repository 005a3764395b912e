/*
 * Backends that replace one op of scalar, and functions that judge many cases of it. They test relations
 * between calls, each of which only some of the cases try.
 */
#ifndef CONFORM_LEAVES_H
#define CONFORM_LEAVES_H

#include "judge.h"
#include "test.h"
#include "tested.h"

/* Manifests that promise every relation of numerics 12, and none. Both support lists of spans. */
extern const ifn_manifest leaf_promises, leaf_promises_none;

ifn_status leaf_open(const conform_tested *self, ifn_backend **out, ifn_error *err);

/*
 * LEAF(op, name) defines two backends under test: name[0] promises everything, name[1] nothing. Both call
 * `name_op`, which must be defined before, instead of scalar's op.
 */
#define LEAF(op, word) LEAF_WITH(op, word, leaf_promises, leaf_promises_none)
/* The same with other manifests. */
#define LEAF_WITH(op, word, all, none)                                                             \
    static void fill_##word(ifn_op_table *table, const ifn_backend_env *env)                       \
    {                                                                                              \
        (void)env;                                                                                 \
        table->op = word##_##op;                                                                   \
    }                                                                                              \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word, .summary = "",  \
                                                 .fill = fill_##word, .manifest = &(all)};         \
    static const ifn_backend_desc desc_##word##_free = {IFN_BACKEND_STAMP, .name = #word "_free",  \
                                                        .summary = "", .fill = fill_##word,        \
                                                        .manifest = &(none)};                      \
    static const conform_tested word[2] = {{#word, leaf_open, &desc_##word},                       \
                                           {#word "_free", leaf_open, &desc_##word##_free}};

/* The verdicts of a case with many seeds, summed up. */
typedef struct leaf_statistics {
    int n_passed, n_check, n_other; /* verdicts: passed, failed by `check`, anything else */
    conform_relation relation; /* counts, summed up, of the relation whose violation is `check` */
    char first[500];           /* text of the first failure, preferably of one by another check */
} leaf_statistics;

leaf_statistics leaf_judge(const conform_tested *tested, conform_case c, conform_check check);

/* Expects every seed to pass, and the relation of `check` to have been tried and to hold. */
void leaf_expect_honest(const conform_tested *tested, conform_case c, conform_check check);
/* Expects broken[0] to fail by `check` and nothing else, and broken[1], which promises nothing, to pass every case
 * while the broken relation is counted. */
void leaf_expect_caught(const conform_tested broken[2], conform_case c, conform_check check);

/* Changes each number by one unit in the last place: other bits, but inside every bound. */
void leaf_nudge(float *x, int64_t n);

#endif
