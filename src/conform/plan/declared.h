/* What a backend's manifest amounts to for one case. */
#ifndef CONFORM_DECLARED_H
#define CONFORM_DECLARED_H

#include <stdbool.h>

#include "arithmetic.h"
#include "module.h"

/* The strict defaults of numerics 9. */
conform_declared conform_declared_default(void);

/*
 * The declarations of whoever implements the op. A declared depth counts only where it is smaller
 * than the default: a backend may tighten its bounds, not loosen them.
 */
conform_declared conform_declared_of(ifn_backend *backend, const conform_case *c);

/* What bounds the composition law of an op: its primitive ops are whoever implements them's, with sums of
 * the default depth and the weakest functions that any op declares. */
conform_declared conform_declared_of_law(ifn_backend *backend, const conform_case *c);

/* What nobody's manifest says: products rounded to IFN_ROUND_*, in ops that are asked for it, and flushing. */
conform_declared conform_declared_as(uint32_t products, bool ftz, const conform_case *c);

/* The length of the reduction in this case; 0 where the op has none whose depth can be declared. */
int64_t conform_reduction_length(const conform_case *c);

/* 1 where at least 64 terms are added up in every result, so that T2 is much sharper than T1. */
int conform_sum_is_long(const conform_case *c);

/* Whether factors, sums and results are f32, of all weights. */
bool conform_declared_is_plain(const conform_declared *d);
/* 1 if the declarations differ from the strict defaults: the truth has to be computed anew. */
int conform_declared_differ(const conform_declared *d);

/* 1 where an op that a composition law of this case is made of has arithmetic of its own, and may
 * round where the fused op does not (numerics 9.2). */
int conform_law_is_rounded(ifn_backend *backend, const conform_case *c);

/* How each op multiplies and adds, by what whoever implements it declares. */
void conform_declared_arithmetics(ifn_backend *backend, conform_arithmetics *out);

enum { CONFORM_ARITHMETIC_BYTES = 160 };

/* What is declared of how `op` multiplies and adds, in words; empty: nothing. Arithmetic that only
 * some dtypes have names these. */
void conform_arithmetic_stated(ifn_backend *backend, ifn_op op, char *out, size_t bytes);

/* Bytes after the end of a buffer that whoever implements the op declares to read, in whole
 * elements of 4. */
size_t conform_overread_of(ifn_backend *backend, ifn_op op);

/* 1 where the invariance R<i> is declared to hold bit for bit. */
int conform_is_invariant(ifn_backend *backend, ifn_op op, int invariance);

/* 1 where whoever implements kv_store or attention takes a cache in pages. */
int conform_takes_pages(ifn_backend *backend, ifn_op op);

/* 1 where it is declared to hold for every op. */
int conform_is_invariant_throughout(ifn_backend *backend, int invariance);

/* 1 where the backend has declared that it refuses the op for a dtype of the case. */
int conform_is_unsupported(ifn_backend *backend, const conform_case *c);
/* The same of a call, whose dtypes need not be those of its case, nor any. */
int conform_is_unsupported_call(ifn_backend *backend, ifn_op op, const conform_call *call);

#endif
