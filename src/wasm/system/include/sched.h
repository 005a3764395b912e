/* One processor. */
#ifndef WASM_SCHED_H
#define WASM_SCHED_H

#include <stddef.h>
#include <sys/types.h>

typedef struct {
    int none;
} cpu_set_t;
#define CPU_COUNT(set) ((void)(set), 1)
int sched_getaffinity(pid_t, size_t, cpu_set_t *);
int sched_yield(void);

#endif
