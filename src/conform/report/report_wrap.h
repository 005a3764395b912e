/* Text for people in 80 columns. */
#ifndef CONFORM_REPORT_WRAP_H
#define CONFORM_REPORT_WRAP_H

#include <stdio.h>

enum { REPORT_COLUMNS = 80 };

/* Breaks the lines of a text at blanks; what follows is indented. Ids and commands, which are to be
 * copied, and the verdict stay whole; colours have no width. */
void conform_put_wrapped(const char *text, FILE *out);

#endif
