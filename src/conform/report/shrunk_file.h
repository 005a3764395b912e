/* The smallest failing cases of a report, as a file of cases: `conform --spec` runs it. */
#ifndef CONFORM_SHRUNK_FILE_H
#define CONFORM_SHRUNK_FILE_H

#include "run_report.h"

/* Writes the file; has the type that conform_write_file takes. */
void conform_put_shrunk(const conform_report *report, FILE *out);

/* Prints the values of a failure's smallest case on one line, as --values takes them; nothing if it has none. */
void conform_put_values(const conform_failure *f, FILE *out);

#endif
