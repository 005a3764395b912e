/* What a backend would put beside the files of `conform export`: the outputs of scalar. */
#ifndef CONFORM_ANSWERS_H
#define CONFORM_ANSWERS_H

#include "case_pool.h"
#include "module.h"
#include "option_values.h"
#include "spec.h"

typedef struct answers {
    conform_pool pool;
    ifn_backend *scalar;
    conform_options under; /* what export was told of products; all f32 unless a test says so */
    spec_op *specs[IFN_OP_COUNT]; /* of the project; a test may put in one of its own */
} answers;

/* Abort where something fails. */
void answers_open(answers *self);
void answers_close(answers *self);

/* Puts the outputs of a case into a folder of `dir`. A case that scalar refuses has none. */
void answers_put(answers *self, const char *dir, const char *id, const char *folder);
/* The same of each case of the index. */
void answers_put_all(answers *self, const char *dir);

#endif
