/* The part of ifn_cpu_count (inferno/cpu.h) that reads control groups. */
#ifndef IFN_CPU_COUNT_H
#define IFN_CPU_COUNT_H

#include <stdint.h>

/*
 * How many whole processors the smallest CPU quota of a process's control groups and their ancestors
 * grants, at least 1.
 * 1.5 processors count as 1, since threads that wait for each other all stall once the quota is used up.
 * INT32_MAX if there is no quota. `groups` is a file like /proc/self/cgroup, `mounts` the folder
 * where the hierarchies of control groups (versions 1 and 2) are mounted: /sys/fs/cgroup.
 */
int32_t ifn_cpu_quota(const char *groups, const char *mounts);

#endif
