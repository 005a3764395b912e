#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "judge_lend.h"
#include "leaves.h"
#include "test.h"

static void expect_fault(const conform_tested *tested, conform_case c, conform_check check)
{
    const conform_verdict v = judge_once(tested, &c);
    assert_that(v.check == check, "%s: %s: %s, expected %s", tested->label,
                conform_check_name(v.check), v.detail, conform_check_name(check));
    assert_int_equal(v.outcome, check ? OUTCOME_FAIL : OUTCOME_PASS);
}

static conform_case linear_case(int32_t prepared)
{
    return (conform_case){.op = IFN_OP_LINEAR,
                          .dim = {3, 5, 8, 2, 3, 0},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL,
                          .prepared = prepared,
                          .seed = 3};
}

TEST(handles_go_to_the_ops_they_name)
{
    expect_fault(&tested_packs, linear_case(0), CHECK_NONE);
    expect_fault(&tested_packs, linear_case(1), CHECK_VALUE);
    expect_fault(&tested_packs_for_q8, linear_case(1), CHECK_NONE);
    expect_fault(&tested_cannot_pack, linear_case(1), CHECK_PREPARE);
    expect_fault(&tested_cannot_pack, linear_case(0), CHECK_NONE);
}

/* A backend that packs into `bytes` bytes of its allocator, and the functions by which it misuses them. */
typedef struct packing {
    size_t bytes;
    void (*pack)(volatile unsigned char *packed, size_t bytes);
    void (*use)(volatile unsigned char *packed, size_t bytes);
    size_t lost; /* bytes by which release gives back too little; SIZE_MAX: it gives back nothing */
    enum { UNDOES, LEAVES, OVERLOOKS } starved; /* prepare without memory for a handle */
} packing;

static ifn_status open_packing(const conform_tested *self, ifn_backend **out, ifn_error *err);

static const packing *packing_of(const ifn_backend *self);

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    const packing *p = packing_of(self);
    (void)w;
    (void)uses;
    for (int i = 0; i < n; i++) {
        void *const data = self->buffers->resize(self->buffers->cookie, NULL, 0, p->bytes, 64);
        if (!data && p->starved != OVERLOOKS) {
            while (i-- > 0 && p->starved == UNDOES)
                self->buffers->free(self->buffers->cookie, out[i].data, p->bytes);
            return ifn_fail(err, IFN_ERR_NOMEM, "no memory");
        }
        memset(data, 0, p->bytes);
        if (p->pack)
            p->pack(data, p->bytes);
        out[i] = (ifn_packed){.data = data, .bytes = p->bytes, .ops = IFN_USE_LINEAR};
    }
    return IFN_OK;
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    const packing *p = packing_of(self);
    if (p->lost != SIZE_MAX)
        self->buffers->free(self->buffers->cookie, packed->data, packed->bytes - p->lost);
}

static ifn_status linear(ifn_backend *self, const ifn_linear_args *a)
{
    const packing *p = packing_of(self);
    for (int64_t i = 0; i < a->n_w; i++)
        if (a->packed[i] && p->use)
            p->use((volatile unsigned char *)(uintptr_t)a->packed[i], p->bytes);
    return ifn_linear(self->base, a);
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = linear;
}

static void at_the_end(volatile unsigned char *packed, size_t bytes)
{
    packed[bytes - 1] = 1;
}

static void after(volatile unsigned char *packed, size_t bytes)
{
    packed[bytes] = 1;
}

static void before(volatile unsigned char *packed, size_t bytes)
{
    (void)bytes;
    packed[-1] = 1;
}

static void read_all(volatile unsigned char *packed, size_t bytes)
{
    (void)packed[0];
    (void)packed[bytes - 1];
}

static void read_behind(volatile unsigned char *packed, size_t bytes)
{
    (void)packed[bytes];
}

static void written(volatile unsigned char *packed, size_t bytes)
{
    packed[bytes - 1] = 0;
}

/* X(what it does, bytes, pack, use, lost, without memory) */
/* clang-format off */
#define PACKINGS(X)                                          \
    X(well, 128, at_the_end, read_all, 0, UNDOES)            \
    X(well_and_odd, 100, at_the_end, read_all, 0, UNDOES)    \
    X(packs_behind, 128, after, NULL, 0, UNDOES)             \
    X(packs_behind_odd, 100, after, NULL, 0, UNDOES)         \
    X(packs_before, 128, before, NULL, 0, UNDOES)            \
    X(reads_behind, 128, NULL, read_behind, 0, UNDOES)       \
    X(writes, 128, NULL, written, 0, UNDOES)                 \
    X(keeps, 128, NULL, NULL, SIZE_MAX, UNDOES)              \
    X(loses, 128, NULL, NULL, 28, UNDOES)                    \
    X(leaves, 128, NULL, NULL, 0, LEAVES)                    \
    X(overlooks, 128, NULL, NULL, 0, OVERLOOKS)
