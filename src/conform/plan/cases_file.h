/*
 * A file of cases ("inferno: cases/1", spec/schema.yaml): ids, and for GOLDEN ones the values. What
 * --shrunk writes; `inferno conform --case FILE` runs it.
 */
#ifndef CONFORM_CASES_FILE_H
#define CONFORM_CASES_FILE_H

#include "module.h"
#include "spec.h"
#include "spec_read.h"

typedef struct conform_cases {
    conform_case *cases; /* owned */
    int64_t n;
} conform_cases;

enum { CASES_FILE_MAX = 4096, CASE_ELEMENTS_MAX = 1 << 28, WRITTEN_ELEMENTS_MAX = 1 << 23 };

/* Cases that people write: IFN_ERR_ARGUMENT where the op has no such case, or none that fits into
 * memory (CASE_ELEMENTS_MAX; WRITTEN_ELEMENTS_MAX where the values are written, too). */
IFN_NODISCARD ifn_status conform_case_check(const conform_case *c, ifn_error *err);

/*
 * Reads the file. GOLDEN cases count from 1 for each op, in the order of the file, whatever their
 * ids say; their entries take the place of the golden entries of specs[op]. IFN_ERR_IO,
 * IFN_ERR_FORMAT with file, line and column.
 */
IFN_NODISCARD ifn_status conform_cases_read(const char *path, spec_op *specs[IFN_OP_COUNT],
                                            conform_cases *out, ifn_error *err);
/* The same for one case, whose inputs are written as in "a: [[1, 2]], ids: [[3]]". */
IFN_NODISCARD ifn_status conform_cases_read_values(const char *id, const char *values,
                                                   spec_op *specs[IFN_OP_COUNT], conform_cases *out,
                                                   ifn_error *err);
void conform_cases_free(conform_cases *self);

/* The maps of such a file, and what a case in it is. */
extern const spec_table spec_table_cases, spec_table_case;

#endif
