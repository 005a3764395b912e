/*
 * A fixed pool of threads for calls that take microseconds: a caller hands out tasks and waits.
 *
 * Threads are started once. Between calls they spin for a moment, then sleep; where there are more
 * of them than processors they sleep at once. Nothing on the way allocates or takes a lock: task i
 * is offered to thread i, and whatever its thread has not begun when the caller is free the caller
 * runs itself, so no call waits for a thread to wake up.
 *
 * Fork. Threads do not exist in a child process. There a pool that was idle at the fork goes on
 * with the caller alone, one that was at work refuses every call, and both can be closed.
 */
#ifndef IFN_POOL_H
#define IFN_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/status.h>

#define IFN_POOL_MAX_THREADS 1024

/* Bytes. What one processor writes and another reads stands apart by this much: a pair of cache lines. */
#define IFN_POOL_APART 128

typedef struct ifn_pool ifn_pool;

/*
 * Starts n_threads - 1 threads; the caller of ifn_pool_run is the other one. They block every
 * signal but those that their own errors raise. Where the system starts no more, the pool has fewer:
 * ifn_pool_threads tells.
 * Errors  IFN_ERR_ARGUMENT unless 1 <= n_threads <= IFN_POOL_MAX_THREADS; IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status ifn_pool_open(int32_t n_threads, const ifn_allocator *alloc,
                                       ifn_pool **out, ifn_error *err);

/* Ends the threads; NULL is fine. Nobody may be running anything. */
void ifn_pool_close(ifn_pool *self);

/*
 * Calls task(cookie, i) once for every i in 0 .. n - 1, n no more than the pool has threads, and
 * returns true when all have returned. What was written before is seen by the tasks, what they
 * wrote is seen after; they run under the caller's floating-point control.
 *
 * False: the pool is at work, for another thread or for the task that calls; nothing was run.
 */
bool ifn_pool_run(ifn_pool *self, int32_t n, void (*task)(void *cookie, int32_t i), void *cookie);

int32_t ifn_pool_threads(const ifn_pool *self);

#endif
