/* What the faults share: parts, summation, weights and rows to disturb. Public headers alone. */
#ifndef MUSEUM_KIT_H
#define MUSEUM_KIT_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/backend.h>

#include "museum_faults.h"

/* museum_copied_accumulator, ...: what stands in the table instead of the base's op. */
#define X(name, op, killer, text, source)                                                          \
    ifn_status museum_##name(ifn_backend *self, const ifn_##op##_args *a);
MUSEUM_CHOICES(X)
#undef X

/* Bytes that a fault copies for itself: not the gigabytes that a call past 2^31 maps. */
enum { MUSEUM_MOST_COPIED = 1 << 28 };

typedef struct museum_range {
    int64_t begin, end;
} museum_range;

/* [0, 0) is all of it. */
static inline museum_range museum_part(int64_t begin, int64_t end, int64_t extent)
{
    return begin == 0 && end == 0 ? (museum_range){0, extent} : (museum_range){begin, end};
}

/* What the museum declares of its products: f32, or what it was linked for (museum_declared.c). */
void museum_arithmetic(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out);
/* A product of a sum, its factors rounded as declared. */
float museum_product(float x, float y);
/* x to `bits` significant bits, ties to even; the exponent is not limited. */
float museum_round_bits(float x, int bits);
float museum_f16(uint16_t half);
/* Reads bytes and does nothing with them. */
void museum_read(const void *p, size_t bytes);
void museum_flush_subnormals(void); /* for good: that is the fault */
void museum_clobber_register(void);
/* Leaves upper halves of vector registers in use, where the processor tells. */
void museum_leave_upper(void);

/* linear, raw weights of one dtype behind a first one of another read as that. */
ifn_status museum_behind(ifn_backend *self, const ifn_linear_args *a, ifn_dtype first,
                         ifn_dtype other);

/* Elements of a block and its bytes; 0 for no storage dtype. */
int64_t museum_block_elements(ifn_dtype dtype);
size_t museum_block_bytes(ifn_dtype dtype);
size_t museum_scale_offset(ifn_dtype dtype); /* of `d`, an f16, in a block */

/* A row of a tensor, whatever it is made of. */
typedef struct museum_row {
    int64_t bytes, elements;
} museum_row;

museum_row museum_row_of(ifn_dtype dtype, int64_t elements);

/* What an offset is kept in. */
typedef enum museum_width {
    MUSEUM_INT_BYTES,
    MUSEUM_UNSIGNED_BYTES,
    MUSEUM_INT_ELEMENTS
} museum_width;

/* How far from row `at` lands who keeps its offset like that: bytes, 0 as far as it fits. */
int64_t museum_lost(museum_width width, const museum_row *row, int64_t at);
/* A count as a float keeps it that cuts off. */
int64_t museum_in_float(int64_t n);
/* So many elements of four bytes, as an int of bytes keeps them: below 0 there are none. */
int64_t museum_elements_in_int(int64_t n);
/* A call of kv_store that stores something somewhere. */
int museum_is_kv_call(const ifn_kv_store_args *a);

/* matmul with a sum of the fault's own. */
typedef float (*museum_dot)(const ifn_matmul_args *a, int64_t i, int64_t j);
ifn_status museum_matmul(const ifn_matmul_args *a, museum_dot dot);
float museum_dot_forward(const ifn_matmul_args *a, int64_t i, int64_t j);
float museum_dot_backward(const ifn_matmul_args *a, int64_t i, int64_t j);

/* softmax_rows over tiles; where the maximum rises by `least` or less the sum so far is not rescaled. */
ifn_status museum_softmax_rises(ifn_backend *base, const ifn_softmax_rows_args *a, int64_t tile,
                                double least);

/* apply_rope with every entry of the table passed through `entry`. */
ifn_status museum_apply_rope(ifn_backend *base, const ifn_apply_rope_args *a,
                             float (*entry)(float x));

/* apply_rope with the angles of another base in its table, where that is known again. */
ifn_status museum_rope_base(ifn_backend *base, const ifn_apply_rope_args *a,
                            double (*other)(double base));

/* quantize_rows; each finite block of `dtype` that it made goes through `edit`, with what it was
 * made of. */
ifn_status museum_quantized(ifn_backend *base, const ifn_quantize_rows_args *a, ifn_dtype dtype,
                            void (*edit)(void *block, const float *x));
/* dequantize_rows on a copy, each block of `dtype` of which goes through `edit`. */
ifn_status museum_dequantized(ifn_backend *base, const ifn_dequantize_rows_args *a, ifn_dtype dtype,
                              void (*edit)(void *block));
