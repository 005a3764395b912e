/* Draws charts as one self-contained SVG file. Colours follow the viewer's light or dark scheme, shapes distinguish
 * series besides colours, and every mark has a text. */
#include "chart.h"

#include <math.h>
#include <string.h>

#include "escape.h"

enum {
    WIDTH = 860,
    LEFT = 76,
    RIGHT = 24,
    TOP = 44,
    PLOT = 400,
    BELOW = 54,
    LEGEND_LINE = 20,
    COLOURS = 8,
    SHAPES = 4,
    BOXES = 1024 /* of marks and labels that others keep off, at most */
};

static const char style[] =
    "<style>\n"
    ":root{--page:#ffffff;--ink:#1b1f24;--dim:#59636e;--grid:#e1e4e8;--bound:#8a939d;"
    "--c0:#1f6fc4;--c1:#b8500f;--c2:#1c7a4d;--c3:#8b3fb0;--c4:#8f6b00;--c5:#b0305c;--c6:#4b5563;"
    "--c7:#0f7f86}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#14181d;--ink:#e8ebee;--dim:#a3adb8;"
    "--grid:#2b323a;--bound:#78828d;--c0:#6cb0ff;--c1:#ff9d5c;--c2:#5cc795;--c3:#c99bf0;"
    "--c4:#e0bd4a;--c5:#ff86ab;--c6:#b4bdc9;--c7:#5fd3da}}\n"
    "text{font:12px system-ui,sans-serif;fill:var(--ink)}\n"
    ".title{font-size:16px;font-weight:600}.dim{fill:var(--dim)}.small{font-size:10px}\n"
    ".grid{stroke:var(--grid)}.axis{stroke:var(--dim)}\n"
    ".bound{stroke:var(--bound);stroke-dasharray:5 4;fill:none}\n"
    ".line{fill:none;stroke-width:2}\n"
    ".k0{fill:var(--c0)}.k1{fill:var(--c1)}.k2{fill:var(--c2)}.k3{fill:var(--c3)}"
    ".k4{fill:var(--c4)}.k5{fill:var(--c5)}.k6{fill:var(--c6)}.k7{fill:var(--c7)}\n"
    ".s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}"
    ".s4{stroke:var(--c4)}.s5{stroke:var(--c5)}.s6{stroke:var(--c6)}.s7{stroke:var(--c7)}\n"
    "</style>\n";

/* The area of a mark or of a label; labels must not overlap these. */
typedef struct box {
    double x, y, width;
} box;

typedef struct panel {
    const chart *c;
    chart_axis x, y;
    int top;
    box boxes[BOXES];
    int n_boxes;
    FILE *out;
} panel;

static double x_of(const panel *p, double value)
{
    return LEFT + chart_place(&p->x, value) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const panel *p, double value)
{
    return p->top + TOP + (1.0 - chart_place(&p->y, value)) * PLOT;
}

static void put_text(const panel *p, const char *class, const char *anchor, double x, double y,
                     const char *words)
{
    fprintf(p->out, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, anchor,
            x, y);
    escape_markup(words, p->out);
    fputs("</text>\n", p->out);
}

/* --- axes --- */

static void put_x_ticks(const panel *p)
{
    const double low = p->top + TOP + PLOT;
    for (int i = 0; i < p->x.n_ticks; i++) {
        char number[24];
        const double x = x_of(p, p->x.ticks[i]);
        snprintf(number, sizeof number, "%.4g", p->x.ticks[i]);
        fprintf(p->out, "<path class=\"grid\" d=\"M%.1f %dV%.1f\"/>", x, p->top + TOP, low);
        put_text(p, "dim", "middle", x, low + 18, number);
    }
}

static void put_y_ticks(const panel *p)
{
    for (int i = 0; i < p->y.n_ticks; i++) {
        char number[24];
        const double y = y_of(p, p->y.ticks[i]);
        snprintf(number, sizeof number, "%.4g", p->y.ticks[i]);
        fprintf(p->out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, WIDTH - RIGHT);
        put_text(p, "dim", "end", LEFT - 8, y + 4, number);
    }
}

