#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ifn_status find_series(chart *self, const char *name, chart_kind kind, chart_series **out,
                              ifn_error *err)
{
    for (int i = 0; i < self->n; i++)
        if (strcmp(self->series[i].name, name) == 0) {
            *out = &self->series[i];
            return IFN_OK;
        }
    if (self->n == self->room) {
        const int room = self->room ? 2 * self->room : 16;
        chart_series *const grown = realloc(self->series, (size_t)room * sizeof *grown);
        if (!grown)
            return ifn_fail(err, IFN_ERR_NOMEM, "chart: no memory for %d lines", room);
        self->series = grown;
        self->room = room;
    }
    *out = &self->series[self->n++];
    **out = (chart_series){.kind = kind};
    snprintf((*out)->name, sizeof(*out)->name, "%s", name);
    return IFN_OK;
}

static bool has_place(bool is_log, double value)
{
    return isfinite(value) && (!is_log || value > 0.0);
}

ifn_status chart_add(chart *self, const char *name, chart_kind kind, const chart_point *point,
                     ifn_error *err)
{
    chart_series *s = NULL;
    if (!has_place(self->is_log_x, point->x) || !has_place(self->is_log_y, point->y))
        return IFN_OK;
    IFN_TRY(find_series(self, name, kind, &s, err));
    if (s->n == s->room) {
        const int room = s->room ? 2 * s->room : 8;
        chart_point *const grown = realloc(s->points, (size_t)room * sizeof *grown);
        if (!grown)
            return ifn_fail(err, IFN_ERR_NOMEM, "chart: no memory for %d points", room);
        s->points = grown;
        s->room = room;
    }
    int at = s->n++;
    for (; kind == CHART_LINE && at > 0 && s->points[at - 1].x > point->x; at--)
        s->points[at] = s->points[at - 1];
    s->points[at] = *point;
    return IFN_OK;
}

void chart_free(chart *self)
{
    for (int i = 0; i < self->n; i++)
        free(self->series[i].points);
    free(self->series);
    self->series = NULL;
    self->n = self->room = 0;
}

int chart_number(const chart *self, int series)
{
    int n = 0;
    for (int i = 0; i < series; i++)
        n += self->series[i].kind != CHART_BOUND;
    return n;
}

double chart_place(const chart_axis *a, double value)
{
    return a->is_log ? log(value / a->from) / log(a->to / a->from)
                     : (value - a->from) / (a->to - a->from);
}

static void add_tick(chart_axis *a, double value)
{
    const double slack = 1e-9;
    const double place = chart_place(a, value);
    if (place >= -slack && place <= 1.0 + slack && a->n_ticks < (int)(sizeof a->ticks / 8))
        a->ticks[a->n_ticks++] = value;
}

/* Puts ticks at powers of ten; if these are few, also at 2 and 5 times each. */
static void put_log_ticks(chart_axis *a)
{
    const int first = (int)floor(log10(a->from)), last = (int)ceil(log10(a->to));
    const bool is_fine = last - first <= 3;
    for (int e = first; e <= last; e++) {
        const double ten = pow(10.0, e);
        add_tick(a, ten);
        if (is_fine) {
            add_tick(a, 2 * ten);
            add_tick(a, 5 * ten);
        }
    }
}

/* Puts about six ticks, in steps of 1, 2 or 5 times a power of ten. */
static void put_linear_ticks(chart_axis *a)
{
    const double rough = (a->to - a->from) / 6.0, ten = pow(10.0, floor(log10(rough)));
    const double step = rough <= ten       ? ten
                        : rough <= 2 * ten ? 2 * ten
                        : rough <= 5 * ten ? 5 * ten
                                           : 10 * ten;
    for (double n = ceil(a->from / step - 1e-9); n * step <= a->to * (1 + 1e-9); n += 1.0)
        add_tick(a, n * step);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

chart_axis chart_axis_of(const chart *self, bool is_x)
{
    chart_axis a = {.is_log = is_x ? self->is_log_x : self->is_log_y,
                    .from = (double)INFINITY,
                    .to = -(double)INFINITY};
    for (int i = 0; i < self->n; i++)
        for (int k = 0; k < self->series[i].n; k++) {
            const chart_point *const p = &self->series[i].points[k];
            a.from = smaller(a.from, is_x ? p->x : p->y);
            a.to = larger(a.to, is_x ? p->x : p->y);
        }
    if (!(a.from <= a.to))
        a.from = a.to = 1.0;
    if (a.is_log) {
        a.from /= 1.5;
        a.to *= 1.5;
        put_log_ticks(&a);
        return a;
    }
    /* The axis of rates begins at 0, so that a point twice as high is twice as fast. */
    a.from = is_x ? a.from : smaller(a.from, 0.0);
    a.to += 0.06 * (a.to - a.from);
    a.from -= is_x ? 0.03 * (a.to - a.from) : 0.0;
    if (!(a.from < a.to)) {
        a.from -= 1.0;
        a.to += 1.0;
    }
    put_linear_ticks(&a);
    return a;
}
