#include "call_judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "call_suspects.h"
#include "declared.h"
#include "flushed.h"
#include "pattern.h"

enum {
    WORK_OF_SLICE = 1 << 24,   /* multiply-adds gathered and judged at a time */
    WORK_OF_PATTERN = 1 << 28, /* the most to spend on finding all wrong elements of a tensor */
    WORK_UNSAMPLED = 1 << 21,  /* products up to this, and all other ops, are judged whole */
    MORE_AROUND = 64           /* features described around a wrong one, if all are too many */
};

void conform_slice_truth(call_slice *s, ifn_backend *backend, conform_pool *pool,
                         conform_truth *out)
{
    const conform_declared d = conform_declared_of(backend, &s->slot.c);
    conform_truth_under(&s->slot, &d, pool, out);
}

static bool is_judged(const conform_truth *t)
{
    return t->want || t->raw;
}

/* --- where an element lies --- */

/* Finds row and column in the slice from the index that a comparison gives: of an element, or of a byte. */
static void find_element(const conform_tensor *t, const conform_truth *truth, int64_t index,
                         int64_t *row, int64_t *col)
{
    const int64_t row_bytes = (int64_t)conform_row_bytes(t);
    *row = index / t->cols;
    *col = index % t->cols;
    if (truth->class != CLASS_RAW)
        return;
    const int64_t per_block =
        t->element == ELEMENT_BLOCKS ? (int64_t)ifn_dtype_block_elements(t->dtype) : 1;
    *row = index / row_bytes;
    *col = index % row_bytes / (int64_t)conform_element_bytes(t) * per_block;
}

static int64_t entry_of(const call_axis *axis, const call_choice *choice, int64_t k)
{
    return conform_chosen(choice, k / axis->take % choice->n);
}

static void locate(const call_view *v, const call_choice *units, const call_choice *features,
                   int64_t row, int64_t col, call_finding *out)
{
    const call_axis *const axes[2] = {&v->t[out->tensor].rows, &v->t[out->tensor].cols};
    const int64_t at[2] = {row, col};
    out->unit = out->feature = -1;
    for (int i = 0; i < 2; i++) {
        if (axes[i]->along == ALONG_UNITS)
            out->unit = entry_of(axes[i], units, at[i]);
        if (axes[i]->along == ALONG_FEATURES)
            out->feature = entry_of(axes[i], features, at[i]);
    }
    out->row = conform_axis_source(v, axes[0], units, features, row);
    out->col = conform_axis_source(v, axes[1], units, features, col);
}

/* --- one slice --- */

static void compare_slice(call_judge *self, const call_view *v, const call_keep *keep,
                          const call_choice *units, const call_choice *features, call_finding *out)
{
    call_slice s;
    conform_truth truth[CONFORM_MAX_TENSORS] = {{0}};
    conform_pool_reset(&self->pool);
    conform_call_gather(v, keep, units, features, &self->pool, &s);
    conform_slice_truth(&s, self->backend, &self->pool, truth);
    for (int i = 0; i < s.slot.layout.n; i++) {
        const conform_tensor *const t = &s.slot.layout.t[i];
        conform_result res;
        if (!s.got[i] || !is_judged(&truth[i]))
            continue;
        conform_compare(t, s.got[i], &truth[i], &res, NULL);
        out->n_judged += t->rows * t->cols;
        if (!res.n_wrong)
            out->largest_ratio = fmax(out->largest_ratio, res.ratio);
        if (!res.n_wrong || (out->is_bad && !(res.ratio > out->worst.ratio)))
            continue;
        int64_t row, col;
        out->is_bad = 1;
        out->tensor = i;
        out->worst = res;
        find_element(t, &truth[i], res.worst, &row, &col);
        locate(v, units, features, row, col, out);
    }
}

/* --- all of a view, or a sample --- */

