/* Checks what a run has left: values, gaps, slack, inputs. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "arithmetic.h"
#include "declared.h"
#include "fnv1a.h"
#include "golden.h"
#include "identity.h"
#include "judge_run.h"
#include "pattern.h"
#include "shortened.h"

static bool is_nan_bits(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

bool judge_is_nan(ifn_dtype dtype, const void *at)
{
    uint32_t word = 0;
    uint16_t half = 0;
    if (dtype == IFN_DTYPE_F32)
        memcpy(&word, at, sizeof word);
    if (dtype == IFN_DTYPE_F16)
        memcpy(&half, at, sizeof half);
    return is_nan_bits(word) || (half & 0x7fffu) > 0x7c00u;
}

int judge_same_float(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x == y || (is_nan_bits(x) && is_nan_bits(y));
}

/* Compares by element where all NaNs are equal, and by byte otherwise. Returns the first difference, or -1. */
static int64_t first_difference(const conform_tensor *t, int any_nan, const unsigned char *a,
                                const unsigned char *b)
{
    const size_t step = any_nan ? 4 : 1, row = conform_row_bytes(t),
                 stride = conform_stride_bytes(t);
    for (int64_t r = 0; r < t->rows; r++) {
        for (size_t c = 0; c < row; c += step) {
            const size_t at = (size_t)r * stride + c;
            if (any_nan ? !judge_same_float(a + at, b + at) : a[at] != b[at])
                return r * t->cols + (int64_t)(c / (t->element == ELEMENT_BYTES ? 1 : 4));
        }
    }
    return -1;
}

int judge_equal(const judge_run *r, int i, const void *a, const void *b, int64_t *where)
{
    const conform_tensor *t = &r->slot->layout.t[i];
    const int any_nan = t->element == ELEMENT_F32 && r->truth[i].class != CLASS_RAW;
    if (memcmp(a, b, t->bytes) == 0)
        return 1;
    *where = first_difference(t, any_nan, a, b);
    return *where < 0;
}

/* Copies a raw output and puts the truth's gaps into it: raw truths cover gaps, too, which judge_check_memory
 * checks. */
static const void *with_gaps_of(judge_run *r, int i, const unsigned char *got)
{
    const conform_tensor *t = &r->slot->layout.t[i];
    const size_t row = conform_row_bytes(t), stride = conform_stride_bytes(t);
    if (r->truth[i].class != CLASS_RAW || stride == row || t->role == ROLE_INOUT)
        return got;
    unsigned char *copy = conform_pool_take_raw(&r->judge->pool, t->bytes, 1);
    memcpy(copy, r->truth[i].raw, t->bytes);
    for (int64_t k = 0; k < t->rows; k++)
        memcpy(copy + (size_t)k * stride, got + (size_t)k * stride, row);
    return copy;
}

static void keep_worst(judge_run *r, int i, const conform_result *res)
{
    r->verdict->worst = *res;
    r->verdict->is_raw = r->truth[i].class == CLASS_RAW;
    snprintf(r->verdict->tensor, sizeof r->verdict->tensor, "%s", r->slot->layout.t[i].name);
}

/* Describes a failure of a quantizer that searches: it is bounded by errors of blocks (numerics 6), so the failure
 * names no element. */
static void describe_quality(judge_run *r, int i, const conform_result *res, conform_check check)
{
    const conform_tensor *t = &r->slot->layout.t[i];
    const int64_t block = ifn_dtype_block_elements(t->dtype);
    if (check == CHECK_SCALAR)
        conform_verdict_fail(r->verdict, check,
                             "%s: the root of the squared errors of all %lld blocks is %.6g, "
                             "expected at most 1.01 times scalar's: %.6g",
                             t->name, (long long)(t->rows * t->cols / block), res->got, res->bound);
    else
        conform_verdict_fail(r->verdict, check,
                             "%s: block %lld of row %lld: the root of its squared errors is %.6g, "
                             "expected at most %.6g; %lld blocks are like this",
                             t->name, (long long)(res->worst % t->cols / block),
                             (long long)(res->worst / t->cols),
                             conform_block_error(t, r->data[i], &r->truth[i], res->worst),
                             res->bound, (long long)(res->n_wrong / block));
    keep_worst(r, i, res);
    r->verdict->worst.worst = -1;
}

