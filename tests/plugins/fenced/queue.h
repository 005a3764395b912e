/*
 * Calls that have returned but have not run: one queue for each lane. A queue copies the arguments of
 * a call and the host memory they point to, since the caller may reuse both once the call has returned.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>

#include <inferno/backend.h>

typedef struct queue queue;

typedef ifn_status queue_run_fn(ifn_backend *self, ifn_op op, const ifn_call *args);

/* NULL: out of memory. */
queue *queue_open(int32_t n_lanes);
void queue_close(queue *self); /* NULL is fine; calls that wait never run */

ifn_status queue_add(queue *self, ifn_op op, const ifn_call *args);

/* Faults of the call last added to a lane. overtake: it becomes the first of its lane. The others read their caller's
 * memory when they run: the bytes of a copy_in, the ifn_tensor of gather_rows' table, the spans of kv_store, all
 * arguments. */
void queue_overtake(queue *self, int32_t lane);
void queue_read_host_late(queue *self, int32_t lane, const void *host);
void queue_read_table_late(queue *self, int32_t lane, const ifn_tensor *table);
void queue_read_spans_late(queue *self, int32_t lane, const ifn_span *spans);
void queue_read_late(queue *self, int32_t lane, const ifn_call *args);

/* True if the call last added to the lane still waits and is of this op. */
bool queue_last_is(queue *self, int32_t lane, ifn_op op);
/* Runs all calls that wait on the lane, in order; returns the status of the first that fails. */
ifn_status queue_wait(queue *self, int32_t lane, ifn_backend *backend, queue_run_fn *run);

/* Begin and end a pass on a lane. Return false if a pass has already begun, or none has. */
bool queue_begin(queue *self, int32_t lane);
bool queue_end(queue *self, int32_t lane);
bool queue_is_in_pass(const queue *self, int32_t lane);

/* Numbers of passes in all queues of the process: all, and those that differ from the pass before on their lane in
 * first_pos at most, so that a device could have recorded and replayed them. */
int64_t queue_passes_of_all(void);
int64_t queue_repeated_of_all(void);

/* Faults: drops the call last added to a lane; runs only the calls that waited when the current pass began. */
void queue_forget_last(queue *self, int32_t lane);
ifn_status queue_wait_for_pass(queue *self, int32_t lane, ifn_backend *backend, queue_run_fn *run);

/* Numbers of calls that wait: in this queue, and in all queues of the process. */
int64_t queue_length(const queue *self);
int64_t queue_length_of_all(void);

#endif
