/*
 * The process that runs the cases of one backend. It opens the backend itself, so whatever the
 * backend breaks, it breaks there; the parent restarts it after the case that killed it.
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

/* What is judged: a label for reports and a way to open it. */
typedef struct conform_tested {
    const char *label;
    ifn_status (*open)(const struct conform_tested *self, ifn_backend **out, ifn_error *err);
    const void *cookie;
} conform_tested;

/* Slots that are filled by the parent and judged by every worker. In shared memory. */
typedef struct conform_batch {
    conform_pool pool; /* the parent's, for what the slots point to */
    int32_t n;
    int64_t at[CONFORM_BATCH_SLOTS]; /* which case of a run is in a slot */
    conform_slot slots[CONFORM_BATCH_SLOTS];
    conform_verdict verdicts[CONFORM_MAX_TESTED][CONFORM_BATCH_SLOTS];
} conform_batch;

/* What one worker tells. In shared memory. */
typedef struct conform_channel {
    conform_line line;
    conform_site site;
    conform_words words;                /* of all its workers, one after the other */
    ifn_error error;                    /* why the backend could not be opened */
    char expression[64];                /* what the label resolved to */
    char by[IFN_OP_COUNT][32];          /* who implements each op */
    int32_t is_inherited[IFN_OP_COUNT]; /* not the backend that stands innermost */
    int32_t is_device;
    char arithmetic[IFN_OP_COUNT][CONFORM_ARITHMETIC_BYTES]; /* conform_arithmetic_stated */
} conform_channel;

typedef struct conform_worker {
    pid_t pid;         /* 0: none */
    bool is_over;      /* it has ended, and been waited for: `status` */
    int status;        /* as of waitpid */
    int words;         /* the end of a pipe where its words are heard; -1: none */
    int batch;         /* being run; -1: idle */
    int64_t seen_step; /* the watchdog's memory: the call that it saw last, and since when */
    run_clock seen;
} conform_worker;

/* Says what was opened. */
void conform_channel_describe(conform_channel *channel, ifn_backend *backend);

/* The loop of the child; returns its exit status. `words`: where what it prints is heard. */
int conform_worker_main(const conform_tested *tested, int index, conform_batch *const *batches,
                        conform_channel *channel, ifn_backend *scalar, int words);

#endif
