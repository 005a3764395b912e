#include "paths.h"
#include "spec.h"
#include "spec_text.h"
#include "test.h"

TEST(shapes_are_made_of_dims)
{
    spec_op_free(assert_read("{dtype: f32, shape: [n]}\n", "{shape: [n / 32, \"(n + 1) * 2\"]}\n"));
    assert_refused("{dtype: f32, shape: [n]}\n", "{shape: [n, m]}\n",
                   "5:3: shape of x: 'm', expected a dim");
    assert_refused("{dtype: f32, shape: [n]}\n", "{shape: [n2]}\n",
                   "5:3: shape of x: 'n2', expected a dim");
    assert_refused("{dtype: f32, shape: [n]}\n", "{shape: [n ^ 2]}\n",
                   "5:3: shape of x: '^ 2', expected an operator or the end");
}

TEST(overlaps_are_with_other_args)
{
    assert_refused("may_alias: [x]", "may_alias: [y]",
                   "7:3: out may_alias 'y', expected another arg");
    assert_refused("may_alias: [x]", "may_alias: [out]",
                   "7:3: out may_alias 'out', expected another arg");
}

TEST(golden_entries_name_what_the_op_has)
{
    spec_op_free(assert_read("value: 2,", "value: 2, n: 2, dtype: F32, x_after: [1, 2],"));
    assert_refused("value: 2,", "valeu: 2,",
                   "16:33: valeu: expected an arg, a dim, dtype or out_dtype");
    assert_refused("value: 2,", "_after: 2,",
                   "16:33: _after: expected an arg, a dim, dtype or out_dtype");
    assert_refused("value: 2,", "value: two,", "16:33: value: expected numbers or bytes");
    assert_refused("value: 2,", "value: 2, n: [2],", "16:43: n: expected a number");
    assert_refused("value: 2,", "value: 2, dtype: F33,", "16:43: dtype: expected a dtype");
    assert_refused("value: 2,", "value: 2, dtype: 7,", "16:43: dtype: expected a dtype");
}

TEST(refuse_entries_name_what_a_call_has)
{
    spec_op_free(assert_read("{n: -1}", "{part: [0, 9], part2: [-1, 2], dtype: Q4_K}"));
    assert_refused("{n: -1}", "{part: 3}", "19:36: part: expected [begin, end]");
    assert_refused("{n: -1}", "{m: 3}",
                   "19:36: m: expected an arg, a weight's .dtype, .n_dims or .shape, a dim, dtype, "
                   "out_dtype, part or part2");
    assert_refused("{n: -1}", "{y.dtype: 1}", "19:36: y.dtype: expected an arg before the dot");
    assert_refused("{n: -1}", "{x.dtype: F33}", "19:36: x.dtype: expected a number");
    assert_refused("{n: -1}", "{x.shape: 3}", "19:36: x.shape: expected [rows, cols]");
    assert_refused("{n: -1}", "{x: y}",
                   "19:36: x: expected numbers, null or another arg to lie over");
    assert_refused("{n: -1}", "{n: null}", "19:36: n: expected a number");
}

TEST(integers_are_those_that_are_written)
{
    spec_op_free(assert_read("{n: -1}", "{n: -9223372036854775808, part: [0, 9007199254740994]}"));
    assert_refused("{n: -1}", "{n: 9223372036854775807}",
                   "19:39: '9223372036854775807', expected an integer that binary64 has, as "
                   "9223372036854775808");
    assert_refused("{n: -1}", "{n: -9007199254740993}",
                   "19:39: '-9007199254740993', expected an integer that binary64 has, as "
                   "-9007199254740992");
    assert_refused("{n: -1}", "{n: 9223372036854775808}",
                   "19:36: n: expected an integer of 64 bits");
    assert_refused("{n: -1}", "{part: [0, 1.5]}", "19:36: part: expected an integer of 64 bits");
    assert_refused("{n: -1}", "{x.n_dims: 1e30}",
                   "19:36: x.n_dims: expected an integer of 64 bits");
}
