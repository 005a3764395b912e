/* Class I: rows of Q8_32F equal quantize_rows of the f32 result of the same backend. */
#include <math.h>

#include "leaves.h"

static conform_case swiglu_case(ifn_dtype out_dtype)
{
    return (conform_case){.op = IFN_OP_SWIGLU,
                          .out_dtype = out_dtype,
                          .dim = {3, 64},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

static conform_case norm_case(ifn_dtype out_dtype)
{
    return (conform_case){.op = IFN_OP_RMS_NORM,
                          .out_dtype = out_dtype,
                          .dim = {3, 64, 2, 5},
                          .tier = TIER_T1,
                          .family = FAMILY_NORMAL};
}

static ifn_status honest_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    return ifn_swiglu(self->base, a);
}

/* Makes a scale a unit in the last place too large. Codes are judged by what they decode to, and now and then even a
 * code that is off by one lies within that bound. */
static ifn_status fused_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    const ifn_status status = ifn_swiglu(self->base, a);
    ifn_block_q8_32f *blocks = a->out;
    if (a->out_dtype == IFN_DTYPE_Q8_32F && a->part_begin == 0 && a->rows > 0)
        blocks[0].d = nextafterf(blocks[0].d, INFINITY);
    return status;
}

static ifn_status fused_norm_rms_norm(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    ifn_block_q8_32f *blocks = a->out;
    if (a->out_dtype == IFN_DTYPE_Q8_32F && a->part_begin == 0 && a->rows > 0)
        blocks[0].d = nextafterf(blocks[0].d, 0.0f);
    return status;
}

/* Writes blocks only: the judge has no f32 form to compare with. */
static ifn_status blocks_only_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    return a->out_dtype == IFN_DTYPE_F32 ? IFN_ERR_UNSUPPORTED : ifn_swiglu(self->base, a);
}

static ifn_status broken_f32_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    return a->out_dtype == IFN_DTYPE_F32 ? IFN_ERR_SHAPE : ifn_swiglu(self->base, a);
}

LEAF(swiglu, honest)
LEAF(swiglu, fused)
LEAF(rms_norm, fused_norm)
LEAF(swiglu, blocks_only)
LEAF(swiglu, broken_f32)

/* Expects failures by `check` alone: the other runs of these cases compare two calls with the same error. */
static void expect(const conform_tested *tested, conform_case c, conform_check check)
{
    const leaf_statistics t = leaf_judge(tested, c, check);
    assert_that(t.n_other == 0 || check == CHECK_NONE, "%s: %s", tested->label, t.first);
    assert_that((t.n_check > 0) == (check != CHECK_NONE), "%s: %s", tested->label, t.first);
}

TEST(honest_blocks_are_those_of_the_quantizer)
{
    expect(&honest[1], swiglu_case(IFN_DTYPE_Q8_32F), CHECK_NONE);
    expect(&honest[1], norm_case(IFN_DTYPE_Q8_32F), CHECK_NONE);
}

TEST(a_fused_quantizer_of_its_own_is_found)
{
    const conform_case glu = swiglu_case(IFN_DTYPE_Q8_32F), norm = norm_case(IFN_DTYPE_Q8_32F);
    int n_form = 0;
    for (int seed = 1; seed < 20; seed++) {
        conform_case c = glu;
        c.seed = (uint64_t)seed;
        n_form += judge_once(&fused[1], &c).check == CHECK_FORM;
        c = norm;
        c.seed = (uint64_t)seed;
        n_form += judge_once(&fused_norm[1], &c).check == CHECK_FORM;
    }
    assert_true(n_form > 0);
}

TEST(rows_of_f32_have_no_second_form)
{
    expect(&fused[1], swiglu_case(IFN_DTYPE_F32), CHECK_NONE);
}

TEST(a_refused_f32_form_is_counted_elsewhere_and_a_failing_one_fails)
{
    expect(&blocks_only[1], swiglu_case(IFN_DTYPE_Q8_32F), CHECK_NONE);
    expect(&broken_f32[1], swiglu_case(IFN_DTYPE_Q8_32F), CHECK_FORM);
}
