#include "error_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int64_t cells_of(int64_t n, int64_t cell)
{
    return cell > 0 ? (n + cell - 1) / cell : 0;
}

int64_t error_map_width(const error_map *self)
{
    return cells_of(self->cols, self->cell_cols);
}

int64_t error_map_height(const error_map *self)
{
    return cells_of(self->rows, self->cell_rows);
}

int error_map_is_sound(const error_map *self)
{
    const int64_t width = error_map_width(self), height = error_map_height(self);
    return self->rows > 0 && self->cols > 0 && width > 0 && width <= ERROR_MAP_COLS && height > 0 &&
           height <= ERROR_MAP_ROWS && strlen(self->cells) == (size_t)(width * height);
}

/* The letter of a wrong element. */
static char letter_of(const conform_wrong *w, int64_t i)
{
    const conform_tensor *const t = w->t;
    float got;
    if (!w->got || !w->truth || w->truth->class != CLASS_BOUND || t->element != ELEMENT_F32)
        return 'z';
    memcpy(&got,
           (const char *)w->got + (size_t)(i / t->cols * t->stride + i % t->cols) * sizeof got,
           sizeof got);
    const double ratio = fabs((double)got - w->truth->want[i]) / w->truth->bound[i];
    if (!isfinite(ratio))
        return 'z';
    const int octaves = (int)ceil(log2(ratio > 1.0 ? ratio : 1.0));
    return (char)('a' + (octaves < 1 ? 0 : octaves > 25 ? 24 : octaves - 1));
}

static char element_of(const conform_wrong *w, int64_t i)
{
    if (w->marks[i])
        return letter_of(w, i);
    return w->truth && w->truth->skip && w->truth->skip[i] ? ' ' : '.';
}

/* The worse letter, in the order ' ', '.', a .. z, which is that of ASCII. */
static char worse(char a, char b)
{
    return a > b ? a : b;
}

static void list_cuts(char *out, size_t bytes, const int64_t *cuts, int n)
{
    size_t used = 0;
    *out = '\0';
    for (int i = 0; i < n && used < bytes; i++)
        used += (size_t)snprintf(out + used, bytes - used, "%s%lld", used ? " " : "",
                                 (long long)cuts[i]);
}

void error_map_draw(error_map *self, const conform_wrong *w)
{
    const conform_tensor *const t = w->t;
    *self = (error_map){0};
    if (t->rows < 1 || t->cols < 1)
        return;
    self->rows = t->rows;
    self->cols = t->cols;
    self->cell_rows = cells_of(t->rows, ERROR_MAP_ROWS);
    self->cell_cols = cells_of(t->cols, ERROR_MAP_COLS);
    const int64_t width = error_map_width(self), n = width * error_map_height(self);
    memset(self->cells, ' ', (size_t)n);
    for (int64_t i = 0; i < t->rows * t->cols; i++) {
        char *const cell =
            &self->cells[i / t->cols / self->cell_rows * width + i % t->cols / self->cell_cols];
        *cell = worse(*cell, element_of(w, i));
    }
    if (w->borders) {
        list_cuts(self->row_cuts, sizeof self->row_cuts, w->borders->rows, w->borders->n_rows);
        list_cuts(self->col_cuts, sizeof self->col_cuts, w->borders->cols, w->borders->n_cols);
    }
}