/* clang-format on */

#define X(word, n, pack, use, lost, starved)                                                       \
    static const packing packing_##word = {n, pack, use, lost, starved};                           \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP,  .name = #word,                \
                                                 .summary = "",      .fill = fill,                 \
                                                 .prepare = prepare, .release = release};          \
    static const conform_tested word = {#word, open_packing, &desc_##word};
PACKINGS(X)
#undef X

static const packing *packing_of(const ifn_backend *self)
{
#define X(word, n, pack, use, lost, starved)                                                       \
    if (strcmp(self->desc->name, #word) == 0)                                                      \
        return &packing_##word;
    PACKINGS(X)
#undef X
    abort();
}

static ifn_status open_packing(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, "", NULL, out, err);
}

static void expect_in_worker(const conform_tested *tested, conform_check check, const char *said)
{
    bench_expect(tested, linear_case(1), check, said);
}

TEST(packed_weights_have_guards)
{
    expect_fault(&well, linear_case(1), CHECK_NONE);
    expect_fault(&well_and_odd, linear_case(1), CHECK_NONE);
    expect_in_worker(&packs_behind, CHECK_GUARD,
                     "weights prepared: SIGSEGV writing 0 bytes after packed_0");
    expect_in_worker(&packs_behind_odd, CHECK_SLACK,
                     "weights prepared: 1 bytes after packed_0, the first 0 away");
    expect_in_worker(&packs_before, CHECK_SLACK,
                     "weights prepared: 1 bytes before packed_0, the first 1 away");
    expect_in_worker(&reads_behind, CHECK_GUARD,
                     "tensors flush against their ends: SIGSEGV reading 0 bytes after packed_0");
}

TEST(an_op_does_not_write_to_a_handle)
{
    expect_in_worker(&writes, CHECK_GUARD, "SIGSEGV writing at byte 127 of packed_0");
}

/* The judge does not blame a later case for memory that an earlier one has kept. */
TEST(release_gives_back_all_of_it)
{
    expect_in_worker(&keeps, CHECK_PREPARE, "packed_0: 128 bytes are not given back by release");
    expect_in_worker(&loses, CHECK_PREPARE, "packed_0: 100 bytes given back, expected the 128");
}

/* Weights are also prepared without memory for one of the handles, in some cases: prepare leaves nothing behind. */
TEST(a_prepare_without_memory_undoes_its_work)
{
    conform_case c = linear_case(1);
    while (!judge_is_starved(&c))
        c.seed++;
    expect_fault(&well, c, CHECK_NONE);
    while (judge_starved_at(&c) < 2 || !judge_is_starved(&c)) /* there is a handle to be undone */
        c.seed++;
    expect_fault(&well, c, CHECK_NONE);
    bench_expect(&leaves, c, CHECK_PREPARE,
                 "packed_0: 128 bytes are not given back by a prepare that got no memory");
    /* by SIGSEGV, or in the words of a sanitizer */
    bench_expect(&overlooks, c, CHECK_CRASH, "weights prepared without memory");
}

/* The handle is the tensor itself, or its data: neither may still be there when an op runs. */
static ifn_status prepare_pointer(const ifn_tensor *const *w, int n, int is_tensor, ifn_packed *out)
{
    for (int i = 0; i < n; i++) {
        const void *const kept = is_tensor ? (const void *)w[i] : w[i]->data;
        out[i] = (ifn_packed){.data = (void *)(uintptr_t)kept, .ops = IFN_USE_LINEAR};
    }
    return IFN_OK;
}

static ifn_status prepare_tensor(ifn_backend *self, const ifn_tensor *const *w, int n,
                                 uint32_t uses, ifn_packed *out, ifn_error *err)
{
    (void)self, (void)uses, (void)err;
    return prepare_pointer(w, n, 1, out);
}

static ifn_status prepare_data(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                               ifn_packed *out, ifn_error *err)
{
    (void)self, (void)uses, (void)err;
    return prepare_pointer(w, n, 0, out);
}

static void release_nothing(ifn_backend *self, ifn_packed *packed)
{
    (void)self;
    packed->data = NULL;
}

static volatile unsigned char sink;

static ifn_status linear_of_pointer(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args raw = *a;
    for (int64_t i = 0; i < a->n_w; i++) {
        if (a->packed[i])
            sink = *(const unsigned char *)a->packed[i];
        raw.packed[i] = NULL;
    }
    return ifn_linear(self->base, &raw);
}

static void fill_pointer(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = linear_of_pointer;
}

static const ifn_backend_desc desc_tensor = {
    IFN_BACKEND_STAMP,    .name = "tensor",          .summary = "",
    .fill = fill_pointer, .prepare = prepare_tensor, .release = release_nothing};
static const ifn_backend_desc desc_data = {IFN_BACKEND_STAMP,       .name = "data",
                                           .summary = "",           .fill = fill_pointer,
                                           .prepare = prepare_data, .release = release_nothing};

TEST(data_stays_and_what_describes_it_does_not)
{
    static const conform_tested tensor = {"tensor", open_packing, &desc_tensor},
                                data = {"data", open_packing, &desc_data};
    expect_fault(&data, linear_case(1), CHECK_NONE);
    expect_in_worker(&tensor, CHECK_CRASH, "tensors flush against their ends: SIGSEGV");
}

/* A wrapper that changes a bit of the inner backend's result with packed weights, and only there. */
static ifn_status linear_nudged(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->inner, a);
    if (status == IFN_OK && a->packed[0] && a->rows > 0 && a->part_begin == 0 &&
        a->part2_begin == 0)
        leaf_nudge(a->out[0], 1);
    return status;
}

static void fill_nudged(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = linear_nudged;
}

static const ifn_backend_desc desc_nudged = {IFN_BACKEND_STAMP, .name = "nudged", .summary = "",
                                             .flags = IFN_BACKEND_WRAPPER, .fill = fill_nudged};
static ifn_backend *wrapped;

static ifn_status open_nudged(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, wrapped, "", NULL, out, err);
}

