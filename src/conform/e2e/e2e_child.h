/* Runs work in a child process and says how the process ended. */
#ifndef CONFORM_E2E_CHILD_H
#define CONFORM_E2E_CHILD_H

#include <stdbool.h>

typedef struct e2e_ending {
    int status; /* of waitpid; 0 for work in this process */
    bool is_late;
    bool is_done; /* the work returned: a backend that exits with status 0 does not end it well */
    unsigned seconds; /* its time limit */
} e2e_ending;

/* Calls work(cookie) in a child process; in this process if in_process, or if fork fails. A child is killed after
 * `seconds` (run_clock.h). */
e2e_ending e2e_child_run(bool in_process, unsigned seconds, void (*work)(void *cookie),
                         void *cookie);

bool e2e_ending_is_fine(const e2e_ending *self);

enum { E2E_ENDING_BYTES = 48 };

/* Describes an ending that is not fine: "killed by signal 9", "the process ended with status 7", "not done after 60 s".
 * Returns `out`. */
const char *e2e_ending_text(const e2e_ending *self, char out[E2E_ENDING_BYTES]);

#endif
