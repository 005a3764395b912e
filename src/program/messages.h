/* Exit statuses, and the one-line messages on standard error. */
#ifndef IFN_PROGRAM_MESSAGES_H
#define IFN_PROGRAM_MESSAGES_H

#include <stddef.h>
#include <stdio.h>

#include <inferno/status.h>

#define INFERNO "inferno" /* the program's name before each of its messages */

enum {
    EXIT_DONE = 0,
    EXIT_NO = 1, /* the program ran, but failed: malformed input, not possible, cannot be written */
    EXIT_USAGE = 2 /* wrong usage, or an input that cannot be opened */
};

/* Call first. Ignores SIGXFSZ, so that a write beyond the limit of file sizes fails like any other, with a
 * message and no file left. Opens /dev/null for each standard descriptor that is closed, so that no file
 * of the program becomes standard output or standard error. */
void message_init(void);

/* Prints text of an argument, a file or a plugin as ifn_text_printable escapes it. */
void message_put(FILE *out, const char *data, size_t bytes);

/* Prints "<program>: <text>" to standard error and returns the exit status that fits. */
int message_error(const char *program, const ifn_error *err);

/* The same for a result that could not be written: always EXIT_NO. */
int message_unwritten(const char *program, const ifn_error *err);

/* Prints "<program>: <text>" to standard error, for a note that is not an error. */
void message_note(const char *program, const char *format, ...) IFN_PRINTF(2, 3);

/* Flushes standard output. If that or an earlier write failed (a full disk), turns EXIT_DONE into EXIT_NO. */
int message_stdout(const char *program, int status);

#endif
