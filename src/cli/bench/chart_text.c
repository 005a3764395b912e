/* Draws charts in 80 columns: a letter for each series, dots for ceilings, and a legend. */
#include "chart.h"

#include <math.h>
#include <string.h>

enum { LEFT = 9, WIDTH = 68, HEIGHT = 20 };

typedef char grid[HEIGHT][WIDTH + 1];

static char letter_of(int number)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return number < (int)sizeof letters - 1 ? letters[number] : '*';
}

/* Puts a mark. Marks of timed points cover those of bounds. */
static void put_mark(grid g, double x, double y, char mark)
{
    const int col = (int)floor(x * (WIDTH - 1) + 0.5), row = (int)floor(y * (HEIGHT - 1) + 0.5);
    if (col < 0 || col >= WIDTH || row < 0 || row >= HEIGHT)
        return;
    char *const at = &g[HEIGHT - 1 - row][col];
    if (mark != '.' || *at == ' ')
        *at = mark;
}

static void put_line(grid g, const chart_series *s, const chart_axis *x, const chart_axis *y)
{
    for (int i = 0; i + 1 < s->n; i++) {
        const double x0 = chart_place(x, s->points[i].x), y0 = chart_place(y, s->points[i].y);
        const double x1 = chart_place(x, s->points[i + 1].x),
                     y1 = chart_place(y, s->points[i + 1].y);
        for (int k = 0; k <= 2 * WIDTH; k++) {
            const double t = (double)k / (2 * WIDTH);
            put_mark(g, x0 + t * (x1 - x0), y0 + t * (y1 - y0), '.');
        }
    }
}

static void put_series(const chart *c, grid g, const chart_axis *x, const chart_axis *y)
{
    for (int i = 0; i < c->n; i++)
        if (c->series[i].kind != CHART_POINTS)
            put_line(g, &c->series[i], x, y);
    for (int i = 0; i < c->n; i++)
        for (int k = 0; c->series[i].kind != CHART_BOUND && k < c->series[i].n; k++)
            put_mark(g, chart_place(x, c->series[i].points[k].x),
                     chart_place(y, c->series[i].points[k].y), letter_of(chart_number(c, i)));
}

/* Prints the tick of a row, or blanks. */
static void put_row_head(const chart_axis *y, int row, FILE *out)
{
    for (int i = 0; i < y->n_ticks; i++)
        if ((int)floor(chart_place(y, y->ticks[i]) * (HEIGHT - 1) + 0.5) == row) {
            fprintf(out, "%*.4g +", LEFT - 2, y->ticks[i]);
            return;
        }
    fprintf(out, "%*s |", LEFT - 2, "");
}

static void put_x_ticks(const chart_axis *x, FILE *out)
{
    char line[WIDTH + 16];
    int used = 0;
    memset(line, ' ', sizeof line);
    for (int i = 0; i < x->n_ticks; i++) {
        char number[16];
        const int col = (int)floor(chart_place(x, x->ticks[i]) * (WIDTH - 1) + 0.5);
        const int n = snprintf(number, sizeof number, "%.4g", x->ticks[i]);
        if (col < used || col + n > WIDTH + 3)
            continue;
        memcpy(line + col, number, (size_t)n);
        used = col + n + 1;
    }
    fprintf(out, "%*s%.*s\n", LEFT, "", used > 0 ? used - 1 : 0, line);
}

static void put_legend(const chart *c, FILE *out)
{
    for (int i = 0; i < c->n; i++)
        fprintf(out, "  %c %s\n",
                c->series[i].kind == CHART_BOUND ? '.' : letter_of(chart_number(c, i)),
                c->series[i].name);
    if (c->note)
        fprintf(out, "%s\n", c->note);
}

static void put_chart(const chart *c, FILE *out)
{
    const chart_axis x = chart_axis_of(c, true), y = chart_axis_of(c, false);
    grid g;
    for (int row = 0; row < HEIGHT; row++) {
        memset(g[row], ' ', WIDTH);
        g[row][WIDTH] = '\0';
    }
    put_series(c, g, &x, &y);
    fprintf(out, "\n%s\n%s\n", c->title, c->y_title);
    for (int row = HEIGHT - 1; row >= 0; row--) {
        char *const line = g[HEIGHT - 1 - row];
        int n = WIDTH;
        while (n > 0 && line[n - 1] == ' ')
            n--;
        put_row_head(&y, row, out);
        fprintf(out, "%.*s\n", n, line);
    }
    fprintf(out, "%*s+", LEFT - 1, "");
    for (int i = 0; i < WIDTH; i++)
        fputc('-', out);
    fputc('\n', out);
    put_x_ticks(&x, out);
    fprintf(out, "%*s%s\n\n", LEFT, "", c->x_title);
    put_legend(c, out);
}

void chart_text(const chart *charts, int n, FILE *out)
{
    for (int i = 0; i < n; i++)
        put_chart(&charts[i], out);
}
