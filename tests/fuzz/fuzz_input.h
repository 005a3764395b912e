/*
 * What a fuzzer is: one function that takes any bytes, for libFuzzer and for the replay of the
 * corpus alike, and ways to read bytes as choices, words and files.
 */
#ifndef IFN_FUZZ_INPUT_H
#define IFN_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <inferno/status.h>

/* Defined by <name>_fuzz.c. Returns 1 if the code under test took the input, 0 if it refused it in
 * an orderly way; aborts, with a line on standard error, where it did neither. */
int fuzz_one(const uint8_t *data, size_t bytes);

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Ends the process as a finding, saying what did not hold. */
#define FUZZ_EXPECT(condition)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_found(__FILE__, __LINE__, #condition);                                            \
    } while (0)
_Noreturn void fuzz_found(const char *file, int line, const char *what);

/* A status and its error agree: both say success, or both say the same failure with a reason. */
void fuzz_expect_said(ifn_status status, const ifn_error *err);

/* Bytes read from the front; when they are used up, every number is 0 and every stretch empty. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

uint8_t fuzz_u8(fuzz_bytes *in);
uint64_t fuzz_u64(fuzz_bytes *in, int bytes);            /* little endian */
uint32_t fuzz_below(fuzz_bytes *in, uint32_t n);         /* 0 .. n - 1, of one byte */
const uint8_t *fuzz_take(fuzz_bytes *in, size_t *bytes); /* at most *bytes, which is corrected */

/* The rest as words that NUL bytes part, each terminated in memory of its own size, so that reading
 * past one is noticed. At most `max`. Freed with fuzz_words_free. */
typedef struct fuzz_words {
    int n;
    char **at;    /* [n + 1], NULL at the end; may be shuffled */
    char **owned; /* [n] */
} fuzz_words;
fuzz_words fuzz_words_of(fuzz_bytes *in, int max);
void fuzz_words_free(fuzz_words *self);

/* The path of a file with these bytes, in memory; there is one at a time. */
const char *fuzz_file(const uint8_t *data, size_t bytes);

/* What a function writes to a stream, terminated; the caller frees it. */
char *fuzz_written(void (*write)(const void *what, FILE *out), const void *what, size_t *bytes);

#endif
