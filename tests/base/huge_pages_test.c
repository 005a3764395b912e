#define _DEFAULT_SOURCE /* madvise */
#include <inferno/huge_pages.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#define MADVISE_COLLAPSE 25 /* MADV_COLLAPSE, which is newer in headers than in Linux */
#endif

#include "page_marks.h"
#include "test.h"

/* Returns whether this system moves small pages into huge ones, and tells where pages lie. */
static int can_move(void)
{
    int done = 0;
#ifdef __linux__
    unsigned char *const page = aligned_alloc(IFN_HUGE_PAGE, IFN_HUGE_PAGE);
    assert_non_null(page);
    memset(page, 1, IFN_HUGE_PAGE);
    done = madvise(page, IFN_HUGE_PAGE, MADVISE_COLLAPSE) == 0 && bytes_in_huge_pages(page) >= 0;
    free(page);
#endif
    return done;
}

TEST(whole_pages_are_advised_and_keep_their_bytes)
{
    const size_t bytes = 4 * IFN_HUGE_PAGE;
    unsigned char *const block = aligned_alloc(IFN_HUGE_PAGE, bytes);
    assert_non_null(block);
    memset(block, 0x5a, bytes);
    if (ifn_advise_huge_pages(block + IFN_HUGE_PAGE, IFN_HUGE_PAGE) == 0)
        skip(); /* the system has no huge pages */
    assert_int_equal(ifn_advise_huge_pages(block + 1, bytes - 2), 2 * IFN_HUGE_PAGE);
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(block[i], 0x5a);
    assert_int_not_equal(is_marked_huge(block + IFN_HUGE_PAGE), 0);
    assert_int_not_equal(is_marked_huge(block + 3 * IFN_HUGE_PAGE - 1), 0);
    assert_int_not_equal(is_marked_huge(block + 3 * IFN_HUGE_PAGE), 1);
    free(block);
}

TEST(what_lies_in_small_pages_is_moved_with_its_bytes)
{
    const size_t bytes = 4 * IFN_HUGE_PAGE;
    unsigned char *const block = aligned_alloc(IFN_HUGE_PAGE, bytes);
    assert_non_null(block);
    for (size_t i = 0; i < bytes; i++)
        block[i] = (unsigned char)(i * 7 + i / 4096);
    const size_t moved = ifn_move_to_huge_pages(block + 1, bytes - 1);
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(block[i], (unsigned char)(i * 7 + i / 4096));
    if (can_move()) {
        assert_int_equal(moved, 3 * IFN_HUGE_PAGE);
        assert_true(bytes_in_huge_pages(block + IFN_HUGE_PAGE) > 0);
    }
    free(block);
}

TEST(what_holds_no_whole_page_is_left_alone)
{
    unsigned char *const block = aligned_alloc(IFN_HUGE_PAGE, 2 * IFN_HUGE_PAGE);
    assert_non_null(block);
    assert_int_equal(ifn_advise_huge_pages(block, 0), 0);
    assert_int_equal(ifn_advise_huge_pages(block, IFN_HUGE_PAGE - 1), 0);
    assert_int_equal(ifn_advise_huge_pages(block + 64, IFN_HUGE_PAGE), 0);
    assert_int_equal(ifn_advise_huge_pages(block + 64, 8), 0);
    free(block);
}
