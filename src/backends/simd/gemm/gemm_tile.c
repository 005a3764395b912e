#include "gemm_tile.h"

#include <assert.h>
#include <stdbool.h>

enum { MOST_ROWS = 14, MOST_VECTORS = 8 };

/* Literal indices: compilers keep accumulators that are indexed by a variable in memory. */
/* clang-format off */
#define FOR_ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)
#define FOR_VECTORS(X, r) X(r, 0) X(r, 1) X(r, 2) X(r, 3) X(r, 4) X(r, 5) X(r, 6) X(r, 7)
/* clang-format on */

static inline vf load(const float *p, bool is_tail, int n)
{
    return is_tail ? vf_load_n(p, n) : vf_load(p);
}

static inline void store(float *p, vf x, bool is_tail, int n)
{
    if (is_tail)
        vf_store_n(p, x, n);
    else
        vf_store(p, x);
}

/* Returns the same pointer, but hides its origin from the compiler, which would else compute pointers to all rows
 * before the loop and keep them in vector registers, from which they come back only after the FMAs. */
static inline float *forgotten(float *p)
{
    __asm__("" : "+r"(p));
    return p;
}

/* The address of row r of a. Copied rows lie at constant distances from one base. Otherwise every third row has a base
 * pointer: base, base + stride and base + 2 * stride are addressing modes that cost nothing. */
#define AT(r) (copied ? a + (r)*COPY_STRIDE : third[(r) / 3] + (r) % 3 * a_stride)

#define FINISH(r, v)                                                                               \
    if ((v) < vectors && bias)                                                                     \
        sum[(r)*vectors + (v)] = vf_add(sum[(r)*vectors + (v)], load(bias + (v)*VL, is_tail, n));  \
    if ((v) < vectors)                                                                             \
        store(row + (v)*VL, sum[(r)*vectors + (v)], is_tail, n);
#define FINISH_ROW(r)                                                                              \
    if ((r) < rows) {                                                                              \
        FOR_VECTORS(FINISH, r)                                                                     \
        row = forgotten(row + out_stride);                                                         \
    }

IFN_INLINE void finish(int rows, int vectors, bool is_tail, const gemm_step *s, float *out,
                       const float *bias, int n, vf *sum)
{
    const int64_t out_stride = s->out_stride;
    float *row = forgotten(out);
    FOR_ROWS(FINISH_ROW)
}

/*
 * Adds the last two elements of k row by row, and stores each row as soon as it is complete. If a store takes as
 * long as two FMAs, all stores at once would delay the next tile: Zen 4, 64 x 64 x 64: 94 per cent of the peak
 * that way, 96 this way. It needs registers for two rows of b.
 */
IFN_INLINE void finish_two(int copied, int rows, const gemm_step *s, const float *a,
                           const float *const *third, const float *b, float *out, const float *bias,
                           vf *sum)
{
    enum { vectors = 2, is_tail = 0, n = 0 };
    const int64_t a_stride = copied ? COPY_STRIDE : s->a_stride, out_stride = s->out_stride;
    const vf w0 = vf_load(b), w1 = vf_load(b + VL), w2 = vf_load(b + s->b_stride),
             w3 = vf_load(b + s->b_stride + VL);
    float *row = forgotten(out);
#define ADD_TWO(r)                                                                                 \
    if ((r) < rows) {                                                                              \
        const vf x = vf_set(AT(r)[0]), y = vf_set(AT(r)[1]);                                       \
        sum[2 * (r)] = vf_fma(x, w0, sum[2 * (r)]);                                                \
        sum[2 * (r) + 1] = vf_fma(x, w1, sum[2 * (r) + 1]);                                        \
        sum[2 * (r)] = vf_fma(y, w2, sum[2 * (r)]);                                                \
        sum[2 * (r) + 1] = vf_fma(y, w3, sum[2 * (r) + 1]);                                        \
    }                                                                                              \
    if ((r) > 0) {                                                                                 \
        FINISH_ROW((r)-1)                                                                          \
    }
    FOR_ROWS(ADD_TWO)
    FINISH_ROW(MOST_ROWS - 1)
#undef ADD_TWO
}
#undef FINISH
#undef FINISH_ROW