TEST(a_wrapper_is_compared_on_packed_weights_too)
{
    static const conform_tested nudged = {"nudged", open_nudged, &desc_nudged};
    ifn_error err = {0};
    assert_ok(open_packing(&well, &wrapped, &err), err);
    expect_fault(&nudged, linear_case(0), CHECK_NONE);
    expect_fault(&nudged, linear_case(1), CHECK_WRAPPER);
    ifn_backend_close(wrapped);
}

/* --- handles that claim too much --- */

static const void *handle_for_q8;

/* Makes a handle for one of the two ops, that of `uses`, but names both in its mask. */
static ifn_status prepare_for_both(ifn_backend *self, const ifn_tensor *const *w, int n,
                                   uint32_t uses, ifn_packed *out, ifn_error *err)
{
    static char for_linear, for_q8;
    (void)self;
    (void)w;
    (void)err;
    for (int i = 0; i < n; i++)
        out[i] = (ifn_packed){.data = uses & IFN_USE_LINEAR ? &for_linear : &for_q8,
                              .bytes = uses & IFN_USE_LINEAR ? 1 : 2,
                              .ops = IFN_USE_LINEAR | IFN_USE_LINEAR_Q8};
    handle_for_q8 = &for_q8;
    return IFN_OK;
}

static ifn_status linear_as_it_is(ifn_backend *self, const ifn_linear_args *a)
{
    return ifn_linear(self->base, a);
}

static ifn_status linear_q8_by_handle(ifn_backend *self, const ifn_linear_q8_args *a)
{
    const ifn_status status = ifn_linear_q8(self->base, a);
    const int is_other = a->packed[0] && a->packed[0] != handle_for_q8;
    for (int64_t r = 0; status == IFN_OK && is_other && r < a->rows; r++)
        a->out[0][r * a->out_stride[0]] = 1e30f;
    return status;
}

static void fill_both(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = linear_as_it_is;
    table->linear_q8 = linear_q8_by_handle;
}

TEST(a_handle_is_read_by_each_op_that_its_mask_names)
{
    static const ifn_backend_desc desc = {
        IFN_BACKEND_STAMP, .name = "for_both",          .summary = "",
        .fill = fill_both, .prepare = prepare_for_both, .release = release_nothing};
    static const conform_tested for_both = {"for_both", leaf_open, &desc};
    const conform_case c = {.op = IFN_OP_LINEAR_Q8,
                            .dtype = IFN_DTYPE_Q8_0,
                            .dim = {3, 5, 64, 2, 0, 0},
                            .tier = TIER_T1,
                            .family = FAMILY_NORMAL,
                            .prepared = 1};
    const leaf_statistics s = leaf_judge(&for_both, c, CHECK_VALUE);
    assert_that(s.n_check > 0 && s.n_passed > 0 && s.n_other == 0, "%d, %d, %d: %s", s.n_check,
                s.n_passed, s.n_other, s.first);
}
