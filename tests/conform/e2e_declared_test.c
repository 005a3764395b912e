/* Whole models on backends that round products and declare it: honest ones pass, and a fault in one layer is found
 * at its place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "declared.h"
#include "e2e_explain.h"
#include "e2e_model.h"
#include "e2e_trial.h"

/* A leaf with a fault, or none, on the plugin "bf16", or "bf16-tf32", whose declaration differs from what it does. */
typedef struct stack {
    const char *way;
    const ifn_backend_desc *check;
} stack;

static ifn_backend *below; /* the base of the leaf, which only borrows it */

static ifn_status open_stack(const void *what, int32_t n_threads, ifn_backend **out, ifn_error *err)
{
    const stack *const s = what;
    char expression[512];
    (void)n_threads;
    ifn_backend_close(below);
    below = NULL;
    snprintf(expression, sizeof expression, ROUNDING "=%s", s->way);
    if (!s->check)
        return ifn_backend_open(expression, NULL, out, err);
    IFN_TRY(ifn_backend_open(expression, NULL, &below, err));
    return ifn_backend_open_desc(s->check, below, NULL, NULL, out, err);
}

/* --- faults, in the second layer --- */

static bool is_hit(const ifn_call *call)
{
    return call->point && call->layer == 1;
}

/* Exchanges the first two heads of each row. */
static ifn_status wrong_head(ifn_backend *self, const ifn_attention_args *a)
{
    IFN_TRY(self->base->ops->attention(self->base, a));
    for (int64_t r = 0; is_hit(&a->call) && r < a->rows; r++)
        for (int64_t c = 0; c < a->head_dim; c++) {
            float *const x = a->out + r * a->n_heads * a->head_dim + c, first = *x;
            *x = x[a->head_dim];
            x[a->head_dim] = first;
        }
    return IFN_OK;
}

static ifn_status wrong_eps(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args other = *a;
    if (is_hit(&a->call))
        other.eps = 100 * a->eps;
    return self->base->ops->rms_norm(self->base, &other);
}

/* Rotates each row as if it stood one position later. */
static ifn_status shifted_rope(ifn_backend *self, const ifn_apply_rope_args *a)
{
    const int64_t half = a->head_dim / 2, n = a->rows * a->head_dim;
    ifn_apply_rope_args other = *a;
    if (!is_hit(&a->call))
        return self->base->ops->apply_rope(self->base, a);
    float *const table = malloc((size_t)n * sizeof *table + 1);
    if (!table)
        return IFN_ERR_NOMEM;
    for (int64_t at = 0; at < n; at++) {
        const int64_t i = at % half, row = at / a->head_dim * a->head_dim;
        const double step = pow(1e4, -(double)i / (double)half);
        const double c = (double)a->table[row + i], s = (double)a->table[row + half + i];
        table[at] = (float)(at - row < half ? c * cos(step) - s * sin(step)
                                            : s * cos(step) + c * sin(step));
    }
    other.table = table;
    const ifn_status status = self->base->ops->apply_rope(self->base, &other);
    free(table);
    return status;
}

static void fill_head(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->attention = wrong_head;
}

static void fill_eps(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->rms_norm = wrong_eps;
}

static void fill_rope(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->apply_rope = shifted_rope;
}

/* The leaf implements the op, so it has to declare what the plugin below it does. */
static void declare_tf32(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    (void)op;
    (void)dtype;
    out->inputs = IFN_ROUND_TF32;
}

static void declare_bf16(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    (void)op;
    (void)dtype;
    out->inputs = IFN_ROUND_BF16;
}

static void declare_f16(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    (void)op;
    (void)dtype;
    out->inputs = IFN_ROUND_F16;
}

#define MANIFEST(declare)                                                                          \
    {                                                                                              \
        .manifest_bytes = sizeof(ifn_manifest), .invariances = 0x7ff, .arithmetic = (declare)      \
    }
static const struct {
    const char *way, *finer;
    ifn_manifest manifest;
} formats[] = {{"tf32", "tf32-none", MANIFEST(declare_tf32)},
               {"bf16", "bf16-tf32", MANIFEST(declare_bf16)},
               {"f16", "f16-none", MANIFEST(declare_f16)}};

