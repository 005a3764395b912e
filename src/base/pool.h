/*
 * A fixed pool of threads for calls that take microseconds: a caller hands out tasks and waits.
 *
 * Threads are started once. Between calls they spin for a moment, then sleep; where there are more
 * of them than processors they sleep at once. A call neither allocates nor takes a lock: task i is
 * offered to thread i, and once the caller has run its own task, it runs every task that its thread
 * has not begun. So no call waits for a thread to wake up.
 *
 * Fork. A child process has none of the threads. In it, a pool that was idle at the fork runs all
 * tasks on the caller, one that was running tasks refuses every call, and both can be closed.
 */
#ifndef IFN_POOL_H
#define IFN_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/status.h>

#define IFN_POOL_MAX_THREADS 1024

/* Bytes between variables that different processors write, to avoid false sharing: a pair of cache lines. */
#define IFN_POOL_APART 128

typedef struct ifn_pool ifn_pool;

/*
 * Starts n_threads - 1 threads; the caller of ifn_pool_run counts as the remaining one. They block every
 * signal but those that their own errors raise. If the system refuses to start more, the pool has fewer:
 * ifn_pool_threads tells how many.
 * Errors  IFN_ERR_ARGUMENT unless 1 <= n_threads <= IFN_POOL_MAX_THREADS; IFN_ERR_NOMEM
 */
IFN_NODISCARD ifn_status ifn_pool_open(int32_t n_threads, const ifn_allocator *alloc,
                                       ifn_pool **out, ifn_error *err);

/* Ends the threads; NULL is fine. No call may be running. */
void ifn_pool_close(ifn_pool *self);

/*
 * Calls task(cookie, i) once for every i in 0 .. n - 1, where n must not exceed ifn_pool_threads, and
 * returns true when all have returned. Tasks see everything written before the call, and the caller
 * sees what they wrote; they run under the caller's floating-point control.
 *
 * Returns false, and runs nothing, if the pool is already running tasks, for another thread or for a
 * task that calls this function itself.
 */
bool ifn_pool_run(ifn_pool *self, int32_t n, void (*task)(void *cookie, int32_t i), void *cookie);

int32_t ifn_pool_threads(const ifn_pool *self);

#endif
