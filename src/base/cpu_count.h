/* What ifn_cpu_count (inferno/cpu.h) reads of control groups. */
#ifndef IFN_CPU_COUNT_H
#define IFN_CPU_COUNT_H

#include <stdint.h>

/*
 * The whole processors that the smallest CPU quota above a process grants, at least 1: of one and a
 * half, one, since threads that wait for each other all stand still when the quota is used up.
 * INT32_MAX where there is no quota. `groups` is a file like /proc/self/cgroup, `mounts` the folder
 * where the hierarchies of control groups (versions 1 and 2) are mounted: /sys/fs/cgroup.
 */
int32_t ifn_cpu_quota(const char *groups, const char *mounts);

#endif
