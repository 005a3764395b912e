/*
 * Faults of a device whose kernels are all correct: in waits, copies, queues, addresses, handles and
 * recorded calls. The sound plugins (fenced, deferred) have none; the option of device_museum selects
 * one. A fault is in one op; the other ops of the device are sound.
 *
 * X(name, op, killer, text): killer is the detector that is expected to notice, museum_list.h.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>

#include <inferno/backend.h>

/* clang-format off */
#define DEVICE_FAULTS(X)                                                                           \
    /* waits */                                                                                    \
    X(copy_out_does_not_wait, rms_norm, "slack",                                                   \
      "copy_out returns what the buffer holds while the op still waits in the queue")              \
    X(copy_out_waits_for_lane_0, add, "threads",                                                   \
      "copy_out waits for the first lane, whichever lane it is called on")                         \
    X(synchronize_does_nothing, silu, "RE",                                                        \
      "synchronize returns at once: copy_out alone waits")                                         \
    X(synchronize_waits_for_lane_0, hadamard, "threads",                                           \
      "synchronize waits for the first lane, whichever lane it is asked for")                      \
    X(wait_forgets_the_failure, linear, "RE",                                                      \
      "what fails after it has returned is lost: waiting succeeds")                                \
    X(failure_is_told_for_ever, copy_row_2d, "status",                                             \
      "a lane that has failed once fails at every wait from then on")                              \
    X(failure_told_to_any_lane, hadamard, "RE",                                                    \
      "lanes share one note of a failure: whichever waits first is told, and no other")            \
    /* order */                                                                                    \
    X(op_overtakes_the_queue, softmax_rows, "T0",                                                  \
      "a call is put before those of its lane that wait, and runs before its inputs are there")    \
    X(ids_read_before_they_arrive, gather_rows, "status",                                          \
      "rows are gathered by the host when the call is made, not when the queue has come to it")    \
    X(upload_on_a_queue_of_its_own, sum_squares_axis, "slack",                                     \
      "copy_in goes to another lane than the one it was called on, and is in no order with it")    \
    X(upload_reads_the_host_late, swiglu, "slack",                                                 \
      "copy_in keeps the address of the host's memory and reads it when the queue has come to it") \
    X(arguments_read_late, add_scalar, "status",                                                   \
      "a call that waits keeps the address of its arguments and reads them when it runs")          \
    X(tensors_read_late, gather_rows, "T1",                                                        \
      "a call that waits keeps the address of its table and reads dtype and shape when it runs")   \
    X(spans_read_late, kv_store, "company",                                                        \
      "a call that waits keeps the address of its list of spans and reads it when it runs")        \
    X(upload_overtakes_the_queue, swiglu, "T1",                                                    \
      "copy_in goes to the begin of its lane's queue: calls before it find what it copies")        \
    /* copies */                                                                                   \
    X(copy_out_a_byte_too_few, copy_out, "slack",                                                  \
      "the last byte stays on the device")                                                         \
    X(copy_out_in_words, copy_out, "T1",                                                           \
      "bytes behind the last whole word of four stay on the device")                               \
    X(copy_in_a_byte_too_few, copy_in, "slack",                                                    \
      "the last byte stays with the host")                                                         \
    X(copy_out_forgets_the_offset, copy_out, "T1",                                                 \
      "reads from the begin of the buffer that the address lies in")                               \
    X(copy_in_forgets_the_offset, copy_in, "T1",                                                   \
      "writes to the begin of the buffer that the address lies in")                                \
    X(upload_forgotten, transpose_2d, "slack",                                                     \
      "a copy_in from where the last one came from, and as long, is thought to be done")           \
    X(copy_out_from_a_stale_copy, concat_dim0, "outside-part",                                     \
      "a copy_out of what the last one has copied gives the host's copy of then")                  \
    /* addresses */                                                                                \
    X(offset_in_32_bits, matmul, "T1",                                                             \
      "the offset of an address in the device's memory is kept in 32 bits")                        \
    X(offset_in_16_bits, dequantize_rows, "input",                                                 \
      "the offset of an address in its buffer is kept in 16 bits")                                 \
    X(view_offset_forgotten, broadcast_row_scalars, "T1",                                          \
      "kernels are given the buffer that an address lies in and not the place in it")              \
    X(view_rounded_down, repeat_row_as_matrix, "SV",                                               \
      "views begin at a multiple of 64 bytes, as the device wants them: others are moved there")   \
    X(resized_in_whole_pages, copy_2d_from_cols, "T1",                                             \
      "a buffer that grows keeps its whole pages of 4096 bytes, and not what follows them")        \
    /* weights */                                                                                  \
    X(handle_of_the_first_weight, linear, "SV",                                                    \
      "of several weights that share x the handle of the first is read for all")                   \
    X(handle_offset_is_0, linear_q8, "T2",                                                         \
      "weights that were prepared together lie in one buffer, and the first is read for all")      \
    X(stale_weight, gather_rows, "T1",                                                             \
      "prepare takes a buffer that was released, if it is long enough, and does not fill it again") \
    X(weight_without_its_last_row, linear, "SV",                                                   \
      "prepare copies one row too few")                                                            \
    X(weight_with_a_byte_too_many, linear_q8, "slack",                                             \
      "prepare copies a byte that is not the weight's, to behind its handle")                      \
    X(zeros_tidied_in_the_handle, linear, "input",                                                 \
      "an op that meets -0 in the handle of an F32 weight makes it 0 there")                       \
    /* launches */                                                                                 \
    X(tail_not_launched, add, "T1",                                                                \
      "elements behind the last whole group of 16 get no work item")                               \
    X(grid_too_small, hadamard, "RE",                                                              \
      "a launch has 256 work items at most, and elements behind them get none")                    \
    X(grid_too_large, rsqrt_elem, "slack",                                                         \
      "a work item behind the last element writes what it makes of what stands there")             \
    X(sum_of_one_too_many, sum_squares_axis, "T1",                                                 \
      "the sum of a row reads an element behind its end")                                          \
    X(part_not_recorded, silu, "outside-part",                                                     \
      "a recorded call forgets which part of the op it was, and does all of it")                   \
    /* replay */                                                                                   \
    X(replayed_with_the_old_scalar, scale, "T1",                                                   \
      "a call with the addresses of the last one is replayed, with the scalar of then")            \
    X(replayed_to_the_old_row, copy_row_2d, "T1",                                                  \
      "a call with the addresses of the last one is replayed, with the row of then")               \
    X(replayed_to_the_old_offset, copy_contiguous_into, "SV",                                      \
      "a call with the addresses of the last one is replayed, with the offset of then")            \
    X(repeated_call_left_out, transpose_2d, "SV",                                                  \
      "a call that equals the last one is thought to be done, though its inputs are others")       \
    /* passes */                                                                                   \
    X(pass_replayed_at_the_old_position, kv_store, "T1",                                           \
      "a pass with the addresses of the last one is replayed, with the first_pos of then")         \
    X(pass_without_its_last_call, scale, "T1",                                                     \
      "what was called last is not there yet when end sends the pass")                             \
    X(pass_forgets_what_waits, silu, "T1",                                                         \
      "begin drops the call of its lane that was made right before it and has not run")            \
    X(pass_runs_at_its_end_alone, add_scalar, "slack",                                             \
      "copy_out in a pass waits for what was called before it, and not for what was called in it")
