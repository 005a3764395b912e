#include "call_scalars.h"

#include <math.h>
#include <string.h>

#include "test.h"

static void expect(ifn_op op, const conform_call *call, const char *expected)
{
    char text[256] = "";
    FILE *file = tmpfile();
    assert_non_null(file);
    conform_put_scalars(op, call, file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

TEST(scalars_are_written_by_name)
{
    conform_call call = {0};
    call.args.sum_squares_axis = IFN_ARGS(sum_squares_axis, .rows = 3, .cols = 5, .axis = 1);
    expect(IFN_OP_SUM_SQUARES_AXIS, &call, "rows: 3, cols: 5, axis: 1");
    call.args.rms_norm = IFN_ARGS(rms_norm, .rows = 2, .dim = 7, .eps = 0.5f);
    expect(IFN_OP_RMS_NORM, &call, "rows: 2, dim: 7, eps: 0.5");
}

TEST(infinities_are_written_as_yaml_has_them)
{
    conform_call call = {0};
    call.args.scale = IFN_ARGS(scale, .value = -INFINITY, .n = 1);
    expect(IFN_OP_SCALE, &call, "value: -.inf, n: 1");
    call.args.scale.value = NAN;
    expect(IFN_OP_SCALE, &call, "value: .nan, n: 1");
}

/* Every op prints something: its scalars follow from its signature alone. */
TEST(every_op_has_numbers)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_call call = {0};
        FILE *file = tmpfile();
        assert_non_null(file);
        conform_put_scalars((ifn_op)op, &call, file);
        assert_that(ftell(file) > 0, "%s", ifn_op_name((ifn_op)op));
        fclose(file);
    }
}
