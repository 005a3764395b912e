#include "registry.h"

#include <string.h>

#include "fakes.h"
#include "test.h"

/* The expression the fake backends resolve `text` to, first `n` of the list registered. */
static void assert_resolves(size_t n, const char *text, uint32_t cpu_mask, const char *expected)
{
    if (cpu_mask && !ifn_cpu_detect())
        return; /* fakes.c */
    const ifn_registry some = {fake_registry.descs, n};
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .cpu_mask = cpu_mask);
    ifn_backend *self;
    ifn_error err;
    assert_ok(ifn_registry_open(&some, text, &options, &self, &err), err);
    assert_string_equal(ifn_backend_expression(self), expected);
    ifn_backend_close(self);
}

#define NO_CPU (1u << 31)

TEST(the_default_is_the_best_that_is_there_and_runs)
{
    assert_resolves(4, NULL, 0, "parallel:simd");
    assert_resolves(4, "", 0, "parallel:simd");
    assert_resolves(2, NULL, 0, "simd");
    assert_resolves(1, NULL, 0, "scalar");
    assert_resolves(4, NULL, NO_CPU, "scalar");
}

TEST(parallel_alone_takes_the_best_leaf)
{
    assert_resolves(4, "parallel", 0, "parallel:simd");
    assert_resolves(4, "parallel=3", NO_CPU, "parallel=3:scalar");
}

TEST(tracing_is_trace)
{
    assert_resolves(4, "tracing:scalar", 0, "trace:scalar");
}

TEST(multicore_is_parallel)
{
    assert_resolves(4, "multicore", 0, "parallel:simd");
    assert_resolves(4, "multicore=3:scalar", 0, "parallel=3:scalar");
}

TEST(spaces_around_a_name_do_not_matter)
{
    assert_resolves(4, " simd ", 0, "simd");
    assert_resolves(4, "trace : parallel = 3 : scalar", 0, "trace:parallel=3:scalar");
}

static void assert_fails(const char *text, ifn_status status, const char *message)
{
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(ifn_registry_open(&fake_registry, text, NULL, &self, &err), status);
    assert_string_equal(err.text, message);
    assert_null(self);
}

TEST(an_unknown_name_is_answered_with_the_list)
{
    assert_fails(
        "cuda", IFN_ERR_ARGUMENT,
        "backend 'cuda': unknown; this build has: scalar, simd, parallel, trace, split, check");
    assert_fails("trace:", IFN_ERR_ARGUMENT, "backend 'trace:': a name is missing after ':'");
}

TEST(an_unknown_name_is_answered_with_the_nearest)
{
    assert_fails("trace:Simd", IFN_ERR_ARGUMENT,
                 "backend 'Simd': unknown, did you mean 'simd'? This build has: scalar, simd, "
                 "parallel, trace, split, check");
    assert_fails("multicores", IFN_ERR_ARGUMENT,
                 "backend 'multicores': unknown, did you mean 'multicore'? This build has: scalar, "
                 "simd, parallel, trace, split, check");
}

TEST(a_plugin_is_told_apart_from_a_misspelt_name)
{
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(ifn_registry_open(&fake_registry, "./mine.so", NULL, &self, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "backend './mine.so': cannot be loaded"));
    assert_int_equal(ifn_registry_open(&fake_registry, "trace:mine.so=x:simd", NULL, &self, &err),
                     IFN_ERR_IO);
    assert_fails(
        "so", IFN_ERR_ARGUMENT,
        "backend 'so': unknown; this build has: scalar, simd, parallel, trace, split, check");
}

TEST(a_long_list_of_names_is_cut_at_a_name)
{
    enum { N = 40 };
    const ifn_backend_desc *descs[N];
    for (size_t i = 0; i < N; i++)
        descs[i] = &fake_parallel;
    const ifn_registry many = {descs, N};
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(ifn_registry_open(&many, "x", NULL, &self, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "parallel, parallel"));
    assert_true(strlen(err.text) < sizeof err.text - 1);
}

TEST(a_registered_descriptor_must_pass_the_handshake)
{
    ifn_backend_desc old = fake_simd;
    old.abi = 0;
    const ifn_backend_desc *const descs[] = {&fake_root, &old};
    const ifn_registry registry = {descs, 2};
    ifn_backend *self;
    ifn_error err;
    assert_int_equal(ifn_registry_open(&registry, "simd", NULL, &self, &err), IFN_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "backend 'simd': built for ABI 0, this library has 2");
    assert_int_equal(ifn_registry_open_desc(&registry, &old, NULL, NULL, NULL, &self, &err),
                     IFN_ERR_UNSUPPORTED);
}

TEST(a_descriptor_without_a_base_stands_on_the_reference)
{
    ifn_backend *self;
    ifn_error err;
    assert_ok(ifn_registry_open_desc(&fake_registry, &fake_mine, NULL, "o", NULL, &self, &err),
              err);
    assert_string_equal(ifn_backend_expression(self), "mine=o");
    assert_string_equal(self->base->desc->name, "scalar");
    ifn_backend_close(self);
    assert_ok(ifn_registry_open_desc(&fake_registry, &fake_root, NULL, NULL, NULL, &self, &err),
              err);
    assert_null(self->base);
    ifn_backend_close(self);
}

TEST(the_longest_expression_still_gets_its_base)
{
    assert_resolves(fake_registry.n, "trace:check:trace:check:trace:check:trace:simd", 0,
                    "trace:check:trace:check:trace:check:trace:simd");
    assert_resolves(fake_registry.n, "trace:check:trace:check:trace:check:trace:parallel", 0,
                    "trace:check:trace:check:trace:check:trace:parallel:simd");
}

TEST(scalar_is_built_in_and_opens)
{
    size_t n;
    const ifn_backend_desc *const *const list = ifn_backend_list(&n);
    ifn_backend *self;
    ifn_error err;
    assert_true(n >= 1);
    assert_string_equal(list[0]->name, "scalar");
    assert_ok(ifn_backend_open("scalar", NULL, &self, &err), err);
    assert_string_equal(ifn_backend_expression(self), "scalar");
    assert_null(self->base);
    const float x[] = {1, 2};
    float out[2];
    const ifn_add_args a = IFN_ARGS(add, .out = out, .x = x, .y = x, .n = 2);
    assert_int_equal(ifn_add(self, &a), IFN_OK);
    assert_true(out[0] == 2 && out[1] == 4);
    ifn_backend_close(self);
}

TEST(a_program_opens_its_own_descriptor_on_scalar)
{
    ifn_backend *mine, *traced;
    ifn_error err;
    const float x[] = {3};
    float out[] = {0};
    const ifn_add_args a = IFN_ARGS(add, .out = out, .x = x, .y = x, .n = 1);
    const ifn_hadamard_args product = IFN_ARGS(hadamard, .out = out, .x = x, .y = x, .n = 1);
    assert_ok(ifn_backend_open_desc(&fake_mine, NULL, NULL, NULL, &mine, &err), err);
    assert_ok(ifn_backend_open_desc(&fake_trace, mine, NULL, NULL, &traced, &err), err);
    assert_int_equal(ifn_add(traced, &a), FROM_MINE);
    assert_int_equal(ifn_hadamard(traced, &product), IFN_OK);
    assert_true(out[0] == 9);
    assert_string_equal(ifn_backend_expression(traced), "trace:mine");
    ifn_backend_close(traced);
    ifn_backend_close(mine);
}
