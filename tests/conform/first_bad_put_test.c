/* What a report says. */
#include <stdlib.h>
#include <string.h>

#include "first_bad.h"
#include "test.h"

static void expect_text(const first_bad_finding *r, const char *expected)
{
    char text[2000] = "";
    FILE *const out = fmemopen(text, sizeof text, "w");
    conform_first_bad_put(r, out);
    fclose(out);
    assert_string_equal(text, expected);
}

static first_bad_finding an_op(void)
{
    return (first_bad_finding){.kind = FIRST_BAD_OP,
                               .backend = "simd",
                               .n_calls = 20,
                               .n_judged = 100,
                               .n_total = 400,
                               .largest_ratio = 0.5,
                               .layer = 2,
                               .point = "up",
                               .position = 3,
                               .op = IFN_OP_LINEAR,
                               .weight = "blk.2.ffn_up.weight",
                               .shapes = "x [7,64], w_0 [96,64], out_0 [7,96]",
                               .call = 19,
                               .first_pos = 0,
                               .n_pos = 7,
                               .tensor = "out_0",
                               .row = 3,
                               .col = 37,
                               .got = 1.5,
                               .want = 1,
                               .bound = 0.125,
                               .ratio = 4,
                               .ulp = 9,
                               .n_wrong = 7,
                               .n_looked = 672,
                               .pattern = "one column",
                               .scalar_is_fine = 1,
                               .scalar_ratio = 0.25};
}

static void an_op_is_told_with_its_worst_element(void **state)
{
    first_bad_finding r = an_op();
    (void)state;
    expect_text(&r, "first bad op on simd: layer 2, up\n"
                    "  op           linear, call 19 in pass 0, positions 0..6\n"
                    "  weight       blk.2.ffn_up.weight\n"
                    "  shapes       x [7,64], w_0 [96,64], out_0 [7,96]\n"
                    "  worst        out_0[3,37] at position 3\n"
                    "  got          1.5 (0x1.8p+0)\n"
                    "  want         1 (0x1p+0)\n"
                    "  bound        0.125, exceeded 4 times, 9 ulp\n"
                    "  pattern      one column\n"
                    "  wrong        7 of 672 elements\n"
                    "  scalar       is right on the same inputs: 0.25 of its bound\n"
                    "  looked at    20 calls, 100 of 400 elements judged; largest error of the "
                    "accepted ones 0.5 of its bound\n");
}

static void a_file_is_told_with_the_command_that_repeats_it(void **state)
{
    first_bad_finding r = an_op();
    char text[2000] = "";
    (void)state;
    strcpy(r.yaml, "one.yaml");
    r.yaml_bytes = 12;
    r.is_repeated = 1;
    FILE *const out = fmemopen(text, sizeof text, "w");
    conform_first_bad_put(&r, out);
    fclose(out);
    assert_non_null(strstr(text,
                           "  alone        one.yaml (12 bytes): fails here, passes on scalar\n"
                           "  repeat       inferno conform --backend 'simd' --case 'one.yaml'\n"));
}

static void none_and_a_point_of_the_graph_are_told(void **state)
{
    first_bad_finding r = an_op();
    char text[2000] = "";
    (void)state;
    r.kind = FIRST_BAD_NONE;
    r.n_unjudged = 2;
    expect_text(&r, "first bad op on simd: none, every op keeps its contract\n"
                    "  looked at    20 calls, 100 of 400 elements judged; 2 calls have no case; "
                    "largest error of the accepted ones 0.5 of its bound\n");
    r.kind = FIRST_BAD_GRAPH;
    FILE *const out = fmemopen(text, sizeof text, "w");
    conform_first_bad_put(&r, out);
    fclose(out);
    assert_non_null(strstr(text, "layer 2, up is the first point far from truth"));
    assert_non_null(strstr(text, "honest       within 0.125, exceeded 4 times"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(an_op_is_told_with_its_worst_element),
        RUN(a_file_is_told_with_the_command_that_repeats_it),
        RUN(none_and_a_point_of_the_graph_are_told),
    };
    return cmocka_run_group_tests_name("conform/first_bad_put", tests, NULL, NULL);
}
