/*
 * The interface of a fuzzer: one function that takes any bytes, called by libFuzzer and by the replay of the corpus,
 * and functions that read bytes as choices, words and files.
 */
#ifndef IFN_FUZZ_INPUT_H
#define IFN_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <inferno/status.h>

/* Defined by <name>_fuzz.c. Returns 1 if the code under test accepted the input, 0 if it refused it in an orderly
 * way. Otherwise it aborts with a line on standard error. */
int fuzz_one(const uint8_t *data, size_t bytes);

/* Called by libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Ends the process as a finding, with the condition that did not hold. */
#define FUZZ_EXPECT(condition)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_found(__FILE__, __LINE__, #condition);                                            \
    } while (0)
_Noreturn void fuzz_found(const char *file, int line, const char *what);

/* Expects a status and its error to agree: both success, or both the same failure with a reason. */
void fuzz_expect_said(ifn_status status, const ifn_error *err);

/* Bytes that are read from the front; once they are used up, every number is 0 and every stretch empty. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

uint8_t fuzz_u8(fuzz_bytes *in);
uint64_t fuzz_u64(fuzz_bytes *in, int bytes);            /* little endian */
uint32_t fuzz_below(fuzz_bytes *in, uint32_t n);         /* 0 .. n - 1, of one byte */
const uint8_t *fuzz_take(fuzz_bytes *in, size_t *bytes); /* at most *bytes, which is corrected */

/* Splits the rest into at most `max` words at NUL bytes. Each word is terminated in memory of its own size, so that
 * reading past its end is noticed. Free with fuzz_words_free. */
typedef struct fuzz_words {
    int n;
    char **at;    /* [n + 1], NULL at the end; may be shuffled */
    char **owned; /* [n] */
} fuzz_words;
fuzz_words fuzz_words_of(fuzz_bytes *in, int max);
void fuzz_words_free(fuzz_words *self);

/* Returns the path of a file in memory with these bytes; there is one at a time. */
const char *fuzz_file(const uint8_t *data, size_t bytes);

/* Returns what a function writes to a stream, terminated; the caller frees it. */
char *fuzz_written(void (*write)(const void *what, FILE *out), const void *what, size_t *bytes);

#endif
