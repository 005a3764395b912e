#include "traced.h"

static const ifn_backend_desc inner_desc = {.name = "simd_2"};
static const ifn_backend inner = {.desc = &inner_desc};

#define LINE(depth_, op_, ns, ...)                                                                 \
    (&(ifn_trace_call){.inner = &inner,                                                            \
                       .op = op_,                                                                  \
                       .name = ifn_op_name(op_),                                                   \
                       .args = __VA_ARGS__,                                                        \
                       .depth = depth_,                                                            \
                       .start_ns = 5,                                                              \
                       .end_ns = 5 + (ns)})

static void assert_line(const ifn_trace_call *call, const char *expected)
{
    char text[512];
    assert_int_equal(ifn_trace_line(call, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

static float m[8];

TEST(a_line_reads_as_the_contract_says)
{
    const ifn_matmul_args a =
        IFN_ARGS(matmul, .out = m, .a = m, .b = m, .m = 4, .n = 1024, .p = 3072);
    assert_line(LINE(2, IFN_OP_MATMUL, 312449, &a.call),
                "-> -> [SIMD_2] [matmul] (a=[4,1024], b=[1024,3072]) 312.4us");
    assert_line(LINE(1, IFN_OP_MATMUL, 0, &a.call),
                "-> [SIMD_2] [matmul] (a=[4,1024], b=[1024,3072]) 0.0us");
}

TEST(from_a_millisecond_on_times_are_in_milliseconds)
{
    const ifn_silu_args a = IFN_ARGS(silu, .out = m, .x = m, .n = 3);
    assert_line(LINE(1, IFN_OP_SILU, 999900, &a.call), "-> [SIMD_2] [silu] (x=[3]) 999.9us");
    assert_line(LINE(1, IFN_OP_SILU, 1000000, &a.call), "-> [SIMD_2] [silu] (x=[3]) 1.000ms");
    assert_line(LINE(1, IFN_OP_SILU, 999950, &a.call), "-> [SIMD_2] [silu] (x=[3]) 1.000ms");
    assert_line(LINE(1, IFN_OP_SILU, 1234567890, &a.call), "-> [SIMD_2] [silu] (x=[3]) 1234.568ms");
}

TEST(other_types_and_parts_are_named)
{
    const ifn_tensor w = {"w", m, IFN_DTYPE_Q4_K, 2, {5, 256}};
    const ifn_linear_q8_args a = IFN_ARGS(
        linear_q8, .part_begin = 1, .part_end = 3, .part2_end = 1, .x = (const ifn_block_q8_32f *)m,
        .rows = 2, .k = 256, .x_stride = 8, .n_w = 1, .w = {&w}, .out = {m}, .out_stride = {5});
    assert_line(LINE(1, IFN_OP_LINEAR_Q8, 1000, &a.call),
                "-> [SIMD_2] [linear_q8] (x=[2,256]:Q8_32F, w[0]=[5,256]:Q4_K, part=[1,3), "
                "part2=[0,1)) 1.0us");
}

TEST(what_reads_nothing_shows_what_it_writes)
{
    const ifn_fill_strict_upper_tri_args a =
        IFN_ARGS(fill_strict_upper_tri, .x = m, .rows = 2, .cols = 3);
    assert_line(LINE(1, IFN_OP_FILL_STRICT_UPPER_TRI, 100, &a.call),
                "-> [SIMD_2] [fill_strict_upper_tri] (x=[2,3]) 0.1us");
}

TEST(a_call_that_knows_its_place_shows_it)
{
    ifn_silu_args a = IFN_ARGS(silu, .out = m, .x = m, .n = 3);
    a.call.layer = 3;
    a.call.point = IFN_POINT_GATED;
    assert_line(LINE(1, IFN_OP_SILU, 100, &a.call), "-> [SIMD_2] [silu] (x=[3]) 0.1us blk.3.gated");
    ifn_trace_call call = *LINE(1, IFN_OP_SILU, 100, &a.call);
    call.status = IFN_ERR_SHAPE;
    assert_line(&call, "-> [SIMD_2] [silu] () 0.1us blk.3.gated ERR_SHAPE");
}

/* Arguments that an op refused may be anything. */
TEST(a_failed_call_names_its_status_and_no_shapes)
{
    const ifn_linear_args a = IFN_ARGS(linear, .n_w = 900);
    ifn_trace_call call = *LINE(1, IFN_OP_LINEAR, 100, &a.call);
    call.status = IFN_ERR_SHAPE;
    assert_line(&call, "-> [SIMD_2] [linear] () 0.1us ERR_SHAPE");
}

TEST(a_span_has_no_arguments)
{
    ifn_trace_call call = *LINE(1, IFN_OP_COUNT, 2000000, NULL);
    call.name = "prefill";
    assert_line(&call, "-> [SIMD_2] [prefill] () 2.000ms");
}

TEST(a_line_is_cut_where_its_room_ends)
{
    const ifn_silu_args a = IFN_ARGS(silu, .out = m, .x = m, .n = 3);
    const char whole[] = "-> [SIMD_2] [silu] (x=[3]) 1.0us";
    for (size_t bytes = 0; bytes <= sizeof whole + 1; bytes++) {
        char text[64];
        memset(text, '#', sizeof text);
        const size_t n = ifn_trace_line(LINE(1, IFN_OP_SILU, 1000, &a.call), text, bytes);
        assert_true(n < bytes || (n == 0 && bytes == 0));
        assert_true(bytes == 0 || memcmp(text, whole, n) == 0);
        assert_true(bytes == 0 || text[n] == '\0');
        assert_int_equal(text[bytes], '#');
    }
}
