#include "command.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "conform.h"
#include "test.h"

enum { MAX_WORDS = 24 };

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

/* Descriptors, not streams, are exchanged: worker processes inherit those. */
int command_run(char **out, const char *const *words)
{
    char *argv[MAX_WORDS + 1] = {(char *)(uintptr_t) "conform"};
    int argc = 1;
    FILE *file = tmpfile();
    assert_non_null(file);
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
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