static void put_axes(const panel *p)
{
    const int low = p->top + TOP + PLOT;
    put_x_ticks(p);
    put_y_ticks(p);
    fprintf(p->out, "<path class=\"axis\" fill=\"none\" d=\"M%d %dV%dH%d\"/>\n", LEFT, p->top + TOP,
            low, WIDTH - RIGHT);
    put_text(p, "title", "start", 16, p->top + 20, p->c->title);
    put_text(p, "dim", "start", 16, p->top + 38, p->c->y_title);
    put_text(p, "dim", "middle", (LEFT + WIDTH - RIGHT) / 2.0, low + 38, p->c->x_title);
}

/* --- marks --- */

/* Draws a mark. All shapes have the same area. */
static void put_mark(const panel *p, int number, double x, double y, const char *words)
{
    fprintf(p->out, "<path class=\"k%d\" d=\"", number % COLOURS);
    switch (number / COLOURS % SHAPES) {
    case 0:
        fprintf(p->out, "M%.1f %.1fa4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z", x - 4.5, y);
        break;
    case 1:
        fprintf(p->out, "M%.1f %.1fh8v8h-8z", x - 4, y - 4);
        break;
    case 2:
        fprintf(p->out, "M%.1f %.1fl5.5 9.5h-11z", x, y - 6);
        break;
    default:
        fprintf(p->out, "M%.1f %.1fl5.6 5.6l-5.6 5.6l-5.6 -5.6z", x, y - 5.6);
        break;
    }
    fputs("\">", p->out);
    if (*words) {
        fputs("<title>", p->out);
        escape_markup(words, p->out);
        fputs("</title>", p->out);
    }
    fputs("</path>\n", p->out);
}

static bool is_free(const panel *p, box b)
{
    enum { HIGH = 12 };
    if (b.x + b.width > WIDTH - RIGHT)
        return false;
    for (int i = 0; i < p->n_boxes; i++) {
        const box *const o = &p->boxes[i];
        if (b.x < o->x + o->width && o->x < b.x + b.width && fabs(b.y - o->y) < HIGH)
            return false;
    }
    return true;
}

/* Writes a name next to a mark if there is room for it. */
static void put_label(panel *p, double x, double y, const char *name)
{
    const box beside = {x + 8, y + 4, 5.6 * (double)strlen(name)};
    if (p->n_boxes == BOXES || !is_free(p, beside))
        return;
    p->boxes[p->n_boxes++] = beside;
    put_text(p, "small dim", "start", beside.x, beside.y, name);
}

static void put_line(const panel *p, const chart_series *s, const char *class, int number)
{
    fprintf(p->out, "<path class=\"%s", class);
    if (number >= 0)
        fprintf(p->out, " s%d", number % COLOURS);
    fputs("\" d=\"", p->out);
    for (int i = 0; i < s->n; i++)
        fprintf(p->out, "%c%.1f %.1f", i ? 'L' : 'M', x_of(p, s->points[i].x),
                y_of(p, s->points[i].y));
    fputs("\"><title>", p->out);
    escape_markup(s->name, p->out);
    fputs("</title></path>\n", p->out);
}

static void put_bounds(panel *p)
{
    for (int i = 0; i < p->c->n; i++) {
        const chart_series *const s = &p->c->series[i];
        if (s->kind == CHART_BOUND)
            put_line(p, s, "bound", -1);
    }
}

