#include "reach.h"
#include "case_call.h"

#include <stdlib.h>
#include <string.h>

#include "case_pool.h"
#include "gen.h"
#include "plan_cover.h"
#include "plan_sizes.h"

static const struct {
    const char *name;
    int first, n_lists, length;
} kinds[] = {
#define X(kind, name, lists, length) {name, REACH_FIRST_##kind, lists, length},
    REACH_KINDS(X)
#undef X
};

int reach_class(reach_kind kind, int list, int at)
{
    return kinds[kind].first + list * kinds[kind].length + at;
}

reach_kind reach_kind_of(int class, int *list, int *at)
{
    int kind = REACH_KIND_COUNT - 1;
    while (class < kinds[kind].first)
        kind--;
    *list = (class - kinds[kind].first) / kinds[kind].length;
    *at = (class - kinds[kind].first) % kinds[kind].length;
    return (reach_kind)kind;
}

const char *reach_kind_name(reach_kind kind)
{
    return kinds[kind].name;
}

int reach_lists_of(reach_kind kind)
{
    return kinds[kind].n_lists;
}

int reach_length_of(reach_kind kind)
{
    return kinds[kind].length;
}

int reach_octave(int64_t size)
{
    const int octave = conform_octave(size) + 1;
    return octave < REACH_N_OCTAVES ? octave : REACH_N_OCTAVES - 1;
}

/* The size classes of plan_cover.c, without the width. */
int reach_residue(int64_t size)
{
    enum { FIRST_OF_WIDTHS = 2, FIRST_OF_REST = 14 };
    const int class = conform_size_class(size);
    return class < FIRST_OF_WIDTHS || class >= FIRST_OF_REST ? REACH_N_RESIDUES - 1
                                                             : (class - FIRST_OF_WIDTHS) % 3;
}

int reach_pair(int first, int second)
{
    return second * (second - 1) / 2 + first;
}

/* The name of a list of two dimensions: "rows,k". */
static const char *pair_name(const conform_module *m, int list, char *out, size_t bytes)
{
    int second = 1;
    while (reach_pair(0, second + 1) <= list)
        second++;
    const int first = list - reach_pair(0, second);
    for (int i = 0; i <= second; i++)
        if (!m->dim_names[i])
            return NULL;
    snprintf(out, bytes, "%s,%s", m->dim_names[first], m->dim_names[second]);
    return out;
}

static const char *dim_name(const conform_module *m, int list)
{
    for (int i = 0; i < list; i++)
        if (!m->dim_names[i])
            return NULL;
    return m->dim_names[list];
}

const char *reach_list_name(ifn_op op, reach_kind kind, int list, char *out, size_t bytes)
{
    const conform_module *const m = conform_module_of(op);
    switch (kind) {
    case REACH_REGIMES:
    case REACH_LARGE:
        snprintf(out, bytes, "%s/%s", conform_tier_name((conform_tier)(list / FAMILY_COUNT)),
                 conform_family_name((conform_family)(list % FAMILY_COUNT)));
        return out;
    case REACH_OCTAVES:
        return dim_name(m, list);
    case REACH_RESIDUES:
        return pair_name(m, list, out, bytes);
    case REACH_RELATIONS:
        snprintf(out, bytes, "R%d", list);
        return out;
    case REACH_OVERLAPS:
        return m->aliases[list];
    case REACH_FAR:
        return conform_far_way_name(op, list);
    default:
        return kinds[kind].name;
    }
}

static bool is_same(reach_key a, reach_key b)
{
    return a.dtype == b.dtype && a.form == b.form && a.out == b.out;
}

reach_row *reach_row_of(reach_table *table, reach_key key)
{
    for (int i = 0; i < table->n; i++)
        if (is_same(table->rows[i].key, key))
            return &table->rows[i];
    const size_t bytes = (size_t)(table->n + 1) * sizeof *table->rows;
    reach_row *const grown = realloc(table->rows, bytes);
    if (!grown)
        conform_out_of_memory(bytes, "the report");
    table->rows = grown;
    grown[table->n] = (reach_row){.key = key};
    return &grown[table->n++];
}

bool reach_stands_for(reach_key any, reach_key one)
{
    return (any.dtype == REACH_ANY_DTYPE || any.dtype == one.dtype) &&
           (any.form == REACH_ANY_FORM || any.form == one.form) &&
           (any.out == REACH_ANY_DTYPE || any.out == one.out);
}

int64_t reach_sum(const reach_table *table, reach_key key, int class)
{
    int64_t sum = 0;
    for (int i = 0; i < table->n; i++)
        if (reach_stands_for(key, table->rows[i].key))
            sum += table->rows[i].at[class];
    return sum;
}

