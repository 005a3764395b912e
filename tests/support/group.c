/* The main of a program of several test files. Its argument names the one to run; without, it prints all names.
 * tests.inc is written by ifn_add_test: X(name) of each. A file without a main has TESTs alone. */
#include <stdio.h>
#include <string.h>

#include "test.h"

#define X(name) __attribute__((weak)) int name##_main(void);
#include "tests.inc"
#undef X

static const struct {
    const char *name;
    int (*run)(void); /* NULL: no main */
} files[] = {
#define X(name) {#name, name##_main},
#include "tests.inc"
#undef X
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < N_OF(files); i++) {
        if (argc < 2)
            puts(files[i].name);
        else if (strcmp(argv[1], files[i].name) == 0)
            return files[i].run ? files[i].run() : test_run(argv[1]);
    }
    if (argc >= 2)
        fprintf(stderr, "%s: found no test '%s'\n", argv[0], argv[1]);
    return argc >= 2 ? 2 : 0;
}
