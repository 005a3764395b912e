/* Which cases a command line asks for: of the shipped specs, of one written elsewhere, of a file.
 */
#ifndef CONFORM_SELECTION_H
#define CONFORM_SELECTION_H

#include <stdbool.h>

#include "cases_file.h"
#include "options.h"

typedef struct conform_selection {
    const conform_options *options; /* borrowed */
    spec_op *specs[IFN_OP_COUNT];   /* owned; NULL where no case of the op is asked for */
    conform_cases cases;            /* of --spec FILE or --case FILE; none: no file of cases */
    int only;                       /* the op of --spec FILE; -1: no such file */
    bool is_case_a_file;            /* --case names no case but a file of them */
} conform_selection;

/* Reads the specs of the ops that are asked for, no other. IFN_ERR_FORMAT: a file is malformed; other errors: it cannot be read, or the
 * options do not go together. */
IFN_NODISCARD ifn_status conform_selection_open(conform_selection *self, const conform_options *o,
                                                ifn_error *err);
/* Nothing to close is fine. */
void conform_selection_close(conform_selection *self);

/* The cases of an op. None is no error. */
IFN_NODISCARD ifn_status conform_selection_plan(const conform_selection *self, ifn_op op,
                                                conform_plan *out, ifn_error *err);

#endif
