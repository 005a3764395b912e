/* Which reports may be added up: those of one program and one plan, each shard once. */
#ifndef CONFORM_JOIN_H
#define CONFORM_JOIN_H

#include "run_report.h"

typedef struct conform_join {
    conform_report *sum;   /* borrowed */
    const char *first;     /* the report that the others are held against */
    const char *first_ops; /* the same of those that judge ops */
    int64_t n_shards;
    unsigned char *seen[CONFORM_MAX_TESTED]; /* [n_shards] of each backend of the sum, owned */
} conform_join;

/* Adds a report, or says why it does not belong: IFN_ERR_FORMAT. */
IFN_NODISCARD ifn_status conform_join_add(conform_join *self, const char *path,
                                          const conform_report *one, ifn_error *err);

/* Says which shards are missing, as problems of the sum, and accounts for the whole. */
void conform_join_finish(conform_join *self);
void conform_join_close(conform_join *self);

#endif
