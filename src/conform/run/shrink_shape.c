/* Shrinks sizes: one dimension at a time from below, then two at a time. */
#include "shrink_run.h"

enum { SMALL = 16 };

static void add_size(shrink_sizes *s, int64_t size, int64_t top)
{
    int i = s->n;
    if (size >= top || s->n == SHRINK_SIZES)
        return;
    for (int j = 0; j < s->n; j++)
        if (s->at[j] == size)
            return;
    for (; i > 0 && s->at[i - 1] > size; i--)
        s->at[i] = s->at[i - 1];
    s->at[i] = size;
    s->n++;
}

void shrink_sizes_below(int64_t top, shrink_sizes *s)
{
    s->n = 0;
    for (int64_t size = 0; size <= SMALL; size++)
        add_size(s, size, top);
    for (int64_t power = 2 * SMALL; power < 2 * top && power < INT64_C(1) << 40; power *= 2) {
        const int64_t near[] = {power - 1,     power,       power + 1,
                                power / 2 * 3, top % power, top % power + power};
        for (size_t i = 0; i < sizeof near / sizeof *near; i++)
            add_size(s, near[i], top);
    }
}

static int try_size(shrinker *s, int dim, int64_t size)
{
    conform_case c = s->best;
    c.dim[dim] = size;
    return size < s->best.dim[dim] && shrink_try(s, &c);
}

/* Bisects between a size that passes and the best case's, to the size at which the failure starts. */
static void bisect(shrinker *s, int dim, int64_t passes)
{
    while (s->best.dim[dim] - passes > 1 && s->status == IFN_OK) {
        const int64_t middle = passes + (s->best.dim[dim] - passes) / 2;
        if (!try_size(s, dim, middle))
            passes = middle;
    }
}

static void shrink_dim(shrinker *s, int dim)
{
    shrink_sizes all;
    shrink_sizes_below(s->best.dim[dim], &all);
    for (int i = 0; i < all.n; i++)
        if (try_size(s, dim, all.at[i])) {
            bisect(s, dim, i ? all.at[i - 1] : -1);
            return;
        }
    bisect(s, dim, all.n ? all.at[all.n - 1] : -1);
}

static int try_pair(shrinker *s, int a, int b, int64_t size_a, int64_t size_b)
{
    conform_case c = s->best;
    c.dim[a] = size_a;
    c.dim[b] = size_b;
    return shrink_try(s, &c);
}

/* Shrinks two related dimensions together: with the same difference, as a position and a number of keys, or the same
 * ratio, as heads and KV heads. */
static void shrink_pair(shrinker *s, int a, int b)
{
    static const int64_t factors[] = {2, 3, 5, 7};
    const int64_t *const dim = s->best.dim;
    const int64_t least = dim[a] < dim[b] ? dim[a] : dim[b];
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        while (least > 1 && dim[a] % factors[i] == 0 && dim[b] % factors[i] == 0 &&
               try_pair(s, a, b, dim[a] / factors[i], dim[b] / factors[i]))
            continue;
    for (int64_t step = least / 2; step > 0;)
        if (step >= dim[a] || step >= dim[b] || !try_pair(s, a, b, dim[a] - step, dim[b] - step))
            step /= 2;
}

static int64_t total_size(const conform_case *c)
{
    int64_t total = 0;
    for (int i = 0; i < CONFORM_MAX_DIMS; i++)
        total += c->dim[i];
    return total;
}

static void shrink_dims(shrinker *s)
{
    int64_t before;
    do {
        before = total_size(&s->best);
        for (int i = 0; i < CONFORM_MAX_DIMS; i++)
            if (s->best.dim[i] > 0)
                shrink_dim(s, i);
    } while (total_size(&s->best) < before && s->status == IFN_OK);
}

void shrink_shape(shrinker *s)
{
    int64_t before;
    do {
        shrink_dims(s);
        before = total_size(&s->best);
        for (int a = 0; a < CONFORM_MAX_DIMS; a++)
            for (int b = a + 1; b < CONFORM_MAX_DIMS; b++)
                if (s->best.dim[a] > 1 && s->best.dim[b] > 1)
                    shrink_pair(s, a, b);
    } while (total_size(&s->best) < before && s->status == IFN_OK);
}
