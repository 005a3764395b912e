/*
 * A map of the wrong elements of a tensor, small enough to be kept with a failure. Each cell of a grid has the
 * letter of its worst element:
 *
 *   .        within the bound        ' '  not compared
 *   a .. y   beyond it: up to 2, 4, ... 2^25 times the bound, and more
 *   z        no number where one belongs, or a number where none does, or unequal bits
 */
#ifndef CONFORM_ERROR_MAP_H
#define CONFORM_ERROR_MAP_H

#include "pattern.h"

enum { ERROR_MAP_ROWS = 32, ERROR_MAP_COLS = 64 };

/* All zero: there is no map. */
typedef struct error_map {
    int64_t rows, cols;           /* of the tensor */
    int64_t cell_rows, cell_cols; /* elements of a cell; those at the end may have fewer */
    char cells[ERROR_MAP_ROWS * ERROR_MAP_COLS + 1]; /* row by row */
    char row_cuts[64], col_cuts[64]; /* where parts of the call meet: "4 9"; empty: nowhere */
} error_map;

/* Draws the map from the marks of wrong elements. Errors are measured if w->got and a bound are known. */
void error_map_draw(error_map *self, const conform_wrong *w);

/* The number of cells in a row of the map, and the number of its rows. */
int64_t error_map_width(const error_map *self);
int64_t error_map_height(const error_map *self);
/* 1 if the map, which may have been read from a file, is consistent and can be drawn. */
int error_map_is_sound(const error_map *self);

#endif
