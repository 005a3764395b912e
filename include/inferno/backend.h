/*
 * What a backend is: a table of ops and a descriptor. Built-in backends and plugins are the same
 * object; a plugin needs this header, links nothing, and is one IFN_BACKEND_ENTRY line long.
 *
 * Stability: stable, and the plugin ABI itself: see Growth. IFN_BACKEND_DEVICE is experimental.
 */
#ifndef INFERNO_BACKEND_H
#define INFERNO_BACKEND_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <inferno/alloc.h>
#include <inferno/cpu.h>
#include <inferno/export.h>
#include <inferno/ops.h>
#include <inferno/status.h>
#include <inferno/tensor.h>

IFN_EXTERN_C_BEGIN

/*
 * Growth. A plugin built today runs in every later host of the same IFN_BACKEND_ABI: unequal ones
 * are refused, and a plugin with a larger minor needs a newer host. For that
 *
 * - structs that cross the border grow only at the end, say how long they are, and mean by zero
 *   what was meant before; lists (ops, dtypes, points, statuses, features) are only appended to;
 * - a backend records how much of each argument struct it was built with (IFN_BACKEND_STAMP does).
 *   A call that sets an argument beyond that is not shown to it: the backend it stands on runs the
 *   call, the one inside of a wrapper. Where there is none the call is refused, and ifn_backend_explain
 *   has the argument's name;
 * - how many ops and dtypes there are is the host's to say, and may be more than IFN_OP_COUNT and
 *   IFN_DTYPE_COUNT were: callbacks that get an op or a dtype (depth, unsupported, granule) are
 *   asked about ones they do not know, and answer as for any they do not have;
 * - a backend gets arguments of the size it was built with, whoever calls: what it does not know is
 *   zero then, and is left out. A wrapper hands on the pointer it got, or a copy of it.
 */
#define IFN_BACKEND_ABI       2u
#define IFN_BACKEND_ABI_MINOR 5u

typedef struct ifn_backend ifn_backend;

/*
 * One function per op, named like the op. What it refuses, and what a failed call has written, ops.h
 * says under Errors. IFN_ERR_UNSUPPORTED is for calls that the op permits and this backend has no
 * function for. Where a host backend has `unsupported` in its manifest, and of every device, the host has
 * its base run such a call, on raw weights; else, and with keeps_refusals, the status goes to the
 * caller. The conformance run fails a backend whose manifest does not declare what it refuses.
 */
