/*
 * A backend is a table of ops and a descriptor. Built-in backends and plugins are the same kind of
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
 * Growth. A plugin built today runs in every later host of the same IFN_BACKEND_ABI. A host refuses
 * a plugin of another IFN_BACKEND_ABI, and one with a larger minor number than its own. The rules:
 *
 * - structs that host and plugin exchange grow only at the end and hold their own size; zero in a new
 *   field means what was meant before. Lists (ops, dtypes, points, statuses, features) are only appended to.
 *   What has no version beside it has been there since 2.0;
 * - a backend records how much of each argument struct it was built with (IFN_BACKEND_STAMP does).
 *   A call that sets an argument beyond that never reaches it: its base runs the call, or the inner
 *   backend of a wrapper. Where there is none the call is refused, and ifn_backend_explain names the argument;
 * - the host decides how many ops and dtypes there are, possibly more than the IFN_OP_COUNT and
 *   IFN_DTYPE_COUNT of the plugin: callbacks that get an op or a dtype (depth, unsupported, granule) are
 *   asked about unknown ones, and answer as for any that they do not have;
 * - a backend gets arguments of the size it was built with, whoever calls: arguments it does not know are
 *   zero then, and are left out. A wrapper hands on the pointer it got, or a copy of it.
 */
#define IFN_BACKEND_ABI       2u
#define IFN_BACKEND_ABI_MINOR 5u

typedef struct ifn_backend ifn_backend;

/*
 * One function per op, named like the op. ops.h says under Errors what it refuses, and what a failed call
 * has written. IFN_ERR_UNSUPPORTED is for calls that the op permits and this backend has no function for.
 * The host then runs the call on the backend's base, on raw weights, if the backend is a device or has
 * `unsupported` in its manifest; else, and always with keeps_refusals, the caller gets the status. The
 * conformance run fails a backend, a device too, that refuses calls of an op and a dtype which its manifest
 * does not declare. Of what is declared it may refuse some sizes, or all. Without a declaration it may still
 * run such calls by self->base.
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
 * Devices. The buffers of a backend with IFN_BACKEND_DEVICE are not host memory: only the device's own
 * ops read or write what its allocator `buffers` hands out. That must be addresses, so that pointer
 * arithmetic works, and should be of a range that the host cannot access, so that a mistake ends in a
 * signal and not in a wrong number.
 *
 * - copy_in and copy_out are the only ways in and out of a buffer, and the device must implement both
 *   itself. Host memory are their argument `host`, lists of spans and pages, and the tensors in `table`
 *   and `w` of other ops, with their data; all other pointers are buffers of the device, also call.scratch
 *   and those in the arrays of linear.
 * - `prepare` gets weights in host memory, and is how weights get onto the device: an op that has a
 *   handle reads the handle and not the weight. Norm weights and biases come by copy_in.
 * - Ops that the device inherits, and calls that it refuses with IFN_ERR_UNSUPPORTED, run on its base in
 *   host memory: the host copies out what the call reads, and copies back in what it has written. So a
 *   device can begin with two copies and one op, and whole models run on it.
 * - A device with `synchronize` may return from an op before the op has run, and fail later. Ops of
 *   one lane run in the order in which they were called, those of two lanes in any order. When a call
 *   returns, the device has read the call's host memory: its arguments, `host`, lists of spans and pages;
 *   the data of weights stays. A copy_out of one byte or more first waits for its lane; if a call there
 *   has failed, copy_out returns that status, and its bytes are undefined. A failure that copy_out or `end`
 *   has returned, synchronize may return again or not. Ids are in buffers, so gather_rows may fail late
 *   for an id that is out of range.
 *   The host waits before another lane uses what one lane has written, and before it frees a buffer or
 *   releases a handle that pending calls may touch.
 * - The host may tell such a device where a pass of a model begins and ends (`begin`, `end`), so that the
 *   device can submit the pass as one and record it. In the fused graph, a pass with as many rows and as
 *   many sequences as the one before consists of the same calls in the same order, each with the same
 *   addresses and sizes. Only first_pos and the contents of lists of spans and pages differ.
 */

