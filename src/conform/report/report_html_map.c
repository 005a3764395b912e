/* Draws the error map of the tensor that failed, with a square for each cell of the map. */
#include <stdbool.h>
#include <stdlib.h>

#include "escape.h"
#include "page.h"
#include "report_html.h"

enum { CELL = 8, TINTS = 5, TILE = 16, MOST_LINES = 16 };

/* Tints 1 .. 5 each cover five powers of two beyond the bound; 6: not a number, or bits that differ. */
static int tint_of(char cell)
{
    return cell == 'z' ? TINTS + 1 : 1 + (cell - 'a') / TINTS;
}

static bool is_wrong(char cell)
{
    return cell >= 'a' && cell <= 'z';
}

static void put_run(char cell, int64_t x, int64_t y, int64_t n, FILE *out)
{
    fprintf(out, "<rect class=\"%s%d\" x=\"%lld\" y=\"%lld\" width=\"%lld\" height=\"%d\"/>",
            cell == ' ' ? "n" : "e", cell == ' ' ? 0 : tint_of(cell), (long long)(x * CELL),
            (long long)(y * CELL), (long long)(n * CELL), CELL);
}

/* Merges adjacent cells with the same letter into one rectangle. */
static void put_cells(const error_map *m, FILE *out)
{
    const int64_t width = error_map_width(m), height = error_map_height(m);
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0, n = 1; x < width; x += n) {
            const char *const cell = &m->cells[y * width + x];
            for (n = 1; x + n < width && cell[n] == *cell;)
                n++;
            if (is_wrong(*cell) || *cell == ' ')
                put_run(*cell, x, y, n, out);
        }
}

/* The coordinate at which an element begins, in units of the picture. */
static double place_of(int64_t element, int64_t cell)
{
    return (double)CELL * (double)element / (double)cell;
}

static void put_line(double at, double across, bool is_row, FILE *out)
{
    fprintf(out, is_row ? "M0 %.5gH%.5g" : "M%.5g 0V%.5g", at, across);
}

/* Draws the borders of tiles of 16 elements; doubles the tile while there would be more than MOST_LINES. */
static void put_tiles(int64_t n, int64_t cell, double across, bool is_row, FILE *out)
{
    int64_t tile = TILE;
    while (n / tile > MOST_LINES)
        tile *= 2;
    for (int64_t at = tile; at < n; at += tile)
        put_line(place_of(at, cell), across, is_row, out);
}

/* Draws the borders between parts of the call. `cuts` is a list of decimal numbers. */
static void put_cuts(const char *cuts, int64_t n, int64_t cell, double across, bool is_row,
                     FILE *out)
{
    for (char *end; *cuts; cuts = end) {
        const long long at = strtoll(cuts, &end, 10);
        if (end == cuts || at <= 0 || at >= n)
            return;
        put_line(place_of(at, cell), across, is_row, out);
    }
}

static int64_t count_wrong(const error_map *m)
{
    int64_t n = 0;
    for (const char *c = m->cells; *c; c++)
        n += is_wrong(*c);
    return n;
}

static void put_words(const conform_failure *f, const char *anchor, FILE *out)
{
    const error_map *const m = &f->verdict.map;
    fprintf(out, "<title id=\"%s-t\">Where ", anchor);
    escape_markup(f->verdict.tensor[0] ? f->verdict.tensor : "the tensor", out);
    fprintf(out,
            " [%lld, %lld] is wrong</title><desc id=\"%s-d\">%lld of %lld cells of %lld x %lld "
            "elements hold one that is wrong. ",
            (long long)m->rows, (long long)m->cols, anchor, (long long)count_wrong(m),
            (long long)(error_map_width(m) * error_map_height(m)), (long long)m->cell_rows,
            (long long)m->cell_cols);
    escape_markup(f->verdict.detail, out);
    fputs("</desc>", out);
}

static void put_picture(const conform_failure *f, const char *anchor, FILE *out)
{
    const error_map *const m = &f->verdict.map;
    const double width = place_of(m->cols, m->cell_cols), height = place_of(m->rows, m->cell_rows);
    fprintf(out,
            "<svg class=\"map\" viewBox=\"-1 -1 %.5g %.5g\" style=\"width:%.4grem\" role=\"img\" "
            "aria-labelledby=\"%s-t %s-d\">",
            width + 2, height + 2, width / CELL * 0.7 + 1, anchor, anchor);
    put_words(f, anchor, out);
    fprintf(out, "<rect class=\"whole\" width=\"%.5g\" height=\"%.5g\"/>", width, height);
    put_cells(m, out);
    fputs("<path class=\"tile\" d=\"M0 0", out);
    put_tiles(m->rows, m->cell_rows, width, 1, out);
    put_tiles(m->cols, m->cell_cols, height, 0, out);
    fputs("\"/><path class=\"cut\" d=\"M0 0", out);
    put_cuts(m->row_cuts, m->rows, m->cell_rows, width, 1, out);
    put_cuts(m->col_cuts, m->cols, m->cell_cols, height, 0, out);
    fputs("\"/></svg>", out);
}

/* Writes a legend of the tints that occur. */
static void put_keys(const error_map *m, FILE *out)
{
    static const char *const words[] = {
        "up to 2^5 times the bound", "up to 2^10", "up to 2^15", "up to 2^20", "more",
        "no number, or other bits"};
    for (int tint = 1; tint <= TINTS + 1; tint++) {
        const char *c = m->cells;
        while (*c && !(is_wrong(*c) && tint_of(*c) == tint))
            c++;
        if (*c)
            fprintf(out,
                    "<span class=\"key\"><svg viewBox=\"0 0 8 8\" aria-hidden=\"true\"><rect "
                    "class=\"e%d\" width=\"8\" height=\"8\"/></svg>%s</span> ",
                    tint, words[tint - 1]);
    }
}

void html_error_map(const conform_failure *f, const char *anchor, FILE *out)
{
    const error_map *const m = &f->verdict.map;
    if (!error_map_is_sound(m) || count_wrong(m) == 0)
        return;
    fputs("<figure>", out);
    put_picture(f, anchor, out);
    fprintf(out, "<figcaption class=\"sub\">%lld rows, %lld columns; a square is %lld x %lld. ",
            (long long)m->rows, (long long)m->cols, (long long)m->cell_rows,
            (long long)m->cell_cols);
    put_keys(m, out);
    fputs("Lines: every 16 elements, or a power of two of these", out);
    fputs(m->row_cuts[0] || m->col_cuts[0] ? "; dashed: where parts meet." : ".", out);
    fputs("</figcaption></figure>\n", out);
}
