/*
 * Calls that have returned and have not run: one queue for each lane. What is memory of the host in
 * a call is copied, as the call may be forgotten when it has returned.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>

#include <inferno/backend.h>

typedef struct queue queue;

typedef ifn_status queue_run_fn(ifn_backend *self, ifn_op op, const ifn_call *args);

/* NULL: no memory. */
queue *queue_open(int32_t n_lanes);
void queue_close(queue *self); /* NULL is fine; what waits is forgotten */

ifn_status queue_add(queue *self, ifn_op op, const ifn_call *args);

/* Faults: the call last added to a lane becomes its first; it reads its arguments when it runs, or,
 * a copy_in, what it copies, a gather_rows, what its table is. */
void queue_overtake(queue *self, int32_t lane);
void queue_read_host_late(queue *self, int32_t lane, const void *host);
void queue_read_table_late(queue *self, int32_t lane, const ifn_tensor *table);
void queue_read_late(queue *self, int32_t lane, const ifn_call *args);

/* True: the call last added to the lane waits and is of this op. */
bool queue_last_is(queue *self, int32_t lane, ifn_op op);
/* Runs what waits on the lane, in order; returns how the first that fails does. */
ifn_status queue_wait(queue *self, int32_t lane, ifn_backend *backend, queue_run_fn *run);

/* Around the calls of a pass on a lane. False: it has begun already, or has not. */
bool queue_begin(queue *self, int32_t lane);
bool queue_end(queue *self, int32_t lane);
bool queue_is_in_pass(const queue *self, int32_t lane);

/* Passes in all queues of the process, and how many of them were as the one before on their lane but
 * for first_pos: those that a device could have recorded. */
int64_t queue_passes_of_all(void);
int64_t queue_repeated_of_all(void);

/* Faults: the call last added to a lane is forgotten; what was called in the pass at hand does not run. */
void queue_forget_last(queue *self, int32_t lane);
ifn_status queue_wait_for_pass(queue *self, int32_t lane, ifn_backend *backend, queue_run_fn *run);

/* How many calls wait: here, and in all queues of the process. */
int64_t queue_length(const queue *self);
int64_t queue_length_of_all(void);

#endif
