/* Writes the outputs that a backend would put next to the files of `conform export`; scalar computes them. */
#ifndef CONFORM_ANSWERS_H
#define CONFORM_ANSWERS_H

#include "case_pool.h"
#include "module.h"
#include "option_values.h"
#include "spec.h"

typedef struct answers {
    conform_pool pool;
    ifn_backend *scalar;
    conform_options under;        /* of products, as for export; all f32 unless a test changes it */
    spec_op *specs[IFN_OP_COUNT]; /* those of the source tree; a test may replace one */
} answers;

/* Aborts if anything fails. */
void answers_open(answers *self);
void answers_close(answers *self);

/* Writes the outputs of a case into a folder of `dir`; none for a case that scalar refuses. */
void answers_put(answers *self, const char *dir, const char *id, const char *folder);
/* The same for each case of the index. */
void answers_put_all(answers *self, const char *dir);

#endif
