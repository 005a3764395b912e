#include "museum_kit.h"

/* --- edits that change nothing --- */

static void keep_block(void *block)
{
    (void)block;
}

static void keep_made_block(void *block, const float *x)
{
    (void)block;
    (void)x;
}

static void keep_weight(ifn_dtype dtype, void *row, int64_t k)
{
    (void)dtype;
    (void)row;
    (void)k;
}

static void keep_row(float *row, int64_t n)
{
    (void)row;
    (void)n;
}

static void keep_blocks(ifn_block_q8_32f *row, int64_t n)
{
    (void)row;
    (void)n;
}

static void lose_nothing(const ifn_block_q8_0 *w, ifn_block_q8_32f *x, float *lost)
{
    (void)w;
    (void)x;
    (void)lost;
}

static float same_entry(float x)
{
    return x;
}

static double same_base(double base)
{
    return base;
}

static float same_element(const ifn_linear_args *a, const museum_cell *c, float of_base)
{
    (void)a;
    (void)c;
    return of_base;
}

static int is_no_cell(const ifn_linear_args *a, const museum_cell *c)
{
    (void)a;
    (void)c;
    return 0;
}

static int is_any_cell(const ifn_linear_args *a, const museum_cell *c)
{
    (void)a;
    (void)c;
    return 1;
}

static int64_t same_kv_head(const ifn_attention_args *a, int64_t head)
{
    return head * a->n_kv_heads / a->n_heads;
}

static int64_t same_position(const ifn_attention_args *a, int64_t pos)
{
    (void)a;
    return pos;
}

static int is_no_head(const ifn_attention_args *a, int64_t head)
{
    (void)a;
    (void)head;
    return 0;
}

static int32_t same_page(const ifn_attention_args *a, const int32_t *before, int64_t i)
{
    (void)before;
    return a->pages[i];
}

/* The registers are dirtied after the call, which itself would leave them clean. */
static ifn_status and_upper_halves(ifn_status status)
{
    museum_leave_upper();
    return status;
}

/* --- each function of the kit with such an edit --- */

#define UNTOUCHED(name, op, call)                                                                  \
    ifn_status museum_untouched_##name(ifn_backend *self, const ifn_##op##_args *a)                \
    {                                                                                              \
        (void)self;                                                                                \
        return call;                                                                               \
    }
UNTOUCHED(upper_halves, hadamard, and_upper_halves(ifn_hadamard(self->base, a)))
UNTOUCHED(products, matmul, museum_matmul(a, museum_dot_forward))
UNTOUCHED(products_backward, matmul, museum_matmul(a, museum_dot_backward))
UNTOUCHED(table, apply_rope, museum_apply_rope(self->base, a, same_entry))
UNTOUCHED(base, apply_rope, museum_rope_base(self->base, a, same_base))
UNTOUCHED(blocks, quantize_rows, museum_quantized(self->base, a, a->out_dtype, keep_made_block))
UNTOUCHED(blocks_read, dequantize_rows, museum_dequantized(self->base, a, a->dtype, keep_block))
UNTOUCHED(elements, linear, museum_linear_each(self->base, a, same_element))
UNTOUCHED(sums, linear, museum_linear_backward(self->base, a, is_no_cell))
UNTOUCHED(sums_backward, linear, museum_linear_backward(self->base, a, is_any_cell))
UNTOUCHED(weights, linear, museum_linear_weights(self->base, a, keep_weight))
UNTOUCHED(inputs, linear, museum_linear_f32_inputs(self->base, a, keep_row))
UNTOUCHED(weights_q8, linear_q8, museum_linear_q8_weights(self->base, a, keep_weight))
UNTOUCHED(inputs_q8, linear_q8, museum_linear_q8_inputs(self->base, a, keep_blocks))
UNTOUCHED(pairs_q8, linear_q8, museum_linear_q8_lost(self->base, a, lose_nothing))
UNTOUCHED(heads, attention, museum_attention_heads(self->base, a, same_kv_head))
UNTOUCHED(positions, attention, museum_attention_positions(self->base, a, same_position))
UNTOUCHED(keys, attention, museum_attention_keys(self->base, a, same_position))
UNTOUCHED(values, attention, museum_attention_values(self->base, a, same_position))
UNTOUCHED(results, attention, museum_attention_nudged(self->base, a, is_no_head))
UNTOUCHED(queries, attention, museum_attention_queries(self->base, a, keep_row))
UNTOUCHED(pages, attention, museum_attention_table(self->base, a, a->page_rows, same_page))
UNTOUCHED(rises, softmax_rows, museum_softmax_rises(self->base, a, 64, 0))
UNTOUCHED(store, kv_store, ifn_kv_store(self->base, a))
