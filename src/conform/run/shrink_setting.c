/* Simplifies where tensors lie and where the call is cut, last of all: the seed has decided both until then. */
#include "shrink_run.h"

static int try_at(shrinker *s, int32_t at)
{
    conform_case c = s->best;
    c.is_at = 1;
    c.at = at;
    return shrink_try(s, &c);
}

/* Tries all tensors at multiples of 64 bytes, else all of them the same few bytes after one. */
static void shrink_addresses(shrinker *s)
{
    static const int32_t places[] = {0, 32, 16, 8, 4, 2, 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (try_at(s, places[i]))
            return;
}

static int try_cut(shrinker *s, int64_t rows, int64_t cols)
{
    conform_case c = s->best;
    c.is_cut = 1;
    c.cut[0] = rows;
    c.cut[1] = cols;
    return shrink_try(s, &c);
}

enum { LAST_CUT = 64 };

/* Tries the call in one part, else one cut along one axis, else one along each. */
static void shrink_cuts(shrinker *s)
{
    if (try_cut(s, 0, 0))
        return;
    for (int64_t at = 1; at <= LAST_CUT; at++)
        if (try_cut(s, at, 0) || try_cut(s, 0, at))
            return;
    for (int64_t at = 1; at <= LAST_CUT; at *= 2)
        if (try_cut(s, at, at))
            return;
}

void shrink_setting(shrinker *s)
{
    shrink_addresses(s);
    shrink_cuts(s);
}
