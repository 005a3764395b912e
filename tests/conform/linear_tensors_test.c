/* linear and linear_q8 with weights of different dtypes in one call. */
#include "linear_tensors.h"

#include "case_id.h"
#include "gen.h"
#include "leaves.h"

static const struct {
    conform_tier tier;
    conform_family family;
} kinds[] = {
    {TIER_T0, FAMILY_LATTICE}, {TIER_T0, FAMILY_ASYMMETRIC},    {TIER_T0, FAMILY_ONE_HOT},
    {TIER_T1, FAMILY_NORMAL},  {TIER_T1, FAMILY_SCALE_PROBE},   {TIER_T2, FAMILY_NORMAL},
    {TIER_T2, FAMILY_WIDE},    {TIER_SPECIAL, FAMILY_SPECIALS},
};

static conform_case mixed_case(ifn_op op, uint64_t seed)
{
    static const ifn_dtype dtypes[] = {
        IFN_DTYPE_Q4_K, IFN_DTYPE_Q6_K, IFN_DTYPE_Q8_0, IFN_DTYPE_Q5_1,
        IFN_DTYPE_Q4_0, IFN_DTYPE_Q2_K, IFN_DTYPE_F32,  IFN_DTYPE_BF16,
    };
    const uint64_t n = op == IFN_OP_LINEAR ? N_OF(dtypes) : N_OF(dtypes) - 2;
    conform_case c = {.op = op,
                      .dtype = dtypes[conform_hash(seed, "first", 0) % n],
                      .n_more = 3,
                      .dim = {3, 4, 256, 4, 1, 1},
                      .tier = kinds[seed % N_OF(kinds)].tier,
                      .family = kinds[seed % N_OF(kinds)].family,
                      .prepared = (int32_t)(seed / N_OF(kinds) % 2),
                      .seed = seed};
    for (int i = 0; i < c.n_more; i++)
        c.more[i] = dtypes[conform_hash(seed, "more", (uint64_t)i) % n];
    return c;
}

static ifn_status honest_linear(ifn_backend *self, const ifn_linear_args *a)
{
    return ifn_linear(self->base, a);
}

/* Takes every weight for one of the first weight's dtype, if its bytes suffice. */
static ifn_status hasty_linear_q8(ifn_backend *self, const ifn_linear_q8_args *a)
{
    ifn_linear_q8_args hasty = *a;
    ifn_tensor copy[IFN_LINEAR_MAX];
    for (int64_t i = 1; i < a->n_w; i++) {
        const ifn_dtype dtype = a->w[0]->dtype, own = a->w[i]->dtype;
        copy[i] = *a->w[i];
        if (ifn_dtype_row_bytes(dtype, a->k) <= ifn_dtype_row_bytes(own, a->k))
            copy[i].dtype = dtype;
        hasty.w[i] = &copy[i];
    }
    return ifn_linear_q8(self->base, &hasty);
}

LEAF(linear, honest)
LEAF(linear_q8, hasty)

TEST(mixed_weights_are_judged_each_by_its_own_rules)
{
    int64_t n_compared = 0;
    for (uint64_t seed = 1; seed < 160; seed++) {
        const conform_case c = mixed_case(seed % 2 ? IFN_OP_LINEAR : IFN_OP_LINEAR_Q8, seed / 2);
        const conform_verdict v = judge_once(&honest[0], &c);
        char id[CONFORM_ID_BYTES];
        conform_case_id(&c, id);
        assert_that(v.outcome == OUTCOME_PASS, "%s: %s", id, v.detail);
        n_compared += v.n_compared;
    }
    assert_true(n_compared > 159 * 40);
}

TEST(weights_read_as_the_first_ones_dtype_are_found)
{
    int n_mixed = 0, n_found = 0;
    for (uint64_t seed = 1; seed < 40; seed++) {
        conform_case c = mixed_case(IFN_OP_LINEAR_Q8, seed);
        c.dtype = IFN_DTYPE_Q4_0; /* the shortest rows: no other has fewer bytes */
        c.more[0] = IFN_DTYPE_Q8_0;
        c.n_more = 2; /* of four weights the second may be empty */
        c.dim[3] = 3;
        if (c.tier == TIER_SPECIAL) /* the result may be NaN only */
            continue;
        n_mixed++;
        n_found += judge_once(&hasty[0], &c).outcome == OUTCOME_FAIL;
    }
    assert_int_equal(n_found, n_mixed);
}

/* k |a| |b| stays within 2^24 for every weight, although all share the activations. */
TEST(shared_activations_leave_room_for_every_lattice)
{
    for (uint64_t seed = 0; seed < 64; seed++) {
        conform_case c = mixed_case(IFN_OP_LINEAR, seed);
        c.tier = TIER_T0;
        c.family = FAMILY_LATTICE;
        const conform_case narrowest = conform_linear_narrowest(&c);
        const int64_t k = conform_linear_length(&c), a = conform_lattice_of(&narrowest, k).a;
        for (int i = 0; i < 4; i++) {
            const conform_case alone = conform_linear_alone(&c, i);
            assert_int_equal(alone.dtype, conform_case_dtype(&c, i));
            assert_int_equal(alone.n_more, 0);
            assert_true(k * a * conform_lattice_of(&alone, k).b <= (int64_t)1 << 24);
        }
    }
}

static conform_case three_weights(uint64_t seed, int64_t pad, int64_t bias)
{
    return (conform_case){.op = IFN_OP_LINEAR,
                          .dim = {2, 5, 32, 3, pad, bias},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL,
                          .seed = seed};
}

/* Either all weights of a call have a bias, or all but the first, or every other one; each output is judged by its
 * own weight. */
TEST(biases_are_of_some_weights)
{
    int all = 0, others = 0, alternate = 0;
    for (uint64_t seed = 1; seed < 64; seed++) {
        const conform_case c = three_weights(seed, 0, 1);
        conform_layout l = {0};
        int has = 0;
        assert_int_equal(conform_linear_layout(&c, &l), IFN_OK);
        for (int i = 0; i < 3; i++) {
            const conform_case alone = conform_linear_alone(&c, i);
            assert_int_equal(alone.dim[LINEAR_BIAS], !l.t[2 + 3 * i].absent);
            has |= !l.t[2 + 3 * i].absent << i;
        }
        all += has == 7;
        others += has == 6;
        alternate += has == 5;
    }
    assert_true(all > 16 && others > 6 && alternate > 6 && all + others + alternate == 63);
}

/* From weight to weight of a call, sizes and gaps of the outputs rise, fall or stay the same. */
TEST(weights_of_one_call_are_of_many_sizes)
{
    int rising = 0, falling = 0, equal = 0, uneven = 0;
    for (uint64_t seed = 1; seed < 64; seed++) {
        const conform_case c = three_weights(seed, 4, 0);
        conform_layout l = {0};
        assert_int_equal(conform_linear_layout(&c, &l), IFN_OK);
        const conform_tensor *const first = &l.t[0], *const last = &l.t[6];
        rising += last->rows == first->rows + 2;
        falling += last->rows == first->rows - 2;
        equal += last->rows == first->rows;
        uneven += l.t[7].stride - l.t[7].cols != l.t[1].stride - l.t[1].cols;
    }
    assert_true(rising > 8 && falling > 4 && equal > 4 && rising + falling + equal == 63);
    assert_in_range(uneven, 16, 48);
}
