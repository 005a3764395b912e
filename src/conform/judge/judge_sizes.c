/*
 * Finds errors at joint remainders of several sizes, beyond a threshold, which takes more sizes than can be judged. Of
 * each size only the call and one of its parts are run, without guards, and compared with scalar. A result that differs
 * by more than two right kernels usually do is judged as a case of its own: nothing fails here.
 */
#include "judge_sizes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <inferno/quant.h>

#include "declared.h"
#include "gen.h"
#include "invoke.h"
#include "judge_run.h"
#include "other_sizes.h"
#include "part_region.h"

/* The usual difference of right kernels, relative to the largest result of a row; and the one where factors or sums are
 * declared to be rounded to a shorter format. */
static const float usual = 0x1p-11f, coarse = 0x1p-7f;
/* The tolerance for codes of a block: one more or less is right where the f32 results differ. */
static const float one_code = 0x1p-6f;

/* A case tries no more sizes after so many suspects. */
enum { MOST_SUSPECTS = 2 };

typedef struct trial {
    judge_run run;
    conform_slot slot;
    conform_verdict verdict;
    float tolerance;
    unsigned char *whole[CONFORM_MAX_TENSORS];
} trial;

/* The bytes after each tensor, besides those that the backend may read; it may write none of them. */
enum { BEYOND = 64 };
static const uint32_t untouched = 0x5a5a5a5au;

static size_t beyond(const trial *t)
{
    return t->run.overread + BEYOND;
}

static unsigned char *room_for(const trial *t, int i)
{
    const size_t bytes = t->slot.layout.t[i].bytes;
    unsigned char *const room = conform_pool_take_raw(&t->run.judge->beside, bytes + beyond(t), 1);
    conform_fill_words(room + bytes, beyond(t), untouched);
    return room;
}

/* True if a call has written after a tensor. */
static bool has_strayed(const trial *t)
{
    for (int i = 0; i < t->slot.layout.n; i++) {
        const unsigned char *const data = t->run.data[i];
        const size_t bytes = t->slot.layout.t[i].bytes;
        for (size_t k = 0; data && k < beyond(t); k++)
            if (data[bytes + k] != (unsigned char)untouched)
                return true;
    }
    return false;
}

static void place_inputs(trial *t)
{
    for (int i = 0; i < t->slot.layout.n; i++) {
        const conform_tensor *const tensor = &t->slot.layout.t[i];
        if (t->slot.is_written[i])
            continue;
        t->run.data[i] = tensor->absent ? NULL : room_for(t, i);
        if (t->run.data[i])
            memcpy(t->run.data[i], t->slot.before[i], tensor->bytes);
    }
}

/* Takes new outputs and binds the call to them. */
static void take_outputs(trial *t)
{
    for (int i = 0; i < t->slot.layout.n; i++)
        if (t->slot.is_written[i])
            t->run.data[i] = t->slot.layout.t[i].absent ? NULL : room_for(t, i);
    judge_prefill(&t->run, 0);
    judge_bind(&t->run);
}

