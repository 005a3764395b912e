#include "command.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conform.h"
#include "patience.h"
#include "test.h"

enum { MAX_WORDS = 24, PATIENCE = 10 /* seconds a call may take: conform --help */ };

static char *read_back(FILE *file)
{
    fseek(file, 0, SEEK_END);
    const long n = ftell(file);
    char *text = calloc((size_t)n + 1, 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)n, file), n);
    return text;
}

/* Adds --patience where the build has a larger factor; a later --patience of the test overrides it. */
static int put_patience(char **argv, const char *first_word)
{
    static char option[32];
    const double seconds = patience_times(PATIENCE);
    if (seconds <= PATIENCE || !first_word || strncmp(first_word, "--", 2) != 0)
        return 0;
    snprintf(option, sizeof option, "--patience=%.0f", seconds);
    argv[0] = option;
    return 1;
}

/* Exchanges file descriptors, not streams: worker processes inherit descriptors. */
int command_run(char **out, const char *const *words)
{
    char *argv[MAX_WORDS + 2] = {(char *)(uintptr_t) "conform"};
    int argc = 1 + put_patience(argv + 1, words[0]);
    FILE *file = tmpfile();
    assert_non_null(file);
    for (; *words; words++) {
        assert_true(argc <= MAX_WORDS);
        argv[argc++] = (char *)(uintptr_t)*words;
    }
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    assert_true(kept >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
    const int status = ifn_conform_main(argc, argv);
    fflush(stdout);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    if (out)
        *out = read_back(file);
    fclose(file);
    return status;
}
