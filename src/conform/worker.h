/*
 * The process that runs the cases of one backend. It opens the backend itself, so whatever the
 * backend breaks, it breaks there; the parent restarts it behind the case that killed it.
 */
#ifndef CONFORM_WORKER_H
#define CONFORM_WORKER_H

#include <sys/types.h>

#include "judge.h"

enum { CONFORM_BATCH_SLOTS = 256, CONFORM_MAX_SUBJECTS = 16, CONFORM_BATCHES = 3 };

/* What is judged: a label for reports and a way to open it. */
typedef struct conform_subject {
    const char *label;
    ifn_status (*open)(const struct conform_subject *self, ifn_backend **out, ifn_error *err);
    const void *cookie;
} conform_subject;

/* Slots that are filled by the parent and judged by every worker. In shared memory. */
typedef struct conform_batch {
    conform_pool pool; /* the parent's, for what the slots point to */
    int32_t n;
    int64_t first; /* of the cases of a run: which is in slot 0 */
    conform_slot slots[CONFORM_BATCH_SLOTS];
    conform_verdict verdicts[CONFORM_MAX_SUBJECTS][CONFORM_BATCH_SLOTS];
} conform_batch;

/* What one worker tells. In shared memory. */
typedef struct conform_channel {
    conform_site site;
    ifn_error error;                    /* why the backend could not be opened */
    char expression[64];                /* what the label resolved to */
    char by[IFN_OP_COUNT][32];          /* who implements each op */
    int32_t is_inherited[IFN_OP_COUNT]; /* not the backend that stands innermost */
} conform_channel;

typedef struct conform_worker {
    pid_t pid;         /* 0: none */
    int command, done; /* pipes: to the worker, from it */
    int batch;         /* being run; -1: idle */
    int64_t seen_step; /* the watchdog's memory */
    double seen_at;
} conform_worker;

/* From parent to worker. */
typedef struct conform_command {
    int32_t batch, first; /* slots first .. n of the batch */
} conform_command;

/* From worker to parent, one byte. */
enum { WORKER_READY = 'R', WORKER_DONE = 'D', WORKER_NO_BACKEND = 'E' };

/* Says what was opened. */
void conform_channel_describe(conform_channel *channel, ifn_backend *backend);

/* The loop of the child; returns its exit status. */
int conform_worker_main(const conform_subject *subject, int index, conform_batch *const *batches,
                        conform_channel *channel, int command, int done);

#endif
