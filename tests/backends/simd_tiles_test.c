/* A level with tile registers, on systems that grant the process their use and on systems that do not. */
#include <string.h>

#include "op_table.h"
#include "simd.h"
#include "test.h"

static bool lends;

int __wrap_ifn_cpu_ask_for_tiles(void);
int __wrap_ifn_cpu_ask_for_tiles(void)
{
    return lends;
}

static ifn_backend_env env_of(const char *options)
{
    return (ifn_backend_env){.env_bytes = sizeof(ifn_backend_env),
                             .cpu = IFN_CPU_LEVEL_AMXINT8,
                             .n_lanes = 1,
                             .options = options,
                             .alloc = ifn_default_allocator()};
}

static ifn_op_table table_of(const char *options)
{
    ifn_op_table table = {0};
    const ifn_backend_env env = env_of(options);
    ifn_backend_simd.fill(&table, &env);
    return table;
}

static ifn_status open(const char *options, ifn_error *err)
{
    void *state = NULL;
    const ifn_backend_env env = env_of(options);
    const ifn_status status = ifn_backend_simd.open(&state, &env, err);
    if (status == IFN_OK)
        ifn_backend_simd.close(state);
    return status;
}

TEST(a_level_that_was_asked_for_is_refused_where_its_registers_are)
{
    ifn_error err;
    lends = false;
    assert_int_equal(open("amxint8", &err), IFN_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "simd=amxint8: the system lends this process no tile registers");
    lends = true;
    assert_int_equal(open("amxint8", &err), IFN_OK);
}

TEST(the_best_level_is_the_one_before_it)
{
    lends = false;
    assert_int_equal(open("", NULL), IFN_OK);
    const ifn_op_table best = table_of(""), before = table_of("avx512vnni");
    assert_memory_equal(&best, &before, sizeof best);
    lends = true;
    const ifn_op_table with = table_of("");
    assert_false(ifn_op_same_slot(&with, &before, IFN_OP_LINEAR_Q8));
}
