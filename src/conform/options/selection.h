/* Selects the cases that a command line asks for: from the shipped specs, from a given spec, or from a file of cases.
 * */
#ifndef CONFORM_SELECTION_H
#define CONFORM_SELECTION_H

#include <stdbool.h>

#include "cases_file.h"
#include "options.h"

typedef struct conform_selection {
    const conform_options *options; /* borrowed */
    spec_op *specs[IFN_OP_COUNT];   /* owned; NULL if no case of the op is selected */
    conform_cases cases;            /* of --spec FILE or --case FILE; none: no file of cases */
    int only;                       /* the op of --spec FILE; -1: all */
    bool is_case_a_file;            /* --case names a file of cases */
} conform_selection;

/* Reads the specs of the selected ops only. IFN_ERR_FORMAT: a file is malformed; other errors: it cannot be read, or
 * the options contradict each other. */
IFN_NODISCARD ifn_status conform_selection_open(conform_selection *self, const conform_options *o,
                                                ifn_error *err);
/* Also closes an all-zero selection. */
void conform_selection_close(conform_selection *self);

/* Plans the selected cases of an op. A plan without cases is no error. */
IFN_NODISCARD ifn_status conform_selection_plan(const conform_selection *self, ifn_op op,
                                                conform_plan *out, ifn_error *err);

#endif
