/*
 * A program with a plugin in it runs in a child of this process, which stays to say what became of
 * it: a plugin that crashes, exits or hangs ends with one line that names it and where it was, and
 * never with status 0. So does one that closes standard output or error.
 */
#ifndef IFN_PROGRAM_SUPERVISOR_H
#define IFN_PROGRAM_SUPERVISOR_H

#include <stdbool.h>

typedef int supervised_main(int argc, char **argv);

/*
 * Runs `run` in a child and returns what it returned, or EXIT_NO with a line on standard error:
 * "program: plugin 'name': ended the program with status 0 in rms_norm". A child that died by a
 * signal takes this process with it, by the same one. Signals that end a program go to the child.
 * Where there is no child to be had, runs it here.
 */
int supervisor_run(const char *program, const char *plugin, supervised_main *run, int argc,
                   char **argv);

/* --- in the child; without a supervisor they do nothing --- */

/* What is at work now, until supervisor_leave: "while it was loaded". Static text. Work may take
 * any time, loading may not: with `has_limit` it has hung after 60 s, or INFERNO_LOAD_SECONDS. A
 * process that the plugin has forked and that comes back here ends. */
void supervisor_enter(const char *where, bool has_limit);
void supervisor_leave(void);

/* The same for an op, by name: from any thread, and cheap. One call of an op has hung after half an
 * hour, or INFERNO_OP_SECONDS. */
void supervisor_enter_op(const char *name);
void supervisor_leave_op(void);

/* The program ends now, and means it. Safe in a signal handler. */
void supervisor_done(void);

#endif
