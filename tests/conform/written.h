/* The output of a function that writes a report, as a string. */
#ifndef CONFORM_WRITTEN_H
#define CONFORM_WRITTEN_H

#include <stdlib.h>

#include "run_report.h"
#include "test.h"

/* The caller frees it. */
static inline char *written(void (*write)(const conform_report *r, FILE *out),
                            const conform_report *r)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    write(r, file);
    const long n = ftell(file);
    char *text = calloc((size_t)n + 1, 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)n, file), n);
    fclose(file);
    return text;
}

#endif
