#include "laws.h"

#include <stdio.h>
#include <string.h>

#include <inferno/signature_values.h>

#include "invoke.h"
#include "law_call.h"

enum { MOST_TURNS = 1 << 20 };

typedef struct run {
    const conform_law *law;
    conform_law_call *make;
    void *cookie;
    conform_pool *pool;
    ifn_error *err;
    int64_t n_turns;
    int64_t counts[SPEC_MAX_LAW];   /* turns so far of each line that repeats */
    law_tensor lines[SPEC_MAX_LAW]; /* what each other line defines */
    struct {
        void *data;
        size_t bytes;
    } made[SPEC_MAX_TERMS]; /* results of calls; each turn of a repeated line reuses them */
} run;

static conform_scope scope_of(const run *r)
{
    return (conform_scope){r->law->spec, r->law->c, &r->law->args->call, r->counts};
}

static const spec_term *term_of(const run *r, int term)
{
    return &r->law->spec->terms[term];
}

static ifn_status fail(const run *r, const char *what, int64_t found, const char *expected,
                       int64_t most)
{
    return law_fail(r->law->spec->op, what, found, expected, most, r->err);
}

/* --- tensors of the case --- */

/* "w_2" for the arg "w_i" while i is 2. */
static void name_now(const run *r, const char *arg, char out[SPEC_NAME_BYTES])
{
    const spec_op *const spec = r->law->spec;
    const size_t n = strlen(arg);
    memcpy(out, arg, n + 1);
    for (int i = 0; n > 2 && strcmp(arg + n - 2, "_i") == 0 && i < spec->n_law; i++)
        if (spec->law[i].repeats && strcmp(spec->law[i].name, "i") == 0)
            snprintf(out + n - 1, SPEC_NAME_BYTES - (n - 1), "%d", (int)r->counts[i]);
}

static int find_tensor(const run *r, int arg)
{
    const conform_layout *const l = r->law->layout;
    char name[SPEC_NAME_BYTES];
    name_now(r, r->law->spec->args[arg].name, name);
    for (int i = 0; i < l->n; i++)
        if (strcmp(l->t[i].name, name) == 0)
            return i;
    return -1;
}

/* Sets the dimensions of a tensor. Those of a matrix come from the layout: weights of one call may have different
 * rows. */
static void set_shape(const run *r, const spec_arg *arg, const conform_tensor *t, law_tensor *out)
{
    const int64_t n = t->rows * t->cols;
    out->n_dims =
        arg->n_shape == 2 ? 0 : conform_shape_of(r->law->spec, r->law->c, arg, n, out->dims);
    if (out->n_dims)
        return;
    out->n_dims = arg->n_shape == 1 ? 1 : 2;
    out->dims[0] = arg->n_shape == 1 ? n : t->rows;
    out->dims[1] = t->cols;
}

static void copy_rows(const conform_tensor *t, const unsigned char *from, size_t from_stride,
                      unsigned char *to, size_t to_stride)
{
    for (int64_t row = 0; row < t->rows && t->cols > 0; row++)
        memcpy(to + (size_t)row * to_stride, from + (size_t)row * from_stride,
               conform_row_bytes(t));
}

/* A tensor with gaps is copied. */
static ifn_status tensor_of_case(run *r, int arg, law_tensor *out)
{
    const int i = find_tensor(r, arg);
    if (i < 0)
        return ifn_fail(r->err, IFN_ERR_SHAPE, "law of %s: the call has no %s",
                        ifn_op_name(r->law->spec->op), r->law->spec->args[arg].name);
    const conform_tensor *const t = &r->law->layout->t[i];
    const size_t stride = conform_stride_bytes(t), row = conform_row_bytes(t);
    *out = (law_tensor){.is_left_out = t->absent, .data = r->law->data[i]};
    out->dtype = t->element == ELEMENT_BLOCKS ? t->dtype : IFN_DTYPE_F32;
    set_shape(r, &r->law->spec->args[arg], t, out);
    if (!t->absent && stride != row && out->data) {
        out->data = conform_pool_take(r->pool, (size_t)t->rows, row);
        copy_rows(t, r->law->data[i], stride, out->data, row);
    }
    return IFN_OK;
}

/* --- parts --- */

