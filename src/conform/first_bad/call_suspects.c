#include "call_suspects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_AT_ONCE = 1024 };

/* The entries farthest from scalar so far, in descending order of distance. */
typedef struct farthest {
    int64_t entry[SUSPECTS_FAR];
    double off[SUSPECTS_FAR];
    int n;
} farthest;

static void offer(farthest *f, int64_t entry, double off)
{
    int at = f->n;
    while (at > 0 && !(f->off[at - 1] >= off))
        at--;
    if (at == SUSPECTS_FAR)
        return;
    f->n += f->n < SUSPECTS_FAR;
    for (int i = f->n - 1; i > at; i--) {
        f->entry[i] = f->entry[i - 1];
        f->off[i] = f->off[i - 1];
    }
    f->entry[at] = entry;
    f->off[at] = off;
}

static double mean_magnitude(const float *x, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += fabs((double)x[i]);
    return sum / (double)n + 0x1p-100;
}

/* Offers each entry with its largest difference, in units of the mean magnitude. A NaN counts as infinity. */
static void offer_slice(const call_view *v, const call_slice *s, const call_choice *choice,
                        int by_units, farthest *f)
{
    double off[ENTRIES_AT_ONCE] = {0};
    for (int t = 0; t < s->slot.layout.n; t++) {
        const conform_tensor *const l = &s->slot.layout.t[t];
        const float *const got = s->got[t], *const ref = s->slot.reference[t];
        if (!got || !ref || l->element != ELEMENT_F32)
            continue;
        const int64_t take = by_units ? v->t[t].rows.take : v->t[t].cols.take;
        const double mean = mean_magnitude(ref, l->rows * l->cols);
        for (int64_t i = 0; i < l->rows * l->cols; i++) {
            const int64_t at = by_units ? i / l->cols : i % l->cols;
            double *const its = &off[at / take % choice->n];
            const double d = fabs((double)got[i] - (double)ref[i]) / mean;
            if (!(d <= *its))
                *its = isnan(d) ? (double)INFINITY : d;
        }
    }
    for (int64_t e = 0; e < choice->n; e++)
        offer(f, conform_chosen(choice, e), off[e]);
}

static ifn_status look(ifn_backend *scalar, conform_pool *pool, const call_view *v,
                       const call_keep *keep, int by_units, farthest *f, ifn_error *err)
{
    const int64_t n = by_units ? v->n_units : v->n_features;
    const call_choice units = {NULL, 0, v->n_units}, features = {NULL, 0, v->n_features};
    for (int64_t at = 0; at < n; at += ENTRIES_AT_ONCE) {
        const int64_t left = n - at;
        const call_choice part = {NULL, at, left < ENTRIES_AT_ONCE ? left : ENTRIES_AT_ONCE};
        call_slice s;
        conform_pool_reset(pool);
        conform_call_gather(v, keep, by_units ? &part : &units, by_units ? &features : &part, pool,
                            &s);
        IFN_TRY(conform_slot_reference(&s.slot, scalar, pool, err));
        if (s.slot.reference_status == IFN_OK)
            offer_slice(v, &s, &part, by_units, f);
    }
    return IFN_OK;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

ifn_status conform_call_suspects(ifn_backend *scalar, conform_pool *pool, int64_t sample,
                                 const call_view *view, const call_keep *keep, int64_t *out,
                                 int64_t *n, ifn_error *err)
{
    const int by_units = view->n_features == 1;
    const int64_t all = by_units ? view->n_units : view->n_features;
    const int64_t room = SUSPECTS_MAX - SUSPECTS_FAR;
    int64_t n_chosen = 0;
    farthest f = {.n = 0};
    sample = sample < room ? sample : room;
    if (sample > all)
        sample = all;
    if (by_units && sample > 1)
        sample = 1; /* there are few heads, and each is large */
    IFN_TRY(look(scalar, pool, view, keep, by_units, &f, err));
    for (int64_t i = 0; i < sample; i++)
        out[n_chosen++] = sample > 1 ? i * (all - 1) / (sample - 1) : 0;
    for (int i = 0; i < f.n && !(by_units && i == 1); i++)
        out[n_chosen++] = f.entry[i];
    qsort(out, (size_t)n_chosen, sizeof *out, ascending);
    *n = 0;
    for (int64_t i = 0; i < n_chosen; i++)
        if (*n == 0 || out[*n - 1] != out[i])
            out[(*n)++] = out[i];
    return IFN_OK;
}
