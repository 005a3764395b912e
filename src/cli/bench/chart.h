/* A chart of points and lines in a plane, drawn as SVG or in the characters of a terminal. */
#ifndef IFN_CLI_CHART_H
#define IFN_CLI_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include <inferno/status.h>

typedef enum chart_kind {
    CHART_POINTS,
    CHART_LINE, /* points that are joined */
    CHART_BOUND /* a line of nothing that was timed: what the machine allows */
} chart_kind;

typedef struct chart_point {
    double x, y;
    char label[96]; /* what it is, for who asks */
} chart_point;

typedef struct chart_series {
    char name[160];
    chart_kind kind;
    chart_point *points; /* owned */
    int n, room;
} chart_series;

/* Caller's storage, all zero but for the words; they are static. */
typedef struct chart {
    const char *title, *x_title, *y_title, *note; /* note: a sentence below; may be NULL */
    bool is_log_x, is_log_y;
    chart_series *series; /* owned */
    int n, room;
} chart;

/* Puts a point into the series of that name, which is made where there is none; points of a
 * CHART_LINE stand from left to right. What has no place
 * on a logarithmic axis, or is no number, is left out. Errors: IFN_ERR_NOMEM. */
ifn_status chart_add(chart *self, const char *series, chart_kind kind, const chart_point *point,
                     ifn_error *err);
void chart_free(chart *self);

/* One below the other; light and dark, as whoever looks prefers. */
void chart_svg(const chart *charts, int n, FILE *out);
/* 80 columns. */
void chart_text(const chart *charts, int n, FILE *out);

/* --- for those who draw --- */

/* From which value to which an axis goes, and where the ticks are. */
typedef struct chart_axis {
    bool is_log;
    double from, to;
    double ticks[24];
    int n_ticks;
} chart_axis;

/* Where the charts begin and end, a little around the points. */
chart_axis chart_axis_of(const chart *self, bool is_x);
/* 0 at `from`, 1 at `to`. */
double chart_place(const chart_axis *axis, double value);
/* The nth of those that were timed: bounds do not count. */
int chart_number(const chart *self, int series);

#endif
