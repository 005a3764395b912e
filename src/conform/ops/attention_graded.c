/*
 * The first component of every query is a constant. GRADED: the first component of a key lowers its score by g log 2,
 * so that its weight is 2^-g of another's, and its values are 2^g times as large: every key contributes alike.
 * RISING: the other components of keys are zero, and each key scores a little more than the one before it.
 */
#include "attention_graded.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "attention_dims.h"
#include "blocks.h"
#include "gen_graded.h"

/* The constant in the first component of queries, times the scale of the call. */
static const float lever = 8;

/* The largest g that the values of a dtype have room for: f16 ends at 2^16, scales of Q8_0 begin at 2^-8. */
static int most_of(ifn_dtype dtype)
{
    return dtype == IFN_DTYPE_F32 ? 36 : dtype == IFN_DTYPE_F16 ? 8 : 16;
}

/* Stores `value` as code 0 of a block. Codes reach 127, so a small scale is enlarged; a block of zeros gets a scale
 * that fits the value. */
static void put_first_code(ifn_block_q8_0 *block, float value)
{
    const double d = conform_f16_value(block->d), unit = fabs(d) < 0x1p-6 ? 4 * d : d;
    block->d = conform_f16_nearest(unit == 0 ? (double)value / 127 : unit);
    block->qs[0] = (int8_t)(unit == 0 ? 127 : rint((double)value / unit));
}

static void put_first(ifn_dtype dtype, void *row, float value)
{
    const uint16_t half = conform_f16_nearest((double)value);
    if (dtype == IFN_DTYPE_F32)
        memcpy(row, &value, sizeof value);
    else if (dtype == IFN_DTYPE_F16)
        memcpy(row, &half, sizeof half);
    else
        put_first_code(row, value);
}

static void enlarge_half(void *half, double times)
{
    uint16_t bits;
    memcpy(&bits, half, sizeof bits);
    bits = conform_f16_nearest(conform_f16_value(bits) * times);
    memcpy(half, &bits, sizeof bits);
}

static void enlarge(ifn_dtype dtype, void *row, int64_t head_dim, double times)
{
    float *const floats = row;
    uint16_t *const halves = row;
    ifn_block_q8_0 *const blocks = row;
    for (int64_t i = 0; i < head_dim; i++) {
        if (dtype == IFN_DTYPE_F32)
            floats[i] = (float)((double)floats[i] * times);
        else if (dtype == IFN_DTYPE_F16)
            enlarge_half(&halves[i], times);
        else if (i % 32 == 0)
            enlarge_half(&blocks[i / 32].d, times);
    }
}

/* What GRADED or RISING change in a key: what is added to its score, and the power of two that its values are
 * multiplied by. */
typedef struct key_shape {
    double score;
    int grade;
} key_shape;

/* RISING: the total rise of scores for the query with the highest constant. Late values are up to eight times as large
 * as early ones, so that wrong weights of early keys become visible. */
static const double most_rise = 32;

static key_shape shape_of(const conform_case *c, int64_t pos, int64_t visible)
{
    if (c->family == FAMILY_RISING)
        return (key_shape){most_rise * (double)pos / (double)visible, (int)(4 * pos / visible)};
    const int grade = conform_graded_key(c, pos, visible, most_of(c->dtype));
    return (key_shape){-log(2.0) * grade, grade};
}

/* The constant of a query, times the scale. In RISING each query has its own, so that rises go down to 2^-14. */
static double lever_of(const conform_case *c, int64_t query)
{
    const bool is_rising = c->family == FAMILY_RISING;
    return (double)lever *
           (is_rising
                ? conform_power_of_two(-(int)(conform_hash(c->seed, "rise", (uint64_t)query) % 20))
                : 1);
}

void conform_grade_keys(const conform_case *c, void *const *data)
{
    const int64_t head_dim = c->dim[ATTENTION_HEAD_DIM], max_pos = conform_attention_max_pos(c);
    const int64_t visible = c->dim[ATTENTION_FIRST_POS] + c->dim[ATTENTION_ROWS];
    const int64_t kv_heads = c->dim[ATTENTION_N_KV_HEADS];
    const int64_t queries = c->dim[ATTENTION_ROWS] * kv_heads * c->dim[ATTENTION_GROUP];
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, head_dim);
    float *const q = data[0];
    if (head_dim == 0)
        return;
    for (int64_t i = 0; i < queries; i++)
        q[i * head_dim] = (float)lever_of(c, i) / conform_attention_scale(c);
    for (int64_t r = 0; r < kv_heads * max_pos; r++) {
        unsigned char *const key = (unsigned char *)data[1] + (size_t)r * row_bytes;
        if (r % max_pos >= visible)
            continue;
        const key_shape shape = shape_of(c, r % max_pos, visible);
        if (c->family == FAMILY_RISING)
            memset(key, 0, row_bytes);
        put_first(c->dtype, key, (float)(shape.score / (double)lever));
        enlarge(c->dtype, (unsigned char *)data[2] + (size_t)r * row_bytes, head_dim,
                conform_power_of_two(shape.grade));
    }
}