/*
 * Which ops read a weight, one or more of these, and hints of how many rows their calls will have. Both
 * hints together mean any number, and so does neither. Hints only guide which layout is made, and whether
 * one is: a handle is right in calls of any number of rows, whatever it was prepared for.
 */
enum {
    IFN_USE_GATHER_ROWS = 1 << 0,
    IFN_USE_LINEAR = 1 << 1,
    IFN_USE_LINEAR_Q8 = 1 << 2,
    IFN_USE_MATMUL = 1 << 3,    /* primitive graph: f32, transposed; never prepared */
    IFN_USE_ONE_ROW = 1 << 16,  /* a hint: decode */
    IFN_USE_MANY_ROWS = 1 << 17 /* a hint: prefill */
};

/* A handle: a weight in a backend's own layout. All zeros: none was made, and ops read the raw weight. */
typedef struct ifn_packed {
    void *data;   /* what ops get as `packed` */
    size_t bytes; /* memory it takes in addition to the raw weight */
    uint32_t ops; /* IFN_USE_* of the ops that accept this handle; others get NULL */
} ifn_packed;

/* Room for the name of a layout, its end included. */
#define IFN_LAYOUT_BYTES 64

/* The largest shapes a context will use: what scratch is planned for. The max_pos of a call may be larger than
 * that of the limits, as its cache has room for all sequences. */
typedef struct ifn_limits {
    uint32_t limits_bytes;
    int64_t rows;    /* of activations in one call */
    int64_t max_pos; /* positions of one sequence in the KV cache */
    int64_t k;       /* the longest row a linear reads */
    int64_t n;       /* the most features a linear writes, all weights of a call together */
                     /* a row of any other op's tensors: at most max(k, n, max_pos) */
    int64_t n_heads, n_kv_heads, head_dim;
} ifn_limits;

/* The most that max_overread may be: four vectors of 64 bytes. */
#define IFN_MAX_OVERREAD 256

/* A format that numbers may be rounded to. */
enum { IFN_ROUND_NONE, IFN_ROUND_TF32, IFN_ROUND_BF16, IFN_ROUND_F16 };

/**
 * The arithmetic of an op's products and sums (spec/numerics.md 9.2). The host hands the struct over
 * filled with zeros, which mean f32 throughout. In attention the factors are queries, keys, weights and
 * values; its sums are f32 whatever is declared.
 *
 * All rounding is to nearest, ties either way; no declaration covers truncation. A declaration permits
 * rounding, at most once per value, and does not require it: a finer format that contains the declared
 * one always fits. Queries and keys may be rounded after the scale of attention was multiplied in, and
 * attention's weights relative to the maximum of a block, to that of all, or to their sum. A value that
 * overflows in the declared format is not judged.
 */
typedef struct ifn_arithmetic {
    uint32_t arithmetic_bytes; /* set by the host */
    /* IFN_ROUND_*: both factors of every product. A quantized weight is rounded as decoded; where its
     * scaled code and its minimum are multiplied apart, each of the two is. */
    uint32_t inputs;
    /* IFN_ROUND_F16: products are rounded to f16 and added in f16, in any order, at most sum_block
     * of them (0: all); the sums of blocks are added in f32. IFN_ROUND_NONE: everything in f32. */
    uint32_t sums, sum_block;
    /* IFN_ROUND_BF16, IFN_ROUND_F16: each result, once, before it is stored as the f32 it is. */
    uint32_t output;
} ifn_arithmetic;

/**
 * The manifest: a backend's declarations about itself (spec/numerics.md section 9, installed below
 * share/inferno; u there is 2^-24). Declarations are claims; the conformance run verifies them. Zero in a
 * field is the strict default.
 *
 * Invariances (numerics 12), each between two calls that must have the same bits:
 * R0 the same call twice; R1 any threads, lanes and parts; R2 a row alone, and in any batch; R3 a prompt in
 * any chunks; R4 any address; R5 strides or none, pages or none; R6 in place or not; R7 any order of
 * calls, any content of scratch; R8 permuted rows or heads; R9 a cache that was cut back; R10 a sequence in
 * any company. Without R4 a backend owes the others only where each tensor lies at the same place in its page
 * in both calls.
 */