/* Draws the error map. Bytes without gaps lie in rows, as elements do. */
static void draw_map(judge_run *r, int i, conform_wrong where)
{
    const conform_tensor *const t = &r->slot->layout.t[i];
    conform_tensor bytes = *where.t;
    if (r->truth[i].class == CLASS_RAW && conform_row_bytes(t) == conform_stride_bytes(t)) {
        bytes.rows = t->rows;
        bytes.cols = (int64_t)conform_row_bytes(t);
    }
    where.t = &bytes;
    error_map_draw(&r->verdict->map, &where);
}

static void describe_wrong(judge_run *r, int i, const conform_result *res, conform_check check,
                           const unsigned char *wrong)
{
    if (r->truth[i].class == CLASS_QUALITY) {
        describe_quality(r, i, res, check);
        return;
    }
    const conform_tensor *t = &r->slot->layout.t[i];
    const int raw = r->truth[i].class == CLASS_RAW;
    conform_tensor bytes = *t;
    char pattern[200] = "";
    if (raw) {
        bytes.rows = 1;
        bytes.cols = (int64_t)t->bytes;
    }
    const conform_wrong where = {.t = &bytes,
                                 .marks = wrong,
                                 .got = raw ? NULL : r->data[i],
                                 .truth = &r->truth[i],
                                 .borders = raw ? NULL : r->borders};
    if (wrong)
        conform_describe_wrong(&where, pattern, sizeof pattern);
    if (wrong && !judge_failed(r))
        draw_map(r, i, where);
    const int64_t at = res->first_wrong, cols = bytes.cols > 0 ? bytes.cols : 1;
    if (raw)
        conform_verdict_fail(r->verdict, check, "%s, byte %lld: %s", t->name, (long long)at,
                             pattern);
    else
        conform_verdict_fail(r->verdict, check, "%s[%lld,%lld]%s%s", t->name,
                             (long long)(res->worst / cols), (long long)(res->worst % cols),
                             *pattern ? ": " : "", pattern);
    keep_worst(r, i, res);
}

static void against_truth(judge_run *r, int i, conform_check check)
{
    const conform_tensor *t = &r->slot->layout.t[i];
    conform_verdict *v = r->verdict;
    conform_result res;
    const void *got = with_gaps_of(r, i, r->data[i]);
    conform_compare(t, got, &r->truth[i], &res, NULL);
    v->n_compared += res.n_compared;
    if (check == CHECK_VALUE) {
        v->n_signed += res.n_signed;
        v->signed_sum += res.signed_error_sum;
        v->outward_sum += res.outward_sum;
        v->signed_squares += res.signed_squares;
        v->lean_sum += res.lean_sum;
    }
    if (res.n_wrong) {
        /* Only a wrong tensor needs the marks from which its pattern is read. */
        const size_t elements = (size_t)(t->rows * t->cols);
        unsigned char *wrong = conform_pool_take(
            &r->judge->pool, t->bytes > elements ? t->bytes : elements, 1); /* a mark for each */
        conform_compare(t, got, &r->truth[i], &res, wrong);
        describe_wrong(r, i, &res, check, wrong);
    }
    if (!judge_failed(r) && !(res.ratio < v->ratio) && res.worst >= 0)
        keep_worst(r, i, &res);
    v->ratio = res.ratio > v->ratio ? res.ratio : v->ratio;
    v->power = r->truth[i].power > v->power ? r->truth[i].power : v->power;
}

