#include "plan_sizes.h"

#include <math.h>

int64_t plan_roll(plan_dice *d, int64_t low, int64_t high)
{
    return conform_integer(d->stream, d->next++, low, high);
}

int conform_octave(int64_t size)
{
    int octave = -1;
    for (; size > 0; size >>= 1)
        octave++;
    return octave;
}

static int64_t log_uniform(int64_t low, int64_t high, plan_dice *d)
{
    const double a = log((double)low + 1), b = log((double)high + 1);
    const double x = a + (b - a) * conform_uniform(d->stream, d->next++);
    const int64_t size = (int64_t)floor(exp(x) - 1 + 0.5);
    return size < low ? low : size > high ? high : size;
}

/* One less, equal to or one more than a multiple of a vector width or tile. */
static int64_t near_width(int64_t low, int64_t high, plan_dice *d)
{
    const int64_t width = (int64_t)8 << plan_roll(d, 0, 4);
    const int64_t size =
        log_uniform(1, high / width > 1 ? high / width : 1, d) * width + plan_roll(d, -1, 1);
    return size < low || size > high ? log_uniform(low, high, d) : size;
}

static int64_t to_multiple(const spec_dim *dim, int64_t size)
{
    const int64_t multiple = dim->multiple > 1 ? dim->multiple : 1;
    return (size + multiple - 1) / multiple * multiple;
}

int64_t plan_size(const spec_dim *dim, plan_dice *d)
{
    const int64_t low = dim->random_low, high = dim->random_high;
    const int64_t way = plan_roll(d, 0, 9);
    if (dim->n_edges && (way < 4 || high <= low))
        return dim->edges[plan_roll(d, 0, dim->n_edges - 1)];
    return to_multiple(dim, way < 7 ? near_width(low, high, d) : log_uniform(low, high, d));
}

int64_t plan_model_size(const spec_dim *dim, plan_dice *d)
{
    if (dim->model_n < 1)
        return plan_size(dim, d);
    return dim->model[plan_roll(d, 0, dim->model_n - 1)];
}

int64_t plan_elements(const conform_module *m, const conform_case *c)
{
    conform_layout l = {0};
    int64_t n = 0;
    if (m->layout(c, &l) != IFN_OK)
        return -1;
    for (int i = 0; i < l.n; i++)
        n += l.t[i].rows * l.t[i].cols;
    return n;
}
