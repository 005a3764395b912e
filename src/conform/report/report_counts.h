/* What a run found, per op and backend: the counts, the failures, and where they come from. */
#ifndef CONFORM_REPORT_COUNTS_H
#define CONFORM_REPORT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "declared.h"
#include "e2e_row.h"
#include "headroom.h"
#include "reach.h"
#include "report_origin.h"
#include "verdict.h"

/* Failures of one op on one backend, by one judgement, that are kept in full; all are counted. */
enum {
    REPORT_KEPT = 6,
    REPORT_PROBLEMS = 64,      /* that are listed; there may be more */
    REPORT_LABEL_BYTES = 1024, /* a plugin's path is part of it */
    REPORT_NAME_BYTES = 32,
    REPORT_FILTER_BYTES = 256
};

/* What one backend was to be judged by: of this shard, and of all shards together. A digest is the
 * sum of the cases' hashes. All 0: nothing is known of it, or no cases of ops were asked for. */
typedef struct conform_planned {
    int64_t cases, whole;
    uint64_t digest, whole_digest;
} conform_planned;

/* Samples by their sums: can be added to, and merged. */
typedef struct conform_mean {
    int64_t n;
    double sum, squares;
} conform_mean;

/* What stands for more than ops: whole models, faults of a museum. */
typedef struct conform_evidence {
    int64_t executed, failed;
} conform_evidence;

typedef struct conform_kind {
    int64_t executed, refused; /* of one dtype, raw or prepared */
    int64_t undeclared;        /* of `refused`: no manifest declares these */
    int64_t failed;            /* of `executed` */
    double ratio;              /* the worst error / bound of `executed` */
    conform_mean bias;         /* sum of (got - want) / bound by its root of squares: T2 cases */
    conform_mean outward;      /* the same, positive away from zero */
    conform_mean lean;         /* how far either may be from 0 on average (numerics 4.5) */
    int64_t t2_cases;          /* of tier T2 with long sums: conform_sum_is_long */
    double t2_ratio;           /* the worst error / bound of these */
} conform_kind;

/* One of R0 .. R10: conform_relation, summed up. */
typedef struct conform_relation_count {
    int64_t tried, held, demanded;
} conform_relation_count;

/* One op on one backend. */
typedef struct conform_cell {
    int64_t cases, passed, refused, failed;
    int64_t undeclared;   /* refusals that no manifest declares */
    int64_t computed;     /* executed, and no call that had to be refused */
    int64_t blunt, sharp; /* cases with a power below 1, and from 1 on */
    int64_t calls, compared;
    int64_t left_upper, left_tiles; /* cases that left such registers in use (abi.h) */
    double seconds;                 /* by the clock, of all cases: processes have theirs at once */
    int64_t swept;                  /* of `compared`: in sweeps over all values (exhaustive.h) */
    double ratio, scalar_ratio;     /* worst error / bound of what passed or failed by value */
    char worst[CONFORM_ID_BYTES];
    char by[REPORT_NAME_BYTES]; /* who implements the op; empty: unknown */
    int32_t is_inherited;       /* that is another than the backend which was asked for */
    char arithmetic[CONFORM_ARITHMETIC_BYTES]; /* that is declared; empty: f32 */
    int64_t headroom[HEADROOM_BINS];           /* cases by their own worst error / bound */
    int64_t checks[CHECK_COUNT];
    conform_kind kinds[IFN_DTYPE_COUNT][2];
    conform_relation_count relations[CONFORM_INVARIANCES];
    conform_reach reach; /* of the certificate; owned */
} conform_cell;

typedef struct conform_failure {
    ifn_op op;
    int32_t tested;
    conform_case c; /* what `id` names; of a report of another version maybe its op alone */
    conform_verdict verdict;
    int64_t cases; /* this one, and those of its cause that are not kept: the same op, backend,
                     * judgement and dtype */
    char check
        [24]; /* conform_check_name(verdict.check); "fault" in JSON; kept for reports that are read back */
    char id[CONFORM_ID_BYTES], shrunk[CONFORM_ID_BYTES];
    char nature[120]; /* "deterministic: ..."; empty where it was not looked into */
    char when[400];   /* which sizes and forms fail around the smallest case; may be empty */
    char written[CONFORM_ID_BYTES]; /* the smallest case with the values below; empty: none */
    spec_entry *values;             /* owned by the report; NULL: none, or read back from a file */
    char *again;                    /* the command that repeats it, of a report that was read back;
                                     * owned; NULL: report_repeat.h makes it */
} conform_failure;

typedef struct conform_report {
    int n_tested;
    char label[CONFORM_MAX_TESTED][REPORT_LABEL_BYTES];
    char expression[CONFORM_MAX_TESTED][REPORT_LABEL_BYTES];
    char said[CONFORM_MAX_TESTED][16]; /* the rank that a report read from a file states */
    report_binary binary[CONFORM_MAX_TESTED];
    conform_planned planned[CONFORM_MAX_TESTED];
    conform_evidence end_to_end[CONFORM_MAX_TESTED];
    conform_evidence museum; /* of the harness, whatever the backend */
    report_origin origin;
    char profile[16], shard[32];       /* "i/n", "merged"; empty: no cases of ops */
    char filters[REPORT_FILTER_BYTES]; /* options that leave cases out; empty: none does */
    /* Options that a case needs to be repeated: "", or from a space on. */
    char how[REPORT_LABEL_BYTES];
    int32_t shows_all; /* every failure for people, not one of each cause */
    uint64_t seed;
    int64_t rounds_begun, rounds_done; /* seeds from `seed` on; 0: no cases of ops */
    double seconds;
    int32_t registers_checked, upper_checked; /* abi.h: whether this machine can */
    int32_t is_unguarded;                     /* guard_arena.h: pages were not protected */
    conform_cell *cells;                      /* [IFN_OP_COUNT][n_tested] */
    int64_t n_failures, capacity;
    conform_failure *failures; /* owned */
    int64_t n_rows, row_capacity;
    e2e_row *rows;    /* of whole models, owned */
    bool lists_reach; /* the text lists every hole of the certificate */
    int n_problems;   /* beyond failed cases */
    int n_unlisted;   /* for which there was no room: the last one says how many */
    char problems[REPORT_PROBLEMS][448];
} conform_report;

#endif
