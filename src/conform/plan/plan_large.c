#include "plan_large.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "long_case.h"
#include "regimes.h"

/* The limits of one large case, and of all of them, by profile. */
static const struct {
    int64_t elements; /* of the largest tensor */
    int64_t work, per_octave, n_heavy;
    int64_t n_boxes; /* the least number of heavy cases for ops without a statistical bound */
    int64_t side;    /* the most that the second longest dimension of a heavy case has */
    int64_t n_tiled; /* tiled cases per dtype */
    double seconds;  /* for all cases of octaves together */
    double usual;    /* seconds for one case, if its octave allows it */
    double paired;   /* seconds for one case with two large dimensions */
} budgets[PROFILE_COUNT] = {
    [PROFILE_SMOKE] = {1 << 18, 1 << 20, 1, 1, 1, 256, 2, 0.1, 0.5e-3, 0.5e-3},
    [PROFILE_CI] = {1 << 21, 1 << 25, 8, 18, 6, 1024, 8, 1, 2e-3, 20e-3},
    [PROFILE_NIGHTLY] = {1 << 25, (int64_t)1 << 33, 64, 36, 24, 4096, 32, 600, 50e-3, 1},
};

int64_t plan_per_octave(conform_profile profile)
{
    return budgets[profile].per_octave;
}

int64_t plan_heavy(conform_profile profile)
{
    return budgets[profile].n_heavy;
}

int64_t plan_boxes(conform_profile profile)
{
    return budgets[profile].n_boxes;
}

double plan_large_seconds(conform_profile profile)
{
    return budgets[profile].seconds;
}

/* Constants measured on scalar: 20 ns per element for inputs, truth, copies and comparisons; 1.5 ns per
 * multiply-add. */
double plan_seconds(const conform_module *m, const conform_case *c)
{
    return 0.1e-3 + 20e-9 * (double)plan_elements(c) + 1.5e-9 * (double)m->work(c);
}

int64_t plan_multiple(const plan_shape *shape, const conform_case *c, int dim)
{
    const char *const block_dim = shape->module->block_dim;
    int64_t multiple = larger(shape->dims[dim]->multiple, 1);
    if (!block_dim || strcmp(block_dim, shape->module->dim_names[dim]) != 0)
        return multiple;
    /* block sizes are powers of two, so the largest is a multiple of all */
    multiple = larger(multiple, ifn_dtype_block_elements(c->dtype));
    multiple = larger(multiple, ifn_dtype_block_elements(c->out_dtype));
    for (int i = 0; i < c->n_more; i++)
        multiple = larger(multiple, ifn_dtype_block_elements(c->more[i]));
    return multiple;
}

enum { ATTEMPTS = 96, PAIRED = 2 };

/* A size next to a quarter of the octave, most often its middle: 3, 5 or 7 tiles of a power of two, and one more or
 * less. */
static int64_t within(int64_t low, int64_t high, int64_t first, int64_t multiple, plan_dice *d)
{
    static const int quarters[] = {6, 6, 6, 5, 7};
    const int64_t quarter = quarters[plan_roll(d, 0, 4)];
    const int64_t size = first * quarter / 4 / multiple + plan_roll(d, -1, 1);
    return size < low ? low : lesser(size, high);
}

/* Draws a size in the octave: most often next to one of its ends, or inside where tiles of other sizes end. The last
 * attempts take the smallest, in case nothing else was affordable. */
static int64_t size_in_octave(const spec_dim *dim, int64_t multiple, int octave, int attempt,
                              plan_dice *d)
{
    const int64_t first = (int64_t)1 << octave, last = lesser(2 * first - 1, dim->limit);
    const int64_t low = (first + multiple - 1) / multiple, high = last / multiple;
    if (low > high)
        return 0;
    switch (attempt > ATTEMPTS * 3 / 4 ? 0 : plan_roll(d, 0, 7)) {
    case 0:
        return low * multiple;
    case 1:
        return lesser(low + 1, high) * multiple;
    case 2:
        return high * multiple;
    case 3:
    case 4:
        return within(low, high, first, multiple, d) * multiple;
    default:
        return plan_log_uniform(low, high, d) * multiple;
    }
}

/* Draws a small size, which shrinks with each eighth attempt, from the spec's `random` sizes down to the smallest. */
static int64_t small_size(const spec_dim *dim, int64_t multiple, int attempt, plan_dice *d)
{
    const int shrink = attempt / 8;
    const int64_t high =
        lesser(dim->random_high, larger(64, multiple)) >> (shrink < 62 ? shrink : 62);
    const int64_t low = larger(dim->random_low, 1);
    if (!spec_dim_is_size(dim))
        return plan_size(dim, 1, d);
    return larger(plan_log_uniform(1, larger(high / multiple, 1), d),
                  (low + multiple - 1) / multiple) *
           multiple;
}

