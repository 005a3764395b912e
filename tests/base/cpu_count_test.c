#define _GNU_SOURCE /* sched_setaffinity */
#include "cpu_count.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <inferno/cpu.h>

#include "paths.h"
#include "test.h"

static void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

/* Makes every folder of a path in the temporary folder. */
static void make_folders(const char *relative)
{
    char part[200];
    for (const char *slash = strchr(relative, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - relative), relative);
        mkdir(temp_path(part), 0700);
    }
}

static void put(const char *relative, const char *text)
{
    make_folders(relative);
    write_text(temp_path(relative), text);
}

static int32_t quota(const char *tree)
{
    char groups[200];
    snprintf(groups, sizeof groups, "%s/groups", tree);
    return ifn_cpu_quota(temp_path(groups), temp_path(tree));
}

TEST(without_a_quota_there_is_no_limit)
{
    put("none/groups", "0::/\n");
    assert_int_equal(quota("none"), INT32_MAX);
    put("max/groups", "0::/box\n");
    put("max/box/cpu.max", "max 100000\n");
    assert_int_equal(quota("max"), INT32_MAX);
    put("unlimited/groups", "3:cpu,cpuacct:/\n");
    put("unlimited/cpu/cpu.cfs_quota_us", "-1\n");
    put("unlimited/cpu/cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota("unlimited"), INT32_MAX);
    assert_int_equal(quota("missing"), INT32_MAX);
}

TEST(a_quota_counts_whole_processors)
{
    put("two/groups", "0::/box\n");
    put("two/box/cpu.max", "299999 100000\n");
    assert_int_equal(quota("two"), 2);
    put("half/groups", "0::/box\n");
    put("half/box/cpu.max", "50000 100000\n");
    assert_int_equal(quota("half"), 1);
    put("old/groups", "9:memory:/box\n4:cpuacct,cpu:/box\n");
    put("old/cpu/box/cpu.cfs_quota_us", "350000\n");
    put("old/cpu/box/cpu.cfs_period_us", "50000\n");
    assert_int_equal(quota("old"), 7);
}

/* A group gets no more than the smallest quota of the groups around it. In a container the path may be the host's,
 * of which only the root exists. */
TEST(the_smallest_quota_on_the_way_up_counts)
{
    put("nested/groups", "0::/outer/inner\n");
    put("nested/outer/inner/cpu.max", "800000 100000\n");
    put("nested/outer/cpu.max", "300000 100000\n");
    assert_int_equal(quota("nested"), 3);
    put("host/groups", "0::/docker/0123456789\n");
    put("host/cpu.max", "400000 100000\n");
    assert_int_equal(quota("host"), 4);
    put("both/groups", "2:cpu:/a\n0::/a\n");
    put("both/cpu/a/cpu.cfs_quota_us", "600000\n");
    put("both/cpu/a/cpu.cfs_period_us", "100000\n");
    put("both/a/cpu.max", "500000 100000\n");
    assert_int_equal(quota("both"), 5);
}

TEST(nonsense_is_no_quota)
{
    static const char *const texts[] = {"",         "\n",          "100000",         "x 100000\n",
                                        "200000 0", "200000 -5\n", "-200000 100000", "0 100000\n"};
    put("odd/groups", "0::/box\n:::\nno line at all\n7:cpu\n");
    for (size_t i = 0; i < N_OF(texts); i++) {
        put("odd/box/cpu.max", texts[i]);
        assert_int_equal(quota("odd"), INT32_MAX);
    }
    put("odd/box/cpu.max", "99999999999999999999 1\n");
    assert_int_equal(quota("odd"), INT32_MAX);
}

TEST(a_path_without_end_is_no_quota)
{
    char line[9000] = "0::";
    for (size_t i = 3; i < sizeof line - 2; i++)
        line[i] = i % 8 == 3 ? '/' : 'a';
    line[sizeof line - 2] = '\n';
    put("long/groups", line);
    put("long/cpu.max", "200000 100000\n");
    assert_int_equal(quota("long"), INT32_MAX);
}

TEST(the_affinity_mask_is_respected)
{
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_in_range(ifn_cpu_count(), 1, (uintmax_t)CPU_COUNT(&before));
    CPU_ZERO(&one);
    for (size_t i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(ifn_cpu_count(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}
