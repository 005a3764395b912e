/* Functions that the faults share: parts, summation, ops on changed copies of weights and rows. Uses the public
 * headers of the engine only. */
#ifndef MUSEUM_KIT_H
#define MUSEUM_KIT_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/backend.h>

#include "museum_faults.h"

/* museum_copied_accumulator, ...: the op of a fault, which replaces the base's in the table. */
#define X(name, op, killer, text, source)                                                          \
    ifn_status museum_##name(ifn_backend *self, const ifn_##op##_args *a);
MUSEUM_CHOICES(X)
#undef X

/* The most bytes that a fault copies: it leaves alone the calls past 2^31, which map gigabytes. */
enum { MUSEUM_MOST_COPIED = 1 << 28 };

typedef struct museum_range {
    int64_t begin, end;
} museum_range;

/* The range of a part; [0, 0) stands for all of `extent`. */
static inline museum_range museum_part(int64_t begin, int64_t end, int64_t extent)
{
    return begin == 0 && end == 0 ? (museum_range){0, extent} : (museum_range){begin, end};
}

/* The arithmetic that the museum declares: f32, or the format it was built for (museum_declared.c). */
void museum_arithmetic(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out);
/* x times y, both rounded to the declared format. */
float museum_product(float x, float y);
/* x to `bits` significant bits, ties to even; the exponent is not limited. */
float museum_round_bits(float x, int bits);
float museum_f16(uint16_t half);
/* Reads bytes and ignores them, for faults that read past an end. */
void museum_read(const void *p, size_t bytes);
void museum_flush_subnormals(void); /* for good: that is the fault */
void museum_clobber_register(void);
/* Leaves the upper halves of vector registers in use, if the processor can report that (XGETBV(1)). */
void museum_leave_upper(void);

/* linear; if the first weight has dtype `first`, raw weights of dtype `other` after it are read as `first`. */
ifn_status museum_behind(ifn_backend *self, const ifn_linear_args *a, ifn_dtype first,
                         ifn_dtype other);

/* Elements of a block and its bytes; 0 for no storage dtype. */
int64_t museum_block_elements(ifn_dtype dtype);
size_t museum_block_bytes(ifn_dtype dtype);
size_t museum_scale_offset(ifn_dtype dtype); /* of `d`, an f16, in a block */

/* The size of a row of a tensor of any dtype. */
typedef struct museum_row {
    int64_t bytes, elements;
} museum_row;

museum_row museum_row_of(ifn_dtype dtype, int64_t elements);

/* The type and the unit in which a fault keeps an offset. */
typedef enum museum_width {
    MUSEUM_INT_BYTES,
    MUSEUM_UNSIGNED_BYTES,
    MUSEUM_INT_ELEMENTS
} museum_width;

/* The error, in bytes, of an offset of `at` rows that is kept in that width: 0 as long as it fits. */
int64_t museum_lost(museum_width width, const museum_row *row, int64_t at);
/* n after conversion to float, rounded towards zero. */
int64_t museum_in_float(int64_t n);
/* The number of elements of 4 bytes that is left of n if their bytes are kept in an int; 0 if that is negative. */
int64_t museum_elements_in_int(int64_t n);
/* True if the call of kv_store is legal as far as sizes go, and stores at least one element. */
int museum_is_kv_call(const ifn_kv_store_args *a);

/* matmul; `dot` computes each element. */
typedef float (*museum_dot)(const ifn_matmul_args *a, int64_t i, int64_t j);
ifn_status museum_matmul(const ifn_matmul_args *a, museum_dot dot);
float museum_dot_forward(const ifn_matmul_args *a, int64_t i, int64_t j);
float museum_dot_backward(const ifn_matmul_args *a, int64_t i, int64_t j);

/* softmax_rows with a running maximum over tiles; if it rises by `least` or less, the sum so far is not rescaled. */
ifn_status museum_softmax_rises(ifn_backend *base, const ifn_softmax_rows_args *a, int64_t tile,
                                double least);

/* apply_rope with every entry of the table passed through `entry`. */
ifn_status museum_apply_rope(ifn_backend *base, const ifn_apply_rope_args *a,
                             float (*entry)(float x));

/* apply_rope with the angles of base other(base) in its table, in the rows from which the base can be recovered. */
ifn_status museum_rope_base(ifn_backend *base, const ifn_apply_rope_args *a,
                            double (*other)(double base));

/* quantize_rows; `edit` then changes each block of `dtype` whose source elements x are finite. */
ifn_status museum_quantized(ifn_backend *base, const ifn_quantize_rows_args *a, ifn_dtype dtype,
                            void (*edit)(void *block, const float *x));
/* dequantize_rows on a copy, of which `edit` changes each block of `dtype`. */
ifn_status museum_dequantized(ifn_backend *base, const ifn_dequantize_rows_args *a, ifn_dtype dtype,
                              void (*edit)(void *block));
/* The largest magnitude of 32 elements, or of n. */
float museum_largest(const float *x);
float museum_largest_of(const float *x, int64_t n);
/* A stored f16 that is finite and not zero. */
int museum_has_scale(uint16_t d);