/*
 * copied, rows, vectors, is_tail and whether `keep` is NULL are constants at every call.
 *
 * The limit is less the arithmetic than the instructions around it, above all if a core runs two
 * threads. An element of a is broadcast once for all of its FMAs: FMAs with a broadcast memory operand
 * would be fewer instructions, but more loads than a processor has ports for.
 */
IFN_INLINE void multiply(int copied, int rows, int vectors, bool is_tail, const gemm_step *s,
                         const float *a, const float *b, float *out, const float *bias, float *keep,
                         int n)
{
    vf sum[2 * MOST_ROWS], w[MOST_VECTORS];
    const float *third[(MOST_ROWS + 2) / 3];
    const int64_t a_stride = copied ? COPY_STRIDE : s->a_stride, b_stride = s->b_stride;
    const int64_t panel_stride = s->panel_stride, ahead = s->ahead;
    assert(rows >= 1 && vectors >= 1);
    third[0] = a;
    for (int i = 1; 3 * i < rows; i++)
        third[i] = third[i - 1] + 3 * a_stride;
    float *row = out;
#define START(r, v)                                                                                \
    if ((v) < vectors)                                                                             \
        sum[(r)*vectors + (v)] = s->continues ? load(row + (v)*VL, is_tail, n) : vf_zero();
#define START_ROW(r)                                                                               \
    if ((r) < rows) {                                                                              \
        FOR_VECTORS(START, r)                                                                      \
        row += s->out_stride;                                                                      \
    }
    FOR_ROWS(START_ROW)
#define READ(r, v)                                                                                 \
    if ((v) < vectors && (v) % 2 * VL % LINE_FLOATS == 0)                                          \
        __builtin_prefetch(b + (v) / 2 * panel_stride + (v) % 2 * VL + ahead);                     \
    if ((v) < vectors)                                                                             \
        w[v] = load(b + (v) / 2 * panel_stride + (v) % 2 * VL, is_tail, n);                        \
    if ((v) < vectors && keep)                                                                     \
        vf_store(keep + (v)*VL, w[v]);
#define ADD(r, v)                                                                                  \
    if ((v) < vectors)                                                                             \
        sum[(r)*vectors + (v)] = vf_fma(x, w[v], sum[(r)*vectors + (v)]);
#define ADD_ROW(r)                                                                                 \
    if ((r) < rows) {                                                                              \
        const vf x = vf_set(*AT(r));                                                               \
        FOR_VECTORS(ADD, r)                                                                        \
    }
#define STEP                                                                                       \
    FOR_VECTORS(READ, 0)                                                                           \
    FOR_ROWS(ADD_ROW)                                                                              \
    for (int i = 0; 3 * i < rows; i++)                                                             \
        third[i]++;                                                                                \
    a++;                                                                                           \
    b += b_stride;                                                                                 \
    if (keep)                                                                                      \
        keep += vectors * VL;
#define STEPS(end)                                                                                 \
    for (; copied && k + 2 <= (end); k += 2) { /* unrolled by 2: half of the loop overhead */      \
        STEP STEP                                                                                  \
    }                                                                                              \
    for (; k < (end); k++) {                                                                       \
        STEP                                                                                       \
    }
    const bool leaves_two = VEC_REGISTERS == 32 && vectors == 2 && !is_tail && !keep && s->k >= 2;
    const int64_t last = leaves_two ? s->k - 2 : s->k;
    int64_t k = 0;
    if (copied && s->fetches) {
        /* Prefetches a few lines at a time: all at once would delay the lines of b. */
        const int64_t stretch = (s->k + rows - 1) / rows;
        const int n_weights = (s->weights.lines + rows - 1) / rows;
        const float *next_out = s->next_out, *below = s->below;
        const char *weights = s->weights.at;
        while (k < last) {
            const int64_t end = last - k < stretch ? last : k + stretch;
            __builtin_prefetch(next_out);
            __builtin_prefetch(next_out + VL);
            next_out += s->out_stride;
            for (int i = 0; i < s->below_lines; i++)
                IFN_FETCH_L2(below + i * LINE_FLOATS);
            below += s->below_stride;
            for (int i = 0; i < n_weights; i++, weights += LINE_BYTES)
                IFN_FETCH_L2(weights);
            STEPS(end)
        }
    }
    STEPS(last)
    if (leaves_two)
        finish_two(copied, rows, s, a, third, b, out, bias, sum);
    else
        finish(rows, vectors, is_tail, s, out, bias, n, sum);
}
#undef START
#undef START_ROW
#undef READ
#undef ADD
#undef ADD_ROW
#undef STEP
#undef STEPS
#undef AT

