/*
 * Which elements of a tensor are wrong, and by how much, as a picture small enough to be kept with a
 * failure: a letter for each cell of a grid, which is the worst of its elements.
 *
 *   .        within the bound        ' '  not compared
 *   a .. y   beyond it: up to 2, 4, ... 2^25 times and more
 *   z        no number where one belongs, or the other way round, or other bits
 */
#ifndef CONFORM_ERROR_MAP_H
#define CONFORM_ERROR_MAP_H

#include "pattern.h"

enum { ERROR_MAP_ROWS = 32, ERROR_MAP_COLS = 64 };

/* All zero: there is none. */
typedef struct error_map {
    int64_t rows, cols;           /* of the tensor */
    int64_t cell_rows, cell_cols; /* elements of a cell; those at the end may have fewer */
    char cells[ERROR_MAP_ROWS * ERROR_MAP_COLS + 1]; /* row by row */
    char row_cuts[64], col_cuts[64]; /* where parts of the call meet: "4 9"; empty: nowhere */
} error_map;

/* From the marks of wrong elements. Errors are measured where w->got and a bound are known. */
void error_map_draw(error_map *self, const conform_wrong *w);

/* How many cells there are in a row, and rows. */
int64_t error_map_width(const error_map *self);
int64_t error_map_height(const error_map *self);
/* 1: a picture can be made of it, whoever wrote it. */
int error_map_is_sound(const error_map *self);

#endif
