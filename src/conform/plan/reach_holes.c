/* Finds the holes, classes that were promised and not reached, and describes them. */
#include <string.h>

#include "invoke.h"
#include "reach.h"

static bool is_refused_whole(const conform_reach *self, reach_key key)
{
    int64_t reached = 0, refused = 0;
    for (int class = REACH_FIRST_REGIMES; class <= REACH_LAST_REGIMES; class ++) {
        if ((class - REACH_FIRST_REGIMES) / FAMILY_COUNT == TIER_REFUSE)
            continue; /* every backend must refuse these: they say nothing about support */
        reached += reach_sum(&self->reached, key, class);
        refused += reach_sum(&self->refused, key, class);
    }
    return refused > 0 && reached == 0;
}

static void visit_row(const conform_reach *self, const reach_row *row, reach_visitor visit,
                      void *cookie)
{
    const bool is_refused = is_refused_whole(self, row->key);
    for (int class = 0; class < REACH_CLASSES; class ++) {
        if (!row->at[class])
            continue;
        reach_hole hole = {.key = row->key,
                           .class = class,
                           .n = reach_sum(&self->reached, row->key, class),
                           .needed = row->at[class]};
        if (hole.n >= hole.needed)
            continue;
        hole.is_left_out =
            is_refused || hole.n + reach_sum(&self->refused, row->key, class) >= hole.needed;
        visit(cookie, &hole);
    }
}

void conform_reach_missing(const conform_reach *self, reach_visitor visit, void *cookie)
{
    for (int i = 0; i < self->needed.n; i++)
        visit_row(self, &self->needed.rows[i], visit, cookie);
}

static void count_hole(void *cookie, const reach_hole *hole)
{
    *(int64_t *)cookie += !hole->is_left_out;
}

int64_t conform_reach_count_holes(const conform_reach *self)
{
    int64_t n = 0;
    conform_reach_missing(self, count_hole, &n);
    return n;
}

/* "linear Q4_K prepared", "quantize_rows F32 to Q4_K"; "add" if the key means the op as a whole. */
void conform_reach_say_key(ifn_op op, reach_key key, char *out, size_t bytes)
{
    int n = snprintf(out, bytes, "%s", ifn_op_name(op));
    if (key.dtype != REACH_ANY_DTYPE)
        n += snprintf(out + n, bytes - (size_t)n, " %s", ifn_dtype_name((ifn_dtype)key.dtype));
    if (key.form != REACH_ANY_FORM && conform_use_of(op))
        n += snprintf(out + n, bytes - (size_t)n, key.form ? " prepared" : " raw");
    if (key.out != REACH_ANY_DTYPE && key.out != IFN_DTYPE_F32)
        snprintf(out + n, bytes - (size_t)n, " to %s", ifn_dtype_name((ifn_dtype)key.out));
}

static void say_octave(const char *dim, int octave, char *out, size_t bytes)
{
    const long long least = octave ? 1LL << (octave - 1) : 0;
    if (octave < 2)
        snprintf(out, bytes, "with %s = %lld", dim, least);
    else
        snprintf(out, bytes, "with %s in [%lld, %lld)", dim, least, 2 * least);
}

static void say_residues(ifn_op op, int list, int at, char *out, size_t bytes)
{
    static const char *const residues[REACH_N_RESIDUES] = {"a multiple of 8", "one more than that",
                                                           "one less than that", "none of these"};
    const conform_module *const m = conform_module_of(op);
    int second = 1;
    while (reach_pair(0, second + 1) <= list)
        second++;
    snprintf(out, bytes, "with %s %s and %s %s", m->dim_names[list - reach_pair(0, second)],
             residues[at / REACH_N_RESIDUES], m->dim_names[second],
             residues[at % REACH_N_RESIDUES]);
}

/* Describes a case of the class: "with k in [8192, 16384)". */
static void say_class(ifn_op op, int class, char *out, size_t bytes)
{
    char room[64];
    int list, at;
    const reach_kind kind = reach_kind_of(class, &list, &at);
    const char *const name = reach_list_name(op, kind, list, room, sizeof room);
    switch (kind) {
    case REACH_REGIMES:
        snprintf(out, bytes, "of regime %s", name);
        break;
    case REACH_LARGE:
        snprintf(out, bytes, "of regime %s with a size of %d and more", name, REACH_LARGE_SIZE);
        break;
    case REACH_OCTAVES:
        say_octave(name, at, out, bytes);
        break;
    case REACH_RESIDUES:
        say_residues(op, list, at, out, bytes);
        break;
    case REACH_RELATIONS:
        snprintf(out, bytes, "in which %s was tried", name);
        break;
    case REACH_OVERLAPS:
        snprintf(out, bytes, "in place, %s", name);
        break;
    case REACH_ADDRESSES:
        snprintf(out, bytes, "with a tensor at %d modulo 64", 4 * at);
        break;
    case REACH_PARTS:
        snprintf(out, bytes, "in %d parts", at);
        break;
    case REACH_FAR:
        snprintf(out, bytes, "with %s past %s", name, conform_far_border_name((far_border)at));
        break;
    default:
        snprintf(out, bytes, "on %d threads at once", at);
        break;
    }
}

void conform_reach_say(ifn_op op, const reach_hole *hole, char *out, size_t bytes)
{
    char key[80], class[120];
    conform_reach_say_key(op, hole->key, key, sizeof key);
    say_class(op, hole->class, class, sizeof class);
    if (hole->n == 0)
        snprintf(out, bytes, "%s: no case %s", key, class);
    else
        snprintf(out, bytes, "%s: %lld case%s %s, expected %lld", key, (long long)hole->n,
                 hole->n > 1 ? "s" : "", class, (long long)hole->needed);
}