typedef struct ifn_manifest {
    uint32_t manifest_bytes;
    uint32_t invariances;  /* bit i: R<i> holds bit for bit; R0 always does */
    uint32_t offset_split; /* 1: `linear` sums quantized offsets apart (numerics 7.2) */
    uint32_t ftz; /* 1: arithmetic and comparisons may take a subnormal for 0, and give 0 for one */
    float exp_ulp;   /* exp errs by 2u times this, or gives 0 below 2^-126; 0: 2, at most 4 */
    float rsqrt_rel; /* 1/sqrt errs by this, relative; 0: 2u, at most 4u */
    /* How many bytes ops may read past the last element of a whole tensor (with strides: past its last
     * row, which has no gap after it), of scratch, or of what prepare took; at most 256. They read
     * nothing before a tensor, and nothing past lists of spans and pages. */
    uint32_t max_overread;
    uint32_t rope_angle_f32; /* 1: angles are formed in f32 */
    /* Rounding depth of a reduction of length k in `op` on weights of `dtype`: any number for which the
     * bound of numerics 4.1 is proven, by counting or otherwise. It holds for each call that the backend
     * takes: a backend that hands some to its base answers the base's depth, k. The default, also for
     * NULL, is k, in linear_q8 the h_q of numerics 8.1; a larger answer counts as the default. For an op
     * or a dtype that the backend does not know, the answer is k. The order in which a sum is made never
     * follows the values that are added. The depth counts in matmul (k: its n),
     * linear and linear_q8 (k), rms_norm (dim), softmax_rows (cols), sum_squares_axis (the summed axis),
     * and attention (head_dim: of scores; sums over keys have the default). */
    int64_t (*depth)(ifn_op op, ifn_dtype dtype, int64_t k);
    /* 1 if the backend refuses this op for weights, a cache or a table of `dtype` (quantize_rows:
     * its output, for both; F32 where none varies) into an output of `out_dtype` (F32 or Q8_32F); NULL:
     * refuses nothing. Later hosts ask about their new dtypes too: a backend names the dtypes it has,
     * and refuses the rest. */
    int (*unsupported)(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype);
    /* 1: its kv_store and attention take lists of spans (ABI 2.1); 0: the host makes one call per span. */
    uint32_t spans;
    /* Fills in how `op` on weights or a cache of `dtype` multiplies and adds (ABI 2.2); NULL: in f32. The
     * answer counts for matmul, linear, linear_q8, sum_squares_axis and attention, and means nothing for
     * other ops. */
    void (*arithmetic)(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out);
    /* 1: its kv_store and attention take a cache in pages (ABI 2.3); 0: its base runs such calls.
     * Whatever these two fields say, a base takes both in an op that was left to it. */
    uint32_t pages;
} ifn_manifest;

/* The host passes it to usable, lanes, fill and open, in that order. Only open refuses an unknown
 * option, with IFN_ERR_ARGUMENT and err: the others cannot return an error. */
typedef struct ifn_backend_env {
    uint32_t env_bytes;         /* every struct here grows only at the end */
    int32_t n_threads;          /* 0: the backend chooses */
    uint64_t cpu;               /* detected features, already masked */
    int32_t n_lanes;            /* calls will carry lanes 0 .. n_lanes - 1 */
    const ifn_allocator *alloc; /* for what open and prepare keep; malloc is legal, too */
    /* Text after '=' in the expression, or "". For fill and open it stays valid until close, for the
     * others until they return. A plugin is one backend: kernels that fill chooses by this text share
     * its manifest. */
    const char *options;
} ifn_backend_env;

/* Allocated and completed by the host. */
struct ifn_backend {
    const ifn_op_table *ops;     /* what calls go through, every slot filled */
    const ifn_op_table *own_ops; /* the table as fill left it; shows which ops are its own */
    ifn_backend *inner;          /* wrappers only */
    ifn_backend *base; /* leaves: the backend that fills their empty slots. Their ops may call it,
                        * with the call's scratch and no `packed`; NULL for scalar */
    const ifn_allocator *buffers; /* every buffer an op sees comes from here */
    void *state;                  /* from open(); NULL for pure backends */
    const struct ifn_backend_desc *desc;
};

