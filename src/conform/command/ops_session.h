/* The state of a run of `inferno conform` over ops: options, open backends, report. */
#ifndef CONFORM_OPS_SESSION_H
#define CONFORM_OPS_SESSION_H

#include <stdbool.h>

#include "options.h"
#include "progress.h"
#include "rounds.h"
#include "run_report.h"
#include "runner.h"
#include "selection.h"

/* Work done while workers judge the cases of an op: noting what its certificate promises, and planning the next op. */
typedef struct ops_ahead {
    ifn_op op;                    /* the current op */
    bool is_promised, is_planned; /* its promise is noted; the next op is planned */
    conform_plan plan;
} ops_ahead;

typedef struct ops_session {
    conform_options options;
    conform_selection selection;
    conform_tested tested[CONFORM_MAX_TESTED];
    conform_runner runner;
    conform_report report;
    report_origin origin;
    conform_report baseline; /* read before the run, which may write to the same file */
    bool has_baseline;
    ops_ahead ahead;
    int64_t n_cases;            /* planned so far */
    int64_t n_told, n_to_tell;  /* verdicts of the current op: so far, in all */
    int64_t n_deaths, n_judged; /* failed cases so far: by death of a process, by judgement */
    conform_rounds rounds;
    bool is_cut_short; /* the current round ended early */
    progress progress;
    bool is_writing;
} ops_session;

/* Selects the cases, opens the backends in their worker processes, and fills in the head of the report. */
ifn_status ops_session_open(ops_session *s, ifn_error *err);
void ops_session_close(ops_session *s);

#endif
