#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "conform.h"
#include "messages.h"

int bench_is_conformant(const char *expression, ifn_op op)
{
    enum { MOST = 4096 }; /* an expression may hold a path */
    char backend[MOST], name[64];
    char *argv[] = {(char[]){"conform"},
                    (char[]){"--backend"},
                    backend,
                    (char[]){"--op"},
                    name,
                    (char[]){"--profile"},
                    (char[]){"smoke"},
                    (char[]){"--in-process"},
                    (char[]){"--quiet"}};
    if (strlen(expression) >= sizeof backend)
        return -1;
    snprintf(backend, sizeof backend, "%s", expression);
    snprintf(name, sizeof name, "%s", ifn_op_name(op));
    fflush(stdout);
    const int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    if (out < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        return -1;
    const int status = ifn_conform_main((int)(sizeof argv / sizeof *argv), argv);
    fflush(stdout);
    const bool is_back = dup2(out, STDOUT_FILENO) >= 0;
    close(out);
    close(nowhere);
    if (!is_back || (status != EXIT_DONE && status != 1))
        return -1;
    return status == EXIT_DONE;
}
