/* spec/ops/<op>.yaml as structs; spec/README.md describes the language. Errors carry file, line, column. */
#ifndef CONFORM_SPEC_H
#define CONFORM_SPEC_H

#include <stdbool.h>

#include <inferno/ops.h>
#include <inferno/status.h>

#include "case.h"

enum {
    SPEC_NAME_BYTES = 24,
    SPEC_EXTENT_BYTES = 48,
    SPEC_MAX_EDGES = 32,
    SPEC_MAX_MODEL_SIZES = 8,
    SPEC_MAX_DTYPES = 16,
    SPEC_MAX_ARGS = 16,
    SPEC_MAX_SHAPE = 4,
    SPEC_MAX_ALIASES = 4,
    SPEC_MAX_LAW = 16,
    SPEC_MAX_TERMS = 256,
    SPEC_MAX_ENTRIES = 48,
    SPEC_MAX_ENTRY_VALUES = 16,
    SPEC_MAX_ALWAYS = 48,
    SPEC_MAX_SIZES = 16,
    SPEC_MAX_REGIMES = 40,
    SPEC_MAX_FAMILIES = 16,
    SPEC_LARGEST_SIZE = 1 << 30, /* in an entry of `always`, if their product can be counted */
    SPEC_MAX_VALUES = 256,
    SPEC_MAX_BYTES = 1 << 22
};

/* Sizes of one dimension: each edge is visited, then random ones, log-uniform. */
typedef struct spec_dim {
    char name[SPEC_NAME_BYTES];
    int n_edges;
    int64_t edges[SPEC_MAX_EDGES];
    int64_t random_low, random_high; /* smallest and largest edge unless the spec says otherwise */
    int64_t limit;                   /* the largest legal size; random ones are mostly smaller */
    int64_t multiple; /* sizes are multiples of this; 0 or 1: any. Blocks add their own */
    int64_t model_n;  /* real model sizes */
    int64_t model[SPEC_MAX_MODEL_SIZES];
} spec_dim;

/* The kind of a term. */
typedef enum spec_term_kind {
    TERM_NUMBER,
    TERM_DIM,       /* dims[index] */
    TERM_ARG,       /* args[index]: a tensor, or a scalar of the call */
    TERM_DTYPE,     /* the dtype of the case */
    TERM_OUT_DTYPE, /* the dtype of its output */
    TERM_LINE,      /* the value that law[index] defines */
    TERM_NEGATE,
    TERM_ADD,
    TERM_SUBTRACT,
    TERM_MULTIPLY,
    TERM_DIVIDE,
    TERM_CALL, /* the op `index` on its operands: tensors, then numbers */
    TERM_PART, /* the part of a tensor, the first operand, that the other operands select */
    TERM_RANGE /* from the first operand up to, not including, the second */
} spec_term_kind;

/* A term: a node of the tree of an expression, in sizes and in laws. */
typedef struct spec_term {
    spec_term_kind kind;
    int index;
    double number;
    int first, next; /* indices of its first operand and of its next sibling. 0: none */
} spec_term;

/* A line of a law. */
typedef struct spec_law {
    char name[SPEC_NAME_BYTES]; /* the name that it defines */
    int line;                   /* line number in the file */
    bool repeats; /* `each`: the name counts from 0 to below `value` for the lines that follow */
    int target; /* the term of the output, or part of one, that it defines; 0: it defines a name */
    int value;  /* a term */
} spec_law;

/* A tensor or scalar of the op's mathematics. */
typedef struct spec_arg {
    char name[SPEC_NAME_BYTES]; /* "w_i": w_0, w_1, ... */
    int line, column;
    bool is_scalar;
    int n_shape;
    char shape[SPEC_MAX_SHAPE][SPEC_EXTENT_BYTES]; /* names of dims, or expressions of them */
    int extent[SPEC_MAX_SHAPE];                    /* their terms */
    int n_aliases;
    char may_alias[SPEC_MAX_ALIASES][SPEC_NAME_BYTES];
} spec_arg;

typedef enum spec_kind {
    SPEC_NUMBERS, /* values */
    SPEC_BYTES,   /* values, each 0 .. 255: blocks as they lie in memory */
    SPEC_NULL,    /* refuse: a null pointer */
    SPEC_NAMED    /* text: a dtype; refuse: the tensor this one is laid over */
} spec_kind;

/* A dimension, dtype, tensor or scalar of a golden or refuse entry, by name. */
typedef struct spec_values {
    char name[SPEC_NAME_BYTES];
    int line, column;
    spec_kind kind;
    char text[SPEC_NAME_BYTES];
    int depth;          /* how deep its lists are nested: 0 for a single number */
    int64_t extent[3];  /* the lengths of those lists, the outermost first */
    int64_t rows, cols; /* of numbers nested twice or more; otherwise 1 and n */
    int64_t n;
    double values[SPEC_MAX_VALUES];
    unsigned char *bytes; /* owned: all n bytes, if more than SPEC_MAX_VALUES; else NULL */
} spec_values;