/* Draws the size of a second large dimension, because offsets are products of sizes and windows lie in long rows. */
static int64_t large_size(const spec_dim *dim, int64_t multiple, int octave, int attempt,
                          plan_dice *d)
{
    const int64_t most = lesser(octave + 1, conform_octave(dim->limit));
    const int64_t least = lesser(conform_octave(dim->random_high), most);
    return size_in_octave(dim, multiple, (int)plan_roll(d, least, most), attempt, d);
}

/* Chooses a second large dimension; -1: none. */
static int draw_partner(const plan_shape *shape, int dim, plan_dice *d)
{
    if (plan_roll(d, 1, PAIRED) > 1)
        return -1;
    for (int i = 0; i < 4; i++) {
        const int other = (int)plan_roll(d, 0, shape->n_dims - 1);
        if (other != dim && spec_dim_is_size(shape->dims[other]))
            return other;
    }
    return -1;
}

/* True if the case is cheap. What counts as cheap doubles with each eighth attempt, up to the budget of one case. */
static bool is_affordable(const plan_shape *s, conform_profile profile, const conform_case *c,
                          bool is_paired, int attempt)
{
    const double usual = is_paired ? budgets[profile].paired : budgets[profile].usual;
    const int64_t elements = conform_largest_tensor(c);
    return elements >= 0 && elements <= budgets[profile].elements &&
           s->module->work(c) <= budgets[profile].work &&
           plan_seconds(s->module, c) <= ldexp(usual, attempt / 8);
}

static int draw_in_octave(const plan_shape *shape, conform_profile profile, conform_case *c,
                          int dim, int octave, plan_dice *d)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        const int other = draw_partner(shape, dim, d);
        for (int i = 0; i < shape->n_dims; i++) {
            const spec_dim *const its = shape->dims[i];
            const int64_t multiple = plan_multiple(shape, c, i);
            c->dim[i] = i == dim ? size_in_octave(its, multiple, octave, attempt, d) : 0;
            if (i == other)
                c->dim[i] = large_size(its, multiple, octave, attempt, d);
            if (i != dim && c->dim[i] == 0)
                c->dim[i] = small_size(its, multiple, other < 0 ? attempt : attempt + 24, d);
        }
        if (c->dim[dim] > 0 && is_affordable(shape, profile, c, other >= 0, attempt))
            return 1;
    }
    return 0;
}

/* --- all dimensions at once --- */

static bool is_within_budget(const plan_shape *s, conform_profile profile, const conform_case *c)
{
    const int64_t elements = conform_largest_tensor(c);
    return elements >= 0 && elements <= budgets[profile].elements &&
           s->module->work(c) <= budgets[profile].work;
}

enum { LEAST_SIDE = 64, USUAL_SIDE = 256, SHARE = 4, WHOLE_TILE = 64 };

/* True if the case has at least 1 / SHARE of the most work, or of the most elements, that one case may have. */
static bool is_heavy(const plan_shape *s, conform_profile profile, const conform_case *c)
{
    return s->module->work(c) * SHARE >= budgets[profile].work ||
           conform_largest_tensor(c) * SHARE >= budgets[profile].elements;
}

/* Draws sizes: all sides alike, shrinking from attempt to attempt, and `longest` as long as the budget allows. In every
 * other case all are whole tiles, because kernels have code paths for whole tiles only. */
static bool draw_heavy(const plan_shape *s, conform_profile profile, conform_case *c, int longest,
                       int attempt, plan_dice *d)
{
    const int64_t widest = larger(budgets[profile].side >> attempt / 16, USUAL_SIDE);
    const int64_t side = plan_log_uniform(LEAST_SIDE, widest, d) >> attempt / 24;
    const int64_t tile = plan_roll(d, 0, 1) && side >= WHOLE_TILE ? WHOLE_TILE : 1;
    const int64_t multiple = larger(plan_multiple(s, c, longest), tile);
    for (int i = 0; i < s->n_dims; i++) {
        const int64_t its = larger(plan_multiple(s, c, i), tile);
        const int64_t most = s->dims[i]->limit / its * its;
        c->dim[i] = lesser((side + its - 1) / its * its, most);
        if (!spec_dim_is_size(s->dims[i]))
            c->dim[i] = plan_size(s->dims[i], 1, d);
    }
    c->dim[longest] = s->dims[longest]->limit / multiple * multiple;
    while (c->dim[longest] > multiple && !is_within_budget(s, profile, c))
        c->dim[longest] = c->dim[longest] * 3 / 4 / multiple * multiple;
    return is_within_budget(s, profile, c) && is_heavy(s, profile, c);
}

