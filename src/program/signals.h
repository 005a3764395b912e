/*
 * What a signal that ends the program must not leave: a file under its temporary name, a
 * progress bar. And what is said when the file of a model becomes shorter while it is mapped, which
 * the system reports as SIGBUS at the next look. The library installs no handlers; these are the
 * programs'. A process that was forked removes what it has made itself, and leaves bar and line to
 * its parent.
 */
#ifndef IFN_PROGRAM_SIGNALS_H
#define IFN_PROGRAM_SIGNALS_H

#include <stdbool.h>

#include <inferno/gguf.h>

/* `program` stands before every message; static. From here on SIGINT, SIGTERM, SIGHUP, SIGQUIT,
 * SIGXCPU and SIGABRT (unless they are ignored) remove what the functions below were told of, and
 * then end the program as they always do. So does SIGPIPE while standard output is a pipe that
 * nobody reads; where only standard error is one, the program goes on. */
void signals_init(const char *program);

/* The file that is being written, under its temporary name, or a folder that is empty so far; NULL:
 * there is none. Copied. */
void signals_temporary(const char *path);

/* Between these two no signal comes through: a file is made, and signals_temporary told of it; or
 * a folder is filled, which no handler can remove; or a run goes on until it is asked for. What is
 * held several times is released as often. */
void signals_hold(void);
void signals_release(void);
/* 1 if a signal waits for signals_release, which will not return. */
int signals_is_waiting(void);

/* While it is caught, SIGINT ends no program: signals_is_interrupted says 1 until the next call. */
void signals_catch_interrupt(bool is_caught);
int signals_is_interrupted(void);

/* From here on SIGINT and SIGTERM end no program: the handler calls `hear`, which may do what a handler
 * may. Ignored ones stay so. */
void signals_hear_end(void (*hear)(int number));

/* Carriage return, and erase to the end of the line: takes a progress bar or a line away. */
#define SIGNALS_ERASE "\r\x1b[K"

/* Whether a progress bar stands on standard error. */
void signals_bar(bool is_shown);

/* The file that is being read through its mapping; NULL: there is none. Where it has become
 * shorter, the program ends with EXIT_NO and one line. */
void signals_mapped(const ifn_gguf *gguf);

/* After a forked process has died of SIGBUS: if the file is why, the program ends as above. */
void signals_look_at_map(void);

#endif