static const struct {
    void (*fill)(ifn_op_table *table, const ifn_backend_env *env);
    const char *found;
} checks[] = {{fill_head, "layer 1, attended, op attention"},
              {fill_eps, "layer 1, attn_norm, op rms_norm"},
              {fill_rope, "layer 1, q_rope, op apply_rope"}};

/* Returns the truth and noise floor under the stack's declaration, in f32 or with everything narrowed. */
static tiny_truth open_truth(const stack *s, bool is_narrow, conform_arithmetics *declared)
{
    const tiny_model small = tiny_default("qwen3"), wide = tiny_wide("qwen3", IFN_DTYPE_Q8_0);
    ifn_backend *backend;
    ifn_error err = {0};
    assert_ok(open_stack(s, 0, &backend, &err), err);
    conform_declared_arithmetics(backend, declared);
    ifn_backend_close(backend);
    return is_narrow ? tiny_truth_of(&wide, IFN_ACTIVATIONS_Q8, IFN_DTYPE_F16, 1, declared)
                     : tiny_truth_of(&small, IFN_ACTIVATIONS_F32, IFN_DTYPE_F32, 0, declared);
}

static e2e_results *try_stack(const tiny_truth *t, const stack *s)
{
    const e2e_trial trial = {&t->truth, open_stack, s, 1, 0};
    e2e_results *const results = e2e_results_open(0, "tiny");
    assert_non_null(results);
    e2e_trial_run(&trial, results);
    if (results->failed) {
        e2e_explain one = {.trial = &trial, .again = results->again, .row = results->failed - 1};
        e2e_explain_run(&one, results);
    }
    return results;
}

static const e2e_row *first_failure(const e2e_results *results)
{
    return results->failed ? &results->all_statistics[results->failed - 1].row : NULL;
}

static void expect_none(const char *way, bool is_narrow)
{
    const stack s = {way, NULL};
    conform_arithmetics declared;
    tiny_truth t = open_truth(&s, is_narrow, &declared);
    e2e_results *const results = try_stack(&t, &s);
    const e2e_row *const bad = first_failure(results);
    assert_that(!bad, "%s: %s %s: %s, %s", way, bad->rule, bad->kv, bad->detail, bad->first_bad);
    assert_string_equal(results->all_statistics[results->n - 1].row.rule, "ops");
    e2e_results_close(results);
    tiny_truth_close(&t);
}

TEST(honest_backends_pass_under_what_they_declare)
{
    for (size_t i = 0; i < N_OF(formats); i++)
        expect_none(formats[i].way, false);
    expect_none("bf16", true);
}

TEST(a_finer_declaration_fails_and_names_an_op_that_breaks_it)
{
    for (size_t i = 0; i < N_OF(formats); i++) {
        const stack s = {formats[i].finer, NULL};
        conform_arithmetics declared;
        tiny_truth t = open_truth(&s, false, &declared);
        e2e_results *const results = try_stack(&t, &s);
        const e2e_row *const bad = first_failure(results);
        assert_that(bad, "%s passes", s.way);
        assert_that(strstr(bad->first_bad, "op linear ") || strstr(bad->first_bad, "op attention "),
                    "%s: %s", s.way, bad->first_bad);
        e2e_results_close(results);
        tiny_truth_close(&t);
    }
}

TEST(a_fault_in_one_layer_is_found_where_it_is)
{
    for (size_t i = 0; i < N_OF(formats) * N_OF(checks); i++) {
        const size_t f = i / N_OF(checks), which = i % N_OF(checks);
        const ifn_backend_desc desc = {IFN_BACKEND_STAMP, .name = "planted", .summary = "",
                                       .manifest = &formats[f].manifest,
                                       .fill = checks[which].fill};
        const stack s = {formats[f].way, &desc};
        conform_arithmetics declared;
        tiny_truth t = open_truth(&s, false, &declared);
        e2e_results *const results = try_stack(&t, &s);
        const e2e_row *const bad = first_failure(results);
        assert_that(bad, "%s: nothing has failed, expected %s", s.way, checks[which].found);
        assert_that(strstr(bad->first_bad, checks[which].found) == bad->first_bad,
                    "%s: %s, expected %s", s.way, bad->first_bad, checks[which].found);
        e2e_results_close(results);
        tiny_truth_close(&t);
    }
    ifn_backend_close(below);
    below = NULL;
}