/* Of 32 elements, without its sign. */
float museum_largest(const float *x);
float museum_largest_of(const float *x, int64_t n);
/* A stored f16 that is finite and not zero. */
int museum_has_scale(uint16_t d);

/* One output element of a linear. */
typedef struct museum_cell {
    int64_t weight, feature, row; /* feature of this weight */
} museum_cell;

/* linear; each result of F32 weights is what `element` makes of the base's. */
typedef float (*museum_element)(const ifn_linear_args *a, const museum_cell *c, float of_base);
ifn_status museum_linear_each(ifn_backend *base, const ifn_linear_args *a, museum_element element);
/* linear; F32 weights are summed backwards where `is_wrong` says so. */
ifn_status museum_linear_backward(ifn_backend *base, const ifn_linear_args *a,
                                  int (*is_wrong)(const ifn_linear_args *a, const museum_cell *c));
/* linear on copies of its weights, or of its rows of x, that the fault has changed. A call that is
 * not legal is the base's. */
typedef void (*museum_edit_weight)(ifn_dtype dtype, void *row, int64_t k);
ifn_status museum_linear_weights(ifn_backend *base, const ifn_linear_args *a,
                                 museum_edit_weight edit);
ifn_status museum_linear_inputs(ifn_backend *base, const ifn_linear_args *a,
                                void (*edit)(float *row, int64_t k));
/* The same where all weights are F32; any other call is the base's. */
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
/* Q8_0 weights: takes from each element what `lose` adds up over its pairs of blocks. */
ifn_status museum_linear_q8_lost(ifn_backend *base, const ifn_linear_q8_args *a,
                                 void (*lose)(const ifn_block_q8_0 *w, ifn_block_q8_32f *x,
                                              float *lost));

/* Of one key or value in the cache. */
size_t museum_attention_row_bytes(const ifn_attention_args *a);
/* attention with head h reading the KV head that `kv_head` says. */
ifn_status museum_attention_heads(ifn_backend *base, const ifn_attention_args *a,
                                  int64_t (*kv_head)(const ifn_attention_args *a, int64_t head));
/* attention with the row at `pos` seeing what stands up to last(pos). */
ifn_status museum_attention_positions(ifn_backend *base, const ifn_attention_args *a,
                                      int64_t (*last)(const ifn_attention_args *a, int64_t pos));
/* attention on a copy of its keys, or of its values, in which what stands at `pos` is what stood at
 * from(a, pos). */
ifn_status museum_attention_keys(ifn_backend *base, const ifn_attention_args *a,
                                 int64_t (*from)(const ifn_attention_args *a, int64_t pos));
ifn_status museum_attention_values(ifn_backend *base, const ifn_attention_args *a,
                                   int64_t (*from)(const ifn_attention_args *a, int64_t pos));
/* attention with the last bit of heads changed where `is_wrong` says so: another way to round. */
ifn_status museum_attention_nudged(ifn_backend *base, const ifn_attention_args *a,
                                   int (*is_wrong)(const ifn_attention_args *a, int64_t head));
/* attention; a row of a head is zeros where `is_lost` says so of its query and of the `n` keys that it sees. Whole calls
 * on F32 caches that lie side by side. */
ifn_status museum_attention_lost(ifn_backend *base, const ifn_attention_args *a,
                                 int (*is_lost)(const ifn_attention_args *a, const float *q,
                                                const float *keys, int64_t n));
/* attention on a copy of its queries. */
ifn_status museum_attention_queries(ifn_backend *base, const ifn_attention_args *a,
                                    void (*edit)(float *row, int64_t n));

/* One sequence, whose cache is in pages: the fault on its rows side by side, in a copy. */
typedef ifn_status (*museum_attention_fn)(ifn_backend *self, const ifn_attention_args *a);
typedef ifn_status (*museum_kv_store_fn)(ifn_backend *self, const ifn_kv_store_args *a);
ifn_status museum_attention_unpaged(ifn_backend *self, const ifn_attention_args *a,
                                    museum_attention_fn fault);
ifn_status museum_kv_store_unpaged(ifn_backend *self, const ifn_kv_store_args *a,
                                   museum_kv_store_fn fault);
/* attention with pages of another size, and entries that the fault makes one after the other. */
ifn_status museum_attention_table(ifn_backend *base, const ifn_attention_args *a, int64_t page_rows,
                                  int32_t (*entry)(const ifn_attention_args *a,
                                                   const int32_t *before, int64_t i));

#endif
