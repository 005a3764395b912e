/*
 * What a backend prints: descriptors 1 and 2 of its worker lead here and nowhere else, so nothing
 * of it stands among the lines of a report. Counted; the beginning is kept and shown as its words.
 */
#ifndef CONFORM_WORDS_H
#define CONFORM_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CONFORM_WORDS_KEPT = 512, CONFORM_WORDS_LAST = 128 };

/* In shared memory: what worker and parent have heard so far. */
typedef struct conform_words {
    int64_t n_bytes; /* in all; a pipe that is full takes no more until it is listened to */
    int32_t n_kept, n_last;
    char kept[CONFORM_WORDS_KEPT]; /* how it began */
    char last[CONFORM_WORDS_LAST]; /* how what was heard last began */
} conform_words;

/* A pipe that blocks nobody, with high numbers: not where a loop over descriptors begins. fds as
 * of pipe(); 0: there is none, and errno says why. */
int conform_words_pipe(int fds[2]);

/* In the worker: what is printed from here on goes to fd, at once; nothing is to be read. */
void conform_words_catch(int fd);

/* Takes what has been printed since the last time. Returns how many bytes. */
int64_t conform_words_hear(conform_words *words, int fd);

/* What another has heard, after one's own. */
void conform_words_add(conform_words *words, const conform_words *other);

/* How what was heard last began, printable and on one line. */
void conform_words_quote(const conform_words *words, char *out, size_t bytes);

/* Lines for a person, each beginning with `label`; nothing where nothing was printed. */
void conform_words_show(const conform_words *words, const char *label, FILE *out);

#endif
