/*
 * The worker: the process that runs the cases of one backend. It opens the backend itself, so that damage stays in it.
 * The parent restarts it after a case that killed it.
 */
#ifndef CONFORM_WORKER_H
#define CONFORM_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "judge.h"
#include "run_clock.h"
#include "words.h"
#include "worker_line.h"

enum { CONFORM_BATCH_SLOTS = 64, CONFORM_BATCHES = 3 };
/* The batch of single cases. */
enum { CONFORM_SINGLE = CONFORM_BATCHES - 1 };

/* A backend under test: a label for reports and a function that opens it. */
typedef struct conform_tested {
    const char *label;
    ifn_status (*open)(const struct conform_tested *self, ifn_backend **out, ifn_error *err);
    const void *cookie;
} conform_tested;

/* A batch of slots, which the parent fills and every worker judges. In shared memory. */
typedef struct conform_batch {
    conform_pool pool; /* the parent's, holds what the slots point to */
    int32_t n;
    int64_t at[CONFORM_BATCH_SLOTS]; /* the index in the run of each slot's case */
    conform_slot slots[CONFORM_BATCH_SLOTS];
    conform_verdict verdicts[CONFORM_MAX_TESTED][CONFORM_BATCH_SLOTS];
} conform_batch;

/* What one worker tells its parent. In shared memory. */
typedef struct conform_channel {
    conform_line line;
    conform_site site;
    conform_words words;                /* of all workers of this backend so far */
    ifn_error error;                    /* why the backend could not be opened */
    char expression[64];                /* what the label resolved to */
    char by[IFN_OP_COUNT][32];          /* the backend that implements each op */
    int32_t is_inherited[IFN_OP_COUNT]; /* it is not the innermost backend */
    int32_t is_device;
    char arithmetic[IFN_OP_COUNT][CONFORM_ARITHMETIC_BYTES]; /* conform_arithmetic_stated */
} conform_channel;

typedef struct conform_worker {
    pid_t pid;         /* 0: none */
    bool is_over;      /* it has ended and been waited for: `status` is set */
    int status;        /* as of waitpid */
    int words;         /* the read end of the pipe of its output; -1: none */
    int batch;         /* being run; -1: idle */
    int64_t seen_step; /* the call that the watchdog saw last, and since when */
    run_clock seen;
} conform_worker;

/* Fills in the channel for the backend that was opened. */
void conform_channel_describe(conform_channel *channel, ifn_backend *backend);

/* The loop of the child; returns its exit status. `words`: the read end of the pipe of its output. */
int conform_worker_main(const conform_tested *tested, int index, conform_batch *const *batches,
                        conform_channel *channel, ifn_backend *scalar, int words);

#endif
