/*
 * A file of cases ("inferno: cases/1", spec/schema.yaml): their ids, and the values of GOLDEN cases.
 * `--shrunk FILE` writes such a file, `inferno conform --case FILE` runs it.
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

/* Checks a case that a person wrote. IFN_ERR_ARGUMENT: the op has no such case, or the case has more than
 * CASE_ELEMENTS_MAX elements (GOLDEN cases, whose values are written out: WRITTEN_ELEMENTS_MAX). */
IFN_NODISCARD ifn_status conform_case_check(const conform_case *c, ifn_error *err);

/*
 * Reads the file. The GOLDEN cases of each op are numbered from 1 in the order of the file, whatever their
 * ids say, and their entries replace the golden entries of specs[op]. IFN_ERR_IO, IFN_ERR_FORMAT with file,
 * line and column.
 */
IFN_NODISCARD ifn_status conform_cases_read(const char *path, spec_op *specs[IFN_OP_COUNT],
                                            conform_cases *out, ifn_error *err);
/* Does the same for one case, with its inputs as text: "a: [[1, 2]], ids: [[3]]". */
IFN_NODISCARD ifn_status conform_cases_read_values(const char *id, const char *values,
                                                   spec_op *specs[IFN_OP_COUNT], conform_cases *out,
                                                   ifn_error *err);
void conform_cases_free(conform_cases *self);

/* The keys of the file's outermost map, and those of one case. */
extern const spec_table spec_table_cases, spec_table_case;

#endif
