/* Several tests in one program, which is given the name of one; without, it prints their names.
 * tests.inc is written by ifn_add_test: X(name) of each. */
#include <stdio.h>
#include <string.h>

#define X(name) int name##_main(void);
#include "tests.inc"
#undef X

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define X(name) {#name, name##_main},
#include "tests.inc"
#undef X
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (argc < 2)
            puts(tests[i].name);
        else if (strcmp(argv[1], tests[i].name) == 0)
            return tests[i].run();
    }
    if (argc >= 2)
        fprintf(stderr, "%s: found no test '%s'\n", argv[0], argv[1]);
    return argc >= 2 ? 2 : 0;
}
