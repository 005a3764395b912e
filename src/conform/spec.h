/* spec/ops/<op>.yaml as structs. Errors carry file, line and column. */
#ifndef CONFORM_SPEC_H
#define CONFORM_SPEC_H

#include <inferno/ops.h>
#include <inferno/status.h>

#include "case.h"

enum { SPEC_MAX_EDGES = 32, SPEC_MAX_DTYPES = 16, SPEC_MAX_ENTRIES = 32, SPEC_MAX_VALUES = 256 };

/* Sizes of one dimension: each edge is visited, then random ones, log-uniform. */
typedef struct spec_dim {
    char name[24];
    int n_edges;
    int64_t edges[SPEC_MAX_EDGES];
    int64_t random_low, random_high;
    int64_t multiple; /* of this; 0 or 1: any. Blocks add their own */
    int64_t model_n;  /* real model sizes */
    int64_t model[8];
} spec_dim;

/* A tensor or scalar of a golden or refuse entry, by name. */
typedef struct spec_values {
    char name[24];
    int64_t rows, cols;
    int64_t n;
    double values[SPEC_MAX_VALUES];
} spec_values;

typedef struct spec_entry {
    char name[64];
    ifn_status status; /* refuse: what must be returned */
    int n_values;
    spec_values *values; /* owned by the spec */
} spec_entry;

typedef struct spec_op {
    ifn_op op;
    char *formula, *source, *bound; /* owned */
    int n_dims;
    spec_dim dims[CONFORM_MAX_DIMS];
    int n_dtypes;
    ifn_dtype dtypes[SPEC_MAX_DTYPES]; /* of what varies; F32 alone where nothing does */
    int n_out_dtypes;
    ifn_dtype out_dtypes[SPEC_MAX_DTYPES];
    ifn_cut split[2];
    char contract_class; /* 'B', 'E', 'U' */
    int n_golden, n_refuse;
    spec_entry golden[SPEC_MAX_ENTRIES], refuse[SPEC_MAX_ENTRIES];
    int n_law;
    char *law[16]; /* "name = expression", owned */
} spec_op;

/* Reads one file. IFN_ERR_FORMAT: "spec/ops/add.yaml:12:5: unknown key 'foo', expected ...". */
IFN_NODISCARD ifn_status spec_op_read(const char *path, spec_op **out, ifn_error *err);
void spec_op_free(spec_op *spec);

/* Reads all of IFN_OPS from a directory: "<dir>/ops/<op>.yaml"; a missing file is an error. */
IFN_NODISCARD ifn_status spec_read_all(const char *dir, spec_op *out[IFN_OP_COUNT], ifn_error *err);
void spec_free_all(spec_op *specs[IFN_OP_COUNT]);

#endif