static inline double spec_value_at(const spec_values *v, int64_t i)
{
    return v->bytes ? (double)v->bytes[i] : v->values[i];
}

typedef struct spec_entry {
    char name[64];
    ifn_status status; /* refuse: what must be returned */
    bool is_stated;    /* refuse: `stated: header`: each backend refuses it by itself */
    int n_values;
    spec_values *values; /* owned by the spec */
} spec_entry;

typedef struct spec_sizes {
    int n;
    int64_t values[SPEC_MAX_SIZES];
} spec_sizes;

/* A kind of inputs. The families of a tier are drawn with equal chances; one that is named twice counts twice. */
typedef struct spec_regime {
    conform_tier tier;
    conform_family family;
} spec_regime;

/* Cases that every run has: each size of a dim with each of the others, in each dtype, of each family. */
typedef struct spec_always {
    char name[64];
    int from;     /* the first conform_profile that has it */
    int n_dtypes; /* 0: all of the op */
    ifn_dtype dtypes[SPEC_MAX_DTYPES];
    int n_out_dtypes; /* 0: one of the op's, drawn */
    ifn_dtype out_dtypes[SPEC_MAX_DTYPES];
    int n_families; /* of T1; 0: any regime of the op, drawn */
    conform_family families[SPEC_MAX_FAMILIES];
    spec_sizes sizes[CONFORM_MAX_DIMS]; /* one or more of every dim */
} spec_always;

typedef struct spec_op {
    ifn_op op;
    char *formula, *source, *bound; /* owned; source and bound may be NULL */
    char *no_law; /* owned: why there is no law; NULL: there is one, or no reason is stated */
    int n_args;
    spec_arg args[SPEC_MAX_ARGS];
    int n_dims;
    spec_dim dims[CONFORM_MAX_DIMS];
    int n_dtypes;
    ifn_dtype dtypes[SPEC_MAX_DTYPES]; /* of weights, cache or table; F32 alone if none varies */
    int n_out_dtypes;
    ifn_dtype out_dtypes[SPEC_MAX_DTYPES];
    ifn_cut split[2];
    char contract_class; /* 'B', 'E', 'U' */
    int n_quality;       /* dtypes of class Q: several encodings are right (numerics 8.4) */
    ifn_dtype quality[SPEC_MAX_DTYPES];
    int64_t legal[CONFORM_MAX_DIMS]; /* a legal call, which every refuse entry changes */
    ifn_dtype legal_dtype, legal_out_dtype;
    int n_regimes;
    spec_regime regimes[SPEC_MAX_REGIMES];
    int n_always;
    spec_always always[SPEC_MAX_ALWAYS];
    int n_golden, n_refuse;
    spec_entry golden[SPEC_MAX_ENTRIES], refuse[SPEC_MAX_ENTRIES];
    int n_law;
    spec_law law[SPEC_MAX_LAW];
    int n_terms;
    spec_term terms[SPEC_MAX_TERMS]; /* from 1 on */
} spec_op;

void spec_entry_drop(spec_entry *entry); /* frees what it owns */

/* The entries of an op, by name; NULL where there is none. */
const spec_dim *spec_find_dim(const spec_op *spec, const char *name);
/* True if the dim counts something. A dim that may be negative is a shift, which may be arbitrarily large. */
bool spec_dim_counts(const spec_dim *dim);
/* True if the dim is a size that can grow; a dim with a limit of at most 15 is a choice. */
bool spec_dim_is_size(const spec_dim *dim);
const spec_arg *spec_find_arg(const spec_op *spec, const char *name);
const spec_values *spec_find_values(const spec_entry *entry, const char *name);

/* Reads one file. IFN_ERR_IO: it cannot be opened. IFN_ERR_FORMAT:
 * "spec/ops/add.yaml:12:5: unknown key 'foo', expected ...". */
IFN_NODISCARD ifn_status spec_op_read(const char *path, spec_op **out, ifn_error *err);
void spec_op_free(spec_op *spec);

/* Reads "<dir>/ops/<op>.yaml"; IFN_ERR_FORMAT also if it is another op's spec. */
IFN_NODISCARD ifn_status spec_read_op(const char *dir, ifn_op op, spec_op **out, ifn_error *err);
/* Reads the specs of all of IFN_OPS; a missing file is an error. */
IFN_NODISCARD ifn_status spec_read_all(const char *dir, spec_op *out[IFN_OP_COUNT], ifn_error *err);
void spec_free_all(spec_op *specs[IFN_OP_COUNT]);

#endif