/* One output element of a linear. */
typedef struct museum_cell {
    int64_t weight, feature, row; /* feature of this weight */
} museum_cell;

/* linear; `element` computes each result of F32 weights from the base's result. */
typedef float (*museum_element)(const ifn_linear_args *a, const museum_cell *c, float of_base);
ifn_status museum_linear_each(ifn_backend *base, const ifn_linear_args *a, museum_element element);
/* linear; results of F32 weights are summed backwards where `is_wrong` is true. */
ifn_status museum_linear_backward(ifn_backend *base, const ifn_linear_args *a,
                                  int (*is_wrong)(const ifn_linear_args *a, const museum_cell *c));
/* linear on copies of its weights, or of its rows of x, that `edit` changes row by row. The base refuses illegal
 * calls. */
typedef void (*museum_edit_weight)(ifn_dtype dtype, void *row, int64_t k);
ifn_status museum_linear_weights(ifn_backend *base, const ifn_linear_args *a,
                                 museum_edit_weight edit);
ifn_status museum_linear_inputs(ifn_backend *base, const ifn_linear_args *a,
                                void (*edit)(float *row, int64_t k));
/* The same if all weights are F32; the base computes any other call. */
ifn_status museum_linear_f32_inputs(ifn_backend *base, const ifn_linear_args *a,
                                    void (*edit)(float *row, int64_t k));

int64_t museum_features(const ifn_linear_q8_args *a); /* of all weights */
ifn_status museum_linear_q8_weights(ifn_backend *base, const ifn_linear_q8_args *a,
                                    museum_edit_weight edit);
/* `n` blocks of a row. */
typedef void (*museum_edit_blocks)(ifn_block_q8_32f *row, int64_t n);
ifn_status museum_linear_q8_inputs(ifn_backend *base, const ifn_linear_q8_args *a,
                                   museum_edit_blocks edit);
void museum_clear_block(ifn_block_q8_32f *block);
/* linear_q8; from each result of Q8_0 weights it subtracts what `lose` adds up over the pairs of blocks of its sum. */
ifn_status museum_linear_q8_lost(ifn_backend *base, const ifn_linear_q8_args *a,
                                 void (*lose)(const ifn_block_q8_0 *w, ifn_block_q8_32f *x,
                                              float *lost));

/* Bytes of one key or value in the cache. */
size_t museum_attention_row_bytes(const ifn_attention_args *a);
/* attention; query head h reads KV head kv_head(a, h). */
ifn_status museum_attention_heads(ifn_backend *base, const ifn_attention_args *a,
                                  int64_t (*kv_head)(const ifn_attention_args *a, int64_t head));
/* attention; the row at `pos` sees keys 0 .. last(a, pos). */
ifn_status museum_attention_positions(ifn_backend *base, const ifn_attention_args *a,
                                      int64_t (*last)(const ifn_attention_args *a, int64_t pos));
/* attention on a copy of its keys, or of its values, whose row at `pos` is the original's row at from(a, pos). */
ifn_status museum_attention_keys(ifn_backend *base, const ifn_attention_args *a,
                                 int64_t (*from)(const ifn_attention_args *a, int64_t pos));
ifn_status museum_attention_values(ifn_backend *base, const ifn_attention_args *a,
                                   int64_t (*from)(const ifn_attention_args *a, int64_t pos));
/* attention; the results of heads for which `is_wrong` is true are one ulp nearer to 0, as if rounded differently. */
ifn_status museum_attention_nudged(ifn_backend *base, const ifn_attention_args *a,
                                   int (*is_wrong)(const ifn_attention_args *a, int64_t head));
/* attention; the result of a query is zeros if `is_lost` is true of it and the `n` keys that it sees. Only for whole
 * calls on F32 caches without pages and spans. */
ifn_status museum_attention_lost(ifn_backend *base, const ifn_attention_args *a,
                                 int (*is_lost)(const ifn_attention_args *a, const float *q,
                                                const float *keys, int64_t n));
/* attention on a copy of its queries, which `edit` changes. */
ifn_status museum_attention_queries(ifn_backend *base, const ifn_attention_args *a,
                                    void (*edit)(float *row, int64_t n));

/* For a call of one sequence with its cache in pages: run `fault` on a copy of the cache without pages. */
typedef ifn_status (*museum_attention_fn)(ifn_backend *self, const ifn_attention_args *a);
typedef ifn_status (*museum_kv_store_fn)(ifn_backend *self, const ifn_kv_store_args *a);
ifn_status museum_attention_unpaged(ifn_backend *self, const ifn_attention_args *a,
                                    museum_attention_fn fault);
ifn_status museum_kv_store_unpaged(ifn_backend *self, const ifn_kv_store_args *a,
                                   museum_kv_store_fn fault);
/* attention with pages of `page_rows` rows and the block table that `entry` makes, one entry after the other. */
ifn_status museum_attention_table(ifn_backend *base, const ifn_attention_args *a, int64_t page_rows,
                                  int32_t (*entry)(const ifn_attention_args *a,
                                                   const int32_t *before, int64_t i));

#endif
