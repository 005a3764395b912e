/* Whether a case tries a relation, and how it does, are independent draws. */
#include "judge_run.h"
#include "stream.h"
#include "test.h"

enum { SEEDS = 512, PLACES = 40 };

static bool is_due(uint64_t seed, conform_check check)
{
    const conform_slot slot = {.c = {.op = IFN_OP_ATTENTION,
                                     .dim = {2, 5, 1, 2, 2, 32, 0},
                                     .tier = TIER_T1,
                                     .family = FAMILY_NORMAL,
                                     .seed = seed}};
    const judge_run r = {.slot = &slot};
    return judge_is_due(&r, check);
}

/* The pages of a call were never a span after those of another sequence: the draw that decides it was the one by which
 * one case in four has pages at all. */
TEST(a_draw_of_the_same_name_is_another_draw)
{
    for (int check = 0; check < CHECK_COUNT; check++) {
        const char *const name = conform_check_name((conform_check)check);
        int n_due = 0, ones[PLACES] = {0};
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            if (!is_due(seed, (conform_check)check))
                continue;
            n_due++;
            for (uint64_t at = 0; at < PLACES; at++)
                ones[at] += (int)conform_integer(conform_stream_of(seed, name), at, 0, 1);
        }
        assert_in_range(n_due, SEEDS / 8, SEEDS * 5 / 8);
        for (int at = 0; at < PLACES; at++)
            assert_that(ones[at] > n_due / 4 && ones[at] < n_due * 3 / 4,
                        "%s: place %d is 1 in %d of %d cases that are due", name, at, ones[at],
                        n_due);
    }
}
