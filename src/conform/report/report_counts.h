/* The data of a report: counts per op and backend, failures, and the origin of the run. */
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

enum {
    REPORT_KEPT = 6,           /* failures kept in full of one op, backend, judgement; all count */
    REPORT_PROBLEMS = 64,      /* problems that are listed; more are only counted */
    REPORT_LABEL_BYTES = 1024, /* a plugin's path is part of it */
    REPORT_NAME_BYTES = 32,
    REPORT_FILTER_BYTES = 256
};

/* The cases planned for one backend: in this shard (cases, digest) and in all shards together (whole, whole_digest). A
 * digest is the sum of the hashes of the cases. All 0: the plan is unknown, or the run had no cases of ops. */
typedef struct conform_planned {
    int64_t cases, whole;
    uint64_t digest, whole_digest;
} conform_planned;

/* Running sums of samples, from which mean and standard error follow. Two of them merge by addition. */
typedef struct conform_mean {
    int64_t n;
    double sum, squares;
} conform_mean;

/* Evidence beyond cases of ops: runs of whole models, or faults of the museum. */
typedef struct conform_evidence {
    int64_t executed, failed;
} conform_evidence;

/* The counts of one op with weights of one dtype, either raw or prepared. */
typedef struct conform_kind {
    int64_t executed, refused; /* cases */
    int64_t undeclared;        /* refused cases whose refusal the manifest does not declare */
    int64_t failed;            /* executed cases that failed */
    double ratio;              /* the worst error / bound of executed cases */
    conform_mean bias;         /* of a T2 case: sum(e) / sqrt(sum(e^2)), e = (got - want) / bound */
    conform_mean outward; /* the same with the sign of the truth: positive means away from zero */
    conform_mean lean;    /* how far the mean of either may lie from 0 (numerics 4.5) */
    int64_t t2_cases;     /* passed T2 cases with long sums: conform_sum_is_long */
    double t2_ratio;      /* the worst error / bound of these */
} conform_kind;

/* How often one of R0 .. R10 was tried, held and was demanded: the sum of conform_relation over cases. */
typedef struct conform_relation_count {
    int64_t tried, held, demanded;
} conform_relation_count;

/* The results of one op on one backend. */
typedef struct conform_cell {
    int64_t cases, passed, refused, failed;
    int64_t undeclared;   /* refusals that the manifest does not declare */
    int64_t computed;     /* executed cases, without those whose calls must be refused (tier RE) */
    int64_t blunt, sharp; /* cases with a power below 1; cases with a power of 1 or more */
    int64_t calls, compared;
    int64_t left_upper, left_tiles; /* cases that left upper vector halves, tiles in use (abi.h) */
    double seconds; /* wall time, summed over cases that may run in parallel processes */
    int64_t swept;  /* of `compared`: elements of sweeps over all values (exhaustive.h) */
    double ratio, scalar_ratio; /* the worst error / bound against the truth, and against scalar */
    char worst[CONFORM_ID_BYTES];
    char by[REPORT_NAME_BYTES]; /* the backend that implements the op; empty: unknown */
    int32_t is_inherited;       /* `by` is another backend than the one under test */
    char arithmetic[CONFORM_ARITHMETIC_BYTES]; /* the declared arithmetic; empty: f32 */
    int64_t headroom[HEADROOM_BINS];           /* cases by their own worst error / bound */
    int64_t checks[CHECK_COUNT];
    conform_kind kinds[IFN_DTYPE_COUNT][2];
    conform_relation_count relations[CONFORM_INVARIANCES];
    conform_reach reach; /* the part of the certificate for this op; owned */
} conform_cell;

typedef struct conform_failure {
    ifn_op op;
    int32_t tested;
    conform_case c; /* the case of `id`; from a report of another version maybe its op alone */
    conform_verdict verdict;
    int64_t cases; /* 1, plus the failures of the same cause (op, backend, judgement, dtype) that
                     * are not kept */
    /* conform_check_name(verdict.check); "fault" in JSON; kept for reports that are read back */
    char check[24];
    char id[CONFORM_ID_BYTES], shrunk[CONFORM_ID_BYTES];
    char nature[120]; /* "deterministic: ..."; empty if the case was not repeated */
    char when[400];   /* which sizes and forms near the smallest case fail; may be empty */
    char written[CONFORM_ID_BYTES]; /* the id of the smallest case, for `values`; empty: none */
    spec_entry *values;             /* owned by the report; NULL: none, or read back from a file */
    char *again;                    /* the command that repeats it, if the report was read from a
                                     * file; owned; NULL: report_repeat.h composes it */
} conform_failure;

typedef struct conform_report {
    int n_tested;
    char label[CONFORM_MAX_TESTED][REPORT_LABEL_BYTES];
    char expression[CONFORM_MAX_TESTED][REPORT_LABEL_BYTES];
    char said[CONFORM_MAX_TESTED][16]; /* the rank that a report read from a file states */
    report_binary binary[CONFORM_MAX_TESTED];
    conform_planned planned[CONFORM_MAX_TESTED];
    conform_evidence end_to_end[CONFORM_MAX_TESTED];
    conform_evidence museum; /* evidence about the harness itself, the same for every backend */
    report_origin origin;
    char profile[16], shard[32];       /* "i/n", "merged"; empty: no cases of ops */
    char filters[REPORT_FILTER_BYTES]; /* options that leave cases out; empty: none was given */
    /* Options to append to a command that repeats a case: "", or text that begins with a space. */
    char how[REPORT_LABEL_BYTES];
    int32_t shows_all; /* text output lists every kept failure, not one of each cause */
    uint64_t seed;
    int64_t rounds_begun, rounds_done; /* seeds from `seed` on; 0: no cases of ops */
    double seconds;
    int32_t registers_checked, upper_checked; /* abi.h: whether this machine can check them */
    int32_t is_in_process; /* no worker processes: how they behave and end was not seen */
    int32_t is_unguarded;  /* guard_arena.h: pages were not protected */
    conform_cell *cells;   /* [IFN_OP_COUNT][CONFORM_MAX_TESTED]; owned */
    int64_t n_failures, capacity;
    conform_failure *failures; /* owned */
    int64_t n_rows, row_capacity;
    e2e_row *rows;    /* of whole models, owned */
    bool lists_reach; /* the text lists every hole of the certificate */
    int n_problems;   /* problems other than failed cases */
    int n_unlisted;   /* problems that found no room in the list; its last entry says how many */
    char problems[REPORT_PROBLEMS][448];
} conform_report;

#endif