static ifn_status tensor_at(run *r, int term, const law_tensor *into, law_tensor *out);

/* Cuts x to its rows [begin, end), or with `is_row` to row `begin` without that dimension. */
static ifn_status take_rows(const run *r, int64_t begin, int64_t end, bool is_row, law_tensor *x)
{
    if (x->n_dims < 2)
        return fail(r, "dimensions of what a part is taken of", x->n_dims, "at least", 2);
    if (begin < 0 || begin > end || end > x->dims[0])
        return fail(r, "the end of a part", begin < 0 ? begin : end, "at most", x->dims[0]);
    if (x->data)
        x->data += (size_t)begin * law_bytes_from(x, 1);
    if (is_row)
        memmove(x->dims, x->dims + 1, (size_t)--x->n_dims * sizeof *x->dims);
    else
        x->dims[0] = end - begin;
    return IFN_OK;
}

static ifn_status part_of(run *r, const spec_term *part, law_tensor *out)
{
    const conform_scope scope = scope_of(r);
    IFN_TRY(tensor_at(r, part->first, NULL, out));
    for (int i = term_of(r, part->first)->next; i && !out->is_left_out; i = term_of(r, i)->next) {
        const spec_term *const t = term_of(r, i);
        const bool is_range = t->kind == TERM_RANGE;
        int64_t begin, end;
        if (!conform_whole(&scope, is_range ? t->first : i, &begin) ||
            (is_range && !conform_whole(&scope, term_of(r, t->first)->next, &end)))
            return fail(r, "an index without a value", 0, "at most", out->dims[0]);
        IFN_TRY(take_rows(r, begin, is_range ? end : begin + 1, !is_range, out));
    }
    return IFN_OK;
}

/* --- calls --- */

/* Sets *left_out to the index of the first tensor that the case lacks, or to n_tensors. */
static ifn_status bind_operands(run *r, const spec_term *t, law_call *c, law_tensor *first,
                                int *left_out)
{
    const conform_scope scope = scope_of(r);
    int operand = t->first;
    for (*left_out = 0; *left_out < c->form.n_tensors; ++*left_out) {
        law_tensor x;
        IFN_TRY(tensor_at(r, operand, NULL, &x));
        *first = *left_out == 0 ? x : *first;
        if (x.is_left_out)
            return IFN_OK;
        IFN_TRY(law_call_bind(c, c->form.tensors[*left_out], &x, r->err));
        operand = term_of(r, operand)->next;
    }
    for (int i = 0; i < c->form.n_numbers; i++, operand = term_of(r, operand)->next) {
        const ifn_op_arg *const a = c->form.numbers[i];
        const float real = (float)conform_number(&scope, operand);
        int64_t whole;
        if (a->kind == IFN_ARG_REAL)
            memcpy(c->args.room + a->offset, &real, sizeof real);
        else if (conform_whole(&scope, operand, &whole))
            ifn_arg_set_integer(a, &c->args.call, whole);
        else
            return fail(r, a->name, 0, "a number of at most", (int64_t)1 << 53);
    }
    return IFN_OK;
}

static void *room_for(run *r, int term, size_t bytes)
{
    if (!r->made[term].data || r->made[term].bytes < bytes) {
        r->made[term].data = conform_pool_take(r->pool, bytes, 1);
        r->made[term].bytes = bytes;
    }
    return r->made[term].data;
}

/* Places the result in `into` if it has the same size and dtype; else in memory of the term's own. */
static ifn_status place_result(run *r, int term, law_call *c, const law_tensor *into,
                               const law_tensor *first, law_tensor *out)
{
    if (c->form.is_into) {
        *out = *into;
        return law_call_bind(c, c->form.result, into, r->err);
    }
    IFN_TRY(law_call_shape(c, out, r->err));
    const size_t bytes = law_bytes_from(out, 0);
    const bool fits =
        into && into->data && into->dtype == out->dtype && law_bytes_from(into, 0) == bytes;
    out->data = fits ? into->data : room_for(r, term, bytes);
    if (c->form.is_in_place && bytes > 0)
        memcpy(out->data, first->data, bytes);
    law_call_point(c, c->form.result, out);
    return IFN_OK;
}

/* Makes a call of the law. If its first operand is left out, the result is left out, too; if another operand is, the
 * result is the first one. */
