/*
 * Signal handlers of the programs; the library installs none. They clean up before a signal ends the
 * program: a file under its temporary name, a progress bar. They also print a message if the file of a
 * model is truncated while it is mapped, which the system reports as SIGBUS at the next access. A
 * forked process removes only what it has made itself, and leaves bar and message to its parent.
 */
#ifndef IFN_PROGRAM_SIGNALS_H
#define IFN_PROGRAM_SIGNALS_H

#include <stdbool.h>

#include <inferno/gguf.h>

/* Installs the handlers. `program`, static, stands before every message. From here on SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT, SIGXCPU and SIGABRT (unless ignored) remove what the functions below have registered, and then
 * end the program as usual. So does SIGPIPE if standard output is a pipe without a reader; if only standard
 * error is one, the program goes on. */
void signals_init(const char *program);

/* Registers the temporary name of the file that is being written, or an empty folder; NULL: none. Copied. */
void signals_temporary(const char *path);

/* Hold back signals between these two: while a file is made and registered with signals_temporary, while a folder
 * is filled, which no handler can remove, or while a run checks signals_is_waiting itself. Calls nest. */
void signals_hold(void);
void signals_release(void);
/* 1 if a signal is held back; then signals_release will not return. */
int signals_is_waiting(void);

/* While it is caught, SIGINT does not end the program, but makes signals_is_interrupted return 1 until the next call
 * of signals_catch_interrupt. */
void signals_catch_interrupt(bool is_caught);
int signals_is_interrupted(void);

/* From here on SIGINT and SIGTERM do not end the program: the handler calls `hear`, which must be
 * async-signal-safe. Ignored signals stay ignored. */
void signals_hear_end(void (*hear)(int number));

/* Carriage return, then erase to the end of the line: removes a progress bar or a line. */
#define SIGNALS_ERASE "\r\x1b[K"

/* Registers whether a progress bar is shown on standard error. */
void signals_bar(bool is_shown);

/* Registers the file that is being read through its mapping; NULL: none. If it has been truncated, the program
 * ends with EXIT_NO and a one-line message. */
void signals_mapped(const ifn_gguf *gguf);

/* Call after a forked process has died of SIGBUS: if the truncated file is why, the program ends as above. */
void signals_look_at_map(void);

#endif
