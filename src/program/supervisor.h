/*
 * Runs a program with a plugin in a child process and watches it. If the plugin crashes, exits, hangs,
 * or closes standard output or error, the parent prints one line that names the plugin and where it
 * was, and does not return status 0.
 */
#ifndef IFN_PROGRAM_SUPERVISOR_H
#define IFN_PROGRAM_SUPERVISOR_H

#include <stdbool.h>

typedef int supervised_main(int argc, char **argv);

/*
 * Runs `run` in a child and returns what it returned, or EXIT_NO with a line on standard error:
 * "program: plugin 'name': ended the program with status 0 in rms_norm". If a signal killed the child,
 * this process ends by the same signal. Signals that end a program are passed on to the child.
 * If no child can be started, runs it in this process.
 */
int supervisor_run(const char *program, const char *plugin, supervised_main *run, int argc,
                   char **argv);

/* --- called in the child; without a supervisor these functions do nothing --- */

/* States what the plugin is doing until supervisor_leave: "while it was loaded". Static text. With `has_limit`, as
 * for loading, it counts as hung after 60 s, or INFERNO_LOAD_SECONDS. A process that the plugin has forked and
 * that returns into the program ends here. */
void supervisor_enter(const char *where, bool has_limit);
void supervisor_leave(void);

/* The same for an op, by name; cheap, and callable from any thread. A call of an op counts as hung after half an
 * hour, or INFERNO_OP_SECONDS. */
void supervisor_enter_op(const char *name);
void supervisor_leave_op(void);

/* Announces that the program itself is about to end: its exit status is then its own and not the plugin's doing.
 * Safe in a signal handler. */
void supervisor_done(void);

#endif
