#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "gen.h"
#include "leaves.h"
#include "test.h"

/* A handle: the copy of a weight, either packed by prepare or adopted from an image. `fault` names what a backend
 * does wrong with it. */
typedef struct handle {
    const unsigned char *image;
    size_t bytes;
    bool is_adopted;
} handle;

typedef enum fault {
    WELL,
    SHIFTED,
    OLD,
    WRITES,
    OTHER_OPS,
    NO_IMAGE,
    REFUSES,
    ANY_SIZE,
    LARGER,
    WHOLE_ROWS,
    OTHER_STATUS,
    UNFILLED,
    PADS,
    ADDRESSED,
    RENAMES
} fault;

static fault fault_of(const ifn_backend *self)
{
    static const char *const words[] = {"well",   "shifted",    "old",          "writes",
                                        "others", "imageless",  "refuses",      "any_size",
                                        "larger", "whole_rows", "other_status", "unfilled",
                                        "pads",   "addressed",  "renames"};
    if (strcmp(self->desc->name, "well_for_both") == 0)
        return WELL;
    for (size_t i = 0; i < N_OF(words); i++)
        if (strcmp(self->desc->name, words[i]) == 0)
            return (fault)i;
    abort();
}

enum { HEAD = 64, PAD = 24 };

/* Returns the bytes of an image. UNFILLED adds a pad at the end that it never fills; ADDRESSED adds the address of
 * the weight. */
static size_t image_bytes(const ifn_backend *self, const ifn_tensor *w)
{
    const fault f = fault_of(self);
    return ifn_matrix_bytes(w) + (f == UNFILLED ? PAD : f == ADDRESSED ? sizeof w->data : 0);
}

static const unsigned char *latest;

/* A backend that fills in linear_q8 has no handles of F32 weights for it. */
static uint32_t ops_of(const ifn_tensor *w, uint32_t uses)
{
    const uint32_t ops = IFN_USE_LINEAR | (w->dtype == IFN_DTYPE_F32 ? 0 : IFN_USE_LINEAR_Q8);
    return uses & ops;
}

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    for (int i = 0; i < n; i++) {
        const size_t bytes = image_bytes(self, w[i]);
        out[i] = (ifn_packed){.data = NULL};
        if (!ops_of(w[i], uses))
            continue;
        unsigned char *const block =
            self->buffers->alloc(self->buffers->cookie, HEAD + bytes, HEAD);
        if (!block) {
            while (i-- > 0)
                self->buffers->free(self->buffers->cookie, out[i].data, out[i].bytes);
            return ifn_fail(err, IFN_ERR_NOMEM, "no memory");
        }
        const handle h = {block + HEAD, bytes, false};
        memcpy(block, &h, sizeof h);
        memcpy(block + HEAD, w[i]->data, ifn_matrix_bytes(w[i]));
        if (fault_of(self) == ADDRESSED)
            memcpy(block + HEAD + ifn_matrix_bytes(w[i]), &w[i]->data, sizeof w[i]->data);
        latest = block + HEAD;
        out[i] = (ifn_packed){.data = block, .bytes = HEAD + bytes, .ops = ops_of(w[i], uses)};
    }
    return IFN_OK;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    self->buffers->free(self->buffers->cookie, packed->data, packed->bytes);
}

static void layout(const ifn_backend *self, const ifn_tensor *w, uint32_t uses,
                   char out[IFN_LAYOUT_BYTES])
{
    if (fault_of(self) == RENAMES)
        snprintf(out, IFN_LAYOUT_BYTES, "%p", (const void *)w);
    else
        strcpy(out, ops_of(w, uses) ? "as it is" : "");
}

static const void *image(ifn_backend *self, const ifn_packed *packed, size_t *bytes)
{
    const handle *const h = packed->data;
    *bytes = h->bytes;
    return fault_of(self) == NO_IMAGE ? NULL : h->image;
}

static bool is_taken(const ifn_backend *self, size_t bytes, const ifn_tensor *w)
{
    const fault f = fault_of(self);
    const size_t whole = image_bytes(self, w);
    return f == ANY_SIZE     ? true
           : f == LARGER     ? bytes >= whole
           : f == WHOLE_ROWS ? bytes % ifn_dtype_row_bytes(w->dtype, w->shape[1]) == 0
                             : bytes == whole;
}

