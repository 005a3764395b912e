/*
 * What a backend says of itself once it is open. Who reports of backends asks in a process that ends
 * with the answer: a driver that has been opened has threads, which processes that are forked later
 * lack and wait for without end.
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

/* In this process alone where it is asked for. Errors: those of `open`; IFN_ERR_UNSUPPORTED: its
 * process has died, or was not done after `seconds`. */
IFN_NODISCARD ifn_status e2e_opening_learn(e2e_opening *self, e2e_open open, const void *backend,
                                           bool in_process, unsigned seconds, ifn_error *err);

/* What a report says of the backend that is its i-th. */
void e2e_opening_report(const e2e_opening *self, conform_report *report, int i);

/* Of those up to the i-th the first that declares the same arithmetic. */
int e2e_opening_group(const conform_arithmetics *declared, int i);

#endif
