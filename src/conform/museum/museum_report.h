/* The result of running the museum: the kill matrix. */
#ifndef CONFORM_MUSEUM_REPORT_H
#define CONFORM_MUSEUM_REPORT_H

#include <stdio.h>

#include <inferno/ops.h>

#include "detectors.h"
#include "museum_list.h"
#include "report_origin.h"

/* The first case by which a detector noticed a fault; cases run cheapest first. */
typedef struct conform_museum_kill {
    int32_t is_there;
    int64_t work;   /* floating-point operations of the case, or elements */
    double seconds; /* since the start of the fault's run */
    char id[CONFORM_ID_BYTES];
} conform_museum_kill;

typedef struct conform_museum_row {
    const conform_museum_fault *fault; /* borrowed from the plugin */
    ifn_op op;
    int64_t n_cases;
    double seconds;
    conform_museum_kill kills[DETECTOR_COUNT];
} conform_museum_row;

typedef struct conform_museum_report {
    report_origin origin;
    char museum[256], base[64], profile[16];
    uint64_t seed;
    int32_t n_detectors; /* so many detectors had to notice a fault before its run stopped */
    int32_t is_whole;    /* all faults of the museum were run */
    int32_t is_shipped;  /* the museum is inferno's own */
    double seconds;
    int n;
    conform_museum_row *rows; /* [n] */
} conform_museum_report;

/* Returns the detector whose case was the cheapest; -1: none. A judgement comes before a crash. */
int conform_museum_killer(const conform_museum_row *row);
/* Returns 1 if a judgement noticed the fault. */
int conform_museum_is_killed(const conform_museum_row *row);
/* Returns the only judging detector that noticed it; -1: several, or none. */
int conform_museum_only_killer(const conform_museum_row *row);

typedef struct conform_museum_sum {
    int killed, crashed, survived; /* faults: noticed by a judgement; only by a crash; unnoticed */
    int kills[DETECTOR_COUNT];     /* faults that each detector notices */
    int only[DETECTOR_COUNT];      /* faults that no other detector notices */
} conform_museum_sum;

conform_museum_sum conform_museum_add_up(const conform_museum_report *r);

/* Consecutive rows of one year. */
typedef struct conform_museum_wing {
    int32_t year; /* 0: bugs of other years, and the project's own */
    int n, killed;
} conform_museum_wing;

/* The wing that begins with row `first`. */
conform_museum_wing conform_museum_wing_at(const conform_museum_report *r, int first);
/* Writes the name: "bugs of 2026", or that of the wing of all others. */
void conform_museum_wing_name(const conform_museum_wing *wing, char out[40]);

/* Returns 1 if the run looked for a second detector of each fault; only then `only` is known. */
int conform_museum_knows_lone(const conform_museum_report *r);

/* Counts detectors that are never the only one to notice a fault and that give no reason to stay. 0 if that is not
 * known: it needs a run of the whole museum that looks for a second detector of each fault. */
int conform_museum_unexplained(const conform_museum_report *r, const conform_museum_sum *sum);

void conform_museum_text(const conform_museum_report *r, FILE *out);
void conform_museum_json(const conform_museum_report *r, FILE *out);
void conform_museum_html(const conform_museum_report *r, FILE *out);

#endif
