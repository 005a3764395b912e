/*
 * If all blocks have the same magnitude, a small block is small in every output, and an error of its own size hides
 * below the bound. In this family the products of all blocks are of similar size while the factors are not. In three
 * cases of four one factor favours one block in each of its lines, so that an output shows almost only what a kernel
 * does to that block. Magnitudes are powers of two times those of NORMAL: signs stay random, and the usual bounds hold.
 */
#include "gen_graded.h"

#include <math.h>
#include <stdbool.h>

#include "blocks.h"

/* The range of exponents that a factor has room for. */
typedef struct room {
    int blocks; /* of blocks: from -blocks to blocks */
    int lines;  /* of rows or columns: from -lines to lines */
    int others; /* subtracted in blocks that are not favoured */
    int more;   /* added to all */
} room;

/* Indices of the choices in the stream. */
enum { AT_LENGTH, AT_WAY, AT_FIRST, AT_BLOCKS = 1 << 16 };

static conform_stream choices_of(const conform_case *c)
{
    return conform_stream_of(c->seed, "graded");
}

static bool is_second(conform_operand operand)
{
    return conform_is_second(operand) || operand == OPERAND_WEIGHT;
}

/* Scales in f16 reach from 2^-24 to 2^15, and those of Q6_K begin at 2^-13. */
static room room_of_dtype(ifn_dtype dtype)
{
    if (dtype == IFN_DTYPE_F16)
        return (room){6, 0, 4, 0};
    if (ifn_dtype_is_quantized(dtype))
        return (room){8, 0, 6, 8};
    return (room){20, 20, 24, 0};
}

/* The room of an operand. First factors are f32 or have f32 scales; their blocks offset those of the second factor. */
static room room_of(const conform_case *c, conform_operand operand)
{
    const room its = room_of_dtype(c->dtype), first = room_of_dtype(IFN_DTYPE_F32);
    if (operand == OPERAND_WEIGHT)
        return (room){its.blocks, 0, 0, 0}; /* of a norm: it has no rows */
    return is_second(operand) ? its : (room){its.blocks, first.lines, first.others, 0};
}

int64_t conform_graded_block(const conform_case *c, int64_t k)
{
    static const int64_t lengths[] = {8, 32, 128, 256, INT64_MAX};
    const int64_t own = ifn_dtype_block_elements(c->dtype), half = k / 2 + k % 2;
    const int64_t way = conform_integer(choices_of(c), AT_LENGTH, 0, 4);
    const int64_t length = lengths[way] < half ? lengths[way] : half;
    return length > own ? (length + own - 1) / own * own : own;
}

/* True if the line favours the block: every fourth line the last block, the other lines all blocks in turn. */
static bool is_favoured(conform_stream s, int64_t line, int64_t block, int64_t n)
{
    const int64_t turn = conform_integer(s, AT_FIRST, 0, n - 1) + line - line / 4;
    return block == (line % 4 == 3 ? n - 1 : turn % n);
}

/* True if this factor favours blocks: none does in one case of four, else one of the two. */
static bool has_favourites(conform_stream s, conform_operand operand)
{
    const uint64_t bits = conform_bits(s, AT_WAY);
    return bits % 4 != 0 && is_second(operand) == (bool)(bits >> 8 & 1);
}

int conform_graded_exponent(const conform_case *c, conform_operand operand, int64_t line,
                            int64_t along, int64_t k)
{
    const conform_stream s = choices_of(c);
    const conform_stream lines =
        conform_stream_of(c->seed, is_second(operand) ? "columns" : "rows");
    const room its = room_of(c, operand);
    const int64_t length = conform_graded_block(c, k), block = along / length;
    const int own = (int)conform_integer(s, AT_BLOCKS + (uint64_t)block, -its.blocks, its.blocks);
    const int of_line = (int)conform_integer(lines, (uint64_t)line, -its.lines, its.lines);
    const int exponent = its.more + of_line + (is_second(operand) ? own : -own);
    if (!has_favourites(s, operand) || is_favoured(s, line, block, (k + length - 1) / length))
        return exponent;
    return exponent - its.others;
}

/* Scales a value by 2^exponent. Norm weights are about 1; logits get exponent * log 2 added, so that their exponentials
 * are powers of two apart. */
static float value_of(conform_stream s, conform_operand operand, uint64_t index, int exponent)
{
    const double own = (double)conform_normal(s, index);
    if (operand == OPERAND_LOGIT)
        return (float)(own + log(2.0) * exponent);
    return (float)((operand == OPERAND_WEIGHT ? 1.0 + 0.2 * own : own) *
                   conform_power_of_two(exponent));
}

void conform_fill_graded(const conform_case *c, conform_stream s, conform_operand operand,
                         float *out, int64_t rows, int64_t cols, int64_t stride)
{
    const bool is_down = operand == OPERAND_B_DOWN;
    const int64_t k = is_down ? rows : cols, n_lines = is_down ? cols : rows;
    const int64_t length = conform_graded_block(c, k);
    for (int64_t line = 0; line < n_lines; line++)
        for (int64_t first = 0; first < k; first += length) {
            const int exponent = conform_graded_exponent(c, operand, line, first, k);
            for (int64_t i = first; i < k && i < first + length; i++) {
                const int64_t row = is_down ? i : line, col = is_down ? line : i;
                out[row * stride + col] =
                    value_of(s, operand, (uint64_t)(row * cols + col), exponent);
            }
        }
}

int conform_graded_key(const conform_case *c, int64_t position, int64_t n, int most)
{
    static const int64_t lengths[] = {16, 64, IFN_ATTENTION_BLOCK, INT64_MAX};
    const conform_stream s = choices_of(c);
    const int64_t half = n / 2 + n % 2;
    const int64_t wanted = lengths[conform_integer(s, AT_LENGTH, 0, 3)];
    const int64_t length = wanted < half ? wanted : half;
    return (int)conform_integer(s, AT_BLOCKS + (uint64_t)(position / length), 0, most);
}
