/* consumer [BACKEND]: uses the installed library as a stranger would: version, backend, one op. */
#include <stdio.h>

#include <inferno/inferno.h>

int main(int argc, char **argv)
{
    ifn_error err;
    ifn_backend *backend;
    if (ifn_backend_open(argc > 1 ? argv[1] : NULL, NULL, &backend, &err) != IFN_OK) {
        fprintf(stderr, "consumer: %s\n", err.text);
        return 1;
    }
    const float x[] = {1, 2, 3}, y[] = {10, 20, 30};
    float out[3];
    if (ifn_add(backend, &IFN_ARGS(add, .out = out, .x = x, .y = y, .n = 3)) != IFN_OK)
        return 1;
    printf("inferno %s, %s: %g %g %g\n", ifn_version(), ifn_backend_expression(backend),
           (double)out[0], (double)out[1], (double)out[2]);
    ifn_backend_close(backend);
    return 0;
}