static bool is_close(const float *got, const float *want, size_t n, float tolerance)
{
    float largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmaxf(largest, fabsf(want[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabsf(got[i] - want[i]) <= largest * tolerance) &&
            !judge_same_float(&got[i], &want[i]))
            return false;
    return true;
}

/* True if two rows of blocks, outputs in a block format, decode to close values. */
static bool are_codes_close(const trial *t, const conform_tensor *tensor, const unsigned char *got,
                            const unsigned char *want)
{
    conform_pool *const pool = &t->run.judge->beside;
    float *const a = conform_pool_take_raw(pool, (size_t)tensor->cols, sizeof *a);
    float *const b = conform_pool_take_raw(pool, (size_t)tensor->cols, sizeof *b);
    return ifn_dequantize_row(tensor->dtype, got, a, tensor->cols) == IFN_OK &&
           ifn_dequantize_row(tensor->dtype, want, b, tensor->cols) == IFN_OK &&
           is_close(a, b, (size_t)tensor->cols, one_code);
}

/* True if `n` bytes of one row of tensor i are equal or close enough. */
static bool is_alike(const trial *t, int i, const unsigned char *got, const unsigned char *want,
                     size_t n, float tolerance)
{
    const conform_tensor *const tensor = &t->slot.layout.t[i];
    if (n == 0 || memcmp(got, want, n) == 0)
        return true;
    if (tensor->element == ELEMENT_F32)
        return is_close((const float *)(const void *)got, (const float *)(const void *)want,
                        n / sizeof(float), tolerance);
    return tensor->element == ELEMENT_BLOCKS && t->slot.spec->contract_class != 'B' &&
           n == conform_row_bytes(tensor) && are_codes_close(t, tensor, got, want);
}

static bool is_right(const trial *t)
{
    const conform_layout *const l = &t->slot.layout;
    for (int i = 0; i < l->n; i++) {
        const unsigned char *const got = t->run.data[i], *const want = t->slot.reference[i];
        const size_t row = conform_row_bytes(&l->t[i]), stride = conform_stride_bytes(&l->t[i]);
        if (!want || !got || l->t[i].role == ROLE_BETWEEN)
            continue;
        for (int64_t k = 0; k < l->t[i].rows; k++)
            if (!is_alike(t, i, got + (size_t)k * stride, want + (size_t)k * stride, row,
                          t->tolerance))
                return false;
    }
    return true;
}

static bool is_clean(const unsigned char *got, const unsigned char *clean, size_t from, size_t to)
{
    return memcmp(got + from, clean + from, to - from) == 0;
}

/* True if the part has written what the whole call has written there, and nothing beside it. */
static bool is_part_right(const trial *t, const conform_part *part)
{
    const conform_layout *const l = &t->slot.layout;
    const judge_run *const r = &t->run;
    const bool is_exact = conform_is_invariant(r->judge->backend, t->slot.c.op, 1);
    for (int i = 0; i < l->n; i++) {
        if (!t->whole[i] || !r->data[i])
            continue;
        const unsigned char *const got = r->data[i];
        const size_t bytes = l->t[i].bytes;
        unsigned char *const clean = conform_pool_take_raw(&r->judge->beside, bytes, 1);
        const conform_region region = conform_part_region(t->slot.c.op, &r->call.args, l, i, part);
        size_t begin, end;
        conform_prefill(&t->slot, i, clean, 0);
        for (size_t at = 0, next; at < bytes; at = next) {
            next = conform_region_at(&region, bytes, at, &begin, &end);
            if (!is_clean(got, clean, at, begin) || !is_clean(got, clean, end, next) ||
                !is_alike(t, i, got + begin, t->whole[i] + begin, end - begin,
                          is_exact ? 0 : t->tolerance))
                return false;
        }
    }
    return true;
}

static bool draw_part(trial *t, conform_part *out)
{
    judge_run *const r = &t->run;
    const judge_cuts c[2] = {judge_draw_cuts(r, 0), judge_draw_cuts(r, 1)};
    const int n = c[0].n * (c[1].n ? c[1].n : 1);
    const bool has_phases =
        t->slot.c.op == IFN_OP_ATTENTION && r->call.args.attention.phase != IFN_ATTENTION_WHOLE;
    if (n < 2 || has_phases)
        return false;
    *out = judge_part_of(c, (int64_t)(conform_hash(t->slot.c.seed, "part", 0) % (uint64_t)n));
    return true;
}

static bool is_suspect(trial *t)
{
    judge_run *const r = &t->run;
    conform_part part;
    place_inputs(t);
    take_outputs(t);
    judge_prepare(r);
    if (judge_failed(r))
        return true;
    take_outputs(t);
    ifn_status status = judge_call(r, r->judge->backend, RUN_VALUE);
    if (status != IFN_OK)
        return !judge_is_left(r, status);
    if (judge_failed(r) || has_strayed(t) || !is_right(t))
        return true;
    for (int i = 0; i < t->slot.layout.n; i++)
        t->whole[i] = t->slot.is_written[i] ? r->data[i] : NULL;
    take_outputs(t);
    if (!draw_part(t, &part))
        return false;
    judge_set_part(r, &part);
    status = judge_call(r, r->judge->backend, RUN_PARTS);
    if (status != IFN_OK)
        return !judge_is_left(r, status);
    return judge_failed(r) || has_strayed(t) || !is_part_right(t, &part);
}

/* Ops that give the same bits in every order of the sum on exact inputs. Others have exponentials and roots in T0,
 * too. */
static bool is_sum_of_products(ifn_op op)
{
    return op == IFN_OP_MATMUL || op == IFN_OP_LINEAR || op == IFN_OP_LINEAR_Q8 ||
           op == IFN_OP_SUM_SQUARES_AXIS;
}

static float tolerance_of(const conform_declared *d, const conform_slot *slot)
{
    const bool is_exact = slot->c.tier == TIER_T0 && is_sum_of_products(slot->c.op) && !d->ftz;
    if (slot->spec->contract_class == 'B')
        return 0;
    return !conform_declared_is_plain(d) ? coarse : is_exact && !d->offset_split ? 0 : usual;
}

static bool make_trial(trial *t, conform_judge *self, const conform_slot *like,
                       const conform_case *c)
{
    ifn_error err = {0};
    if (conform_slot_beside(&t->slot, &self->beside, c, like, self->scalar, &err) != IFN_OK)
        return false;
    const conform_declared d = conform_declared_of(self->backend, c);
    t->tolerance = tolerance_of(&d, &t->slot);
    t->run.module = conform_module_of(c->op);
    t->run.overread = judge_overread(self->backend, &t->slot);
    return t->slot.reference_status == IFN_OK;
}

/* Tries one size; returns false without memory. */
static bool tries(trial *t, conform_judge *self, const conform_slot *like, const conform_case *c)
{
    jmp_buf exhausted;
    bool is_wrong = false;
    self->pool.exhausted = self->beside.exhausted = self->arena.exhausted = &exhausted;
    if (!setjmp(exhausted))
        is_wrong = make_trial(t, self, like, c) && is_suspect(t);
    self->pool.exhausted = self->beside.exhausted = self->arena.exhausted = NULL;
    return is_wrong;
}

static bool looks_wrong(conform_judge *self, const conform_slot *like, const conform_case *c)
{
    trial t = {.verdict = {.outcome = OUTCOME_PASS}};
    t.run = (judge_run){.judge = self, .slot = &t.slot, .verdict = &t.verdict};
    conform_pool_reset(&self->pool);
    conform_pool_reset(&self->beside);
    judge_tell_no_places(&t.run);
    const bool is_wrong = tries(&t, self, like, c);
    judge_release(&t.run);
    return is_wrong || judge_failed(&t.run);
}

/* Tells the site that calls are now those of case `c`, so that a worker's death is that case's; NULL: of the slot's
 * again. */
static void tell_other(conform_judge *self, const conform_case *c)
{
    if (!self->site)
        return;
    if (c)
        self->site->other = *c;
    self->site->is_other = c != NULL;
}

/* Judges the size as a case of its own. Returns true if it fails; its verdict is `out` then. */
static bool is_found(conform_judge *self, const conform_slot *like, const conform_case *c,
                     judge_whole_case *judge, conform_verdict *out)
{
    conform_slot whole;
    conform_verdict verdict;
    ifn_error err = {0};
    conform_pool_reset(&self->beside);
    if (conform_slot_build(&whole, &self->beside, c, like->spec, self->scalar, &err) != IFN_OK)
        return false;
    judge(self, &whole, &verdict);
    const bool is_refused = verdict.outcome == OUTCOME_REFUSED && !verdict.is_declared;
    if (verdict.outcome != OUTCOME_FAIL && !is_refused)
        return false;
    *out = verdict;
    out->is_of_other = 1;
    out->other = *c;
    return true;
}

void judge_other_sizes(conform_judge *self, const conform_slot *slot, judge_whole_case *judge,
                       conform_verdict *out)
{
    const int n = self->scalar && !self->image.device
                      ? conform_other_sizes_of(&slot->c, slot->spec, slot->n_other_sizes)
                      : 0;
    bool is_over = false;
    for (int i = 0, n_suspects = 0; i < n && n_suspects < MOST_SUSPECTS && !is_over; i++) {
        conform_case c;
        if (!conform_other_sizes_draw(&slot->c, slot->spec, i, &c))
            continue;
        tell_other(self, &c);
        if (looks_wrong(self, slot, &c)) {
            is_over = is_found(self, slot, &c, judge, out);
            n_suspects++;
        }
    }
    tell_other(self, NULL);
}
