/* How a long prompt is cut into chunks, and at which positions its logits are compared. */
#include "e2e_cuts.h"

#include "test.h"

static int64_t total(const e2e_cut *cut, int64_t n, int64_t *n_chunks)
{
    const e2e_chunks chunks = e2e_cut_chunks(cut);
    int64_t at = 0;
    for (*n_chunks = 0; at < n; ++*n_chunks)
        at += e2e_chunk_size(&chunks, *n_chunks, n - at);
    return at;
}

TEST(every_cut_is_of_all_ids)
{
    for (int64_t n = 1; n < 700; n += 7)
        for (int index = 0; index < 5; index++) {
            const e2e_cuts cuts = e2e_cuts_of(n, E2E_MAX_CUTS, index);
            int64_t n_chunks;
            assert_int_equal(cuts.n, E2E_MAX_CUTS);
            for (int c = 0; c < cuts.n; c++)
                assert_int_equal(total(&cuts.list[c], n, &n_chunks), n);
        }
}

/* Two cuts contain every size; of four cuts each mode gets two others, and two modes together get all. */
TEST(the_sizes_are_those_that_go_wrong)
{
    const e2e_cuts two = e2e_cuts_of(300, 2, 1);
    int64_t n_chunks;
    assert_int_equal(two.n, 2);
    assert_int_equal(two.list[1].sizes[3], 300 - 1 - 16 - 17 - 12);
    assert_int_equal(total(&two.list[0], 300, &n_chunks), 300);
    assert_int_equal(n_chunks, 1);
    assert_int_equal(total(&two.list[1], 300, &n_chunks), 300);
    assert_int_equal(n_chunks, 4 + 12);
    const e2e_cuts a = e2e_cuts_of(300, 4, 0), b = e2e_cuts_of(300, 4, 1);
    assert_string_equal(a.list[2].name, "chunks of 16");
    assert_string_equal(a.list[3].name, "chunks of 17");
    assert_string_equal(b.list[2].name, "chunks of 256");
    assert_string_equal(b.list[3].name, "1 and the rest");
}

TEST(the_steps_are_the_ends_of_the_pieces)
{
    static const int64_t want[] = {0,   16,  33,  287, 288, 289, 290, 291,
                                   292, 293, 294, 295, 296, 297, 298, 299};
    int64_t steps[300];
    const e2e_cuts cuts = e2e_cuts_of(300, 2, 0);
    assert_int_equal(e2e_cuts_steps(&cuts, 300, steps), N_OF(want));
    assert_memory_equal(steps, want, sizeof want);
    const e2e_cuts all = e2e_cuts_of(40, E2E_MAX_CUTS, 0);
    assert_int_equal(e2e_cuts_steps(&all, 40, steps), 40); /* one of the cuts is token by token */
}
