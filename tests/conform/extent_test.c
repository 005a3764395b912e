#include "extent.h"

#include "test.h"

/* attention: rows, n_kv_heads, group, head_dim, ... */
static const conform_case attention = {.op = IFN_OP_ATTENTION};

static void expressions_are_worked_out(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } of[] = {
        {"7", 7},           {"2 + 3 * 4", 14},    {"(2 + 3) * 4", 20}, {"9 - 2 - 3", 4},
        {"64 / 32 / 2", 1}, {"((1))", 1},         {"3*m", 15},         {"m + n * p", 5 + 6 * 7},
        {" m ", 5},         {"(m + 1) * (n)", 36}};
    const conform_case c = {.op = IFN_OP_MATMUL, .dim = {5, 6, 7}};
    for (size_t i = 0; i < N_OF(of); i++) {
        int64_t value = -1;
        assert_true(conform_extent(of[i].text, &c, &value));
        assert_that(value == of[i].value, "%s: %lld", of[i].text, (long long)value);
    }
}

static void what_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "m",
                                      "rows +",
                                      "rows rows",
                                      "(rows",
                                      "rows)",
                                      "1 / 0",
                                      "row",
                                      "rowsrows",
                                      "-rows",
                                      "((((((((((1))))))))))"};
    for (size_t i = 0; i < N_OF(bad); i++) {
        int64_t value;
        assert_that(!conform_extent(bad[i], &attention, &value), "'%s'", bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(expressions_are_worked_out),
        RUN(what_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
