/* An address at which a process died is described by the nearest tensor, or by the tensor whose pages it is in. */
#include <string.h>

#include "bench.h"
#include "leaves.h"

static ifn_status open_plain(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, "", NULL, out, err);
}

/* Writes backwards from out's first element through everything that is writable. */
static ifn_status backwards_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    for (volatile float *p = a->out; a->m && a->p; p--)
        *p = 0;
    return IFN_OK;
}

/* Writes the float after the scratch memory that it asked for. */
static ifn_status spills_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    volatile float *const scratch = a->call.scratch;
    scratch[a->call.scratch_bytes / sizeof *scratch] = 0;
    return ifn_matmul(self->base, a);
}

/* Writes the float before the scratch memory. */
static ifn_status underflows_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    volatile float *const scratch = a->call.scratch;
    scratch[-1] = 0;
    return ifn_matmul(self->base, a);
}

/* Reads one weight more than the call has. */
static ifn_status one_more_linear(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_tensor *volatile const w = a->n_w < IFN_LINEAR_MAX ? a->w[a->n_w] : a->w[0];
    if (w->n_dims < 0)
        return IFN_ERR_SHAPE;
    return ifn_linear(self->base, a);
}

static size_t a_line(const ifn_backend *self, const ifn_limits *max)
{
    (void)self;
    (void)max;
    return 64;
}

#define TESTED(op, word)                                                                           \
    static void fill_##word(ifn_op_table *table, const ifn_backend_env *env)                       \
    {                                                                                              \
        (void)env;                                                                                 \
        table->op = word##_##op;                                                                   \
    }                                                                                              \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word, .summary = "",  \
                                                 .fill = fill_##word, .scratch_bytes = a_line};    \
    static const conform_tested word = {#word, open_plain, &desc_##word};
TESTED(matmul, backwards)
TESTED(matmul, spills)
TESTED(matmul, underflows)
TESTED(linear, one_more)

static void expect(const conform_tested *tested, conform_check check, const char *where)
{
    bench_expect(tested, bench_case(3, 5, 4), check, where);
}

/* The writes go on for 64 KiB or more before out until protected pages stop them. */
TEST(what_runs_away_is_told_by_whose_pages_stop_it)
{
    expect(&backwards, CHECK_GUARD, " bytes before out");
}

TEST(scratch_has_an_end_and_a_beginning)
{
    expect(&spills, CHECK_GUARD, " 0 bytes after scratch");
    expect(&underflows, CHECK_SLACK, " 4 bytes before scratch, the first 4 away");
}

TEST(a_weight_that_the_call_does_not_have_is_not_looked_at)
{
    const conform_case c = {.op = IFN_OP_LINEAR,
                            .dim = {2, 3, 8, 2, 0, 0},
                            .tier = TIER_T1,
                            .family = FAMILY_NORMAL,
                            .seed = 3};
    bench_expect(&one_more, c, CHECK_GUARD, " bytes after n_w");
}
