#include "paths.h"
#include "plan_cases.h"
#include "spec.h"
#include "spec_text.h"
#include "test.h"

#define DIM "n: {edge: [0, 1, 5], random: [1, 64]}\n"
#define TWO "n: {edge: [1]}\n  m: {edge: [1]}\nalways:\n"

TEST(an_entry_has_a_size_or_several_for_a_dim)
{
    spec_op *spec = assert_read(DIM, "n: {edge: [1]}\nalways:\n"
                                     "  - {name: large, dtypes: [F16, Q8_0], n: [7, 8, 9],\n"
                                     "     out_dtypes: [F32, Q4_0], families: [wide, specials]}\n"
                                     "  - {name: small, from: nightly, n: 2}\n");
    assert_int_equal(spec->n_always, 2);
    const spec_always *const large = &spec->always[0];
    assert_string_equal(large->name, "large");
    assert_int_equal(large->n_dtypes, 2);
    assert_int_equal(large->dtypes[1], IFN_DTYPE_Q8_0);
    assert_int_equal(large->sizes[0].n, 3);
    assert_int_equal(large->sizes[0].values[2], 9);
    assert_int_equal(large->n_out_dtypes, 2);
    assert_int_equal(large->out_dtypes[1], IFN_DTYPE_Q4_0);
    assert_int_equal(large->n_families, 2);
    assert_int_equal(large->families[0], FAMILY_WIDE);
    assert_int_equal(spec->always[0].from, PROFILE_SMOKE);
    assert_int_equal(spec->always[1].from, PROFILE_NIGHTLY);
    assert_int_equal(spec->always[1].n_dtypes, 0);
    assert_int_equal(spec->always[1].sizes[0].n, 1);
    assert_int_equal(spec->always[1].sizes[0].values[0], 2);
    spec_op_free(spec);
}

TEST(an_entry_is_complete)
{
    assert_refused(DIM, TWO "  - {name: some, n: 1}\n", "17:5: no key 'm', expected one");
    assert_refused(DIM, TWO "  - {m: 1, n: 1}\n", "17:5: no key 'name', expected one");
    assert_refused(DIM, TWO "  - {name: some, m: [], n: 1}\n",
                   "17:21: no size, expected one or more");
    assert_refused(DIM, TWO "  - {name: some, m: 1.5, n: 1}\n",
                   "17:21: '1.5', expected an integer");
    assert_refused(DIM, TWO "  - {name: some, m: [2, -1], n: 1}\n",
                   "17:25: a size of -1, expected 0 to 1073741824");
    assert_refused(DIM, TWO "  - {name: some, m: 1073741825, n: 1}\n",
                   "17:21: a size of 1073741825, expected 0 to 1073741824");
    assert_refused(DIM, TWO "  - {name: some, m: 1073741824, n: [1, 1073741824]}\n",
                   "17:5: sizes of more elements than can be counted");
    assert_refused(DIM, TWO "  - {name: some, from: dawn, m: 1, n: 1}\n",
                   "17:24: 'dawn', expected smoke, ci or nightly");
    assert_refused(DIM, TWO "  - {name: some, dtypes: [Q9], m: 1, n: 1}\n",
                   "17:27: 'Q9' is no dtype, expected one as F32 or Q4_K");
    assert_refused(DIM, TWO "  - {name: some, families: [all], m: 1, n: 1}\n",
                   "17:29: 'all' is no family of inputs, expected one as normal");
    assert_refused(DIM, "n: {edge: [1]}\nalways:\n  - {name: some, families: [ties], n: 1}\n",
                   "1:1: always 'some': family ties, expected one of regimes");
    assert_refused(DIM, TWO "  - {name: some, k: 1}\n",
                   "17:18: unknown key 'k', expected name, from, dtypes, out_dtypes, families or "
                   "one of the dims above");
}
