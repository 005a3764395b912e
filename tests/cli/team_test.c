#include "team.h"

#include <stdatomic.h>

#include "test.h"

typedef struct tally {
    atomic_int seen[TEAM_MAX];
} tally;

static void count(void *cookie, int i)
{
    tally *t = cookie;
    atomic_fetch_add(&t->seen[i], 1);
}

TEST(every_piece_is_done_exactly_once)
{
    static const int sizes[] = {1, 2, 7, TEAM_MAX};
    for (size_t s = 0; s < N_OF(sizes); s++) {
        tally t = {0};
        team_run(sizes[s], count, &t);
        for (int i = 0; i < TEAM_MAX; i++)
            assert_int_equal(atomic_load(&t.seen[i]), i < sizes[s]);
    }
}

TEST(the_team_has_somebody)
{
    assert_true(team_size() >= 1 && team_size() <= TEAM_MAX);
}