static int64_t work_of(const call_view *v, int64_t n_units, int64_t n_features)
{
    conform_case c = v->c;
    conform_view_resize(v, n_units, n_features, &c);
    return conform_module_of(c.op)->work(&c);
}

static void judge_range(call_judge *self, const call_view *v, const call_keep *keep,
                        const call_choice *units, const call_choice *features, call_finding *out)
{
    const int64_t one = work_of(v, units->n, 1);
    const int64_t fit = one > 0 ? WORK_OF_SLICE / one : features->n;
    const int64_t step = fit < 1 ? 1 : fit;
    for (int64_t at = 0; at < features->n; at += step) {
        const int64_t left = features->n - at, n = left < step ? left : step;
        const call_choice part = {features->of ? features->of + at : NULL, features->first + at, n};
        compare_slice(self, v, keep, units, &part, out);
    }
}

static bool is_product(ifn_op op)
{
    return op == IFN_OP_LINEAR || op == IFN_OP_LINEAR_Q8 || op == IFN_OP_MATMUL ||
           op == IFN_OP_ATTENTION;
}

/* Judges a sample of features, or of units (the heads of attention) if the op has no features. */
static ifn_status judge_sample(call_judge *self, const call_view *v, const call_keep *keep,
                               call_finding *out, ifn_error *err)
{
    const call_choice units = {NULL, 0, v->n_units}, features = {NULL, 0, v->n_features};
    const int by_units = v->n_features == 1;
    int64_t chosen[SUSPECTS_MAX];
    call_choice sample = {chosen, 0, 0};
    conform_pool_reset(&self->pool);
    IFN_TRY(conform_call_suspects(self->scalar, &self->pool, self->sample, v, keep, chosen,
                                  &sample.n, err));
    judge_range(self, v, keep, by_units ? &sample : &units, by_units ? &features : &sample, out);
    return IFN_OK;
}

static ifn_status judge_view(call_judge *self, const call_view *v, const call_keep *keep,
                             call_finding *out, ifn_error *err)
{
    const call_choice units = {NULL, 0, v->n_units}, features = {NULL, 0, v->n_features};
    for (int i = 0; i < v->l.n; i++)
        if (conform_is_output(&v->l.t[i]))
            out->n_total += v->l.t[i].rows * v->l.t[i].cols;
    if (v->n_units == 0 || v->n_features == 0)
        return IFN_OK;
    if (self->sample > 0 && is_product(v->c.op) &&
        work_of(v, v->n_units, v->n_features) > WORK_UNSAMPLED)
        return judge_sample(self, v, keep, out, err);
    judge_range(self, v, keep, &units, &features, out);
    return IFN_OK;
}

/* --- what is wrong --- */

/* Turns marks of wrong bytes into marks of elements or blocks. */
static void mark_blocks(const conform_tensor *t, unsigned char *marks, conform_tensor *as)
{
    const int64_t bytes = (int64_t)conform_element_bytes(t), n = (int64_t)t->bytes / bytes;
    *as = *t;
    as->cols = as->stride = t->rows > 0 ? n / t->rows : 0;
    for (int64_t i = 0; i < n; i++) {
        int wrong = 0;
        for (int64_t b = 0; b < bytes; b++)
            wrong |= marks[i * bytes + b];
        marks[i] = (unsigned char)wrong;
    }
}

static void describe_pattern(call_judge *self, const call_slice *s, const conform_truth *truth,
                             call_finding *out)
{
    const conform_tensor *const t = &s->slot.layout.t[out->tensor];
    const conform_truth *const want = &truth[out->tensor];
    const size_t n = (size_t)(t->rows * t->cols);
    unsigned char *const marks = conform_pool_take(&self->pool, t->bytes > n ? t->bytes : n, 1);
    conform_tensor as = *t;
    conform_result res;
    conform_compare(t, s->got[out->tensor], want, &res, marks);
    const bool is_raw = want->class == CLASS_RAW;
    if (is_raw)
        mark_blocks(t, marks, &as);
    const conform_wrong where = {
        .t = &as, .marks = marks, .got = is_raw ? NULL : s->got[out->tensor], .truth = want};
    conform_describe_wrong(&where, out->pattern, sizeof out->pattern);
    out->n_looked = as.rows * as.cols;
    for (int64_t i = 0; i < out->n_looked; i++)
        out->n_wrong += marks[i];
}