static void count_sizes(reach_row *row, const conform_module *m, const conform_case *c)
{
    for (int i = 0; i < CONFORM_MAX_DIMS && m->dim_names[i]; i++) {
        row->at[reach_class(REACH_OCTAVES, i, reach_octave(c->dim[i]))]++;
        for (int j = 0; j < i; j++)
            row->at[reach_class(REACH_RESIDUES, reach_pair(j, i),
                                reach_residue(c->dim[j]) * REACH_N_RESIDUES +
                                    reach_residue(c->dim[i]))]++;
    }
}

/* Counts each address residue once, however many tensors have it. */
static void count_addresses(reach_row *row, const conform_case *c)
{
    conform_layout l = {0};
    unsigned seen = 0;
    if (conform_case_layout(c, &l) != IFN_OK)
        return;
    for (int i = 0; i < l.n; i++)
        if (!l.t[i].absent)
            seen |= 1U << conform_residue_of(c, i, l.t[i].align) / 4;
    for (int i = 0; i < kinds[REACH_ADDRESSES].length; i++)
        row->at[reach_class(REACH_ADDRESSES, 0, i)] += seen >> i & 1;
}

static int at_most(int n, reach_kind kind)
{
    return n < kinds[kind].length ? n : kinds[kind].length - 1;
}

static void count_runs(reach_row *row, const conform_verdict *v)
{
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        row->at[reach_class(REACH_RELATIONS, i, 0)] += v->relations[i].tried > 0;
    row->at[reach_class(REACH_PARTS, 0, at_most(v->parts, REACH_PARTS))]++;
    row->at[reach_class(REACH_THREADS, 0, at_most(v->threads, REACH_THREADS))]++;
}

static bool is_large(const conform_case *c)
{
    for (int i = 0; i < CONFORM_MAX_DIMS; i++)
        if (c->dim[i] >= REACH_LARGE_SIZE)
            return true;
    return false;
}

static void count_far(reach_row *row, uint32_t classes)
{
    for (int i = 0; i < FAR_WAYS * FAR_BORDERS; i++)
        row->at[REACH_FIRST_FAR + i] += classes >> i & 1;
}

static bool was_judged(const conform_verdict *v)
{
    return v->outcome == OUTCOME_PASS ||
           (v->outcome == OUTCOME_FAIL && !conform_check_is_death(v->check));
}

/* A REFUSE case counts only for its regime: the call computes nothing, so its sizes were not tried. */
void conform_reach_count(conform_reach *self, const conform_case *c, const conform_verdict *v)
{
    const reach_key key = {(int32_t)c->dtype, c->prepared != 0, (int32_t)c->out_dtype};
    const conform_module *const m = conform_module_of(c->op);
    const bool is_left_out = v->outcome == OUTCOME_REFUSED && v->is_declared;
    if (!was_judged(v) && !is_left_out)
        return;
    reach_row *const row = reach_row_of(is_left_out ? &self->refused : &self->reached, key);
    row->at[reach_class(REACH_REGIMES, (int)c->tier * FAMILY_COUNT + (int)c->family, 0)]++;
    if (c->tier == TIER_REFUSE)
        return;
    count_sizes(row, m, c);
    row->at[reach_class(REACH_LARGE, (int)c->tier * FAMILY_COUNT + (int)c->family, 0)] +=
        is_large(c);
    count_addresses(row, c);
    if (c->alias > 0 && c->alias <= CONFORM_MAX_ALIASES)
        row->at[reach_class(REACH_OVERLAPS, c->alias - 1, 0)]++;
    if (is_left_out)
        return;
    count_runs(row, v);
    count_far(row, v->far);
    if (v->far_left_out)
        count_far(reach_row_of(&self->refused, key), v->far_left_out);
}

static void merge_table(reach_table *to, const reach_table *from, bool is_promise)
{
    for (int i = 0; i < from->n; i++) {
        reach_row *const row = reach_row_of(to, from->rows[i].key);
        for (int k = 0; k < REACH_CLASSES; k++) {
            const int64_t n = from->rows[i].at[k];
            if (!is_promise)
                row->at[k] += n;
            else if (n > row->at[k])
                row->at[k] = n;
        }
    }
}

void conform_reach_merge(conform_reach *self, const conform_reach *from)
{
    merge_table(&self->reached, &from->reached, false);
    merge_table(&self->refused, &from->refused, false);
    merge_table(&self->needed, &from->needed, true);
}

void conform_reach_close(conform_reach *self)
{
    free(self->reached.rows);
    free(self->refused.rows);
    free(self->needed.rows);
    *self = (conform_reach){0};
}
