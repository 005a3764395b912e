#include "plan_sizes.h"
#include "case_call.h"

#include <math.h>
#include <stdbool.h>

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

int64_t plan_log_uniform(int64_t low, int64_t high, plan_dice *d)
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
        plan_log_uniform(1, high / width > 1 ? high / width : 1, d) * width + plan_roll(d, -1, 1);
    return size < low || size > high ? plan_log_uniform(low, high, d) : size;
}

static int64_t round_up(int64_t size, int64_t multiple)
{
    return (size + multiple - 1) / multiple * multiple;
}

/* Draws a multiple: near a vector width or log-uniform, both counted in units of `multiple`. */
static int64_t draw_size(const spec_dim *dim, int64_t multiple, bool is_near, plan_dice *d)
{
    const int64_t high = dim->random_high / multiple;
    const int64_t low = lesser((dim->random_low + multiple - 1) / multiple, high);
    return (is_near ? near_width(low, high, d) : plan_log_uniform(low, high, d)) * multiple;
}

int64_t plan_size(const spec_dim *dim, int64_t multiple, plan_dice *d)
{
    const int64_t way = plan_roll(d, 0, 9);
    multiple = multiple > dim->multiple ? multiple : dim->multiple > 1 ? dim->multiple : 1;
    if (dim->n_edges && (way < 4 || dim->random_high <= dim->random_low)) {
        const int64_t edge = dim->edges[plan_roll(d, 0, dim->n_edges - 1)];
        return multiple > dim->multiple ? round_up(edge, multiple) : edge;
    }
    return draw_size(dim, multiple, way < 7, d);
}

int64_t plan_model_size(const spec_dim *dim, int64_t multiple, plan_dice *d)
{
    if (dim->model_n < 1)
        return plan_size(dim, multiple, d);
    return round_up(dim->model[plan_roll(d, 0, dim->model_n - 1)], multiple);
}

int plan_find_dims(const conform_module *module, const spec_op *spec,
                   const spec_dim *dims[CONFORM_MAX_DIMS])
{
    int n = 0;
    while (n < CONFORM_MAX_DIMS && module->dim_names[n] &&
           (dims[n] = spec_find_dim(spec, module->dim_names[n])))
        n++;
    return n;
}

int64_t plan_elements(const conform_case *c)
{
    conform_layout l = {0};
    int64_t n = 0;
    if (conform_case_layout(c, &l) != IFN_OK)
        return -1;
    for (int i = 0; i < l.n; i++)
        n += l.t[i].rows * l.t[i].cols;
    return n;
}
