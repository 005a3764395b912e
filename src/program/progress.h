/* A progress bar on standard error, or a line of words, for a person who waits. */
#ifndef IFN_PROGRAM_PROGRESS_H
#define IFN_PROGRAM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <inferno/weights.h>

typedef struct progress {
    FILE *out; /* NULL: nobody watches */
    const char *what;
    int percent; /* what the bar shows; -1: none does yet */
    bool is_shown;
    int64_t counted_ns; /* when progress_count drew; 0: not yet */
    int64_t from_ns;    /* progress_step draws nothing before */
} progress;

/* 1 if NO_COLOR asks for words alone. */
int progress_is_plain(void);

/* Standard error if it is a terminal and neither --quiet nor NO_COLOR object; else NULL. */
FILE *progress_terminal(int quiet);

void progress_init(progress *self, const char *what, FILE *out);
/* What is done within a second needs no bar: none is drawn before that. */
void progress_hold_back(progress *self);
void progress_step(progress *self, int64_t done, int64_t total);
/* Where nobody knows how much there is: the words stand in the place of the bar. */
void progress_line(progress *self, const char *format, ...) IFN_PRINTF(2, 3);
/* How many of so many things, and of what: drawn ten times a second at most, and at the end. */
void progress_count(progress *self, const char *what, const char *things, int64_t done,
                    int64_t total);
void progress_clear(progress *self);

/* For functions of the library that tell how far they are. Borrows self. */
ifn_progress progress_listener(progress *self);

#endif
