/* The command that repeats one failure alone. */
#ifndef CONFORM_REPORT_REPEAT_H
#define CONFORM_REPORT_REPEAT_H

#include "run_report.h"

/* "inferno conform --backend ... --case ... --in-process": of the smallest case, with its values
 * where these are few. What ends a process, or is only seen from another one, is repeated in a
 * worker; what does not fail every time is repeated until it does. */
void conform_put_repeat(const conform_report *r, const conform_failure *f, FILE *out);

/* The same as text, to be freed; "" when memory runs out. */
char *conform_repeat_text(const conform_report *r, const conform_failure *f);

/* The id the command names. */
const char *conform_repeated_id(const conform_failure *f);

#endif
