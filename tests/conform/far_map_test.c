#include "far_map.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

static const size_t large = (size_t)5 << 30;

static int n_protected;

int __real_mprotect(void *at, size_t bytes, int access);
int __wrap_mprotect(void *at, size_t bytes, int access);

/* Delays the first call of the process, as if another process had taken the machine. */
int __wrap_mprotect(void *at, size_t bytes, int access)
{
    const struct timespec delay = {.tv_nsec = 30000000};
    if (n_protected++ == 0)
        (void)nanosleep(&delay, NULL);
    return __real_mprotect(at, bytes, access);
}

/* Returns 1 if a child process that calls `what` dies of a signal. */
static int dies_of(void (*what)(const far_map *map), const far_map *map)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        what(map);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void write_beside(const far_map *map)
{
    *(volatile unsigned char *)(map->at + ((size_t)1 << 20)) = 1;
}

static void read_before(const far_map *map)
{
    (void)*(volatile unsigned char *)(map->at - ((size_t)1 << 31));
}

static void read_behind(const far_map *map)
{
    (void)*(volatile unsigned char *)(map->at + map->bytes);
}

/* A limit of the process, as `ulimit -v` sets one, is noticed before anything is mapped. This must be the first
 * test, as the answer is kept for the process. */
TEST(without_address_space_there_is_no_room)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit few = {(rlim_t)4 << 30, (rlim_t)4 << 30};
        far_map map;
        _exit(setrlimit(RLIMIT_AS, &few) == 0 && !far_map_has_room() &&
                      !far_map_open(&map, large, 0)
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* This is the first question in this process; one delayed mprotect does not change the answer. */
TEST(one_delay_is_no_lack_of_room)
{
    (void)far_map_has_room();
    if (n_protected == 0)
        skip(); /* the machine has not so much address space */
    assert_true(n_protected > 1);
}

TEST(all_of_it_is_zeros_and_may_be_written_where_it_is_allowed)
{
    far_map map;
    if (!far_map_has_room())
        skip();
    assert_true(far_map_open(&map, large, 0));
    assert_int_equal(map.at[0] + map.at[large / 2] + map.at[large - 1], 0);
    assert_true(far_map_allow(&map, large - 3, 2, true));
    map.at[large - 3] = map.at[large - 2] = 7;
    assert_true(far_map_allow(&map, large - 3, 2, false));
    assert_int_equal(map.at[large - 3], 7);
    far_map_close(&map);
}

TEST(nothing_else_may_be_written_nor_read)
{
    far_map map;
    if (!far_map_has_room())
        skip();
    assert_true(far_map_open(&map, large, 0));
    assert_true(dies_of(write_beside, &map));
    assert_true(dies_of(read_before, &map));
    assert_true(dies_of(read_behind, &map));
    far_map_close(&map);
    assert_true(far_map_open(&map, large, 64));
    assert_false(dies_of(read_behind, &map));
    far_map_close(&map);
}
