#include <stdio.h>
#include <string.h>

#include "paths.h"
#include "spec.h"
#include "spec_text.h"
#include "test.h"

TEST(an_arg_has_a_shape_and_permitted_overlaps)
{
    spec_op *spec =
        assert_read("value: {scalar: f32}", "value: {scalar: f32, from: [1, 2], meaning: a factor, "
                                            "optional: yes}");
    assert_string_equal(spec->args[0].name, "x");
    assert_int_equal(spec->args[0].n_shape, 1);
    assert_string_equal(spec->args[0].shape[0], "n");
    assert_int_equal(spec->args[1].n_shape, 0);
    assert_int_equal(spec->args[2].n_aliases, 1);
    assert_string_equal(spec->args[2].may_alias[0], "x");
    assert_int_equal(spec->args[2].line, 7);
    spec_op_free(spec);
}

TEST(an_arg_has_no_other_keys)
{
    assert_refused("{scalar: f32}", "{scaler: f32}",
                   "6:11: unknown key 'scaler', expected dtype, shape, scalar, from, optional, "
                   "may_alias, meaning");
    assert_refused("{scalar: f32}", "{shape: n}", "6:18: a single value, expected a list");
    assert_refused("{scalar: f32}", "{shape: [a, b, c, d, e]}",
                   "6:31: entry 5 of a list, expected at most 4");
    assert_refused("{scalar: f32}", "{meaning: {a: b}}", "6:20: a map, expected text");
    assert_refused("{scalar: f32}", "f32", "6:10: a single value, expected a map");
    assert_refused("  value:", "  value_with_a_name_of_24_bytes:",
                   "6:3: 'value_with_a_name_of_24_bytes' has 29 bytes, expected at most 23");
}

TEST(there_are_not_more_args_than_fit)
{
    char many[2000] = "";
    for (int i = 0; i < 15; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "  a%d: {}\n", i);
    strcat(many, "  value:");
    assert_refused("  value:", many, "21:3: too many args, expected at most 16");
}