typedef struct ifn_op_table {
#define X(NAME, name, cut, cut2, doc)                                                              \
    ifn_status (*name)(ifn_backend * self, const ifn_##name##_args *a);
    IFN_OPS(X)
#undef X
} ifn_op_table;

/* Flags of ifn_backend_desc. */
enum { IFN_BACKEND_WRAPPER = 1 << 0, IFN_BACKEND_DEVICE = 1 << 1 };

/*
 * Devices. The buffers of a backend with IFN_BACKEND_DEVICE are not memory of the host: nobody but
 * its ops reads or writes what its allocator `buffers` hands out, which must be addresses, so that
 * arithmetic on them works, and should be of a range that the host cannot access, so that a mistake
 * ends in a signal and not in a wrong number.
 *
 * - copy_in and copy_out are the only doors, and must be its own. Memory of the host are their
 *   argument `host` and the tensors in `table` and `w` of other ops, with their data; all other
 *   pointers, those in arrays of linear and call.scratch among them, are buffers of the device.
 * - `prepare` is given weights in memory of the host, and is how they get in: an op that has a
 *   handle reads that and not the weight. Norms and biases come by copy_in.
 * - Ops that it inherits, and those that it refuses with IFN_ERR_UNSUPPORTED, run on its base in
 *   memory of the host: what the call reads is copied out, and what it has written back in. So a
 *   device begins with two copies and one op, and whole models run on it.
 * - A device with `synchronize` may return from an op before it has run, and then fail later. Ops of
 *   one lane run in the order in which they were called, those of two lanes in any. What is memory
 *   of the host in a call, its arguments, `host` and lists of spans and pages, has been read when
 *   the call returns; the data of weights stays. A copy_out of one byte or more first waits for its lane;
 *   where a call there has failed it returns that status, and its bytes are undefined. A failure that
 *   copy_out or `end` has told, synchronize may tell again or not. Ids are in buffers, so gather_rows
 *   may tell late of one that is out of range.
 *   The host waits before another lane goes on with what one has written, and before it frees a
 *   buffer or releases a handle that calls on the way may touch.
 * - Such a device may be told where a pass of a model begins and ends (`begin`, `end`), so that it can
 *   send it as one and record it. In the fused graph a pass that has as many rows as the one before,
 *   and of as many sequences, comes with the same calls in the same order, each with the same
 *   addresses and sizes. Only first_pos is another, or what lists of spans and pages hold.
 */

/*
 * How ops read a weight: one of these or more, and hints of how many rows their calls will have. Both
 * hints say any number, as neither does. Hints are for the choice of a layout alone, and of whether one
 * is made: a handle is right in calls of any number of rows, whatever it was prepared for.
 */
enum {
    IFN_USE_GATHER_ROWS = 1 << 0,
    IFN_USE_LINEAR = 1 << 1,
    IFN_USE_LINEAR_Q8 = 1 << 2,
    IFN_USE_MATMUL = 1 << 3,    /* primitive graph: f32, transposed; never prepared */
    IFN_USE_ONE_ROW = 1 << 16,  /* a hint: decode */
    IFN_USE_MANY_ROWS = 1 << 17 /* a hint: prefill */
};

/* A weight in a layout of a backend's own. All zeros: none was made, and ops read the raw weight. */
typedef struct ifn_packed {
    void *data;   /* what ops get as `packed` */
    size_t bytes; /* of memory that it takes beside the raw weight */
    uint32_t ops; /* IFN_USE_* of the ops that accept this handle; others get NULL */
} ifn_packed;

/* Room for the name of a layout, its end included. */
#define IFN_LAYOUT_BYTES 64

/* The largest shapes a context will use: what scratch is planned for. */
typedef struct ifn_limits {
    uint32_t limits_bytes;
    int64_t rows;    /* of activations in one call */
    int64_t max_pos; /* of one sequence in the KV cache */
    int64_t k;       /* the longest row a linear reads */
    int64_t n;       /* the most features a linear writes, all weights of a call together */
                     /* a matmul has rows of k, n or max_pos at most */
    int64_t n_heads, n_kv_heads, head_dim;
} ifn_limits;

/* The most that max_overread may be: four vectors of 64 bytes. */
#define IFN_MAX_OVERREAD 256

/* A format that numbers may be rounded to. */
enum { IFN_ROUND_NONE, IFN_ROUND_TF32, IFN_ROUND_BF16, IFN_ROUND_F16 };

/**
 * In what arithmetic an op makes its products and sums (spec/numerics.md 9.2). The host hands it
 * over filled with zeros: as always, in f32. Attention's factors are queries, keys, weights and
 * values; its sums are f32 whatever is declared.
 *
 * All rounding is to nearest, ties either way; what is cut off is beyond every declaration. The
 * declared is what may be rounded, at most once each, and not what must be: a finer format that
 * contains the declared one always fits. Queries and keys may have the scale of attention on them
 * when they are rounded, and its weights be relative to a block's largest, to that of all, or their sum.
 * What overflows in the declared format is not judged.
 */
typedef struct ifn_arithmetic {
    uint32_t arithmetic_bytes; /* set by the host */
    /* IFN_ROUND_*: both factors of every product, a weight as it is decoded (what is scaled and the
     * minimum each, where they are multiplied apart). */
    uint32_t inputs;
    /* IFN_ROUND_F16: products are rounded to f16 and added in f16, in any order, sum_block of them
     * at most (0: all); the sums of blocks are added in f32. IFN_ROUND_NONE: everything in f32. */
    uint32_t sums, sum_block;
    /* IFN_ROUND_BF16, IFN_ROUND_F16: each result, once, before it is stored as the f32 it is. */
    uint32_t output;
} ifn_arithmetic;

/**
 * What a backend declares about itself (spec/numerics.md section 9, installed below share/inferno; u
 * there is 2^-24). Declarations are claims; the conformance run verifies them. Zero everywhere is the
 * strict default.
 *
 * Invariances (numerics 12), each between two calls that must have the same bits:
 * R0 the same call twice; R1 any threads, any parts; R2 a row alone, and in any batch; R3 a prompt in
 * any chunks; R4 any address; R5 strides or none, pages or none; R6 in place or not; R7 any order of
 * calls, any content of scratch; R8 permuted rows or heads; R9 a cache that was cut back; R10 a sequence in
 * any company.
 */
typedef struct ifn_manifest {
    uint32_t manifest_bytes;
    uint32_t invariances;  /* bit i: R<i> holds bit for bit; R0 always does */
    uint32_t offset_split; /* 1: `linear` sums quantized offsets apart (numerics 7.2) */
    uint32_t ftz;          /* 1: arithmetic may take a subnormal for 0, and give 0 for one */
    float exp_ulp;         /* exp errs by 2u times this, or gives 0 below 2^-126; 0: 2, at most 4 */
    float rsqrt_rel;       /* 1/sqrt errs by this, relative; 0: 2u, at most 4u */
    /* Bytes read past the last element of a whole tensor (of one with strides, past its last row, which
     * has no gap after it), of scratch, or of what prepare took, at most 256; none before one, nor past
     * spans and pages. */
    uint32_t max_overread;
    uint32_t rope_angle_f32; /* 1: angles are formed in f32 */
    /* Rounding depth of a reduction of length k in `op` on weights of `dtype`: any number with which the
     * bound of numerics 4.1 is proven, counted or otherwise. It holds for each call that the backend
     * takes: where it hands some to its base, that one's depth, k, is the answer. The default, also for
     * NULL, is k, in linear_q8 the h_q of numerics 8.1; a larger answer counts as the default. The answer
     * for an op or a dtype that the backend does not know is k. It counts in matmul (k: its n),
     * linear and linear_q8 (k), rms_norm (dim), softmax_rows (cols), sum_squares_axis (what is summed),
     * and attention (head_dim: of scores; sums over keys have the default). */
    int64_t (*depth)(ifn_op op, ifn_dtype dtype, int64_t k);
    /* 1 if the backend refuses this op for weights, a cache or a table of `dtype` (quantize_rows:
     * its output, for both; F32 where none varies) into an output of `out_dtype` (F32 or Q8_32F); NULL:
     * refuses nothing. Asked about dtypes of later hosts too: a backend names what it has, and
     * refuses the rest. */
    int (*unsupported)(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype);
    /* 1: its kv_store and attention take lists of spans; 0: the host makes a call of each span. */
    uint32_t spans;
    /* Fills in how `op` on weights or a cache of `dtype` multiplies and adds; NULL: in f32. Asked of
     * matmul, linear, linear_q8, sum_squares_axis and attention: what it says of other ops has no
     * meaning. */
    void (*arithmetic)(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out);
    /* 1: its kv_store and attention take a cache in pages (ABI 2.3); 0: its base runs such calls. */
    uint32_t pages;
} ifn_manifest;

/* Given to usable, lanes, fill and open, in that order. An option that is not known is open's to
 * refuse, with IFN_ERR_ARGUMENT and err: the others have no words for it. */
typedef struct ifn_backend_env {
    uint32_t env_bytes; /* every struct here grows only at the end */
    int32_t n_threads;  /* 0: the backend chooses */
    uint64_t cpu;       /* detected features, already masked */
    int32_t n_lanes;    /* calls will carry lanes 0 .. n_lanes - 1 */
    const ifn_allocator *alloc;
    /* Text after '=' in the expression, or "". Stays until close for fill and open, else for the call.
     * A plugin is one backend: the kernels that fill chooses by this text share its manifest. */
    const char *options;
} ifn_backend_env;

/* Allocated and completed by the host. */
struct ifn_backend {
    const ifn_op_table *ops;     /* what calls go through, every slot filled */
    const ifn_op_table *own_ops; /* what fill left in its table, by which backends know their own */
    ifn_backend *inner;          /* wrappers only */
    ifn_backend *base; /* leaves: who filled the empty slots, and may be called by theirs with the
                        * call's scratch and no `packed`; NULL for scalar */
    const ifn_allocator *buffers; /* every buffer an op sees comes from here */
    void *state;                  /* from open(); NULL for pure backends */
    const struct ifn_backend_desc *desc;
};

/* One of the devices that a backend could be opened on. */
typedef struct ifn_backend_device {
    char options[24]; /* what names it after '=' */
    char name[104];
    uint64_t bytes; /* of its memory */
} ifn_backend_device;

typedef struct ifn_backend_desc {
    uint32_t abi, abi_minor, desc_bytes, table_bytes;
    uint32_t call_bytes, flags; /* call_bytes: what it was built with of ifn_call, */
    const uint32_t *args_bytes; /* and of the arguments of each op in its table */
    const char *name, *summary;
    const ifn_manifest *manifest; /* NULL: strict defaults */
    /* Overwrites the slots it implements; the others hold the base's or pass-through functions. */
    void (*fill)(ifn_op_table *table, const ifn_backend_env *env);
    /* From here on all optional. */
    int (*usable)(const ifn_backend_env *env);
    /* Wrappers: parts at once, per call. `open` finds the answer in env->n_threads. Of n parts of a call
     * on lane l of m the i-th has lane l * n + i of m * n, and a scratch of its own, as large as inner's
     * scratch_bytes says: the wrapper's scratch_bytes asks for all n of them. */
    int32_t (*lanes)(const ifn_backend_env *env);
    size_t (*scratch_bytes)(const ifn_backend *self, const ifn_limits *max); /* for one lane */
    /* Where a call may be cut: multiples of the answer; of features, from the start of each weight on,
     * whose last part ends with it, at a multiple or not, with a handle or without. */
    int64_t (*granule)(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args);
    ifn_status (*open)(void **state, const ifn_backend_env *env, ifn_error *err);
    void (*close)(void *state);
    const ifn_allocator *(*buffers)(const ifn_backend *self); /* default: env->alloc, or inner's */
    /* Packs the n weights that share one input for the uses asked for; must bear calls from several
     * threads at once. Fills out[0 .. n). What it is shown (w, and the tensors there) may be gone
     * when it returns; the data of these tensors stays where it is, as it is, until release, and a
     * handle may point to it. An op finds the raw weights in its own arguments, there or elsewhere,
     * with the same content. One weight may be there twice: each out is released on its own. `out`
     * begins as zeros. Where prepare or adopt fails nothing of its `out` is released: it has undone it. */
    ifn_status (*prepare)(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err);
    void (*release)(ifn_backend *self, ifn_packed *packed); /* with prepare; bears data NULL */
    /* Why the last call that failed here did: fills err and returns 1, or 0 where
     * there is no more to say than its status. Asked at most once, while no op runs. */
    int (*explain)(ifn_backend *self, ifn_error *err);
    /* Devices whose ops may return before they have run (ABI 2.2): waits until all calls on the
     * lane have. The status is that of the first of them that failed since it was last asked. NULL:
     * an op that has returned has run. */
    ifn_status (*synchronize)(ifn_backend *self, int32_t lane);
    /* Devices: fills out with the i-th there is and returns 1, or 0 where there are not so many. */
    int (*device)(int i, ifn_backend_device *out);
    /* Devices with synchronize, both or none (ABI 2.4): around the calls of a pass on one lane. Calls
     * between them may be held back until `end`, or until a copy_out or synchronize on the lane, which
     * may come in the middle of a pass and waits for the calls so far. Passes do not nest; each that has
     * begun ends, also where a call of it has failed. `end` may tell that failure, or leave it to
     * whoever waits. */
    ifn_status (*begin)(ifn_backend *self, int32_t lane);
    ifn_status (*end)(ifn_backend *self, int32_t lane);
    /* Prepared weights that a host may keep in a file and use in another process (ABI 2.5): all three
     * or none, with prepare. Like that, they must bear calls from several threads at once. */
    /* Names the layout that prepare gives `w` for these uses: where it is the same, the same weight has
     * the same image, byte for byte, whatever the machine, the process and the version of the backend,
     * and for other ops and hints, too. So a change of the layout changes the name, which is the same
     * each time it is asked for. Empty: what prepare makes of this weight, if anything, is not to be
     * kept. What has a name is made, unless the weight has no elements. */
    void (*layout)(const ifn_backend *self, const ifn_tensor *w, uint32_t uses,
                   char out[IFN_LAYOUT_BYTES]);
    /* The bytes, and how many, of what prepare has made of a weight that has a layout: all there is to
     * it, one at least, and no addresses. They are the backend's, and stay as they are until release. */
    const void *(*image)(ifn_backend *self, const ifn_packed *packed, size_t *bytes);
    /* Makes of an image what prepare makes of `w` for these uses: a handle for the same ops, with which
     * they have the same bits. The image is of the layout that has the name for these uses, and may have
     * been made for others for which that has the same. It is aligned as buffers are, may not be written
     * to, and stays until release; the data of `w` stays, too, and is better left unread. out->bytes are
     * those of the handle without the image. Fails with IFN_ERR_SHAPE where the image has not the size
     * that its layout has. */
    ifn_status (*adopt)(ifn_backend *self, const ifn_tensor *w, uint32_t uses, const void *image,
                        size_t bytes, ifn_packed *out, ifn_error *err);
} ifn_backend_desc;

/* What a descriptor declares: zeros for no manifest, and for what an older one does not have. */
static inline ifn_manifest ifn_manifest_of(const ifn_backend_desc *desc)
{
    ifn_manifest out;
    const size_t bytes = desc->manifest ? desc->manifest->manifest_bytes : 0;
    memset(&out, 0, sizeof out);
    if (bytes)
        memcpy(&out, desc->manifest, bytes < sizeof out ? bytes : sizeof out);
    return out;
}

/* What a backend that is built with this header knows of each op's arguments, in the order of
 * IFN_OPS. */
static const uint32_t ifn_args_bytes[] = {
#define X(NAME, name, cut, cut2, doc) (uint32_t)sizeof(ifn_##name##_args),
    IFN_OPS(X)
#undef X
};

/* And of the call that opens them. */
#define IFN_CALL_BYTES ((uint32_t)offsetof(ifn_call, reserved))

/* ifn_matmul(backend, args), ...: calls one op. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static inline ifn_status ifn_##name(ifn_backend *backend, const ifn_##name##_args *args)       \
    {                                                                                              \
        return backend->ops->name(backend, args);                                                  \
    }
IFN_OPS(X)
#undef X

/* Calls the op with this number; `args` is the first member of its arguments. */
static inline ifn_status ifn_op_run(ifn_backend *backend, ifn_op op, const ifn_call *args)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return ifn_##name(backend, (const ifn_##name##_args *)args);
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return IFN_ERR_ARGUMENT;
}