/* One of the devices that a backend could be opened on. */
typedef struct ifn_backend_device {
    char options[24]; /* the text after '=' that selects it */
    char name[104];
    uint64_t bytes; /* of its memory */
} ifn_backend_device;

typedef struct ifn_backend_desc {
    uint32_t abi, abi_minor, desc_bytes, table_bytes;
    uint32_t call_bytes, flags; /* call_bytes: how much of ifn_call it was built with */
    const uint32_t *args_bytes; /* the size of each op's argument struct that it was built with */
    const char *name, *summary;
    const ifn_manifest *manifest; /* NULL: strict defaults */
    /* Overwrites the slots it implements; the others hold the base's or pass-through functions. */
    void (*fill)(ifn_op_table *table, const ifn_backend_env *env);
    /* From here on all optional. */
    int (*usable)(const ifn_backend_env *env);
    /* Wrappers: how many parts of a call run at once. `open` finds the answer in env->n_threads. With n
     * parts, part i of a call on lane l of m has lane l * n + i of m * n, and a scratch of its own, as
     * large as ifn_scratch_bytes_of(inner) says: the wrapper's scratch_bytes asks for all n of them. */
    int32_t (*lanes)(const ifn_backend_env *env);
    size_t (*scratch_bytes)(const ifn_backend *self, const ifn_limits *max); /* for one lane */
    /* Where a call may be cut: at multiples of the answer. Features are counted from the start of each
     * weight, and the last part of a weight ends with it, at a multiple or not, with a handle or without.
     * The answer may follow the sizes of the call; one below 1 means 1. */
    int64_t (*granule)(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args);
    ifn_status (*open)(void **state, const ifn_backend_env *env, ifn_error *err);
    void (*close)(void *state);
    const ifn_allocator *(*buffers)(const ifn_backend *self); /* default: env->alloc, or inner's */
    /* Packs the n weights that share one input for the given uses; several threads may call it at once.
     * Fills out[0 .. n), which begins as zeros. The array w and its tensor structs may be gone when it
     * returns; the data of these tensors stays in place, unchanged, until release, and a handle may point
     * to it. What a handle holds is final when prepare returns: nothing writes to its buffers until
     * release. An op finds the raw weights in its own arguments, at this address or another, with the same
     * content. One weight may be there twice: each out is released on its own. If prepare or adopt fails,
     * it has undone its work, and the host releases nothing of its `out`. */
    ifn_status (*prepare)(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err);
    void (*release)(ifn_backend *self, ifn_packed *packed); /* with prepare; accepts data NULL */
    /* Explains why the last failed call on this backend failed: fills err and returns 1, or returns 0
     * if the status says it all. Asked at most once, while no op runs. */
    int (*explain)(ifn_backend *self, ifn_error *err);
    /* Devices whose ops may return before they have run (ABI 2.2): waits until all calls on the lane, never
     * IFN_ALL_LANES, have run. Returns the status of the first of them that failed since the last
     * synchronize. NULL: an op that has returned has run. */
    ifn_status (*synchronize)(ifn_backend *self, int32_t lane);
    /* Devices (ABI 2.2): fills `out` with the i-th device and returns 1, or returns 0 if there is no such one. */
    int (*device)(int i, ifn_backend_device *out);
    /* Devices with synchronize, both or none (ABI 2.4): the host calls them before and after the calls of
     * a pass on one lane. The device may hold back calls between them until `end`, or until a copy_out or
     * synchronize on the lane, which may come in the middle of a pass and waits for the calls so far.
     * Passes do not nest; each pass that has begun ends, also if a call of it has failed. `end` may return
     * that failure, or leave it to the next copy_out or synchronize. */
    ifn_status (*begin)(ifn_backend *self, int32_t lane);
    ifn_status (*end)(ifn_backend *self, int32_t lane);
    /* Prepared weights that a host may keep in a file and use in another process (ABI 2.5): all three
     * functions or none, with prepare. As with prepare, several threads may call them at once. */
    /* Names the layout that prepare gives `w` for these uses. Under equal names the same weight has the
     * same image, byte for byte, whatever the machine, the process and the version of the backend, and
     * for other ops and hints, too. So a change of the layout changes the name; asking again gives the
     * same name. Empty: the host is not to keep what prepare makes of this weight, if anything. A layout
     * with a name is always made, unless the weight has no elements. */
    void (*layout)(const ifn_backend *self, const ifn_tensor *w, uint32_t uses,
                   char out[IFN_LAYOUT_BYTES]);
    /* Returns the bytes of what prepare has made of a weight that has a layout, and their number in
     * *bytes: all of it, one byte at least, and no addresses in it. The backend owns them, and keeps them
     * unchanged until release. */
    const void *(*image)(ifn_backend *self, const ifn_packed *packed, size_t *bytes);
    /* Makes from an image what prepare makes of `w` for these uses: a handle for the same ops, with which
     * they give the same bits. The image has the layout that `layout` names for these uses, and may have
     * been made for other uses with the same name. It is aligned as buffers are, must not be written to,
     * and stays until release; the data of `w` stays, too, and is better left unread. out->bytes does not
     * count the image. Fails with IFN_ERR_SHAPE if the image does not have the size of its layout. */
    ifn_status (*adopt)(ifn_backend *self, const ifn_tensor *w, uint32_t uses, const void *image,
                        size_t bytes, ifn_packed *out, ifn_error *err);
} ifn_backend_desc;

