/* A chart of points and lines in a plane, drawn as SVG or in the characters of a terminal. */
#ifndef IFN_CLI_CHART_H
#define IFN_CLI_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include <inferno/status.h>

typedef enum chart_kind {
    CHART_POINTS,
    CHART_LINE, /* points that are joined */
    CHART_BOUND /* a line that was not timed: a ceiling of the machine */
} chart_kind;

typedef struct chart_point {
    double x, y;
    char label[96]; /* shown on request, as a tooltip */
} chart_point;

typedef struct chart_series {
    char name[160];
    chart_kind kind;
    chart_point *points; /* owned */
    int n, room;
} chart_series;

/* Caller's storage, all zero except for the texts, which are static. */
typedef struct chart {
    const char *title, *x_title, *y_title, *note; /* note: a sentence below; may be NULL */
    bool is_log_x, is_log_y;
    chart_series *series; /* owned */
    int n, room;
} chart;

/* Adds a point to the series of that name, and makes the series if it does not exist. Points of a CHART_LINE are sorted
 * from left to right. Ignores a point that is NaN or has no place on a logarithmic axis. Errors: IFN_ERR_NOMEM. */
ifn_status chart_add(chart *self, const char *series, chart_kind kind, const chart_point *point,
                     ifn_error *err);
void chart_free(chart *self);

/* Draws the charts one below the other, with colours for a light and a dark page. */
void chart_svg(const chart *charts, int n, FILE *out);
/* Draws the charts with characters in 80 columns. */
void chart_text(const chart *charts, int n, FILE *out);

/* --- for chart_svg.c and chart_text.c --- */

/* The range of an axis and its ticks. */
typedef struct chart_axis {
    bool is_log;
    double from, to;
    double ticks[24];
    int n_ticks;
} chart_axis;

/* Returns an axis that contains all points, with some space around them. */
chart_axis chart_axis_of(const chart *self, bool is_x);
/* Returns the place of a value on the axis: 0 at `from`, 1 at `to`. */
double chart_place(const chart_axis *axis, double value);
/* Returns the number of a series among those that were timed; CHART_BOUND series do not count. */
int chart_number(const chart *self, int series);

#endif
