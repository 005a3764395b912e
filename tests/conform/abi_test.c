#include "abi.h"

#include <string.h>

#include <inferno/cpu.h>

#include "test.h"

static ifn_status honest(ifn_backend *backend, const ifn_call *args)
{
    return backend == NULL && args == NULL ? IFN_ERR_SHAPE : IFN_OK;
}

static void an_honest_function_changes_nothing_and_its_status_arrives(void **state)
{
    (void)state;
    ifn_status status = IFN_OK;
    assert_int_equal(conform_abi_call(honest, NULL, NULL, &status), 0);
    assert_int_equal(status, IFN_ERR_SHAPE);
    const ifn_call args = {.lane = 0};
    assert_int_equal(conform_abi_call(honest, NULL, &args, &status), 0);
    assert_int_equal(status, IFN_OK);
}

static void expect_change(conform_op_fn fn, const char *what)
{
    ifn_status status;
    char text[200];
    conform_abi_describe(conform_abi_call(fn, NULL, NULL, &status), text, sizeof text);
    assert_string_equal(text, what);
    /* the call before has put the state right, whatever it was */
    assert_int_equal(conform_abi_call(honest, NULL, NULL, &status), 0);
}

/* The asm has no clobber list: that is the fault. */
#define CLOBBERS(name, code)                                                                       \
    static ifn_status name(ifn_backend *backend, const ifn_call *args)                             \
    {                                                                                              \
        (void)backend;                                                                             \
        (void)args;                                                                                \
        __asm__ volatile(code);                                                                    \
        return IFN_OK;                                                                             \
    }

#if defined(__x86_64__)
CLOBBERS(clobber_rbx, "xor %ebx, %ebx")
CLOBBERS(clobber_r12, "xor %r12d, %r12d")
CLOBBERS(clobber_r13, "xor %r13d, %r13d")
CLOBBERS(clobber_r14, "xor %r14d, %r14d")
CLOBBERS(clobber_r15, "xor %r15d, %r15d")
CLOBBERS(leave_direction, "std")
CLOBBERS(flush_subnormals, "push $0x9fc0; ldmxcsr (%rsp); pop %rax")
CLOBBERS(round_down, "push $0x3f80; ldmxcsr (%rsp); pop %rax")
CLOBBERS(round_down_x87, "push $0x77f; fldcw (%rsp); pop %rax")
CLOBBERS(leave_x87_stack, "fld1")
CLOBBERS(raise_inexact, "push $0x1fbf; ldmxcsr (%rsp); pop %rax")
CLOBBERS(leave_upper, "vcmpps $15, %ymm0, %ymm0, %ymm0")
CLOBBERS(clean_upper, "vcmpps $15, %ymm0, %ymm0, %ymm0; vzeroupper")
CLOBBERS(zero_upper, "vxorps %xmm0, %xmm0, %xmm0; vaddps %ymm0, %ymm0, %ymm0")
CLOBBERS(leave_last_upper, "vcmpps $15, %ymm15, %ymm15, %ymm15; vxorps %xmm0, %xmm0, %xmm0")
CLOBBERS(leave_one_bit,
         "push $1; vpxor %xmm7, %xmm7, %xmm7; vinsertf128 $1, (%rsp), %ymm7, %ymm7; pop %rax")
/* GCC's code for a sum in a register that vzeroupper does not clear, halved afterwards. */
CLOBBERS(halve_beyond_sixteen, "vpternlogd $255, %ymm17, %ymm17, %ymm17; vzeroupper;"
                               "vextractf32x4 $1, %ymm17, %xmm1")
CLOBBERS(leave_upper_quarters, "vzeroupper; vpternlogd $255, %zmm3, %zmm3, %zmm3;"
                               "vinsertf32x8 $0, %ymm0, %zmm3, %zmm3")

/* Dirty upper halves are told apart from registers that a callee must keep; a call afterwards finds them clean. */
static void expect_upper(conform_op_fn fn, bool is_left)
{
    ifn_status status;
    uint32_t changed = conform_abi_call(fn, NULL, NULL, &status);
    const conform_abi_left left = conform_abi_take_left(&changed);
    assert_int_equal(left.upper, is_left);
    assert_false(left.tiles);
    assert_int_equal(changed, 0);
    assert_int_equal(conform_abi_call(honest, NULL, NULL, &status), 0);
}

static void dirty_upper_halves_are_seen_where_the_processor_tells(void **state)
{
    (void)state;
    if (!conform_abi_checks_upper())
        skip();
    expect_upper(leave_upper, true);
    expect_upper(clean_upper, false);
    expect_upper(leave_last_upper, true);
    expect_upper(leave_one_bit, true);
}