static ifn_status result_of(run *r, int term, const law_tensor *into, law_tensor *out)
{
    const spec_term *const t = term_of(r, term);
    law_call c = {.whose = r->law->spec->op, .op = (ifn_op)t->index};
    law_tensor first;
    int left_out;
    c.args.call.bytes = (uint32_t)ifn_op_args_bytes(c.op);
    if (!spec_call_of(c.op, &c.form))
        return fail(r, "no op to call", t->index, "at most", IFN_OP_COUNT - 1);
    IFN_TRY(bind_operands(r, t, &c, &first, &left_out));
    *out = first;
    if (left_out < c.form.n_tensors || (c.form.is_into && !into))
        return IFN_OK;
    IFN_TRY(place_result(r, term, &c, into, &first, out));
    IFN_TRY(ifn_op_check(c.op, &c.args.call, r->err));
    return r->make(r->cookie, c.op, &c.args.call);
}

static ifn_status tensor_at(run *r, int term, const law_tensor *into, law_tensor *out)
{
    const spec_term *const t = term_of(r, term);
    switch (t->kind) {
    case TERM_ARG:
        return tensor_of_case(r, t->index, out);
    case TERM_LINE:
        *out = r->lines[t->index];
        return IFN_OK;
    case TERM_PART:
        return part_of(r, t, out);
    case TERM_CALL:
        return result_of(r, term, into, out);
    default: /* numbers: the reader of specs refuses them in place of a tensor */
        return fail(r, "no tensor", t->kind, "at least", TERM_CALL);
    }
}

/* --- lines --- */

/* Copies a line's result to its output, unless it is there already. */
static ifn_status store(const run *r, const spec_law *line, const law_tensor *target,
                        law_tensor *value)
{
    const spec_term *const t = term_of(r, line->target);
    const int i = t->kind == TERM_ARG ? find_tensor(r, t->index) : -1;
    const conform_tensor *const whole = i < 0 ? NULL : &r->law->layout->t[i];
    const size_t bytes = law_bytes_from(value, 0);
    if (value->dtype != target->dtype || bytes != law_bytes_from(target, 0))
        return fail(r, line->name, (int64_t)bytes, "as many bytes as its output,",
                    (int64_t)law_bytes_from(target, 0));
    if (whole && target->data != r->law->data[i])
        copy_rows(whole, value->data, conform_row_bytes(whole), r->law->data[i],
                  conform_stride_bytes(whole));
    else if (value->data != target->data && bytes > 0)
        memcpy(target->data, value->data, bytes);
    return IFN_OK;
}

static ifn_status run_line(run *r, int i)
{
    const spec_law *const line = &r->law->spec->law[i];
    law_tensor target = {.is_left_out = true};
    if (line->target)
        IFN_TRY(tensor_at(r, line->target, NULL, &target));
    IFN_TRY(tensor_at(r, line->value, target.is_left_out ? NULL : &target, &r->lines[i]));
    return target.is_left_out ? IFN_OK : store(r, line, &target, &r->lines[i]);
}

/* Runs the lines from i on. A line that repeats runs all lines after it as often as it says. */
static ifn_status run_from(run *r, int i)
{
    const spec_op *const spec = r->law->spec;
    const conform_scope scope = scope_of(r);
    int64_t n;
    while (i < spec->n_law && !spec->law[i].repeats)
        IFN_TRY(run_line(r, i++));
    if (i == spec->n_law)
        return IFN_OK;
    if (!conform_whole(&scope, spec->law[i].value, &n))
        return fail(r, spec->law[i].name, 0, "times of at most", MOST_TURNS);
    for (r->counts[i] = 0; r->counts[i] < n; r->counts[i]++) {
        if (++r->n_turns > MOST_TURNS)
            return fail(r, "turns of repeated lines", n, "at most", MOST_TURNS);
        IFN_TRY(run_from(r, i + 1));
    }
    return IFN_OK;
}

ifn_status conform_law_run(const conform_law *law, conform_law_call *make, void *cookie,
                           conform_pool *pool, ifn_error *err)
{
    run r = {.law = law, .make = make, .cookie = cookie, .pool = pool, .err = err};
    return run_from(&r, 0);
}
