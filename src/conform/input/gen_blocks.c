/* Fills tensors of every storage dtype block by block, and decides which blocks are one-hot, random bits or a probe. */
#include <stdbool.h>
#include <string.h>

#include "gen.h"
#include "gen_block.h"
#include "gen_halves.h"

static bool is_hot(const conform_case *c, conform_operand operand)
{
    return c->family == FAMILY_ONE_HOT && operand != OPERAND_PLAIN &&
           (operand == OPERAND_B) == conform_is_swapped(c);
}

/* SCALE_PROBE: true for blocks of the first factor that are zeroed. The probed block is the same in all rows, as in
 * conform_fill_f32. */
static bool is_beside_probe(const conform_case *c, conform_operand operand, int64_t k,
                            int64_t block)
{
    const int64_t last = k > 32 ? k / 32 - 1 : 0;
    return c->family == FAMILY_SCALE_PROBE && operand == OPERAND_A &&
           block != conform_integer(conform_stream_of(c->seed, "probe"), 0, 0, last);
}

static int any_bits(const conform_case *c, conform_operand operand)
{
    return operand == OPERAND_PLAIN && (c->family == FAMILY_NORMAL || c->family == FAMILY_SPECIALS);
}

static void fill_row(block_maker *m, unsigned char *row, int64_t r, int64_t k, int64_t n_blocks)
{
    const conform_case *c = m->c;
    const int64_t elements = ifn_dtype_block_elements(m->dtype);
    const int64_t hot =
        conform_integer(conform_stream_of(c->seed, "hot"), (uint64_t)r, 0, k > 0 ? k - 1 : 0);
    for (int64_t b = 0; b < n_blocks; b++, row += ifn_dtype_block_bytes(m->dtype)) {
        memset(row, 0, ifn_dtype_block_bytes(m->dtype));
        block_maker_go(m, r, b, n_blocks);
        if (is_hot(c, m->operand))
            block_make_hot(m, row, hot - b * elements);
        else if (any_bits(c, m->operand))
            block_make_any(m, row);
        else
            block_make(m, row);
        if (is_beside_probe(c, m->operand, k, b))
            block_put_activation(row, 0.0, 1);
    }
}

void conform_fill_blocks(const conform_case *c, const char *name, conform_operand operand,
                         ifn_dtype dtype, int64_t k, void *out, int64_t rows, int64_t cols)
{
    if (dtype == IFN_DTYPE_F32) {
        conform_fill_f32(c, name, operand, k, out, rows, cols, cols);
        return;
    }
    if (dtype == IFN_DTYPE_F16 || dtype == IFN_DTYPE_BF16) {
        conform_fill_halves(c, name, operand, dtype, k, out, rows, cols);
        return;
    }
    const int64_t n_blocks = cols / ifn_dtype_block_elements(dtype);
    block_maker m = block_maker_of(c, name, operand, dtype, k);
    for (int64_t r = 0; r < rows; r++)
        fill_row(&m, (unsigned char *)out + (size_t)r * ifn_dtype_row_bytes(dtype, cols), r, k,
                 n_blocks);
}
