#include "sampled.h"

#include <stdlib.h>
#include <string.h>

static int64_t clamp(int64_t at, int64_t extent)
{
    return at < 0 ? 0 : at >= extent ? extent - 1 : at;
}

/* The exponent of the largest power of two that is at most n. */
static int octave_of(int64_t n)
{
    int octave = 0;
    while (n >> (octave + 1) > 0)
        octave++;
    return octave;
}

/* A multiple of a tile: any, or the last one. */
static int64_t tile_at(conform_stream s, uint64_t i, int64_t extent)
{
    static const int64_t tiles[] = {8, 16, 32, 48, 64, 96, 128, 256};
    const int64_t tile = tiles[conform_integer(s, i, 0, 7)];
    const int64_t n = extent / tile;
    return tile * (conform_integer(s, i + 1, 0, 1) ? n : conform_integer(s, i + 2, 0, n));
}

/* The line in which the offset of an element, or of a byte of it, passes a power of two. */
static int64_t offset_at(conform_stream s, uint64_t i, int64_t extent, int64_t step)
{
    const int last = octave_of(extent * (step > 0 ? step : 1));
    const int64_t offset = (int64_t)1 << conform_integer(s, i, last < 6 ? last : 6, last);
    return offset / (step > 0 ? step : 1) + conform_integer(s, i + 1, 0, 1);
}

enum { NUMBERS = 8 }; /* draws of the stream that each place has */

int64_t conform_edge_at(conform_stream s, uint64_t i, int64_t extent, int64_t step)
{
    const uint64_t first = i * NUMBERS;
    const int64_t side = conform_integer(s, first + 1, -1, 0);
    int64_t at = 0;
    switch (conform_integer(s, first, 0, 7)) {
    case 0:
        return 0;
    case 1:
        return extent - 1;
    case 2:
    case 3:
        at = (int64_t)1 << conform_integer(s, first + 2, 0, octave_of(extent));
        break;
    case 4:
    case 5:
        at = tile_at(s, first + 2, extent);
        break;
    default:
        at = offset_at(s, first + 2, extent, step);
        break;
    }
    return clamp(at + side, extent);
}

/* Place i of a sample: the first two are the ends; then edges and random places alternate. */
static int64_t place_at(conform_stream s, uint64_t i, int64_t extent, int64_t step)
{
    if (i < 2)
        return i ? extent - 1 : 0;
    return i % 2 ? conform_edge_at(s, i, extent, step)
                 : conform_integer(s, i * NUMBERS, 0, extent - 1);
}

/* The number of lines is such that their costs (conform_grid.cost) add up to TRUTH_WORK, within these limits. */
enum { TRUTH_WORK = 1 << 18, FEWEST_LINES = 12, MOST_LINES = 160 };

static int64_t count_lines(const conform_grid *g)
{
    int64_t n = TRUTH_WORK / (g->cost > 0 ? g->cost : 1);
    n = n < FEWEST_LINES ? FEWEST_LINES : n > MOST_LINES ? MOST_LINES : n;
    return n < g->n_lines ? n : g->n_lines;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int64_t without_repeats(int64_t *at, int64_t n)
{
    int64_t kept = 0;
    qsort(at, (size_t)n, sizeof *at, ascending);
    for (int64_t i = 0; i < n; i++)
        if (kept == 0 || at[kept - 1] != at[i])
            at[kept++] = at[i];
    return kept;
}

conform_lines conform_choose_lines(const conform_case *c, conform_truth *t, const conform_grid *g,
                                   conform_pool *pool)
{
    if (!t->is_sampled || g->n_lines < 1 || g->length < 1)
        return (conform_lines){g->n_lines, NULL};
    const conform_stream lines = conform_stream_of(c->seed, "sampled lines");
    const conform_stream elements = conform_stream_of(c->seed, "sampled elements");
    const int64_t wanted = count_lines(g);
    int64_t *at = conform_pool_take(pool, (size_t)wanted, sizeof *at);
    for (int64_t i = 0; i < wanted; i++)
        at[i] = place_at(lines, (uint64_t)i, g->n_lines, g->line_step);
    const int64_t n = without_repeats(at, wanted);
    memset(t->skip, 1, (size_t)(g->n_lines * g->length));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < g->per_line; j++) {
            const int64_t e =
                place_at(elements, (uint64_t)(i * g->per_line + j) + 2 * (uint64_t)(i > 0),
                         g->length, g->element_step);
            t->skip[at[i] * g->line_step + e * g->element_step] = 0;
        }
    return (conform_lines){n, at};
}