/* Compares with the scalar backend, unless that refuses the call itself. */
static void against_scalar(judge_run *r, int i)
{
    const conform_slot *s = r->slot;
    conform_result res;
    if (!s->reference[i] || s->reference_status != IFN_OK)
        return;
    conform_compare_pair(&s->layout.t[i], r->data[i], s->reference[i], &r->truth[i], &s->truth[i],
                         &res);
    r->verdict->scalar_ratio =
        res.ratio > r->verdict->scalar_ratio ? res.ratio : r->verdict->scalar_ratio;
    if (res.n_wrong)
        describe_wrong(r, i, &res, CHECK_SCALAR, NULL);
}

/* Compares with golden values of the spec, which the oracle must confirm, too. */
static void against_golden(judge_run *r, int i)
{
    const conform_slot *s = r->slot;
    const conform_tensor *t = &s->layout.t[i];
    const spec_values *want = conform_golden_want(&s->layout, i, s->entry);
    ifn_error err = {0};
    if (!want)
        return;
    const conform_declared d = conform_declared_of(r->judge->backend, &s->c);
    const bool is_rounded = !conform_arithmetic_is_plain(&d.arithmetic);
    if (!conform_golden_confirms(t, want, &r->truth[i], &err))
        conform_verdict_fail(r->verdict, CHECK_VALUE, "golden '%s': the oracle disagrees: %s",
                             s->entry->name, err.text);
    if (!conform_golden_holds(t, want, r->data[i], &r->truth[i], is_rounded, &err))
        conform_verdict_fail(r->verdict, CHECK_VALUE, "golden '%s': %s", s->entry->name, err.text);
}

/* True if no output has a bound above 0. A backend that splits offsets off rounds even on the lattice. */
static bool is_exact(const conform_truth *t, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!t->skip[i] && t->bound[i] > 0)
            return false;
    return true;
}

/* Checks all elements between the samples by Freivalds' identity, where sums are exact. */
static void against_identity(judge_run *r)
{
    conform_product products[IFN_LINEAR_MAX];
    const int n = conform_products_of(r->slot, products);
    const conform_declared declared = conform_declared_of(r->judge->backend, &r->slot->c);
    for (int i = 0; i < n && !judge_failed(r); i++) {
        const conform_product *p = &products[i];
        const float *got = r->data[p->out];
        int64_t row, feature;
        double want;
        if (!conform_is_exact_under(r->slot, &declared, i) ||
            !is_exact(&r->truth[p->out], p->rows * p->features))
            continue;
        if (conform_product_is_wrong(p, got, &r->judge->pool, &row, &feature, &want))
            conform_verdict_fail(r->verdict, CHECK_VALUE, "%s[%lld,%lld]: %g, expected %g exactly",
                                 r->slot->layout.t[p->out].name, (long long)row, (long long)feature,
                                 (double)got[row * p->out_stride + feature], want);
    }
}

void judge_values(judge_run *r)
{
    const conform_slot *s = r->slot;
    for (int i = 0; i < s->layout.n; i++) {
        if (!r->data[i] || (!r->truth[i].want && !r->truth[i].raw))
            continue;
        against_truth(r, i, CHECK_VALUE);
        if (s->c.tier == TIER_GOLDEN)
            against_golden(r, i);
        if (!judge_failed(r))
            against_scalar(r, i);
    }
    if (!judge_failed(r))
        against_identity(r);
}

void judge_like(judge_run *r, conform_check check)
{
    for (int i = 0; !r->is_left && i < r->slot->layout.n; i++)
        if (r->data[i] && (r->truth[i].want || r->truth[i].raw))
            against_truth(r, i, check);
}

