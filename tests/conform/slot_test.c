#include "slot.h"

#include <stdlib.h>
#include <string.h>

#include "case_pool.h"
#include "test.h"
#include "tested.h"

typedef struct bench {
    conform_pool pool;
    ifn_backend *scalar;
    conform_slot *slot;
} bench;

static bench build(const conform_case *c, ifn_status expected)
{
    bench b;
    ifn_error err = {0};
    conform_pool_init(&b.pool);
    b.slot = calloc(1, sizeof *b.slot);
    assert_ok(ifn_backend_open("scalar", NULL, &b.scalar, &err), err);
    assert_int_equal(conform_slot_build(b.slot, &b.pool, c, matmul_spec(), b.scalar, &err),
                     expected);
    return b;
}

static void clean(bench *b)
{
    ifn_backend_close(b->scalar);
    conform_pool_fini(&b->pool);
    free(b->slot);
}

TEST(a_slot_has_inputs_truth_and_what_scalar_makes_of_them)
{
    const conform_case c = {
        .op = IFN_OP_MATMUL, .dim = {2, 3, 4}, .tier = TIER_T0, .family = FAMILY_LATTICE};
    bench b = build(&c, IFN_OK);
    const conform_slot *s = b.slot;
    const float *reference = s->reference[2];
    assert_int_equal(s->reference_status, IFN_OK);
    assert_true(s->is_written[2] && !s->is_written[0] && !s->is_written[1]);
    assert_null(s->reference[0]);
    for (int i = 0; i < 8; i++)
        assert_true((double)reference[i] == s->truth[2].want[i]);
    clean(&b);
}

TEST(outputs_hold_signalling_nans_before)
{
    const conform_case c = {.op = IFN_OP_MATMUL, .dim = {2, 3, 4}, .family = FAMILY_NORMAL};
    bench b = build(&c, IFN_OK);
    uint32_t one[8], other[8];
    conform_prefill(b.slot, 2, one, 0);
    conform_prefill(b.slot, 2, other, 1);
    for (int i = 0; i < 8; i++) {
        assert_true((one[i] & 0x7fc00000) == 0x7f800000 && one[i] & 0x3fffff);
        assert_true((other[i] & 0x7fc00000) == 0x7f800000 && other[i] & 0x3fffff);
        assert_true(one[i] != other[i]);
    }
    clean(&b);
}

TEST(poison_fills_odd_lengths)
{
    unsigned char bytes[8] = {0};
    conform_poison(bytes, 7, 0);
    for (int i = 0; i < 7; i++)
        assert_int_not_equal(bytes[i], 0);
    assert_int_equal(bytes[7], 0);
}

TEST(words_fill_what_is_longer_than_a_turn)
{
    uint32_t words[200];
    memset(words, 0, sizeof words);
    conform_fill_words(words, sizeof words - 8, 0x3fc00000);
    for (int i = 0; i < 198; i++)
        assert_int_equal(words[i], 0x3fc00000);
    assert_int_equal(words[198], 0);
}

/* No machine has memory for these sizes; the bytes of the last one overflow. */
TEST(a_case_without_memory_is_void_and_not_the_end)
{
    static const int64_t sizes[] = {1 << 14, 1 << 20, (int64_t)1 << 40};
    for (size_t i = 0; i < N_OF(sizes); i++) {
        const conform_case c = {.op = IFN_OP_MATMUL,
                                .dim = {sizes[i], 2, sizes[i]},
                                .tier = TIER_T1,
                                .family = FAMILY_NORMAL};
        conform_pool pool;
        conform_slot *slot = calloc(1, sizeof *slot);
        ifn_error err = {0};
        conform_pool_init_shared(&pool, 1 << 20);
        assert_int_equal(conform_slot_build(slot, &pool, &c, NULL, NULL, &err), IFN_ERR_NOMEM);
        assert_true(slot->is_void && slot->c.dim[0] == sizes[i]);
        assert_non_null(strstr(err.text, "matmul"));
        assert_null(pool.exhausted);
        conform_pool_fini(&pool);
        free(slot);
    }
}

/* The case has one row more than the spec names, and the largest possible shift: the tensor still has only two
 * elements. */
TEST(a_shift_is_no_number_of_elements)
{
    const spec_op spec = {.op = IFN_OP_FILL_STRICT_UPPER_TRI,
                          .n_dims = 3,
                          .dims = {{.name = "rows", .limit = 1},
                                   {.name = "cols", .limit = 1},
                                   {.name = "offset", .n_edges = 1, .edges = {-1}, .limit = 1}}};
    const conform_case c = {.op = IFN_OP_FILL_STRICT_UPPER_TRI,
                            .dim = {2, 1, INT64_MAX},
                            .tier = TIER_T1,
                            .family = FAMILY_NORMAL};
    conform_pool pool;
    conform_slot *slot = calloc(1, sizeof *slot);
    ifn_error err = {0};
    conform_pool_init(&pool);
    assert_ok(conform_slot_build(slot, &pool, &c, &spec, NULL, &err), err);
    conform_pool_fini(&pool);
    free(slot);
}

TEST(an_entry_the_spec_does_not_have_is_an_error)
{
    const conform_case c = {.op = IFN_OP_MATMUL, .dim = {1, 1, 1}, .tier = TIER_GOLDEN, .index = 1};
    bench b = build(&c, IFN_ERR_ARGUMENT);
    clean(&b);
}