/* --- several tiles and a rest in every dimension at once --- */

enum { LEAST_TILED = 65, MOST_TILED = 200, TILED_ATTEMPTS = 256, TILED_CHOICES = 3 };
/* The limits of a tiled case in any profile. */
enum { TILED_ELEMENTS = 1 << 18, TILED_WORK = 1 << 22 };

int64_t plan_tiled(conform_profile profile)
{
    return budgets[profile].n_tiled;
}

static void draw_tiled(const plan_shape *s, conform_case *c, int attempt, plan_dice *d)
{
    const int64_t most = MOST_TILED - (MOST_TILED - LEAST_TILED) * attempt / TILED_ATTEMPTS;
    for (int i = 0; i < s->n_dims; i++) {
        const spec_dim *const its = s->dims[i];
        const int64_t multiple = plan_multiple(s, c, i);
        if (!spec_dim_is_size(its))
            c->dim[i] = plan_size(its, 1, d);
        else if (its->limit < LEAST_TILED)
            c->dim[i] = plan_roll(d, 1, attempt > TILED_ATTEMPTS / 2 ? 1 : TILED_CHOICES);
        else
            c->dim[i] = (plan_roll(d, LEAST_TILED, most) + multiple - 1) / multiple * multiple;
    }
}

int plan_tiled_sizes(const plan_shape *shape, conform_case *c, plan_dice *d)
{
    for (int attempt = 0; attempt < TILED_ATTEMPTS; attempt++) {
        draw_tiled(shape, c, attempt, d);
        const int64_t elements = conform_largest_tensor(c);
        if (elements >= 0 && elements <= TILED_ELEMENTS && shape->module->work(c) <= TILED_WORK)
            return 1;
    }
    return 0;
}

int plan_heavy_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int longest,
                     plan_dice *d)
{
    if (!spec_dim_is_size(shape->dims[longest]))
        return 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        if (draw_heavy(shape, profile, c, longest, attempt, d))
            return 1;
    return 0;
}

/* Uses a fixed random stream, so that the planner and the certificate find the same sizes affordable. */
static bool has_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int dim,
                      int octave)
{
    plan_dice d = {.stream = conform_stream_of(0, shape->dims[dim]->name)};
    return draw_in_octave(shape, profile, c, dim, octave, &d);
}

int plan_octave_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int dim,
                      int octave, plan_dice *d)
{
    return draw_in_octave(shape, profile, c, dim, octave, d) ||
           has_sizes(shape, profile, c, dim, octave);
}

/* The octave below that of the limit, at most LARGE_OCTAVE, to keep the case cheap; lower ones if nothing is
 * affordable. */
enum { LARGE_OCTAVE = 16, LEAST_LARGE_OCTAVE = 12 };

int plan_large_sizes(const plan_shape *shape, conform_profile profile, conform_case *c, int dim,
                     plan_dice *d)
{
    const int last = conform_octave(shape->dims[dim]->limit) - 1;
    int octave = last < LARGE_OCTAVE ? last : LARGE_OCTAVE;
    if (!spec_dim_is_size(shape->dims[dim]))
        return 0;
    while (!draw_in_octave(shape, profile, c, dim, octave, d))
        if (--octave < LEAST_LARGE_OCTAVE)
            return 0;
    return 1;
}

int plan_last_octave(const plan_shape *shape, conform_profile profile, const conform_case *c,
                     int dim)
{
    for (int octave = conform_octave(shape->dims[dim]->limit); octave >= 0; octave--) {
        conform_case drawn = *c;
        if (has_sizes(shape, profile, &drawn, dim, octave))
            return octave;
    }
    return -1;
}

/* The families whose long sums are informative: those without special values or cancellation. */
static bool is_large_regime(const conform_case *c)
{
    return c->family == FAMILY_LATTICE || c->family == FAMILY_ONE_HOT ||
           c->family == FAMILY_NEEDLE || c->family == FAMILY_NORMAL || c->family == FAMILY_WIDE ||
           c->family == FAMILY_GRADED;
}

enum { REGIME_DRAWS = 32 };

void plan_large_regime(const spec_op *spec, conform_case *c, plan_dice *d)
{
    for (int i = 0; i < REGIME_DRAWS; i++) {
        c->tier = conform_draw_tier(spec, c, d);
        c->family = conform_draw_family(spec, c, d);
        if (is_large_regime(c))
            return;
    }
}
