/* Files with one defect each: the error names a defect of the vocabulary, and no file does harm. */
#include <inferno/tokenizer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail_alloc.h"
#include "paths.h"
#include "test.h"

/* The files whose defect is in the vocabulary, and the key that the message must name. The index of the data has the
 * verdicts. */
static const struct {
    const char *file, *key;
} about_vocabulary[] = {
    {"tok-empty.gguf", "tokenizer.ggml.tokens"},
    {"tok-not-strings.gguf", "tokenizer.ggml.tokens"},
    {"tok-empty-string.gguf", "tokenizer.ggml.tokens"},
    {"tok-1MiB.gguf", "tokenizer.ggml.tokens"},
    {"toktype-short.gguf", "tokenizer.ggml.token_type"},
    {"toktype-u8.gguf", "tokenizer.ggml.token_type"},
    {"toktype-99.gguf", "tokenizer.ggml.token_type"},
    {"eos-max.gguf", "tokenizer.ggml.eos_token_id"},
    {"bos-str.gguf", "tokenizer.ggml.bos_token_id"},
    {"tokmodel-unknown.gguf", "tokenizer.ggml.model"},
    {"base-valid.gguf", ""},
};

static ifn_status drop(void *cookie, const char *data, size_t bytes)
{
    (void)data;
    *(size_t *)cookie += bytes;
    return IFN_OK;
}

/* Encodes a text and decodes every entry once: no read may go out of bounds. */
static void use(const ifn_tokenizer *t)
{
    static const char text[] = "Once <tok_3> upon \xff\0 a time";
    ifn_tokens ids;
    ifn_detokenizer d = IFN_DETOKENIZER_INIT;
    ifn_error err;
    size_t bytes = 0;
    assert_ok(ifn_tokenize(t, text, sizeof text - 1, 0, &ids, &err), err);
    ifn_tokens_free(&ids);
    ifn_detokenizer_init(&d, t, IFN_DETOKENIZE_SHOW_SPECIAL);
    for (ifn_token id = 0; id < ifn_tokenizer_n_vocab(t); id++)
        assert_ok(ifn_detokenizer_push(&d, id, drop, &bytes, &err), err);
    assert_ok(ifn_detokenizer_flush(&d, drop, &bytes, &err), err);
}

/* Sets *err, whichever step fails, unless the result is IFN_OK. */
static ifn_status open_and_use(const char *path, ifn_error *err)
{
    fail_alloc heap;
    ifn_gguf *gguf;
    ifn_tokenizer *t = NULL;
    fail_alloc_init(&heap, -1);
    ifn_status status = ifn_gguf_open(path, &heap.allocator, &gguf, err);
    if (status == IFN_OK) {
        status = ifn_tokenizer_open(gguf, &heap.allocator, &t, err);
        if (status == IFN_OK)
            use(t);
        ifn_tokenizer_close(t);
        ifn_gguf_close(gguf);
    }
    assert_int_equal(heap.live_blocks, 0);
    assert_true(heap.largest < (size_t)64 << 20);
    return status;
}

/* Reads the verdict from the index: the fourth column of the line that begins with the name. */
static void verdict_of(const char *index, const char *file, char out[16])
{
    const size_t n = strlen(file);
    for (const char *line = index; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncmp(line, file, n) != 0 || line[n] != '\t')
            continue;
        const char *column = line;
        for (int i = 0; i < 3; i++)
            column = strchr(column, '\t') + 1;
        snprintf(out, 16, "%.*s", (int)strcspn(column, "\t"), column);
        return;
    }
    fail_msg("the index has no line for '%s'", file);
}

static char *read_index(const char *path)
{
    size_t bytes;
    char *index = read_file(external_path(path), &bytes);
    assert_non_null(index);
    return index;
}

static void defects_of_the_vocabulary_are_refused_by_key(void **state)
{
    (void)state;
    char *index = read_index("malformed/handmade/index.tsv");
    for (size_t i = 0; i < N_OF(about_vocabulary); i++) {
        char path[128], verdict[16];
        ifn_error err = {IFN_OK, 0, ""};
        snprintf(path, sizeof path, "malformed/handmade/%s", about_vocabulary[i].file);
        verdict_of(index, about_vocabulary[i].file, verdict);
        const ifn_status status = open_and_use(external_path(path), &err);
        if (strcmp(verdict, "reject") == 0)
            assert_that(status != IFN_OK, "%s: accepted", path);
        if (strcmp(verdict, "accept") == 0)
            assert_that(status == IFN_OK, "%s: %s", path, err.text);
        assert_that(status == IFN_OK || strstr(err.text, about_vocabulary[i].key),
                    "%s: '%s' does not name %s", path, err.text, about_vocabulary[i].key);
        print_message("%-24s %-7s %s\n", about_vocabulary[i].file, verdict,
                      status == IFN_OK ? "opened" : err.text);
    }
    free(index);
}

/* Hand-made files and finds of fuzzers are opened, or refused with a message, and leave nothing behind. */
static void no_malformed_file_does_harm(void **state)
{
    (void)state;
    char *index = read_index("malformed/index.tsv");
    size_t n = 0;
    for (const char *line = index; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char path[128];
        ifn_error err = {IFN_OK, 0, ""};
        snprintf(path, sizeof path, "malformed/%.*s", (int)strcspn(line, "\t"), line);
        if (line == index)
            continue; /* the heading */
        const ifn_status status = open_and_use(external_path(path), &err);
        assert_true(status == IFN_OK || (err.status == status && err.text[0]));
        n++;
    }
    assert_true(n > 200);
    free(index);
}

int main(void)
{
    if (!external_path(""))
        return TEST_NOT_RUN;
    const struct CMUnitTest tests[] = {
        RUN(defects_of_the_vocabulary_are_refused_by_key),
        RUN(no_malformed_file_does_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
