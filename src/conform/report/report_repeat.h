/* The command that repeats one failure alone. */
#ifndef CONFORM_REPORT_REPEAT_H
#define CONFORM_REPORT_REPEAT_H

#include "run_report.h"

/* Prints "inferno conform --backend ... --case ... --in-process" with the smallest case, and its values if they are
 * few. A failure that ends the process, or that only another process can see, is repeated in a worker instead; one that
 * does not occur every time gets --repeat until. */
void conform_put_repeat(const conform_report *r, const conform_failure *f, FILE *out);

/* Returns the same as a string, which the caller frees; "" if memory runs out. */
char *conform_repeat_text(const conform_report *r, const conform_failure *f);

/* Returns the id of the smallest case, or of the case itself if it was not shrunk. */
const char *conform_repeated_id(const conform_failure *f);

#endif
