#include "written_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "case_pool.h"
#include "cases_file.h"
#include "paths.h"
#include "test.h"

static void build(conform_slot *s, conform_pool *pool, const conform_case *c, const spec_op *spec)
{
    ifn_error err = {0};
    conform_pool_init(pool);
    assert_ok(conform_slot_build(s, pool, c, spec, NULL, &err), err);
}

static spec_op *a_spec_with(const spec_entry *entry)
{
    spec_op *spec = calloc(1, sizeof *spec);
    assert_non_null(spec);
    spec->op = IFN_OP_MATMUL;
    spec->n_golden = 1;
    spec->golden[0] = *entry;
    return spec;
}

static conform_case written(conform_case c)
{
    c.tier = TIER_GOLDEN;
    c.family = FAMILY_WRITTEN;
    c.index = 1;
    return c;
}

/* Writes a drawn case as values to a file and reads it back: inputs and the oracle's results stay the same. */
static void go_round(int64_t n, int64_t most)
{
    static conform_slot s, golden, back;
    const conform_case c = bench_case(2, n, 3), g = written(c);
    conform_pool pools[3];
    conform_cases cases;
    spec_op *specs[IFN_OP_COUNT] = {NULL};
    ifn_error err = {0};
    build(&s, &pools[0], &c, NULL);
    spec_entry *entry = conform_written_of(&s, "found", most);
    spec_op *spec = a_spec_with(entry);
    build(&golden, &pools[1], &g, spec);
    const char *path = temp_path("cases.yaml");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("inferno: cases/1\ncases:\n", out);
    conform_written_put(&golden, "a \"case\" \\ that was found", out);
    fclose(out);
    free(entry);
    specs[IFN_OP_MATMUL] = spec;
    assert_ok(conform_cases_read(path, specs, &cases, &err), err);
    assert_int_equal(cases.n, 1);
    assert_string_equal(spec->golden[0].name, "a \"case\" \\ that was found");
    build(&back, &pools[2], &cases.cases[0], spec);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(back.before[i], s.before[i], s.layout.t[i].bytes);
    const spec_values *want = spec_find_values(back.entry, "out");
    for (int i = 0; i < 6; i++)
        assert_true(want->values[i] == golden.truth[2].want[i]);
    conform_cases_free(&cases);
    spec_op_free(spec);
    for (int i = 0; i < 3; i++)
        conform_pool_fini(&pools[i]);
    temp_clean();
}

TEST(what_was_written_is_read_as_the_same_inputs_and_results)
{
    go_round(9, SPEC_MAX_VALUES);
}

TEST(what_is_long_is_written_as_bytes)
{
    go_round(300, SPEC_MAX_BYTES);
}

TEST(a_tensor_too_large_cannot_be_written_down)
{
    static conform_slot s;
    const conform_case c = bench_case(2, 200, 3);
    conform_pool pool;
    build(&s, &pool, &c, NULL);
    assert_null(conform_written_of(&s, "large", SPEC_MAX_VALUES));
    conform_pool_fini(&pool);
}

TEST(a_copy_has_values_of_its_own)
{
    static conform_slot s;
    const conform_case c = bench_case(2, 3, 300);
    conform_pool pool;
    build(&s, &pool, &c, NULL);
    spec_entry *entry = conform_written_of(&s, "x", SPEC_MAX_BYTES);
    spec_entry *copy = conform_written_copy(entry);
    assert_int_equal(copy->n_values, 2);
    assert_ptr_not_equal(copy->values, entry->values);
    assert_memory_equal(&copy->values[0], &entry->values[0], sizeof *entry->values);
    assert_int_equal(copy->values[1].n, 3 * 300 * 4);
    assert_ptr_not_equal(copy->values[1].bytes, entry->values[1].bytes);
    assert_memory_equal(copy->values[1].bytes, entry->values[1].bytes, 3 * 300 * 4);
    conform_written_free(entry);
    conform_written_free(copy);
    conform_written_free(NULL);
    conform_pool_fini(&pool);
}

/* Expects how one tensor of a case is written. */
static void expect_line(const conform_slot *s, const char *line)
{
    const char *path = temp_path("put.yaml");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    conform_written_put(s, "x", out);
    fclose(out);
    char *text = read_file(path, NULL);
    assert_that(strstr(text, line), "%s lacks %s", text, line);
    free(text);
}

TEST(what_is_no_finite_number_is_written_by_its_name)
{
    static conform_slot s;
    const conform_case c = bench_case(2, 2, 3);
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1.5f};
    conform_pool pool;
    build(&s, &pool, &c, NULL);
    s.c.tier = TIER_GOLDEN;
    memcpy(s.before[0], odd, sizeof odd);
    expect_line(&s, "    a: [[.nan, .inf], [-.inf, 1.5]]\n");
    conform_pool_fini(&pool);
    temp_clean();
}

/* If the truth skips an element of a result, the result is not written, and the oracle computes it. */
TEST(a_result_with_a_skipped_element_is_not_written)
{
    static conform_slot s;
    const conform_case c = bench_case(2, 2, 3);
    conform_pool pool;
    build(&s, &pool, &c, NULL);
    s.c.tier = TIER_GOLDEN;
    expect_line(&s, "    out: [[");
    unsigned char skip[6] = {0};
    s.truth[2].skip = skip;
    expect_line(&s, "    out: [[");
    skip[5] = 1;
    const char *path = temp_path("put.yaml");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    conform_written_put(&s, "x", out);
    fclose(out);
    char *text = read_file(path, NULL);
    assert_null(strstr(text, "out:"));
    free(text);
    conform_pool_fini(&pool);
    temp_clean();
}
