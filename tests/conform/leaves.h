/*
 * Backends that replace one op of scalar, and many cases of it: for relations between calls, which
 * one case in several has tried.
 */
#ifndef CONFORM_LEAVES_H
#define CONFORM_LEAVES_H

#include "judge.h"
#include "test.h"
#include "tested.h"

/* Every relation of numerics 12 is promised; none is. Both take lists of spans. */
extern const ifn_manifest leaf_promises, leaf_promises_none;

ifn_status leaf_open(const conform_tested *self, ifn_backend **out, ifn_error *err);

/*
 * LEAF(op, name) defines two backends under test: name[0] promises everything, name[1] nothing. Both call
 * `name_op`, defined before, in the place of scalar's op.
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

/* What many seeds of a case add up to. */
typedef struct leaf_statistics {
    int n_passed, n_check, n_other; /* by verdict: `check`, and others */
    conform_relation relation;      /* the one that `check` breaks, summed up */
    char first[500]; /* detail of the first failure, by another check where there is one */
} leaf_statistics;

leaf_statistics leaf_judge(const conform_tested *tested, conform_case c, conform_check check);

/* Each seed passes, and the relation of `check` has been tried and has held. */
void leaf_expect_honest(const conform_tested *tested, conform_case c, conform_check check);
/* broken[0] fails by `check` and nothing else; of broken[1] all passes, and is counted. */
void leaf_expect_caught(const conform_tested broken[2], conform_case c, conform_check check);

/* One unit in the last place: inside every bound, and other bits. */
void leaf_nudge(float *x, int64_t n);

#endif
