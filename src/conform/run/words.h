/*
 * The output of a backend. Descriptors 1 and 2 of its worker lead to a pipe, so that no output mixes with a report.
 * Bytes are counted; the first ones are kept and shown.
 */
#ifndef CONFORM_WORDS_H
#define CONFORM_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CONFORM_WORDS_KEPT = 512, CONFORM_WORDS_LAST = 128 };

/* What worker and parent have read so far, in shared memory. */
typedef struct conform_words {
    int64_t n_bytes; /* read in all; a full pipe drops further output until it is read */
    int32_t n_kept, n_last;
    char kept[CONFORM_WORDS_KEPT]; /* the first bytes */
    char last[CONFORM_WORDS_LAST]; /* the first bytes of the latest read */
} conform_words;

/* Makes a non-blocking pipe with high descriptor numbers, away from where a loop over descriptors begins. fds as of
 * pipe(). Returns 0 on failure, with errno set. */
int conform_words_pipe(int fds[2]);

/* In the worker: sends standard output and error to fd, unbuffered, from here on; standard input is empty. */
void conform_words_catch(int fd);

/* Reads what has been printed since the last call. Returns the number of bytes. */
int64_t conform_words_hear(conform_words *words, int fd);

/* Appends what another process has read. */
void conform_words_add(conform_words *words, const conform_words *other);

/* Writes the first bytes of the latest read, printable and on one line. */
void conform_words_quote(const conform_words *words, char *out, size_t bytes);

/* Prints the first lines for a reader, each with `label`; nothing if nothing was printed. */
void conform_words_show(const conform_words *words, const char *label, FILE *out);

#endif
