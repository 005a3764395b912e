/* The levels of the vector backend: the CPU mask alone decides which level runs. */
#include "simd.h"

#include <stdio.h>
#include <string.h>

#include "op_table.h"
#include "test.h"

/* X(NAME, name) -> one row */
static const struct {
    const char *name;
    uint64_t features;
} known[] = {
#define X(NAME, name) {name, IFN_CPU_LEVEL_##NAME},
    IFN_CPU_LEVELS(X)
#undef X
};

static int has_level(size_t i)
{
    char text[32];
    ifn_backend *backend;
    snprintf(text, sizeof text, "simd=%s", known[i].name);
    if (ifn_backend_open(text, NULL, &backend, NULL) != IFN_OK)
        return 0;
    ifn_backend_close(backend);
    return 1;
}

static ifn_op_table table_of(const char *options, uint64_t cpu)
{
    static const ifn_op_table empty;
    ifn_op_table table = empty;
    const ifn_backend_env env = {
        .env_bytes = sizeof env, .cpu = cpu, .n_lanes = 1, .options = options};
    ifn_backend_simd.fill(&table, &env);
    return table;
}

TEST(a_level_opens_where_the_processor_has_it_and_nowhere_else)
{
    for (size_t i = 0; i < N_OF(known); i++)
        assert_int_equal(has_level(i), ifn_cpu_has(ifn_cpu_detect(), known[i].features));
}

TEST(each_level_adds_kernels_to_those_before_it)
{
    for (size_t i = 1; i < N_OF(known); i++) {
        if (!has_level(i) || !has_level(i - 1))
            continue;
        const ifn_op_table with = table_of("", known[i].features | known[i - 1].features);
        const ifn_op_table without = table_of("", known[i - 1].features);
        assert_memory_not_equal(&with, &without, sizeof with);
    }
}

TEST(the_option_and_the_mask_of_a_level_choose_the_same_kernels)
{
    for (size_t i = 0; i < N_OF(known); i++) {
        if (!has_level(i))
            continue;
        const ifn_op_table by_option = table_of(known[i].name, ifn_cpu_detect());
        const ifn_op_table by_mask = table_of("", known[i].features);
        assert_memory_equal(&by_option, &by_mask, sizeof by_option);
    }
}

TEST(without_the_weakest_level_it_cannot_run)
{
    const ifn_backend_env env = {.env_bytes = sizeof env, .options = ""};
    assert_false(ifn_backend_simd.usable(&env));
    const ifn_op_table nothing = {0}, filled = table_of("", 0);
    assert_memory_equal(&filled, &nothing, sizeof nothing);
}

TEST(a_level_that_is_none_is_refused_with_those_there_are)
{
    ifn_backend *backend;
    ifn_error err;
    if (ifn_backend_open("simd", NULL, &backend, &err) != IFN_OK) {
        assert_string_equal(err.text, "backend 'simd': cannot run on this machine");
        return;
    }
    ifn_backend_close(backend);
    assert_int_equal(ifn_backend_open("simd=avx1024", NULL, &backend, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "simd=avx1024: not a level of this processor; it has: "));
    for (size_t i = 0; i < N_OF(known); i++)
        if (has_level(i))
            assert_non_null(strstr(err.text, known[i].name));
}
