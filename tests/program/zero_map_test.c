/* Pages of zeros: private, shared with children, or reserved without access. */
#include "zero_map.h"

#include <stdint.h>
#include <unistd.h>

#include "child.h"
#include "test.h"

enum { BYTES = 3 << 16 };

/* Returns what is at `at` after a child has written 7 there. */
static int after_a_child(volatile unsigned char *at)
{
    const pid_t pid = child_fork();
    if (pid == 0) {
        *at = 7;
        _exit(0);
    }
    assert_int_equal(child_wait(pid), 0);
    return *at;
}

TEST(pages_are_zeros)
{
    unsigned char *const map = zero_map(BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    assert_non_null(map);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal(map[i], 0);
    munmap(map, BYTES);
}

TEST(only_what_is_shared_is_seen_by_the_parent)
{
    static const struct {
        int sharing, seen;
    } each[] = {{MAP_PRIVATE, 0}, {MAP_SHARED, 7}};
    for (size_t i = 0; i < N_OF(each); i++) {
        unsigned char *const map = zero_map(BYTES, PROT_READ | PROT_WRITE, each[i].sharing);
        assert_non_null(map);
        assert_int_equal(after_a_child(map + BYTES - 1), each[i].seen);
        munmap(map, BYTES);
    }
}

TEST(room_that_nobody_may_touch_can_be_opened_later)
{
    unsigned char *const map = zero_map(BYTES, PROT_NONE, MAP_PRIVATE);
    assert_non_null(map);
    assert_int_equal(mprotect(map, BYTES, PROT_READ | PROT_WRITE), 0);
    map[BYTES - 1] = 1;
    munmap(map, BYTES);
}

TEST(more_than_there_is_room_for_is_null)
{
    assert_null(zero_map(SIZE_MAX / 2, PROT_READ | PROT_WRITE, MAP_PRIVATE));
}