/* Hashes elements where all NaNs are equal, and bytes otherwise. */
uint64_t judge_digest(const judge_run *r)
{
    uint64_t h = FNV1A_START;
    for (int i = 0; i < r->slot->layout.n; i++) {
        const conform_tensor *t = &r->slot->layout.t[i];
        const int any_nan = t->element == ELEMENT_F32 && r->truth[i].class != CLASS_RAW;
        if (!r->whole[i] || t->role == ROLE_BETWEEN)
            continue;
        for (size_t at = 0; at < t->bytes; at++) {
            static const unsigned char nan[4] = {0, 0, 0xc0, 0x7f};
            uint32_t bits = 0;
            if (any_nan)
                memcpy(&bits, r->whole[i] + at / 4 * 4, sizeof bits);
            const unsigned char byte = is_nan_bits(bits) ? nan[at % 4] : r->whole[i][at];
            h = fnv1a_word(h, byte);
        }
    }
    return h ? h : 1;
}

/* Checks the bytes between rows, which must hold the prefill, or what was there before. */
static void check_gaps(judge_run *r, int i, conform_run run, int which)
{
    const conform_tensor *t = &r->slot->layout.t[i];
    const size_t row = conform_row_bytes(t), stride = conform_stride_bytes(t);
    const unsigned char *got = r->data[i];
    if (stride == row || t->rows < 2)
        return;
    unsigned char *clean = conform_pool_take_raw(&r->judge->pool, t->bytes, 1);
    conform_prefill(r->slot, i, clean, which);
    for (int64_t k = 0; k + 1 < t->rows; k++)
        if (memcmp(clean + (size_t)k * stride + row, got + (size_t)k * stride + row,
                   stride - row) != 0)
            conform_verdict_fail(r->verdict, CHECK_GAP, "%s: the gap after row %lld of %s",
                                 conform_run_name(run), (long long)k, t->name);
}

void judge_fail_slack(judge_run *r, conform_run run, int n, int64_t offset, size_t bytes,
                      const char *name)
{
    const bool is_before = offset < 0;
    conform_verdict_fail(r->verdict, CHECK_SLACK, "%s: %d bytes %s %s, the first %lld away",
                         conform_run_name(run), n, is_before ? "before" : "after", name,
                         (long long)(is_before ? -offset : offset - (int64_t)bytes));
}

static void check_slack(judge_run *r, const guard_tensor *t, guard_place place, conform_run run,
                        const char *name)
{
    int64_t offset;
    const int n = guard_slack_changed(t, place, &offset);
    if (n)
        judge_fail_slack(r, run, n, offset, t->bytes, name);
}

/* Checks an input that no page protection has guarded: a write to protected memory would have ended the process. */
static void check_input(judge_run *r, int i, guard_place place, conform_run run)
{
    const conform_tensor *t = &r->slot->layout.t[i];
    if (r->tensors[i].region->is_read_only && guard_protects())
        return;
    if (memcmp(r->tensors[i].at[place], r->slot->before[i], t->bytes) != 0)
        conform_verdict_fail(r->verdict, CHECK_INPUT, "%s: input %s has changed",
                             conform_run_name(run), t->name);
}

void judge_expect_untouched(judge_run *r, int which, const char *when)
{
    const conform_slot *s = r->slot;
    unsigned char *clean;
    for (int i = 0; i < s->layout.n; i++) {
        if (!s->is_written[i] || !r->data[i])
            continue;
        clean = conform_pool_take_raw(&r->judge->pool, s->layout.t[i].bytes, 1);
        conform_prefill(s, i, clean, which);
        if (memcmp(clean, r->data[i], s->layout.t[i].bytes) != 0)
            conform_verdict_fail(r->verdict, CHECK_WROTE, "%srefused, and has written to %s", when,
                                 s->layout.t[i].name);
    }
}

void judge_check_memory(judge_run *r, guard_place place, conform_run run, int which)
{
    const conform_slot *s = r->slot;
    for (int i = 0; i < s->layout.n; i++) {
        if (s->layout.t[i].absent)
            continue;
        if (!s->is_written[i]) {
            check_input(r, i, place, run);
            continue;
        }
        if (r->data[i])
            check_gaps(r, i, run, which);
        check_slack(r, &r->tensors[i], place, run, s->layout.t[i].name);
    }
    if (r->scratch.bytes)
        check_slack(r, &r->scratch, PLACE_END, run, "scratch");
}
