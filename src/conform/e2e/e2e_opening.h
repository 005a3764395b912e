/*
 * Learns what a backend declares once it is open. It is opened in a child process that ends with the answer: a driver
 * starts threads when it is opened, and processes forked from this one later would lack these threads and wait for them
 * forever.
 */
#ifndef CONFORM_E2E_OPENING_H
#define CONFORM_E2E_OPENING_H

#include <stdbool.h>

#include <inferno/backend.h>

#include "declared.h"
#include "run_report.h"

typedef ifn_status (*e2e_open)(const void *backend, int32_t n_threads, ifn_backend **out,
                               ifn_error *err);

typedef struct e2e_opening {
    char expression[REPORT_LABEL_BYTES]; /* what `backend` resolved to */
    bool is_device;
    conform_arithmetics declared;
    char arithmetic[IFN_OP_COUNT][CONFORM_ARITHMETIC_BYTES]; /* the same in words */
} e2e_opening;

/* Opens the backend in a child process, or in this one if in_process, and fills in *self. Errors: those of `open`;
 * IFN_ERR_UNSUPPORTED: the child died, or was not done after `seconds`. */
IFN_NODISCARD ifn_status e2e_opening_learn(e2e_opening *self, e2e_open open, const void *backend,
                                           bool in_process, unsigned seconds, ifn_error *err);

/* Copies what was learned into the report, as its i-th backend. */
void e2e_opening_report(const e2e_opening *self, conform_report *report, int i);

/* Returns the first index, at most i, whose backend declares the same arithmetic as the i-th. */
int e2e_opening_group(const conform_arithmetics *declared, int i);

#endif
