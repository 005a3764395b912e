/*
 * The state of an open OpenCL device, and the functions of its ops.
 *
 * Each lane has its own queue, in which its calls run in order; calls return before they have run. A call
 * that follows one of another lane waits for it on the device, so that parts of a call on several lanes,
 * and calls that read them, are in order too. The host waits where it reads: in copy_out, and in
 * gather_rows for ids, which it must check.
 */
#ifndef IFN_OPENCL_H
#define IFN_OPENCL_H

#include <pthread.h>
#include <stdbool.h>

#include <inferno/address_range.h>
#include <inferno/backend.h>

#include "op_part.h"
#include "opencl_api.h"
#include "opencl_device.h"
#include "opencl_program.h"

/* The outbox of a lane: host memory is copied here first, so that the caller may reuse it before the transfer. */
enum { IFN_OPENCL_OUTBOX_BYTES = 1 << 16 };

typedef struct ifn_opencl_lane {
    cl_command_queue queue;
    size_t outbox_used;
    unsigned char outbox[IFN_OPENCL_OUTBOX_BYTES];
} ifn_opencl_lane;

typedef struct ifn_opencl {
    ifn_opencl_api api;
    ifn_opencl_device device;
    cl_context context;
    ifn_opencl_programs programs;
    pthread_mutex_t lock; /* protects all members below, and the arguments of kernels */
    ifn_address_range addresses;
    ifn_allocator buffers;
    const ifn_allocator *alloc;
    uint64_t taken;    /* bytes of the device's memory */
    int32_t last_lane; /* the lane of the last call; -1: none */
    long process;      /* the process that has opened the device */
    bool has_reason;
    ifn_error reason;
    int32_t n_lanes;
    ifn_opencl_lane lanes[];
} ifn_opencl;

static inline ifn_opencl *ifn_opencl_of(const ifn_backend *self)
{
    return self->state;
}

/* The ops that have kernels. X(NAME, name). Other ops are staged. */
/* clang-format off */
#define IFN_OPENCL_OPS(X)                                                                          \
    X(MATMUL, matmul) X(ADD, add) X(HADAMARD, hadamard) X(SCALE, scale)                            \
    X(ADD_SCALAR, add_scalar) X(SILU, silu) X(RSQRT_ELEM, rsqrt_elem)                              \
    X(SUM_SQUARES_AXIS, sum_squares_axis)                                                          \
    X(BROADCAST_ROW_SCALARS, broadcast_row_scalars)                                                \
    X(REPEAT_ROW_AS_MATRIX, repeat_row_as_matrix) X(TRANSPOSE_2D, transpose_2d)                    \
    X(RESHAPE_DATA, reshape_data) X(SOFTMAX_ROWS, softmax_rows)                                    \
    X(GATHER_ROWS, gather_rows) X(FILL_STRICT_UPPER_TRI, fill_strict_upper_tri)                    \
    X(COPY_2D_FROM_COLS, copy_2d_from_cols) X(COPY_2D_INTO_COLS, copy_2d_into_cols)                \
    X(COPY_ROW_2D, copy_row_2d) X(COPY_CONTIGUOUS_INTO, copy_contiguous_into)                      \
    X(CONCAT_DIM0, concat_dim0) X(APPLY_ROPE, apply_rope)                                          \
    X(APPLY_ROPE_SINGLE_ROW, apply_rope_single_row)                                                \
    X(ARGMAX_WITH_PROB, argmax_with_prob) X(LINEAR, linear) X(LINEAR_Q8, linear_q8)                \
    X(QUANTIZE_ROWS, quantize_rows) X(DEQUANTIZE_ROWS, dequantize_rows)                            \
    X(RMS_NORM, rms_norm) X(SWIGLU, swiglu) X(KV_STORE, kv_store)                                  \
    X(ATTENTION, attention) X(COPY_IN, copy_in) X(COPY_OUT, copy_out)
/* clang-format on */

/* ifn_opencl_matmul, ...: one function per op, whose arguments have been checked. */
#define X(NAME, name) ifn_status ifn_opencl_##name(ifn_opencl *self, const ifn_##name##_args *a);
IFN_OPENCL_OPS(X)
#undef X

/* False for encoders that search for scales: the host runs those, once per file. */
static inline bool ifn_opencl_encodes(ifn_dtype dtype)
{
    return dtype < IFN_DTYPE_Q2_K || dtype > IFN_DTYPE_Q6_K;
}

/* --- opencl_status.c --- */

/* Returns IFN_OK for CL_SUCCESS, else a status, and keeps a message for `explain`. Under the lock. */
ifn_status ifn_opencl_status(ifn_opencl *self, cl_int code, const char *what);
int ifn_opencl_explain(ifn_backend *backend, ifn_error *err);

/* Returns IFN_ERR_IO in a process that was forked since: it lacks the threads of the driver, and would wait
 * for them without end. Under the lock. */
ifn_status ifn_opencl_check_process(ifn_opencl *self);

/* --- opencl_doors.c --- */

ifn_status ifn_opencl_synchronize(ifn_backend *backend, int32_t lane);
ifn_status ifn_opencl_begin_pass(ifn_backend *backend, int32_t lane);
ifn_status ifn_opencl_end_pass(ifn_backend *backend, int32_t lane);

/* --- opencl_memory.c --- */

/* The name of the allocator's memory in messages. */
#define IFN_OPENCL_BUFFERS "buffers"

/*
 * Takes memory of the device, filled from `host` if that is not NULL. The total is limited to what the
 * options allow, as some drivers promise memory they do not have. NULL: there is none, and the reason is
 * kept for `explain`. Under the lock.
 */
cl_mem ifn_opencl_memory_take(ifn_opencl *self, size_t bytes, const void *host, const char *what);
void ifn_opencl_memory_give_back(ifn_opencl *self, cl_mem memory, size_t bytes);

/* --- opencl_buffers.c --- */

void ifn_opencl_buffers_init(ifn_opencl *self);

/* Finds the buffer that an address is in. CL_SUCCESS, or CL_INVALID_MEM_OBJECT if it is in none. */
cl_int ifn_opencl_buffer_at(const ifn_opencl *self, const void *address, cl_mem *memory,
                            size_t *offset);

/* --- opencl_weights.c --- */

/* The handle of a weight is the address of a buffer that holds the weight in the layout of the file. */
ifn_status ifn_opencl_prepare(ifn_backend *backend, const ifn_tensor *const *w, int n,
                              uint32_t uses, ifn_packed *out, ifn_error *err);
void ifn_opencl_release(ifn_backend *backend, ifn_packed *packed);

#endif
