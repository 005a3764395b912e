/* Breaks text for a terminal into lines of 80 columns. */
#ifndef CONFORM_REPORT_WRAP_H
#define CONFORM_REPORT_WRAP_H

#include <stdio.h>

enum { REPORT_COLUMNS = 80 };

/* Breaks the lines of a text at blanks and indents the continuation lines. Lines with an id, a command or the verdict
 * stay whole, as they are to be copied or searched. Escape sequences of colours have no width. */
void conform_put_wrapped(const char *text, FILE *out);

#endif
