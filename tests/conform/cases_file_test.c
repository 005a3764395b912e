#include "cases_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "test.h"
#include "tested.h"

static ifn_status read_text(const char *cases, conform_cases *out, spec_op *matmul, ifn_error *err)
{
    spec_op *specs[IFN_OP_COUNT] = {NULL};
    char text[1000];
    specs[IFN_OP_MATMUL] = matmul;
    const int n = snprintf(text, sizeof text, "inferno: cases/1\ncases:\n%s", cases);
    const char *path = temp_path("cases.yaml");
    write_file(path, text, (size_t)n);
    const ifn_status status = conform_cases_read(path, specs, out, err);
    temp_clean();
    return status;
}

static spec_op *an_empty_spec(void)
{
    spec_op *spec = calloc(1, sizeof *spec);
    assert_non_null(spec);
    spec->op = IFN_OP_MATMUL;
    return spec;
}

TEST(cases_with_values_take_the_place_of_golden_entries)
{
    conform_cases cases;
    ifn_error err = {0};
    spec_op *spec = an_empty_spec();
    assert_ok(read_text("  - case: matmul/F32/m=1,n=2,p=1/GO/written/raw/0/7.2a/at=4\n"
                        "    name: first\n    a: [[1, 2]]\n    b: [[3], [4]]\n"
                        "  - {case: \'matmul/F32/m=2,n=3,p=4/T1/normal/raw/0/1\', name: drawn}\n"
                        "  - case: matmul/F32/m=1,n=1,p=1/GO/written/raw/0/1\n"
                        "    name: second\n    a: [[5]]\n    b: [[6]]\n    out: [[30]]\n",
                        &cases, spec, &err),
              err);
    assert_int_equal(cases.n, 3);
    assert_int_equal(cases.cases[0].index, 1);
    assert_int_equal(cases.cases[0].seed, 0x2a);
    assert_int_equal(cases.cases[0].at, 4);
    assert_int_equal(cases.cases[1].tier, TIER_T1);
    assert_int_equal(cases.cases[2].index, 2);
    assert_int_equal(spec->n_golden, 2);
    assert_string_equal(spec->golden[1].name, "second");
    assert_true(spec_find_values(&spec->golden[0], "b")->values[1] == 4);
    conform_cases_free(&cases);
    spec_op_free(spec);
}

TEST(what_is_no_case_is_refused_with_its_place)
{
    static const struct {
        const char *item, *why;
    } bad[] = {
        {"  - 3\n", "cases.yaml:3:5:"},
        {"  - {name: x}\n", "cases.yaml:3:5: no key 'case'"},
        {"  - {case: 'matmul/F32/m=1,n=1,p=1/T1/normal/raw/0/1'}\n", "no key 'name'"},
        {"  - {case: multiply/F32, name: x}\n", "cases.yaml:3:5: case id: op: found 'multiply'"},
        {"  - {case: \'matmul/F32/m=1,n=1,p=1/RE/normal/raw/0/1.1\', name: x}\n", "to refuse"},
        {"  - {case: \'matmul/F32/m=1,n=1,p=1/T1/normal/raw/0/1\', name: x, a: [[1]]}\n",
         "values of a case that makes its own"},
        {"  - {case: \'matmul/F32/m=1,n=1,p=1/GO/written/raw/0/1\', name: x, c: [[1]]}\n",
         "cases.yaml:3:66: the case has no tensor 'c'"},
        {"  - {case: \'matmul/F32/m=-1,n=1,p=1/GO/written/raw/0/1\', name: x}\n",
         "m=-1, expected at least 0"},
        {"  - {case: 'matmul/F32/m=4096,n=1,p=4096/GO/written/raw/0/1', name: x}\n",
         "more elements than"},
        {"  - {case: 'matmul/F32/m=9999999999,n=9999999999,p=1/T1/normal/raw/0/1', name: x}\n",
         "more elements than"},
        {"  - {case: 'linear/Q4_K/rows=1,n=1,k=1/T1/normal/raw/0/1', name: x}\n", "case"},
        {"  - {case: 'matmul/F32/m=1,n=1,p=1/T0/normal/raw/0/1', name: x}\n",
         "case of matmul: family normal in tier T0, expected lattice, asymmetric, one-hot"},
        {"  - {case: 'matmul/F32/m=1,n=1,p=1/T2/lattice/raw/0/1', name: x}\n",
         "case of matmul: family lattice in tier T2, expected normal, wide"},
        {"  - {case: 'linear/F32/rows=1,n=1,k=1,n_w=1,pad=0,bias=0/T1/scale-probe/raw/0/1', "
         "name: x}\n",
         "family scale-probe in tier T1, expected normal, positive, cancelling, tiny, huge, wide, "
         "zeros, constant or one of 12 more"},
        {"  - {case: 'add/F32/n=1/T0/lattice/raw/0/1', name: x}\n",
         "case of add: family lattice in tier T0, expected a tier that the op has"},
        {"  - {case: 'matmul/F32/m=1,n=1,p=1/GO/normal/raw/0/1', name: x}\n",
         "family normal in tier GO, expected written"},
        {"  - {case: 'matmul/F32/m=1,n=1,p=1/T1/normal/raw/1/1', name: x}\n",
         "overlap 1, which the op does not have"},
        {"  - {case: 'add/F32/n=1/T1/normal/raw/4294967295/1', name: x}\n",
         "overlap -1, which the op does not have"},
        {"  - {case: \'matmul/F32/m=1,n=1,p=1/GO/written/raw/0/1\', name: x, a: [[y]]}\n",
         "cases.yaml:3:"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        conform_cases cases;
        ifn_error err = {0};
        spec_op *spec = an_empty_spec();
        assert_int_equal(read_text(bad[i].item, &cases, spec, &err), IFN_ERR_FORMAT);
        assert_that(strstr(err.text, bad[i].why), "'%s' does not say '%s'", err.text, bad[i].why);
        spec_op_free(spec);
    }
}

TEST(another_kind_of_file_is_refused)
{
    static const char text[] = "inferno: cases/2\ncases: []\n";
    spec_op *specs[IFN_OP_COUNT] = {NULL};
    conform_cases cases;
    ifn_error err = {0};
    const char *path = temp_path("cases.yaml");
    write_file(path, text, sizeof text - 1);
    assert_int_equal(conform_cases_read(path, specs, &cases, &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "cases.yaml:1:10: 'cases/2', expected cases/1"));
    assert_int_equal(conform_cases_read("/nowhere", specs, &cases, &err), IFN_ERR_IO);
    temp_clean();
}