/* The processor says that the upper halves are in use, but they hold zeros. */
static void upper_halves_of_zeros_are_clean(void **state)
{
    (void)state;
    if (!conform_abi_checks_upper())
        skip();
    expect_upper(zero_upper, false);
    if (!__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
        return;
    expect_upper(halve_beyond_sixteen, false);
    expect_upper(leave_upper_quarters, true);
}

/* A tile configuration of eight tiles of one row of four bytes: the 64 bytes that ldtilecfg reads. */
static const unsigned char one_row[64] = {
    1,        [16] = 4, [18] = 4, [20] = 4, [22] = 4,                       /* bytes */
    [24] = 4, [26] = 4, [28] = 4, [30] = 4, [48] = 1, 1, 1, 1, 1, 1, 1, 1}; /* rows */

static ifn_status use_tiles(bool is_released)
{
    __asm__ volatile("ldtilecfg %0\n\ttilezero %%tmm0" : : "m"(one_row));
    if (is_released)
        __asm__ volatile("tilerelease" : :);
    return IFN_OK;
}

static ifn_status leave_tiles(ifn_backend *backend, const ifn_call *args)
{
    (void)backend;
    (void)args;
    return use_tiles(false);
}

static ifn_status release_tiles(ifn_backend *backend, const ifn_call *args)
{
    (void)backend;
    (void)args;
    return use_tiles(true);
}

static void tiles_left_in_use_are_seen_and_released(void **state)
{
    (void)state;
    if (!conform_abi_checks_upper() || !ifn_cpu_ask_for_tiles())
        skip();
    static const conform_op_fn fns[] = {release_tiles, leave_tiles, honest};
    for (int i = 0; i < 3; i++) {
        ifn_status status;
        uint32_t changed = conform_abi_call(fns[i], NULL, NULL, &status);
        const conform_abi_left left = conform_abi_take_left(&changed);
        assert_int_equal(left.tiles, fns[i] == leave_tiles);
        assert_false(left.upper);
        assert_int_equal(changed, 0);
    }
}

static void every_kept_register_is_looked_at(void **state)
{
    (void)state;
    expect_change(clobber_rbx, "rbx");
    expect_change(clobber_r12, "r12");
    expect_change(clobber_r13, "r13");
    expect_change(clobber_r14, "r14");
    expect_change(clobber_r15, "r15");
}

static void the_control_state_is_looked_at_and_the_sticky_flags_are_not(void **state)
{
    (void)state;
    expect_change(leave_direction, "the direction flag");
    expect_change(flush_subnormals, "MXCSR control bits");
    expect_change(round_down, "MXCSR control bits");
    expect_change(round_down_x87, "the x87 control word");
    expect_change(leave_x87_stack, "the x87 stack (not empty)");
    expect_change(raise_inexact, "");
}
#elif defined(__aarch64__)
CLOBBERS(clobber_x19, "mov x19, #0")
CLOBBERS(clobber_x28, "mov x28, #0")
CLOBBERS(clobber_d8, "fmov d8, xzr")
CLOBBERS(clobber_d15, "fmov d15, xzr")
CLOBBERS(flush_subnormals, "mov x9, #0x1000000; msr fpcr, x9")

static void every_kept_register_is_looked_at(void **state)
{
    (void)state;
    expect_change(clobber_x19, "x19");
    expect_change(clobber_x28, "x28");
    expect_change(clobber_d8, "d8");
    expect_change(clobber_d15, "d15");
}

static void the_control_state_is_looked_at_and_the_sticky_flags_are_not(void **state)
{
    (void)state;
    expect_change(flush_subnormals, "FPCR");
}
#else
static void every_kept_register_is_looked_at(void **state)
{
    (void)state;
    assert_false(conform_abi_is_checked());
    expect_change(honest, "");
}

static void the_control_state_is_looked_at_and_the_sticky_flags_are_not(void **state)
{
    (void)state;
    assert_false(conform_abi_is_checked());
}
#endif

#ifndef __x86_64__
static void dirty_upper_halves_are_seen_where_the_processor_tells(void **state)
{
    (void)state;
    assert_false(conform_abi_checks_upper());
}

static void upper_halves_of_zeros_are_clean(void **state)
{
    (void)state;
    assert_false(conform_abi_checks_upper());
}

static void tiles_left_in_use_are_seen_and_released(void **state)
{
    (void)state;
    uint32_t changed = 0xffffffffu;
    assert_false(conform_abi_take_left(&changed).tiles); /* each bit is a named register there */
    assert_int_equal(changed, 0xffffffffu);
}
#endif

static void several_changes_are_all_named(void **state)
{
    (void)state;
    char text[200], little[8];
    if (!conform_abi_is_checked())
        skip();
    conform_abi_describe(3, text, sizeof text);
    assert_non_null(strstr(text, ", "));
    conform_abi_describe(0xffffffffu, little, sizeof little);
    assert_true(strlen(little) < sizeof little);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(an_honest_function_changes_nothing_and_its_status_arrives),
        RUN(every_kept_register_is_looked_at),
        RUN(the_control_state_is_looked_at_and_the_sticky_flags_are_not),
        RUN(dirty_upper_halves_are_seen_where_the_processor_tells),
        RUN(upper_halves_of_zeros_are_clean),
        RUN(tiles_left_in_use_are_seen_and_released),
        RUN(several_changes_are_all_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