static ifn_status adopt(ifn_backend *self, const ifn_tensor *w, uint32_t uses, const void *from,
                        size_t bytes, ifn_packed *out, ifn_error *err)
{
    const fault f = fault_of(self);
    if (!is_taken(self, bytes, w))
        return ifn_fail(err, f == OTHER_STATUS ? IFN_ERR_ARGUMENT : IFN_ERR_SHAPE, "its size");
    if (f == REFUSES)
        return ifn_fail(err, IFN_ERR_SHAPE, "I do not like it");
    volatile unsigned char *const last = (unsigned char *)(uintptr_t)from + bytes - 1;
    if (f == PADS)
        *last = *last;
    void *const block = self->buffers->alloc(self->buffers->cookie, HEAD, HEAD);
    if (!block)
        return ifn_fail(err, IFN_ERR_NOMEM, "no memory");
    const handle h = {f == OLD ? latest : from, bytes, true};
    memcpy(block, &h, sizeof h);
    *out = (ifn_packed){
        .data = block, .bytes = HEAD, .ops = f == OTHER_OPS ? IFN_USE_LINEAR_Q8 : ops_of(w, uses)};
    return IFN_OK;
}

/* Computes linear of the weights in the images. */
static ifn_status linear(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args raw = *a;
    ifn_tensor w[IFN_LINEAR_MAX];
    bool is_wrong = false;
    for (int64_t i = 0; i < a->n_w; i++) {
        const handle *const h = a->packed[i];
        w[i] = *a->w[i];
        if (h)
            w[i].data = h->image;
        if (h && fault_of(self) == WRITES)
            *(volatile unsigned char *)(uintptr_t)h->image = h->image[0];
        raw.w[i] = &w[i];
        raw.packed[i] = NULL;
        is_wrong |= h && h->is_adopted && fault_of(self) == SHIFTED;
    }
    const ifn_status status = ifn_linear(self->base, &raw);
    if (is_wrong && status == IFN_OK && a->rows > 0)
        a->out[0][0] += 1;
    return status;
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = linear;
}

/* The judge does not call it in cases of linear. */
static ifn_status linear_q8(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return ifn_linear_q8(self->base, a);
}

static void fill_both(ifn_op_table *table, const ifn_backend_env *env)
{
    fill(table, env);
    table->linear_q8 = linear_q8;
}

static ifn_status open_it(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, "", NULL, out, err);
}