static void put_series(panel *p)
{
    for (int i = 0; i < p->c->n; i++)
        if (p->c->series[i].kind == CHART_LINE)
            put_line(p, &p->c->series[i], "line", chart_number(p->c, i));
    for (int i = 0; i < p->c->n; i++) {
        const chart_series *const s = &p->c->series[i];
        for (int k = 0; s->kind != CHART_BOUND && k < s->n; k++) {
            const double x = x_of(p, s->points[k].x), y = y_of(p, s->points[k].y);
            put_mark(p, chart_number(p->c, i), x, y, s->points[k].label);
            if (p->n_boxes < BOXES)
                p->boxes[p->n_boxes++] = (box){x - 5, y + 4, 10};
        }
    }
    for (int i = 0; i < p->c->n; i++) {
        const chart_series *const s = &p->c->series[i];
        for (int k = 0; s->kind == CHART_POINTS && k < s->n; k++)
            put_label(p, x_of(p, s->points[k].x), y_of(p, s->points[k].y), s->name);
    }
}

/* --- legend --- */

static int legend_columns(const chart *c)
{
    size_t longest = 1;
    for (int i = 0; i < c->n; i++) {
        const size_t n = strlen(c->series[i].name);
        longest = n > longest ? n : longest;
    }
    const int fit = (int)((double)(WIDTH - LEFT) / (26.0 + 6.6 * (double)longest));
    return fit < 1 ? 1 : fit > 5 ? 5 : fit;
}

static int legend_lines(const chart *c)
{
    const int columns = legend_columns(c);
    return (c->n + columns - 1) / columns + (c->note != NULL);
}

static int height_of(const chart *c)
{
    return TOP + PLOT + BELOW + LEGEND_LINE * legend_lines(c) + 16;
}

static void put_legend(const panel *p)
{
    const int columns = legend_columns(p->c), width = (WIDTH - LEFT) / columns;
    const int top = p->top + TOP + PLOT + BELOW;
    for (int i = 0; i < p->c->n; i++) {
        const chart_series *const s = &p->c->series[i];
        const double x = LEFT + i % columns * width, y = top + i / columns * LEGEND_LINE;
        if (s->kind == CHART_BOUND)
            fprintf(p->out, "<path class=\"bound\" d=\"M%.1f %.1fh18\"/>\n", x - 6, y);
        else
            put_mark(p, chart_number(p->c, i), x, y, "");
        put_text(p, "", "start", x + 16, y + 4, s->name);
    }
    if (p->c->note)
        put_text(p, "dim", "start", LEFT - 6, top + LEGEND_LINE * (legend_lines(p->c) - 1) + 6.0,
                 p->c->note);
}

/* --- the whole --- */

/* Describes the charts in text for screen readers. */
static void put_description(const chart *charts, int n, FILE *out)
{
    fputs("<title id=\"t\">", out);
    for (int i = 0; i < n; i++) {
        fputs(i ? "; " : "", out);
        escape_markup(charts[i].title, out);
    }
    fputs("</title>\n<desc id=\"d\">", out);
    for (int i = 0; i < n; i++)
        for (int s = 0; s < charts[i].n; s++)
            for (int k = 0; k < charts[i].series[s].n; k++) {
                const chart_series *const one = &charts[i].series[s];
                if (one->kind == CHART_BOUND)
                    continue;
                escape_markup(one->name, out);
                fprintf(out, ": %.4g at %.4g. ", one->points[k].y, one->points[k].x);
            }
    fputs("</desc>\n", out);
}

void chart_svg(const chart *charts, int n, FILE *out)
{
    int height = 0;
    for (int i = 0; i < n; i++)
        height += height_of(&charts[i]);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\" aria-labelledby=\"t d\">\n",
            WIDTH, height, WIDTH, height);
    put_description(charts, n, out);
    fputs(style, out);
    fprintf(out, "<rect width=\"%d\" height=\"%d\" fill=\"var(--page)\"/>\n", WIDTH, height);
    int top = 0;
    for (int i = 0; i < n; i++) {
        panel p = {.c = &charts[i],
                   .x = chart_axis_of(&charts[i], true),
                   .y = chart_axis_of(&charts[i], false),
                   .top = top,
                   .out = out};
        put_axes(&p);
        put_bounds(&p);
        put_series(&p);
        put_legend(&p);
        top += height_of(&charts[i]);
    }
    fputs("</svg>\n", out);
}
