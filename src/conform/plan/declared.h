/* The declarations of a backend's manifest, worked out for one case: depth, arithmetic, flushing, refusals. */
#ifndef CONFORM_DECLARED_H
#define CONFORM_DECLARED_H

#include <stdbool.h>

#include "arithmetic.h"
#include "module.h"

/* The strict defaults of numerics 9: what holds for a backend that declares nothing. */
conform_declared conform_declared_default(void);

/*
 * The declarations of the backend in the chain that implements the op (ifn_backend_implementer). A declared
 * depth counts only if it is smaller than the default: a backend may tighten its bounds, not loosen them.
 */
conform_declared conform_declared_of(ifn_backend *backend, const conform_case *c);

/* The declarations that bound the composition law of an op. Other backends of the chain may implement its primitive
 * ops, so sums have the default depth, and exp and rsqrt the weakest accuracy that any op declares. */
conform_declared conform_declared_of_law(ifn_backend *backend, const conform_case *c);

/* Declarations made from arguments and not from a manifest: factors rounded to `products` (IFN_ROUND_*), in ops that
 * multiply and add, and flushing. */
conform_declared conform_declared_as(uint32_t products, bool ftz, const conform_case *c);

/* The length of the reduction in this case; 0 if the op has no reduction with a depth that can be declared. */
int64_t conform_reduction_length(const conform_case *c);

/* 1 if every result adds at least 64 terms, so that T2 is much sharper than T1. */
int conform_sum_is_long(const conform_case *c);

/* True if factors, sums and results are f32 for every weight. */
bool conform_declared_is_plain(const conform_declared *d);
/* 1 if the declarations differ from the strict defaults, so that the truth must be computed anew. */
int conform_declared_differ(const conform_declared *d);

/* 1 if an op in the composition law of this case declares arithmetic other than f32, so that it may round
 * where the fused op does not (numerics 9.2). */
int conform_law_is_rounded(ifn_backend *backend, const conform_case *c);

/* Collects the declared arithmetic of each op, from the backend that implements it. */
void conform_declared_arithmetics(ifn_backend *backend, conform_arithmetics *out);

enum { CONFORM_ARITHMETIC_BYTES = 160 };

/* Writes the declared arithmetic of `op` in words; "" if nothing is declared. Arithmetic that only some
 * dtypes have is followed by their names. */
void conform_arithmetic_stated(ifn_backend *backend, ifn_op op, char *out, size_t bytes);

/* The bytes past the end of a buffer that the implementer of the op declares to read, rounded up to
 * whole elements of 4 bytes. */
size_t conform_overread_of(ifn_backend *backend, ifn_op op);

/* 1 if the manifest declares that the invariance R<i> holds bit for bit. */
int conform_is_invariant(ifn_backend *backend, ifn_op op, int invariance);

/* 1 if the implementer of kv_store or attention accepts a cache in pages. */
int conform_takes_pages(ifn_backend *backend, ifn_op op);

/* 1 if the invariance is declared for every op. */
int conform_is_invariant_throughout(ifn_backend *backend, int invariance);

/* 1 if the backend declares that it refuses the op for a dtype of the case. */
int conform_is_unsupported(ifn_backend *backend, const conform_case *c);
/* The same for a call, whose arguments may hold other dtypes than its case, and invalid ones. */
int conform_is_unsupported_call(ifn_backend *backend, ifn_op op, const conform_call *call);

#endif