/* Tiles that are taller than the level's TILE_ROWS are empty functions. */
#define TILE(name, copied, rows, vectors, is_tail, keep)                                           \
    static void name(const gemm_step *s, const float *a, const float *b, float *out,               \
                     const float *bias, float *kept, int n)                                        \
    {                                                                                              \
        (void)kept;                                                                                \
        if ((rows) <= TILE_ROWS)                                                                   \
            multiply(copied, rows, vectors, is_tail, s, a, b, out, bias, keep, n);                 \
    }
#define TILES(rows)                                                                                \
    TILE(rows_##rows##_pair, 0, rows, 2, 0, NULL)                                                  \
    TILE(rows_##rows##_one, 0, rows, 1, 0, NULL)                                                   \
    TILE(rows_##rows##_tail, 0, rows, 1, 1, NULL)                                                  \
    TILE(rows_##rows##_copied, 1, rows, 2, 0, NULL)
/* clang-format off */
TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6) TILES(7)
TILES(8) TILES(9) TILES(10) TILES(11) TILES(12) TILES(13) TILES(14)
TILE(rows_1_wide, 0, 1, 8, 0, NULL)
TILE(rows_2_wide, 0, 2, 4, 0, NULL)
TILE(rows_3_wide, 0, 3, VEC_REGISTERS == 32 ? 4 : 2, 0, NULL)
TILE(keep_pair, 0, TILE_ROWS, 2, 0, kept)
TILE(keep_one, 0, TILE_ROWS, 1, 0, kept)
TILE(keep_tail, 0, TILE_ROWS, 1, 1, kept)
/* clang-format on */

#define BY_ROWS(suffix)                                                                            \
    {                                                                                              \
        NULL, rows_1_##suffix, rows_2_##suffix, rows_3_##suffix, rows_4_##suffix, rows_5_##suffix, \
            rows_6_##suffix, rows_7_##suffix, rows_8_##suffix, rows_9_##suffix, rows_10_##suffix,  \
            rows_11_##suffix, rows_12_##suffix, rows_13_##suffix, rows_14_##suffix                 \
    }

gemm_tile_fn *IFN_KERNEL(gemm_tile)(int rows, int vectors)
{
    static gemm_tile_fn *const pairs[] = BY_ROWS(pair), *const ones[] = BY_ROWS(one);
    static gemm_tile_fn *const wide[] = {NULL, rows_1_wide, rows_2_wide, rows_3_wide};
    return vectors == 1 ? ones[rows] : vectors == 2 ? pairs[rows] : wide[rows];
}

gemm_tile_fn *IFN_KERNEL(gemm_tile_copied)(int rows)
{
    static gemm_tile_fn *const copied[] = BY_ROWS(copied);
    return copied[rows];
}

gemm_tile_fn *IFN_KERNEL(gemm_tile_tail)(int rows)
{
    static gemm_tile_fn *const tails[] = BY_ROWS(tail);
    return tails[rows];
}

gemm_tile_fn *IFN_KERNEL(gemm_tile_keep)(int vectors, bool is_tail)
{
    return is_tail ? keep_tail : vectors == 2 ? keep_pair : keep_one;
}
