/* Work in a process of its own, and how that ended. */
#ifndef CONFORM_E2E_CHILD_H
#define CONFORM_E2E_CHILD_H

#include <stdbool.h>

typedef struct e2e_ending {
    int status; /* as of waitpid; 0 for work in this process */
    bool is_late;
    unsigned seconds; /* that it had */
} e2e_ending;

/* `work` with its cookie, in a child unless in_process, or where no process is to be had. It is
 * killed when it has had more than `seconds` (run_clock.h). */
e2e_ending e2e_child_run(bool in_process, unsigned seconds, void (*work)(void *cookie),
                         void *cookie);

bool e2e_ending_is_fine(const e2e_ending *self);

enum { E2E_ENDING_BYTES = 48 };

/* "killed by signal 9", "the process ended with status 7", "not done after 60 s". */
const char *e2e_ending_text(const e2e_ending *self, char out[E2E_ENDING_BYTES]);

#endif
