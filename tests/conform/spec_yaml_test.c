#include "spec.h"

#include <string.h>

#include "paths.h"
#include "spec_text.h"
#include "test.h"

TEST(a_spec_becomes_a_struct)
{
    spec_op *spec = assert_read("op: scale", "source: \"arXiv:0000.00000\"\nop: scale");
    assert_int_equal(spec->op, IFN_OP_SCALE);
    assert_string_equal(spec->formula, "out[i] = x[i] * value");
    assert_string_equal(spec->source, "arXiv:0000.00000");
    assert_int_equal(spec->n_args, 3);
    assert_int_equal(spec->n_dims, 1);
    assert_int_equal(spec->split[0], IFN_CUT_ELEMENTS);
    assert_int_equal(spec->contract_class, 'E');
    assert_int_equal(spec->n_law, 2);
    assert_int_equal(spec->n_golden, 1);
    assert_int_equal(spec->n_refuse, 1);
    assert_int_equal(spec->legal[0], 3);
    spec_op_free(spec);
}

TEST(a_spec_that_says_no_dtype_means_f32)
{
    spec_op *spec = assert_read("op: scale", "op: scale");
    assert_int_equal(spec->n_dtypes, 1);
    assert_int_equal(spec->dtypes[0], IFN_DTYPE_F32);
    assert_int_equal(spec->n_out_dtypes, 1);
    assert_int_equal(spec->out_dtypes[0], IFN_DTYPE_F32);
    spec_op_free(spec);
}

TEST(kind_and_op_are_known)
{
    assert_refused("op/1", "op/2", "1:10: 'op/2', expected op/1: kind and version");
    assert_refused("op: scale", "op: scalee", "2:5: 'scalee' is no op, expected one as matmul");
    assert_refused("op: scale", "opp: scale",
                   "2:1: unknown key 'opp', expected op, formula, source, args, split, contract, "
                   "law, no_law, dtypes, out_dtypes, dims, regimes, always, golden, legal, refuse");
}

TEST(every_required_key_is_missed)
{
    assert_refused("op: scale\n", "", "1:1: no key 'op', expected one");
    assert_refused("formula: out[i] = x[i] * value\n", "", "1:1: no key 'formula', expected one");
    assert_refused("split: [elements]\n", "", "1:1: no key 'split', expected one");
    assert_refused("contract: {class: E, bound: numerics 6}\n", "",
                   "1:1: no key 'contract', expected one");
    assert_refused("legal: {n: 3}\n", "", "1:1: no key 'legal', expected one");
    assert_refused("inferno: op/1\n", "", "1:1: no key 'inferno', expected one");
}

TEST(a_legal_call_has_every_dimension)
{
    assert_refused("{n: 3}", "{}", "17:8: no key 'n', expected one");
    assert_refused("{n: 3}", "{n: 3, m: 4}",
                   "17:15: unknown key 'm', expected one of the dims above");
    assert_refused("{n: 3}", "{n: three}", "17:12: 'three', expected an integer");
    assert_refused("{n: 3}", "{n: 3, dtype: F33}",
                   "17:22: 'F33' is no dtype, expected one as F32 or Q4_K");
    spec_op *spec = assert_read("{n: 3}", "{n: 7, dtype: q4_k, out_dtype: Q8_32F}");
    assert_int_equal(spec->legal[0], 7);
    assert_int_equal(spec->legal_dtype, IFN_DTYPE_Q4_K);
    assert_int_equal(spec->legal_out_dtype, IFN_DTYPE_Q8_32F);
    spec_op_free(spec);
}

TEST(a_missing_file_is_no_format_error)
{
    ifn_error err;
    spec_op *spec, *specs[IFN_OP_COUNT];
    assert_int_equal(spec_op_read(temp_path("none.yaml"), &spec, &err), IFN_ERR_IO);
    assert_null(spec);
    assert_int_equal(spec_read_all(temp_path("none"), specs, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "none/ops/matmul.yaml: no such file or directory"));
    for (int i = 0; i < IFN_OP_COUNT; i++)
        assert_null(specs[i]);
}

TEST(indexed_names_are_found)
{
    spec_op *spec = assert_read("  value:", "  v_i: {dtype: f32, shape: [n]}\n  value:");
    assert_ptr_equal(spec_find_arg(spec, "v_0"), &spec->args[1]);
    assert_ptr_equal(spec_find_arg(spec, "v_i"), &spec->args[1]);
    assert_null(spec_find_arg(spec, "v"));
    assert_null(spec_find_arg(spec, "v0"));
    assert_null(spec_find_arg(spec, "v_x"));
    assert_null(spec_find_arg(spec, "_0"));
    spec_op_free(spec);
}

TEST(a_name_that_is_not_there_is_null)
{
    spec_op *spec = assert_read("op: scale", "op: scale");
    assert_ptr_equal(spec_find_dim(spec, "n"), &spec->dims[0]);
    assert_null(spec_find_dim(spec, "m"));
    assert_null(spec_find_values(&spec->golden[0], "y"));
    assert_non_null(spec_find_values(&spec->golden[0], "value"));
    spec_op_free(spec);
}