/* The manifest of a descriptor: all zeros if it has none, and zeros in fields that an older one lacks. */
static inline ifn_manifest ifn_manifest_of(const ifn_backend_desc *desc)
{
    ifn_manifest out;
    const size_t bytes = desc->manifest ? desc->manifest->manifest_bytes : 0;
    memset(&out, 0, sizeof out);
    if (bytes)
        memcpy(&out, desc->manifest, bytes < sizeof out ? bytes : sizeof out);
    return out;
}

/* The sizes of the argument structs that a backend built with this header knows, in the order of
 * IFN_OPS. */
static const uint32_t ifn_args_bytes[] = {
#define X(NAME, name, cut, cut2, doc) (uint32_t)sizeof(ifn_##name##_args),
    IFN_OPS(X)
#undef X
};

/* How much of ifn_call, which opens them, such a backend knows: all fields before `reserved`. */
#define IFN_CALL_BYTES ((uint32_t)offsetof(ifn_call, reserved))

/* ifn_matmul(backend, args), ...: calls one op. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static inline ifn_status ifn_##name(ifn_backend *backend, const ifn_##name##_args *args)       \
    {                                                                                              \
        return backend->ops->name(backend, args);                                                  \
    }
IFN_OPS(X)
#undef X

/* The backend that this one wraps or stands on; NULL: none. */
static inline ifn_backend *ifn_backend_below(const ifn_backend *self)
{
    return self->inner ? self->inner : self->base;
}

/* Scratch that one lane of the chain of `self` needs for calls within `max`: the most that any of its backends
 * asks for. Inline, as a wrapper that makes slices for the backend inside links nothing. */
static inline size_t ifn_scratch_bytes_of(const ifn_backend *self, const ifn_limits *max)
{
    size_t bytes = 0;
    for (; self; self = ifn_backend_below(self)) {
        const size_t own = self->desc->scratch_bytes ? self->desc->scratch_bytes(self, max) : 0;
        bytes = own > bytes ? own : bytes;
    }
    return bytes;
}

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
 * C++ wants fields in the order of the struct, so wrappers and devices in C++ give their flags first:
 * IFN_BACKEND_ENTRY_FLAGS(IFN_BACKEND_WRAPPER, .name = "mine", ...)
 */
typedef const ifn_backend_desc *(*ifn_backend_entry_fn)(void);
#define IFN_BACKEND_ENTRY_SYMBOL "ifn_backend_entry"
#define IFN_BACKEND_STAMP_SIZES                                                                    \
    .abi = IFN_BACKEND_ABI, .abi_minor = IFN_BACKEND_ABI_MINOR,                                    \
    .desc_bytes = (uint32_t)sizeof(ifn_backend_desc),                                              \
    .table_bytes = (uint32_t)sizeof(ifn_op_table), .call_bytes = IFN_CALL_BYTES
