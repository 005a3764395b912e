#include "case.h"

#include <string.h>

#include "case_id.h"
#include "module.h"
#include "test.h"

static conform_case example(void)
{
    return (conform_case){.op = IFN_OP_MATMUL,
                          .dim = {3, 17, 512},
                          .tier = TIER_T2,
                          .family = FAMILY_SCALE_PROBE,
                          .alias = 1,
                          .prepared = 1,
                          .seed = 0x1a2b3c};
}

TEST(an_id_says_everything)
{
    conform_case c = example();
    char id[CONFORM_ID_BYTES];
    conform_case_id(&c, id);
    assert_string_equal(id, "matmul/F32/m=3,n=17,p=512/T2/scale-probe/prepared/1/1a2b3c");
    c.out_dtype = IFN_DTYPE_Q8_32F;
    c.prepared = 0;
    c.index = 7;
    conform_case_id(&c, id);
    assert_string_equal(id, "matmul/F32+Q8_32F/m=3,n=17,p=512/T2/scale-probe/raw/1/7.1a2b3c");
}

TEST(weights_of_several_dtypes_are_listed)
{
    conform_case c = example(), back;
    char id[CONFORM_ID_BYTES];
    ifn_error err;
    c.dtype = IFN_DTYPE_Q4_K;
    c.out_dtype = IFN_DTYPE_Q8_32F;
    c.n_more = 3;
    c.more[0] = IFN_DTYPE_Q6_K;
    c.more[1] = IFN_DTYPE_F32;
    c.more[2] = IFN_DTYPE_Q4_K;
    conform_case_id(&c, id);
    assert_string_equal(
        id, "matmul/Q4_K,Q6_K,F32,Q4_K+Q8_32F/m=3,n=17,p=512/T2/scale-probe/prepared/1/1a2b3c");
    assert_that(conform_case_parse(id, &back, &err), "%s", err.text);
    assert_int_equal(back.n_more, 3);
    assert_int_equal(conform_case_dtype(&back, 0), IFN_DTYPE_Q4_K);
    assert_int_equal(conform_case_dtype(&back, 1), IFN_DTYPE_Q6_K);
    assert_int_equal(back.out_dtype, IFN_DTYPE_Q8_32F);
    c.n_more = 1;
    assert_int_equal(conform_case_dtype(&c, 2), IFN_DTYPE_Q4_K); /* the same as the first weight */
    assert_false(conform_case_parse("matmul/F32,F32,F32,F32,F32/m=1,n=1,p=1/T1/normal/raw/0/1",
                                    &back, &err));
    assert_false(conform_case_parse("matmul/F32,/m=1,n=1,p=1/T1/normal/raw/0/1", &back, &err));
}

TEST(an_id_reads_back_as_the_same_case)
{
    conform_case c = example(), back;
    char id[CONFORM_ID_BYTES], again[CONFORM_ID_BYTES];
    ifn_error err;
    for (uint32_t index = 0; index < 3; index++) {
        c.index = index;
        c.dtype = index ? IFN_DTYPE_Q6_K : IFN_DTYPE_F32;
        c.dim[2] = -5;
        conform_case_id(&c, id);
        assert_that(conform_case_parse(id, &back, &err), "%s", err.text);
        conform_case_id(&back, again);
        assert_string_equal(id, again);
        assert_int_equal(back.seed, c.seed);
        assert_int_equal(back.index, index);
        assert_true(conform_case_hash(&back) == conform_case_hash(&c));
    }
}

/* Compares member by member: padding bytes between members may differ. */
static void expect_same(const conform_case *got, const conform_case *want)
{
    assert_int_equal(got->op, want->op);
    assert_int_equal(got->dtype, want->dtype);
    assert_int_equal(got->n_more, want->n_more);
    assert_memory_equal(got->more, want->more, sizeof want->more);
    assert_int_equal(got->out_dtype, want->out_dtype);
    assert_memory_equal(got->dim, want->dim, sizeof want->dim);
    assert_int_equal(got->prepared, want->prepared);
    assert_int_equal(got->alias, want->alias);
    assert_int_equal(got->tier, want->tier);
    assert_int_equal(got->family, want->family);
    assert_int_equal(got->index, want->index);
    assert_int_equal(got->seed, want->seed);
    assert_int_equal(got->is_at, want->is_at);
    assert_int_equal(got->is_cut, want->is_cut);
    assert_int_equal(got->at, want->at);
    assert_memory_equal(got->cut, want->cut, sizeof want->cut);
}

TEST(what_the_seed_does_not_decide_stands_at_the_end)
{
    conform_case c = example(), back;
    char id[CONFORM_ID_BYTES];
    ifn_error err;
    c.is_at = c.is_cut = 1;
    c.at = 4;
    c.cut[0] = 3;
    conform_case_id(&c, id);
    assert_string_equal(id,
                        "matmul/F32/m=3,n=17,p=512/T2/scale-probe/prepared/1/1a2b3c/at=4,cut=3x0");
    assert_that(conform_case_parse(id, &back, &err), "%s", err.text);
    expect_same(&back, &c);
    c.is_at = c.at = 0;
    conform_case_id(&c, id);
    assert_non_null(strstr(id, "/1a2b3c/cut=3x0"));
    assert_that(conform_case_parse(id, &back, &err), "%s", err.text);
    expect_same(&back, &c);
}

TEST(a_broken_id_is_refused_by_part)
{
    static const struct {
        const char *id, *part;
    } bad[] = {
        {"", "op"},
        {"matmull/F32", "op"},
        {"matmul", "dtype"},
        {"matmul/F33/m=1,n=1,p=1/T0/normal/raw/0/1", "dtype"},
        {"matmul/F32+X/m=1,n=1,p=1/T0/normal/raw/0/1", "output dtype"},
        {"matmul/F32/m=1,n=1/T0/normal/raw/0/1", "dimensions"},
        {"matmul/F32/m=1,n=x,p=1/T0/normal/raw/0/1", "dimensions"},
        {"matmul/F32/m=1,n=1,p=1/T9/normal/raw/0/1", "tier"},
        {"matmul/F32/m=1,n=1,p=1/T0/odd/raw/0/1", "family"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/cooked/0/1", "weights"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/raw/x/1", "overlap"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/raw/0", "seed"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/raw/0/xyz", "seed"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/raw/0/1/", "setting"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/raw/0/1/at=64", "setting"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/raw/0/1/at=-4", "setting"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/raw/0/1/cut=3", "setting"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/raw/0/1/at=4cut=3x1", "setting"},
        {"matmul/F32/m=1,n=1,p=1/T0/normal/raw/0/1/at=4/again", "end"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        conform_case c;
        ifn_error err = {0};
        assert_that(!conform_case_parse(bad[i].id, &c, &err), "'%s' was read", bad[i].id);
        assert_that(strstr(err.text, bad[i].part), "'%s' does not blame the %s", err.text,
                    bad[i].part);
    }
}

TEST(hashes_spread_over_shards)
{
    int shards[8] = {0};
    conform_case c = example();
    for (c.seed = 0; c.seed < 8000; c.seed++)
        shards[conform_case_hash(&c) % 8]++;
    for (int i = 0; i < 8; i++)
        assert_in_range(shards[i], 850, 1150);
}

TEST(names_outside_the_lists_are_question_marks)
{
    assert_string_equal(conform_tier_name(TIER_COUNT), "?");
    assert_string_equal(conform_family_name(FAMILY_COUNT), "?");
    assert_string_equal(conform_family_name(FAMILY_ONE_HOT), "one-hot");
}