#define KEEPER_OF(word, fill_it)                                                                   \
    static const ifn_backend_desc desc_##word = {                                                  \
        IFN_BACKEND_STAMP,  .name = #word,    .summary = "",  .fill = fill_it, .prepare = prepare, \
        .release = release, .layout = layout, .image = image, .adopt = adopt};                     \
    static const conform_tested word = {#word, open_it, &desc_##word};
#define KEEPER(word) KEEPER_OF(word, fill)
KEEPER(well)
KEEPER(shifted)
KEEPER(old)
KEEPER(writes)
KEEPER(others)
KEEPER(imageless)
KEEPER(refuses)
KEEPER(any_size)
KEEPER(larger)
KEEPER(whole_rows)
KEEPER(unfilled)
KEEPER(other_status)
KEEPER(pads)
KEEPER(addressed)
KEEPER(renames)
KEEPER_OF(well_for_both, fill_both)

/* Returns the first case from seed 3 on whose handles the judge adopts, or does not adopt. */
static conform_case case_of(bool is_adopted)
{
    conform_case c = {.op = IFN_OP_LINEAR,
                      .dim = {3, 5, 8, 2, 3, 0},
                      .tier = TIER_T1,
                      .family = FAMILY_NORMAL,
                      .prepared = 1,
                      .seed = 3};
    while (conform_hash(c.seed, "adopt", 0) % 2 != !is_adopted)
        c.seed++;
    return c;
}

TEST(a_weight_of_nothing_has_an_image_of_nothing)
{
    for (int dim = 1; dim <= 2; dim++) {
        conform_case c = case_of(true);
        c.dim[dim] = 0;
        const conform_verdict v = judge_once(&well, &c);
        assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
    }
}

TEST(adopted_handles_owe_what_prepared_ones_owe)
{
    for (int is_adopted = 0; is_adopted < 2; is_adopted++) {
        const conform_case c = case_of(is_adopted);
        const conform_verdict v = judge_once(&well, &c);
        assert_that(v.outcome == OUTCOME_PASS, "%s", v.detail);
    }
    bench_expect(&shifted, case_of(true), CHECK_VALUE, "");
    bench_expect(&others, case_of(true), CHECK_PREPARE,
                 "adopt: a handle for the ops 0x4, expected 0x2");
    bench_expect(&imageless, case_of(true), CHECK_PREPARE,
                 "image: no bytes of a weight that has a layout");
    bench_expect(&refuses, case_of(true), CHECK_PREPARE, "adopt: I do not like it");
    bench_expect(&renames, case_of(true), CHECK_PREPARE, " when asked again");
}

/* Tries 64 seeds: in each the judge asks for the image of one other size of each weight. */
static void expect_size_seen(const conform_tested *tested)
{
    conform_case c = case_of(true);
    int n = 0;
    for (c.seed = 0; c.seed < 64; c.seed++) {
        const conform_verdict v = judge_once(tested, &c);
        n += v.check == CHECK_PREPARE && strstr(v.detail, "expected ERR_SHAPE") != NULL;
        assert_that(v.outcome == OUTCOME_PASS || v.check == CHECK_PREPARE, "%s", v.detail);
    }
    assert_that(n > 0, "%s", tested->label);
}

TEST(images_of_other_sizes_are_refused)
{
    expect_size_seen(&any_size);
    expect_size_seen(&larger);
    expect_size_seen(&whole_rows);
    expect_size_seen(&other_status);
}

/* Tries 64 seeds: in some the judge prepares the weight once more, at another address and with other bytes in
 * memory. */
static void expect_difference_seen(const conform_tested *tested)
{
    conform_case c = case_of(true);
    int n = 0;
    for (c.seed = 0; c.seed < 64; c.seed++)
        n += strstr(judge_once(tested, &c).detail, "image: differs at byte") != NULL;
    assert_true(n > 0);
}

TEST(what_nobody_fills_is_no_part_of_an_image)
{
    expect_difference_seen(&unfilled);
}

TEST(where_the_weight_was_is_no_part_of_an_image)
{
    expect_difference_seen(&addressed);
}

TEST(images_are_only_read_and_all_there_is)
{
    bench_expect(&writes, case_of(true), CHECK_GUARD, "SIGSEGV writing");
    bench_expect(&pads, case_of(true), CHECK_GUARD, "SIGSEGV writing");
}

/* The prepared handle is gone when the op runs: its memory holds nothing, or something else. */
TEST(what_was_prepared_is_gone)
{
    const conform_failure f = bench_failure_of(&old, case_of(true), 10);
    assert_that(f.verdict.check == CHECK_VALUE || f.verdict.check == CHECK_GUARD ||
                    f.verdict.check == CHECK_CRASH,
                "%s", f.verdict.detail);
}

TEST(cases_that_are_not_adopted_do_not_see_it)
{
    static const conform_tested *const all[] = {&shifted, &others, &refuses, &imageless};
    const conform_case c = case_of(false);
    for (size_t i = 0; i < N_OF(all); i++) {
        const conform_verdict v = judge_once(all[i], &c);
        assert_that(v.outcome == OUTCOME_PASS, "%s: %s", all[i]->label, v.detail);
    }
}

/* In these cases the judge first makes handles for the other op, adopts them, and gives them back because they do
 * not serve this op. */
TEST(handles_are_adopted_after_two_threads_have_prepared)
{
    enum { AT_ONCE = 21, KINDS = 24, OTHERS = 1, USES = 4, CASES = 24 };
    conform_case c = case_of(true);
    int n = 0;
    c.dtype = IFN_DTYPE_Q8_0;
    c.dim[2] = 32;
    c.n_more = 1;
    c.more[0] = IFN_DTYPE_F32;
    for (c.seed = 0; n < CASES; c.seed++) {
        if (conform_hash(c.seed, "adopt", 0) % 2 ||
            conform_hash(c.seed, "others", 0) % KINDS != AT_ONCE ||
            conform_hash(c.seed, "uses", 0) % USES != OTHERS)
            continue;
        const conform_verdict v = judge_once(&well_for_both, &c);
        assert_that(v.outcome == OUTCOME_PASS, "seed %llu: %s", (unsigned long long)c.seed,
                    v.detail);
        n++;
    }
}
