/* Resource limits and usage. The only limit is that of memory; ru_maxrss is its current size, as it never shrinks. */
#ifndef WASM_SYS_RESOURCE_H
#define WASM_SYS_RESOURCE_H

#include <sys/time.h>

typedef unsigned long long rlim_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};
struct rusage {
    struct timeval ru_utime, ru_stime;
    long ru_maxrss; /* KiB */
};
enum { RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_AS };
enum { RUSAGE_SELF = 0, RUSAGE_CHILDREN = -1 };
#define RLIM_INFINITY (~0ULL)
int getrlimit(int, struct rlimit *), setrlimit(int, const struct rlimit *);
int getrusage(int, struct rusage *);

#endif
