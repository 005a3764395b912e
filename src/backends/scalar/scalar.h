/*
 * The reference backend. Every kernel reads like the formula in the header of its op: f32 arithmetic, each sum in
 * plain sequential order over the ascending index, one rounding per operation.
 */
#ifndef IFN_SCALAR_H
#define IFN_SCALAR_H

#include <stdint.h>
#include <string.h>

#include <inferno/backend.h>

#include "op_part.h"

/*
 * ifn_scalar_matmul, ifn_scalar_add, ...: one function per op, each in <op>_scalar.c. `scalar` comes
 * first in the names because ifn_add_scalar already calls the op add_scalar.
 */
#define X(NAME, name, cut, cut2, doc)                                                              \
    ifn_status ifn_scalar_##name(ifn_backend *self, const ifn_##name##_args *a);
IFN_OPS(X)
#undef X

extern const ifn_backend_desc ifn_backend_scalar;

/*
 * Marks the innermost loops of matmul and linear, which would take half of the time of the tests under
 * AddressSanitizer. Their callers have checked the shapes, and conform's guards and Valgrind watch every element.
 */
#define IFN_SCALAR_UNSANITIZED __attribute__((no_sanitize("address", "undefined")))

/* out[to + i] = x[from + i], bit for bit; nothing is touched, not even the pointers, if n is 0. */
static inline void ifn_scalar_copy(float *out, int64_t to, const float *x, int64_t from, int64_t n)
{
    if (n > 0)
        memcpy(out + to, x + from, (size_t)n * sizeof *out);
}

/* Whether the weights that share one input are legal for linear and linear_q8. */
int ifn_scalar_weights_fit(int64_t n_w, const ifn_tensor *const *w, const int64_t *out_stride,
                           int64_t k);

/* Whether the shapes and the dtype of kv_store are legal. */
int ifn_scalar_kv_store_fits(const ifn_kv_store_args *a);

/* Whether the shapes of rms_norm are legal. */
int ifn_scalar_rms_norm_fits(const ifn_rms_norm_args *a);

/* The same for swiglu, whose blocks must not overwrite their own input. */
int ifn_scalar_swiglu_fits(const ifn_swiglu_args *a);

#endif