#define IFN_BACKEND_STAMP IFN_BACKEND_STAMP_SIZES, .args_bytes = ifn_args_bytes
#define IFN_BACKEND_STAMP_FLAGS(bits)                                                              \
    IFN_BACKEND_STAMP_SIZES, .flags = (bits), .args_bytes = ifn_args_bytes
#define IFN_BACKEND_ENTRY(...) IFN_BACKEND_ENTRY_OF(IFN_BACKEND_STAMP, __VA_ARGS__)
#define IFN_BACKEND_ENTRY_FLAGS(bits, ...)                                                         \
    IFN_BACKEND_ENTRY_OF(IFN_BACKEND_STAMP_FLAGS(bits), __VA_ARGS__)
#define IFN_BACKEND_ENTRY_OF(...)                                                                  \
    IFN_EXTERN_C IFN_API const ifn_backend_desc *ifn_backend_entry(void);                          \
    const ifn_backend_desc *ifn_backend_entry(void)                                                \
    {                                                                                              \
        static const ifn_backend_desc desc = {__VA_ARGS__};                                        \
        return &desc;                                                                              \
    }

/* How a program wants a chain opened. NULL means all defaults. */
typedef struct ifn_backend_options {
    uint32_t bytes;         /* of this struct: IFN_BACKEND_OPTIONS_INIT */
    int32_t n_threads;      /* 0: the wrapper's default */
    int32_t n_contexts;     /* contexts that will run at once on this chain; 0: 1 */
    int32_t keeps_refusals; /* 1: IFN_ERR_UNSUPPORTED is returned, no base runs the call instead */
    uint64_t cpu_mask;      /* features that may be used; 0: everything detected */
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

/* The leaf that runs this very call: the implementer of the op or, if that was built before an
 * argument that the call sets, the leaf that replaces it. NULL: no leaf does, the call is refused. */
IFN_API ifn_backend *ifn_backend_runner(ifn_backend *self, ifn_op op, const ifn_call *args);

/* ifn_scratch_bytes_of, for programs. */
IFN_API size_t ifn_backend_scratch_bytes(const ifn_backend *self, const ifn_limits *max);

/* Calls on this chain carry lanes 0 .. n - 1: one for each context that may run on it at once, as
 * the options said when it was opened. */
IFN_API int32_t ifn_backend_n_lanes(const ifn_backend *self);

/* 1 if the buffers of this chain are not host memory: its leaf is a device. */
IFN_API int ifn_backend_is_device(const ifn_backend *self);

/* Waits until all calls on this lane (IFN_ALL_LANES: on all lanes) have run. Returns IFN_OK, or the status
 * of the first of them that failed after it had returned. Returns at once if the chain has no device. */
enum { IFN_ALL_LANES = -1 };
IFN_API ifn_status ifn_backend_synchronize(const ifn_backend *self, int32_t lane);

/* Mark the begin and the end of a pass on this lane: the device may hold back its calls until the end, and
 * record them. No effect if the chain has no device with `begin` and `end`. */
IFN_API ifn_status ifn_backend_begin(const ifn_backend *self, int32_t lane);
IFN_API ifn_status ifn_backend_end(const ifn_backend *self, int32_t lane);

/* 1 if calls on this chain may return before they have run. */
IFN_API int ifn_backend_defers(const ifn_backend *self);

/* Bytes that calls on this lane have moved between a device and the host so far because the device
 * lacks their ops; 0 where there is no device. Call it while no op runs on the lane. */
IFN_API uint64_t ifn_backend_staged_bytes(const ifn_backend *self, int32_t lane);

/* Where a call on this chain may be cut: at multiples of the result, 1 if the implementer has no granule. */
IFN_API int64_t ifn_backend_granule(ifn_backend *self, ifn_op op, int axis, const ifn_call *args);

/* Explains why the last call on this chain failed, in the words of the outermost backend that knows more
 * than the status. Returns 1 and fills err, or returns 0. Call it once, right after the failed call. */
IFN_API int ifn_backend_explain(ifn_backend *self, ifn_error *err);

/* The registered descriptors, wrappers included, and how many there are. Static. */
IFN_API const ifn_backend_desc *const *ifn_backend_list(size_t *n);

IFN_EXTERN_C_END

#endif
