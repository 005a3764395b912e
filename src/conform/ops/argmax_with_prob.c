/* argmax_with_prob: the first maximum, and its value */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "elementwise.h"
#include "gen.h"
#include "movement.h"

/* Both outputs are judged bit for bit (numerics 7.8). */
void conform_truth_argmax_with_prob(const conform_case *c, const conform_layout *l,
                                    void *const *data, const conform_declared *declared,
                                    conform_pool *pool, conform_truth *truth)
{
    const int index = conform_tensor_index(l, "index"), value = conform_tensor_index(l, "value");
    const float *x = data[0];
    int32_t best = 0;
    (void)declared;
    /* From the end, so that of equal values the lowest index wins. A NaN wins only at index 0, if all values are
     * NaN. */
    for (int64_t i = c->dim[0]; i-- > 0;)
        if (!isnan(x[i]) && (isnan(x[best]) || x[i] > x[best] || (x[i] == x[best] && i < best)))
            best = (int32_t)i;
    memcpy(conform_truth_raw(&truth[index], &l->t[index], NULL, pool), &best, sizeof best);
    conform_move(conform_truth_raw(&truth[value], &l->t[value], NULL, pool), 0, x, best);
}

enum { VECTOR = 16, TILE = 64, LONG = 1 << 16 };

/* The index of a peak, by family: the last one, the first one after whole vectors, one of the last TILE, or any. */
static int64_t place_of(const conform_case *c, conform_stream s, uint64_t slot, int64_t n)
{
    switch (((uint64_t)c->family + slot) % 4) {
    case 0:
        return n - 1;
    case 1:
        return n % VECTOR ? n - n % VECTOR : n - 1;
    case 2:
        return conform_integer(s, slot, n > TILE ? n - TILE : 0, n - 1);
    default:
        return conform_integer(s, slot, 0, n - 1);
    }
}

/* Places a value above all others; in half of the cases twice, where the first one must win. */
static void place_peaks(const conform_case *c, float *x, int64_t n)
{
    const conform_stream s = conform_stream_of(c->seed, "peaks");
    float most = -INFINITY;
    for (int64_t i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    const uint64_t n_peaks = 1 + (conform_bits(s, 0) & 1);
    for (uint64_t i = 0; i < n_peaks; i++)
        x[place_of(c, s, 4 + i, n)] = nextafterf(most, INFINITY);
}

/* Makes all values 0 or negative: the first zero of either sign wins. Of a row that is full of zeros that is the first
 * element, which is also the first of its lane in a vector, so in two of three such cases only a few zeros are left. */
static void lower_to_zeros(const conform_case *c, float *x, int64_t n)
{
    const conform_stream s = conform_stream_of(c->seed, "zeros that win");
    const bool few = conform_integer(s, 0, 0, 2) > 0;
    const uint64_t n_zeros = 2 + (conform_bits(s, 1) & 7);
    for (int64_t i = 0; i < n; i++)
        x[i] = few && x[i] == 0 ? -1.0f : x[i] > 0 ? -x[i] : x[i];
    for (uint64_t i = 1; few && i <= n_zeros; i++)
        x[conform_integer(s, 2 * i, 0, n - 1)] = conform_bits(s, 2 * i + 1) & 1 ? -0.0f : 0.0f;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t n = c->dim[0];
    float *x = data[0];
    (void)l;
    conform_fill_f32(c, "x", OPERAND_LOGIT, 1, x, 1, n, n);
    if (c->family == FAMILY_ZEROS && conform_hash(c->seed, "zeros win", 0) & 3) {
        lower_to_zeros(c, x, n);
        return;
    }
    const conform_stream ties = conform_stream_of(c->seed, "tie");
    const bool has_ties = conform_is_swapped(c) && c->family != FAMILY_SPECIALS;
    /* Every second case has ties: a few values fill the row. A long row would be decided by its first few elements
     * then, so most cases of long rows have a single peak. */
    if (c->tier != TIER_SPECIAL && (n > LONG || !has_ties))
        place_peaks(c, x, n);
    for (int64_t i = 0; has_ties && n <= LONG && i < n; i++)
        x[i] = (float)conform_integer(ties, (uint64_t)i, -3, 3);
    if (c->family == FAMILY_SPECIALS && n > LONG && conform_is_swapped(c))
        x[n - 1] = NAN;
}

const conform_module conform_module_argmax_with_prob = {
    .op = IFN_OP_ARGMAX_WITH_PROB,
    .dim_names = {"n"},
    .fill = fill,
    .truth = conform_truth_argmax_with_prob,
    .work = conform_vector_work,
    .model_sizes = "n=151936",
};