static ifn_status ask_scalar(call_judge *self, call_slice *s, call_finding *out, ifn_error *err)
{
    const conform_declared strict = conform_declared_default();
    conform_truth truth[CONFORM_MAX_TENSORS] = {{0}};
    IFN_TRY(conform_slot_reference(&s->slot, self->scalar, &self->pool, err));
    out->scalar_is_fine = s->slot.reference_status == IFN_OK ? 1 : -1;
    if (s->slot.reference_status != IFN_OK)
        return IFN_OK;
    conform_module_of(s->slot.c.op)
        ->truth(&s->slot.c, &s->slot.layout, s->slot.before, &strict, &self->pool, truth);
    for (int i = 0; i < s->slot.layout.n; i++) {
        conform_result res;
        if (!s->slot.reference[i] || !is_judged(&truth[i]))
            continue;
        conform_compare(&s->slot.layout.t[i], s->slot.reference[i], &truth[i], &res, NULL);
        out->scalar_is_fine &= !res.n_wrong;
        out->scalar_ratio = fmax(out->scalar_ratio, res.ratio);
    }
    return IFN_OK;
}

/* Describes the wrong elements of the whole tensor; if it is very large, of the wrong row or of features around the
 * wrong element. */
static ifn_status describe(call_judge *self, const call_view *v, const call_keep *keep,
                           call_finding *out, ifn_error *err)
{
    call_choice units = {NULL, 0, v->n_units}, features = {NULL, 0, v->n_features};
    call_slice s;
    conform_truth truth[CONFORM_MAX_TENSORS] = {{0}};
    if (out->unit >= 0 && work_of(v, units.n, features.n) > WORK_OF_PATTERN)
        units = (call_choice){NULL, out->unit, 1};
    if (out->feature >= 0 && work_of(v, units.n, features.n) > WORK_OF_PATTERN) {
        const int64_t first = out->feature / MORE_AROUND * MORE_AROUND;
        const int64_t left = v->n_features - first;
        features = (call_choice){NULL, first, left < MORE_AROUND ? left : MORE_AROUND};
    }
    conform_pool_reset(&self->pool);
    conform_call_gather(v, keep, &units, &features, &self->pool, &s);
    conform_slice_truth(&s, self->backend, &self->pool, truth);
    describe_pattern(self, &s, truth, out);
    return ask_scalar(self, &s, out, err);
}

static ifn_status judge_all(call_judge *self, ifn_op op, const ifn_call *args,
                            const call_keep *keep, call_finding *out, const char **why,
                            ifn_error *err)
{
    for (int i = 0; i < conform_call_views(op, args) && !out->is_bad; i++) {
        call_view v;
        const char *const reason = conform_call_view(op, args, i, &v);
        if (reason) {
            *why = reason;
            continue;
        }
        IFN_TRY(judge_view(self, &v, keep, out, err));
        out->view = v;
    }
    return out->is_bad ? describe(self, &out->view, keep, out, err) : IFN_OK;
}

ifn_status conform_call_judge(call_judge *self, ifn_op op, const ifn_call *args,
                              const call_keep *keep, call_finding *out, const char **why,
                              ifn_error *err)
{
    jmp_buf exhausted;
    *out = (call_finding){.scalar_is_fine = -1};
    *why = NULL;
    self->pool.exhausted = &exhausted;
    if (setjmp(exhausted)) {
        self->pool.exhausted = NULL;
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for its truth", ifn_op_name(op));
    }
    const ifn_status status = judge_all(self, op, args, keep, out, why, err);
    self->pool.exhausted = NULL;
    return status;
}
