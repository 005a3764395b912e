/* One run of `inferno conform` over ops: what it was asked, what it has open, what came of it. */
#ifndef CONFORM_OPS_SESSION_H
#define CONFORM_OPS_SESSION_H

#include <stdbool.h>

#include "options.h"
#include "progress.h"
#include "rounds.h"
#include "run_report.h"
#include "runner.h"
#include "selection.h"

/* What there is time for while the cases of an op are judged: what its certificate promises, and
 * the cases of the next op. */
typedef struct ops_ahead {
    ifn_op op;                    /* at hand */
    bool is_promised, is_planned; /* this one; the next one */
    conform_plan plan;
} ops_ahead;

typedef struct ops_session {
    conform_options options;
    conform_selection selection;
    conform_tested tested[CONFORM_MAX_TESTED];
    conform_runner runner;
    conform_report report;
    report_origin origin;
    ops_ahead ahead;
    int64_t n_cases;            /* planned so far */
    int64_t n_told, n_to_tell;  /* verdicts of the op at hand: so far, in all */
    int64_t n_deaths, n_judged; /* failed cases so far */
    conform_rounds rounds;
    bool is_cut_short; /* the round at hand */
    progress progress;
    bool is_writing;
} ops_session;

/* Selects, opens the backends in their processes, and notes in the report what is judged how. */
ifn_status ops_session_open(ops_session *s, ifn_error *err);
void ops_session_close(ops_session *s);

#endif
