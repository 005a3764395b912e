/* What a sweep through the museum found. */
#ifndef CONFORM_MUSEUM_REPORT_H
#define CONFORM_MUSEUM_REPORT_H

#include <stdio.h>

#include <inferno/ops.h>

#include "detectors.h"
#include "museum_list.h"
#include "report_origin.h"

/* One detector's cheapest case against one fault. */
typedef struct conform_museum_kill {
    int32_t is_there;
    int64_t work;   /* floating-point operations of the case, or elements */
    double seconds; /* from the start of the fault's process on */
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
    int32_t n_detectors; /* that had to notice before a fault was left */
    int32_t is_whole;    /* the rows are all faults of the museum */
    double seconds;
    int n;
    conform_museum_row *rows; /* [n] */
} conform_museum_report;

/* The detector whose case was the cheapest; -1: none. Judgements come before crashes. */
int conform_museum_killer(const conform_museum_row *row);
/* 1 if a judgement noticed. */
int conform_museum_is_killed(const conform_museum_row *row);
/* The only judging detector that noticed; -1: several, or none. */
int conform_museum_only_killer(const conform_museum_row *row);

typedef struct conform_museum_sum {
    int killed, crashed, survived; /* faults: judged, only died of, unnoticed */
    int kills[DETECTOR_COUNT];     /* faults it notices */
    int only[DETECTOR_COUNT];      /* faults that nobody else notices */
} conform_museum_sum;

conform_museum_sum conform_museum_add_up(const conform_museum_report *r);

/* Rows that follow one another and are of one year. */
typedef struct conform_museum_wing {
    int32_t year; /* 0: bugs of other years, and those of nobody */
    int n, killed;
} conform_museum_wing;

/* The wing that begins with row `first`. */
conform_museum_wing conform_museum_wing_at(const conform_museum_report *r, int first);
/* "2026", or what the others are called. */
void conform_museum_wing_name(const conform_museum_wing *wing, char out[40]);

/* 1 if a second killer of each fault was looked for: only then is it known who is alone. */
int conform_museum_knows_lone(const conform_museum_report *r);

/* Detectors that are alone in nothing, and stay without a reason. 0 where that is not known: only a
 * sweep through the whole museum that looks for a second killer of each fault tells. */
int conform_museum_unexplained(const conform_museum_report *r, const conform_museum_sum *sum);

void conform_museum_text(const conform_museum_report *r, FILE *out);
void conform_museum_json(const conform_museum_report *r, FILE *out);
void conform_museum_html(const conform_museum_report *r, FILE *out);

#endif
