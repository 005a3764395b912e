/* A progress bar, or a line of text, on standard error. */
#ifndef IFN_PROGRAM_PROGRESS_H
#define IFN_PROGRAM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <inferno/weights.h>

typedef struct progress {
    FILE *out; /* NULL: nothing is drawn */
    const char *what;
    int percent; /* what the bar shows; -1: nothing drawn yet */
    bool is_shown;
    int64_t counted_ns; /* when progress_count last drew; 0: not yet */
    int64_t from_ns;    /* progress_step draws nothing before this time */
} progress;

/* 1 if NO_COLOR is set: text without a bar. */
int progress_is_plain(void);

/* Standard error if it is a terminal and neither --quiet nor NO_COLOR is given; else NULL. */
FILE *progress_terminal(int quiet);

void progress_init(progress *self, const char *what, FILE *out);
/* Draws no bar within the first second: shorter work needs none. */
void progress_hold_back(progress *self);
void progress_step(progress *self, int64_t done, int64_t total);
/* Draws a line of text in place of the bar, for work whose total is unknown. */
void progress_line(progress *self, const char *format, ...) IFN_PRINTF(2, 3);
/* Draws `done` of `total` things, at most ten times a second, and at the end. */
void progress_count(progress *self, const char *what, const char *things, int64_t done,
                    int64_t total);
void progress_clear(progress *self);

/* The callback for library functions that give their progress. Borrows self. */
ifn_progress progress_listener(progress *self);

#endif