/*
 * Defines `fill` for a wrapper that does the same with every op, in a file with
 *     static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
 * which usually calls ifn_op_run(self->inner, op, args).
 */
#define IFN_FILL_THROUGH                                                                           \
    IFN_OPS(IFN_SLOT_THROUGH)                                                                      \
    static void fill(ifn_op_table *table, const ifn_backend_env *env)                              \
    {                                                                                              \
        (void)env;                                                                                 \
        IFN_OPS(IFN_SET_THROUGH)                                                                   \
    }
#define IFN_SLOT_THROUGH(NAME, name, cut, cut2, doc)                                               \
    static ifn_status through_##name(ifn_backend *self, const ifn_##name##_args *a)                \
    {                                                                                              \
        return through(self, IFN_OP_##NAME, &a->call);                                             \
    }
#define IFN_SET_THROUGH(NAME, name, cut, cut2, doc) table->name = through_##name;

/*
 * Defines the single exported symbol of a plugin and stamps its version fields:
 * IFN_BACKEND_ENTRY(.name = "mine", .summary = "one op, to begin with", .fill = fill)
 */
typedef const ifn_backend_desc *(*ifn_backend_entry_fn)(void);
#define IFN_BACKEND_ENTRY_SYMBOL "ifn_backend_entry"
#define IFN_BACKEND_STAMP                                                                          \
    .abi = IFN_BACKEND_ABI, .abi_minor = IFN_BACKEND_ABI_MINOR,                                    \
    .desc_bytes = (uint32_t)sizeof(ifn_backend_desc),                                              \
    .table_bytes = (uint32_t)sizeof(ifn_op_table), .call_bytes = IFN_CALL_BYTES,                   \
    .args_bytes = ifn_args_bytes
#define IFN_BACKEND_ENTRY(...)                                                                     \
    IFN_API const ifn_backend_desc *ifn_backend_entry(void);                                       \
    const ifn_backend_desc *ifn_backend_entry(void)                                                \
    {                                                                                              \
        static const ifn_backend_desc desc = {IFN_BACKEND_STAMP, __VA_ARGS__};                     \
        return &desc;                                                                              \
    }

/* What a program asks of a chain. NULL means all defaults. */
typedef struct ifn_backend_options {
    uint32_t bytes;             /* of this struct: IFN_BACKEND_OPTIONS_INIT */
    int32_t n_threads;          /* 0: the wrapper's default */
    int32_t n_contexts;         /* 0: 1; contexts that will run at once on this chain */
    int32_t keeps_refusals;     /* 1: IFN_ERR_UNSUPPORTED is returned, and no base asked instead */
    uint64_t cpu_mask;          /* 0: everything detected; else features that may be used */
    const ifn_allocator *alloc; /* NULL: the default */
} ifn_backend_options;

#define IFN_BACKEND_OPTIONS_INIT IFN_SIZED_INIT(ifn_backend_options)

/**
 * Opens a chain from an expression: "scalar", "trace:parallel:simd", "simd=avx2", "./mine.so:simd".
 * NULL or "": the best registered one of parallel:simd, simd, scalar.
 * Errors  IFN_ERR_ARGUMENT: unknown or unusable name, with the list of what exists.
 */
IFN_API IFN_NODISCARD ifn_status ifn_backend_open(const char *expression,
                                                  const ifn_backend_options *options,
                                                  ifn_backend **out, ifn_error *err);

/* Opens a descriptor the program already has, on top of `base` (leaves: NULL means scalar) or
 * around `inner` (wrappers), which it borrows. */
IFN_API IFN_NODISCARD ifn_status ifn_backend_open_desc(const ifn_backend_desc *desc,
                                                       ifn_backend *base_or_inner,
                                                       const char *text_options,
                                                       const ifn_backend_options *options,
                                                       ifn_backend **out, ifn_error *err);
IFN_API void ifn_backend_close(ifn_backend *self); /* the whole chain; NULL is fine */

/* The expression that ifn_backend_open resolved to, "parallel:simd". Borrowed from the backend. */
IFN_API const char *ifn_backend_expression(const ifn_backend *self);

/* 1 if this very backend implements the op, 0 if it inherits or passes it on, or for no op. */
IFN_API int ifn_backend_implements(const ifn_backend *self, ifn_op op);

/* The leaf backend (through wrappers and bases) whose function runs this op. */
IFN_API ifn_backend *ifn_backend_implementer(ifn_backend *self, ifn_op op);

/* The leaf that runs this very call: the implementer of the op or, where that was built before an
 * argument that the call sets, who does it in its place. NULL: nobody, the call is refused. */
IFN_API ifn_backend *ifn_backend_runner(ifn_backend *self, ifn_op op, const ifn_call *args);

/* Scratch that one lane of this chain needs for calls within `max`: the most that any backend of it asks for. */
IFN_API size_t ifn_backend_scratch_bytes(const ifn_backend *self, const ifn_limits *max);

/* Calls on this chain carry lanes 0 .. n - 1: one for each context that may run on it at once, as
 * the options said when it was opened. */
IFN_API int32_t ifn_backend_n_lanes(const ifn_backend *self);

/* 1 if the buffers of this chain are not memory of the host: its leaf is a device. */
IFN_API int ifn_backend_is_device(const ifn_backend *self);

/* Waits until all calls on this lane, of all lanes where it is IFN_ALL_LANES, have run; returns
 * IFN_OK or how the first of them failed after it had returned. At once where there is no device. */
enum { IFN_ALL_LANES = -1 };
IFN_API ifn_status ifn_backend_synchronize(const ifn_backend *self, int32_t lane);

/* Around the calls of a pass on this lane: the device may hold them back until its end, and record
 * them. Nothing where there is none that wants to know. */
IFN_API ifn_status ifn_backend_begin(const ifn_backend *self, int32_t lane);
IFN_API ifn_status ifn_backend_end(const ifn_backend *self, int32_t lane);

/* 1 if calls on this chain may return before they have run. */
IFN_API int ifn_backend_defers(const ifn_backend *self);

/* Bytes that calls on this lane have moved between a device and the host so far because the device
 * lacks their ops; 0 where there is no device. To be asked while no op runs on the lane. */
IFN_API uint64_t ifn_backend_staged_bytes(const ifn_backend *self, int32_t lane);

/* Where a call on this chain may be cut: 1 where the implementer says nothing. */
IFN_API int64_t ifn_backend_granule(ifn_backend *self, ifn_op op, int axis, const ifn_call *args);

/* Why the last call on this chain failed, as the outermost backend that knows more than the status
 * tells it. Returns 1 and fills err, or 0. To be asked once, right after the call. */
IFN_API int ifn_backend_explain(ifn_backend *self, ifn_error *err);

/* The registered descriptors, wrappers included, and how many there are. Static. */
IFN_API const ifn_backend_desc *const *ifn_backend_list(size_t *n);

IFN_EXTERN_C_END

#endif
