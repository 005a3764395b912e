/*
 * Computes the rank of a backend from the counts of a report alone. Every rank requires a whole run of one program and
 * one plugin on one machine, without a failure and without a problem: no backend has a rank and the verdict "NOT
 * conformant" at once.
 *
 *   Bronze  profile smoke or more: every op of the list was executed, nothing is refused that the
 *           manifest does not declare, no op is judged by blunt cases alone, no error is biased
 *   Silver  profile ci or more, every relation R0 .. R10 was tried, and the certificate has no holes
 *   Gold    Silver, registers were looked at, whole models ran on F16 and on quantized weights, and
 *           the museum of the same build has no survivors
 */
#ifndef CONFORM_REPORT_RANK_H
#define CONFORM_REPORT_RANK_H

#include "run_report.h"

typedef enum conform_rank { RANK_NONE, RANK_BRONZE, RANK_SILVER, RANK_GOLD } conform_rank;

typedef struct conform_standing {
    conform_rank rank;            /* "level" in JSON */
    char lacks[200];              /* what keeps it from the next rank; empty for Gold */
    int own;                      /* ops that the backend implements itself */
    char base[REPORT_NAME_BYTES]; /* the backend it inherits most others from; empty: none */
} conform_standing;

conform_standing conform_standing_of(const conform_report *r, int tested);
const char *conform_rank_name(conform_rank rank);

enum { REPORT_ARITHMETIC_BYTES = 400 };

/* Writes the declared arithmetic, which is printed after every rank: "products in bf16" if all ops that declare
 * arithmetic declare the same, else "matmul: products in bf16; ..."; empty if all is f32. Returns `out`. */
const char *conform_report_arithmetic(const conform_report *r, int tested,
                                      char out[REPORT_ARITHMETIC_BYTES]);

/* Prints the rank of each backend on a line of its own. */
void conform_report_ranks(const conform_report *r, FILE *out);

#endif
