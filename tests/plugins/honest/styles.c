#include <string.h>

#include "honest.h"

#define FORWARD(n) .order = SUM_FORWARD, .lanes = n
#define ALL_HOLD   .promises = 0x3ff

/* First styles that differ from the others in one thing, then combinations that known libraries use (like_*). */
static const style styles[] = {
    {"plain", FORWARD(1), ALL_HOLD},
    {"fma", FORWARD(1), .fma = 1, ALL_HOLD},
    {"backward", .order = SUM_BACKWARD, .lanes = 1},
    {"backward8_fma", .order = SUM_BACKWARD, .lanes = 8, .fma = 1},
    {"ends", .order = SUM_ENDS},
    {"ends_fma", .order = SUM_ENDS, .fma = 1},
    {"pairwise", .order = SUM_PAIRWISE},
    {"pairwise_fma", .order = SUM_PAIRWISE, .fma = 1},
    {"kahan", .order = SUM_KAHAN},
    {"kahan_fma", .order = SUM_KAHAN, .fma = 1},
    {"neumaier", .order = SUM_NEUMAIER},
    {"double", .order = SUM_DOUBLE, .norm = NORM_DOUBLE, .exp = EXP_DOUBLE},
    {"sorted", .order = SUM_SORTED},
    {"lanes2", FORWARD(2)},
    {"lanes3", FORWARD(3), .join = LANES_IN_TURN},
    {"lanes4", FORWARD(4), .join = LANES_NEIGHBOURS},
    {"lanes8", FORWARD(8)},
    {"lanes16", FORWARD(16)},
    {"lanes32", FORWARD(32), .join = LANES_IN_TURN},
    {"lanes64", FORWARD(64)},
    {"lanes4_fma", FORWARD(4), .fma = 1},
    {"lanes8_fma", FORWARD(8), .fma = 1, .join = LANES_NEIGHBOURS},
    {"lanes16_fma", FORWARD(16), .fma = 1, .join = LANES_IN_TURN},
    {"lanes64_fma", FORWARD(64), .fma = 1},
    {"blocks32", .order = SUM_BLOCKS, .lanes = 1, .width = 32},
    {"blocks256", .order = SUM_BLOCKS, .lanes = 8, .width = 256, .fma = 1},
    {"blocks384", .order = SUM_BLOCKS, .lanes = 1, .width = 384, .fma = 1},
    {"chunks2", .order = SUM_CHUNKS, .lanes = 4, .width = 2},
    {"chunks5", .order = SUM_CHUNKS, .lanes = 1, .width = 5},
    {"chunks16", .order = SUM_CHUNKS, .lanes = 8, .width = 16, .fma = 1},
    {"exp_polynomial", FORWARD(1), .exp = EXP_POLYNOMIAL},
    {"exp_table", FORWARD(1), .exp = EXP_TABLE},
    {"exp_base_2", FORWARD(1), .exp = EXP_BASE_2},
    {"exp_double", FORWARD(8), .exp = EXP_DOUBLE},
    {"exp_declared", FORWARD(8), .exp = EXP_TABLE, .exp_ulp = 4},
    {"silu_reciprocal", FORWARD(1), .silu = SILU_RECIPROCAL},
    {"silu_two_sided", FORWARD(1), .silu = SILU_TWO_SIDED},
    {"silu_tanh", FORWARD(1), .silu = SILU_TANH},
    {"silu_polynomial", FORWARD(1), .silu = SILU_RECIPROCAL, .exp = EXP_POLYNOMIAL},
    {"norm_reciprocal", FORWARD(1), .norm = NORM_RECIPROCAL},
    {"norm_weight", FORWARD(1), .norm = NORM_WEIGHT},
    {"norm_inverse_n", FORWARD(8), .inverse_n = 1},
    {"norm_inverse_n_reciprocal", .order = SUM_DOUBLE, .inverse_n = 1, .norm = NORM_RECIPROCAL},
    {"norm_newton", FORWARD(8), .norm = NORM_NEWTON},
    {"norm_newton_inverse_n", FORWARD(8), .norm = NORM_NEWTON, .inverse_n = 1},
    {"norm_sse", FORWARD(8), .norm = NORM_SSE, .fma = 1},
    {"norm_double", FORWARD(1), .norm = NORM_DOUBLE},
    {"softmax_reciprocal", FORWARD(1), .softmax = SOFTMAX_RECIPROCAL},
    {"softmax_online", FORWARD(1), .softmax = SOFTMAX_ONLINE},
    {"softmax_online_table", FORWARD(1), .softmax = SOFTMAX_ONLINE, .exp = EXP_TABLE},
    {"softmax_floor", FORWARD(8), .softmax = SOFTMAX_FLOOR},
    {"softmax_double", .order = SUM_DOUBLE, .softmax = SOFTMAX_RECIPROCAL},
    {"attention_tile1", FORWARD(8), .attention = ATTENTION_TILES, .tile = 1},
    {"attention_tile16", FORWARD(8), .attention = ATTENTION_TILES, .tile = 16},
    {"attention_tile32", FORWARD(8), .attention = ATTENTION_TILES, .tile = 32, .divides_late = 1},
    {"attention_tile64", FORWARD(16), .attention = ATTENTION_TILES, .tile = 64, .fma = 1},
    {"attention_one1", FORWARD(8), .attention = ATTENTION_ONE, .tile = 1},
    {"attention_one48", FORWARD(8), .attention = ATTENTION_ONE, .tile = 48, .fma = 1},
    {"attention_one128", FORWARD(8), .attention = ATTENTION_ONE, .tile = 128, .divides_late = 1},
    {"attention_scaled_q", FORWARD(8), .scales_q = 1},
    {"attention_scaled_q_one64", FORWARD(8), .scales_q = 1, .attention = ATTENTION_ONE, .tile = 64},
    {"attention_normalised", FORWARD(8), .attention = ATTENTION_NORMALISED, .tile = 256},
    {"attention_light", FORWARD(8), .skips_light = 1},
    {"attention_codes", FORWARD(8), .codes_first = 1},
    {"attention_codes_scaled_q", FORWARD(16), .codes_first = 1, .scales_q = 1, .fma = 1},
    {"attention_table", FORWARD(8), .exp = EXP_TABLE, .attention = ATTENTION_TILES, .tile = 64},
    {"linear_grouped", FORWARD(8), .linear = LINEAR_GROUPED},
    {"linear_grouped_fma", FORWARD(8), .linear = LINEAR_GROUPED, .fma = 1, .bias_first = 1},
    {"linear_split", FORWARD(4), .linear = LINEAR_SPLIT},
    {"bias_first", FORWARD(1), .bias_first = 1},
    {"masked", FORWARD(16), .masked = 1, .fma = 1},
    {"overread16", FORWARD(4), .overread = 16},
    {"overread64", FORWARD(16), .overread = 64, .fma = 1},
    {"overread256", FORWARD(64), .overread = 256},
    {"ftz", FORWARD(8), .ftz = 1},
    {"ftz_fma", FORWARD(16), .ftz = 1, .fma = 1, .norm = NORM_RECIPROCAL, .scales_q = 1},
    {"ftz_table", FORWARD(1), .ftz = 1, .exp = EXP_TABLE, .softmax = SOFTMAX_ONLINE},
    {"openmp", FORWARD(8), .threads = THREADS_OPENMP},
    {"own_threads", FORWARD(8), .threads = THREADS_OWN, .fma = 1},
    {"like_onednn", .order = SUM_BLOCKS, .lanes = 16, .width = 384, .fma = 1, .exp = EXP_POLYNOMIAL,
     .softmax = SOFTMAX_RECIPROCAL, .norm = NORM_RECIPROCAL, .inverse_n = 1, .masked = 1},
    {"like_eigen", .order = SUM_BLOCKS, .lanes = 4, .width = 256, .exp = EXP_POLYNOMIAL,
     .softmax = SOFTMAX_RECIPROCAL, .norm = NORM_WEIGHT, .silu = SILU_TANH},
    {"like_flash", FORWARD(8), .fma = 1, .exp = EXP_BASE_2, .attention = ATTENTION_ONE, .tile = 64,
     .scales_q = 1, .softmax = SOFTMAX_ONLINE, .norm = NORM_NEWTON},
    {"like_flash_2", FORWARD(8), .fma = 1, .exp = EXP_BASE_2, .attention = ATTENTION_ONE,
     .tile = 64, .fuses_max = 1},
    {"like_llama", FORWARD(32), .fma = 1, .exp = EXP_POLYNOMIAL, .norm = NORM_RECIPROCAL,
     .attention = ATTENTION_ONE, .tile = 1, .linear = LINEAR_GROUPED},
    {"like_numpy", .order = SUM_PAIRWISE, .softmax = SOFTMAX_DIVIDE, .norm = NORM_DIVIDE,
     .exp = EXP_DOUBLE},
    {"like_blis", .order = SUM_BLOCKS, .lanes = 1, .width = 256, .fma = 1, .overread = 64},
    {"blocks_left", FORWARD(8), .fma = 1, .exp = EXP_POLYNOMIAL, .left = LEFT_BLOCKS},
    {"floats_left", FORWARD(8), .fma = 1, .exp = EXP_POLYNOMIAL, .left = LEFT_FLOATS},
    {"one_row_left", FORWARD(8), .fma = 1, .left = LEFT_ONE_ROW, .promises = 1u << 3},
    {"many_rows_left", FORWARD(8), .fma = 1, .left = LEFT_MANY_ROWS},
    {"in_place_left", FORWARD(16), .fma = 1, .exp = EXP_POLYNOMIAL, .left = LEFT_IN_PLACE},
    {"threads_each_call", FORWARD(8), .threads = THREADS_EACH_CALL},
};

const style *style_at(int i)
{
    return i >= 0 && i < (int)(sizeof styles / sizeof *styles) ? &styles[i] : NULL;
}

const style *style_named(const char *name)
{
    const style *s;
    for (int i = 0; (s = style_at(i)); i++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}
