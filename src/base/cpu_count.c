/* Processors this process may use: its affinity mask, and the quotas of its control groups. */
#include "cpu_count.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <inferno/cpu.h>

#include <sched.h> /* sched_getaffinity: this file alone is built with _GNU_SOURCE */

#include "min_max.h"

enum { TEXT_BYTES = 4096, PATH_BYTES = 4096 };

/* The beginning of a file as a text; false if there is none, or it is longer than TEXT_BYTES. */
static bool read_text(const char *path, char text[TEXT_BYTES])
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    size_t used = 0;
    ssize_t got = 1;
    if (fd < 0)
        return false;
    while (got > 0 && used < TEXT_BYTES) {
        got = read(fd, text + used, TEXT_BYTES - used);
        used += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    if (got < 0 || used == TEXT_BYTES)
        return false;
    text[used] = '\0';
    return true;
}

/* Reads the file "<folder><group>/<name>" as a text; false if there is none, or the path is too long. */
static bool read_of_group(const char *folder, const char *group, const char *name,
                          char text[TEXT_BYTES])
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s%s/%s", folder, group, name);
    return length > 0 && length < PATH_BYTES && read_text(path, text);
}

/* The number at the start of `text`, and its end; 0 if there is none. */
static int64_t number(const char *text, const char **end)
{
    char *stop;
    errno = 0;
    const long long value = strtoll(text, &stop, 10);
    *end = stop;
    return errno ? 0 : value;
}

static int32_t whole_processors(int64_t quota, int64_t period)
{
    if (quota <= 0 || period <= 0 || quota / period >= INT32_MAX)
        return INT32_MAX;
    return quota < period ? 1 : (int32_t)(quota / period);
}

/* Version 2: one file, "quota period" or "max period". */
static int32_t quota_of_v2(const char *mounts, const char *group)
{
    char text[TEXT_BYTES];
    const char *at;
    if (!read_of_group(mounts, group, "cpu.max", text))
        return INT32_MAX;
    const int64_t quota = number(text, &at);
    return whole_processors(quota, number(at, &at));
}

/* Version 1: one file each for quota and period; a quota of -1 means none. */
static int32_t quota_of_v1(const char *mounts, const char *group)
{
    char quota[TEXT_BYTES], period[TEXT_BYTES], folder[PATH_BYTES];
    const char *end;
    const int length = snprintf(folder, sizeof folder, "%s/cpu", mounts);
    if (length < 0 || length >= PATH_BYTES ||
        !read_of_group(folder, group, "cpu.cfs_quota_us", quota) ||
        !read_of_group(folder, group, "cpu.cfs_period_us", period))
        return INT32_MAX;
    return whole_processors(number(quota, &end), number(period, &end));
}

/* The smallest quota from `group` up to the root. Shortens `group` on the way. */
static int32_t quota_upwards(int32_t (*quota)(const char *mounts, const char *group),
                             const char *mounts, char *group)
{
    int32_t least = INT32_MAX;
    for (char *slash; (slash = strrchr(group, '/')); *slash = '\0')
        least = (int32_t)ifn_min(least, quota(mounts, slash[1] ? group : ""));
    return (int32_t)ifn_min(least, quota(mounts, ""));
}

/* True if the comma-separated `list` has the word "cpu". */
static bool has_cpu(const char *list)
{
    while (list) {
        const size_t length = strcspn(list, ",");
        if (length == 3 && strncmp(list, "cpu", 3) == 0)
            return true;
        list = list[length] ? list + length + 1 : NULL;
    }
    return false;
}

/* One line of /proc/self/cgroup, "<id>:<controllers>:<path>"; version 2 names no controllers. */
static int32_t quota_of_line(char *line, const char *mounts)
{
    char *const controllers = strchr(line, ':');
    char *const group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
        return INT32_MAX;
    *controllers = *group = '\0';
    if (controllers[1] == '\0')
        return quota_upwards(quota_of_v2, mounts, group + 1);
    return has_cpu(controllers + 1) ? quota_upwards(quota_of_v1, mounts, group + 1) : INT32_MAX;
}

int32_t ifn_cpu_quota(const char *groups, const char *mounts)
{
    char text[TEXT_BYTES];
    int32_t least = INT32_MAX;
    if (!read_text(groups, text))
        return INT32_MAX;
    for (char *line = text; line;) {
        char *const end = strchr(line, '\n');
        if (end)
            *end = '\0';
        least = (int32_t)ifn_min(least, quota_of_line(line, mounts));
        line = end ? end + 1 : NULL;
    }
    return least;
}

/* A kernel for more processors than cpu_set_t knows refuses the call; then all of them count. */
static int32_t processors_of_mask(void)
{
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0)
        return CPU_COUNT(&mask);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online < INT32_MAX ? (int32_t)online : 1;
}

int32_t ifn_cpu_count(void)
{
    const int32_t n = (int32_t)ifn_min(processors_of_mask(),
                                       ifn_cpu_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
    return n > 1 ? n : 1;
}
