/* Adds up reports of one program and one plan, each shard once; refuses all others. */
#ifndef CONFORM_JOIN_H
#define CONFORM_JOIN_H

#include "run_report.h"

typedef struct conform_join {
    conform_report *sum;   /* borrowed */
    const char *first;     /* path of the first report, with which later ones must agree */
    const char *first_ops; /* the same for reports with cases of ops */
    int64_t n_shards;
    unsigned char *seen[CONFORM_MAX_TESTED]; /* [n_shards] for each backend of the sum, owned */
} conform_join;

/* Adds a report. IFN_ERR_FORMAT: it does not belong to the others. */
IFN_NODISCARD ifn_status conform_join_add(conform_join *self, const char *path,
                                          const conform_report *one, ifn_error *err);

/* Adds problems to the sum for missing shards, and calls conform_report_account for it. */
void conform_join_finish(conform_join *self);
void conform_join_close(conform_join *self);

#endif