/* clang-format on */

typedef enum device_fault {
    DEVICE_SOUND,
#define X(name, op, killer, text) DEVICE_##name,
    DEVICE_FAULTS(X)
#undef X
} device_fault;

/* The op that a fault is in: below, the faulty op. */
ifn_op faults_op(device_fault fault);

/* The least number of lanes of a device. */
enum { FAULTS_LANES = 2 };

/* Earlier calls of one device, for faults that depend on them. */
typedef struct device_past {
    ifn_args call;       /* the last call of the faulty op */
    ifn_copy_in_args in; /* the last copy_in */
    ifn_copy_out_args out;
    void *copy;        /* the bytes that `out` has copied; owned */
    ifn_status failed; /* of the first call that failed, or whose failure nobody was told */
    bool is_in_pass;
    bool is_last; /* the last call was of the faulty op */
} device_past;

/* Changes the arguments of a call as the fault does, before the call runs or is queued. Returns false if the fault
 * leaves the call out. */
bool faults_record(device_fault fault, device_past *past, ifn_op op, ifn_args *args);

/* Call it after a copy_out: the fault copy_out_from_a_stale_copy gives the host the bytes of an older copy_out. */
void faults_keep_copy(device_fault fault, device_past *past, const ifn_copy_out_args *a);

/* The status that waiting returns if the calls ended with `status`. */
ifn_status faults_told(device_fault fault, device_past *past, ifn_status status);

/* The offset in the device's memory that the faulty op accesses instead of `offset`, which lies in a buffer that begins
 * at `begin`. */
size_t faults_offset(device_fault fault, size_t offset, size_t begin);

#endif
