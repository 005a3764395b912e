#include "golden_write.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "golden.h"
#include "paths.h"
#include "pool.h"
#include "test.h"

static void build(conform_slot *s, conform_pool *pool, const conform_case *c, const spec_op *spec)
{
    ifn_error err = {0};
    conform_pool_init(pool);
    assert_ok(conform_slot_build(s, pool, c, spec, NULL, &err), err);
}

/* The spec of matmul up to its golden entries, the new one, and what follows them. */
static const char *write_spec(const conform_slot *s)
{
    const char *path = temp_path("matmul.yaml");
    char *text = read_file(source_path("spec/ops/matmul.yaml"), NULL);
    char *golden = strstr(text, "\ngolden:"), *behind = strstr(text, "\nlegal:");
    assert_true(golden && behind && golden < behind);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "%.*s\ngolden:\n", (int)(golden - text), text);
    assert_true(conform_golden_write(s, "a case that was found", out));
    fputs(behind + 1, out);
    fclose(out);
    free(text);
    return path;
}

static void what_was_written_is_read_as_the_same_inputs_and_results(void **state)
{
    (void)state;
    static conform_slot s, back;
    const conform_case c = bench_case(2, 9, 3);
    conform_pool pool, other;
    conform_case golden;
    spec_op *spec;
    ifn_error err = {0};
    build(&s, &pool, &c, NULL);
    assert_ok(spec_op_read(write_spec(&s), &spec, &err), err);
    assert_int_equal(spec->n_golden, 1);
    assert_ok(conform_golden_case(&conform_module_matmul, spec, 1, &golden, &err), err);
    assert_memory_equal(golden.dim, c.dim, sizeof c.dim);
    build(&back, &other, &golden, spec);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(back.before[i], s.before[i], s.layout.t[i].bytes);
    const spec_values *want = conform_golden_want(&back.layout, 2, back.entry);
    for (int i = 0; i < 6; i++)
        assert_true(want->values[i] == s.truth[2].want[i]);
    spec_op_free(spec);
    conform_pool_fini(&pool);
    conform_pool_fini(&other);
    temp_clean();
}

static void a_tensor_too_large_is_left_out_and_said(void **state)
{
    (void)state;
    static conform_slot s;
    const conform_case c = bench_case(2, 200, 3);
    conform_pool pool;
    char text[200] = "";
    build(&s, &pool, &c, NULL);
    FILE *out = tmpfile();
    assert_non_null(out);
    assert_false(conform_golden_write(&s, "large", out));
    rewind(out);
    assert_non_null(fgets(text, sizeof text, out));
    assert_string_equal(text, "  # large: a has too many values to be written down\n");
    fclose(out);
    conform_pool_fini(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(what_was_written_is_read_as_the_same_inputs_and_results),
        RUN(a_tensor_too_large_is_left_out_and_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
