#include "paths.h"
#include "spec.h"
#include "spec_text.h"
#include "test.h"

#define REGIMES "{T1: [normal, wide], SV: [specials]}"

TEST(regimes_are_families_by_tier_in_their_order)
{
    static const spec_regime expected[] = {
        {TIER_T1, FAMILY_WIDE}, {TIER_T1, FAMILY_WIDE}, {TIER_T0, FAMILY_ONE_HOT}};
    spec_op *spec = assert_read(REGIMES, "{T1: [wide, wide], T0: [one-hot]}");
    assert_int_equal(spec->n_regimes, N_OF(expected));
    for (size_t i = 0; i < N_OF(expected); i++) {
        assert_int_equal(spec->regimes[i].tier, expected[i].tier);
        assert_int_equal(spec->regimes[i].family, expected[i].family);
    }
    spec_op_free(spec);
}

TEST(what_is_no_tier_and_no_family_is_refused)
{
    assert_refused(REGIMES, "{GO: [written]}", "20:11: 'GO', expected T0, T1, T2 or SV");
    assert_refused(REGIMES, "{T3: [normal]}", "20:11: 'T3', expected T0, T1, T2 or SV");
    assert_refused(REGIMES, "{T1: [plain]}",
                   "20:16: 'plain' is no family of inputs, expected one as normal");
    assert_refused(REGIMES, "{T1: []}", "20:15: no family, expected one or more");
    assert_refused(REGIMES, "{}", "20:10: no tier, expected one or more");
    assert_refused(REGIMES, "[normal]", "20:10: a list, expected a map");
    assert_refused("regimes: " REGIMES "\n", "", "1:1: no key 'regimes', expected one");
}
