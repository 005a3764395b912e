#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111 }; /* of the C interface of BLAS */

typedef void sgemm_fn(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
                      int lda, const float *b, int ldb, float beta, float *c, int ldc);

struct bench_openblas {
    sgemm_fn *sgemm;
    int m, n, p;
    float *a, *b, *out;
};

void bench_openblas_run(void *cookie)
{
    const bench_openblas *const t = cookie;
    t->sgemm(ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, t->m, t->p, t->n, 1.0f, t->a, t->n, t->b,
             t->p, 0.0f, t->out, t->p);
}

/* A function of a shared library: C has no cast from an object pointer to one. */
static sgemm_fn *find_sgemm(void)
{
    sgemm_fn *sgemm = NULL;
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    void *const symbol = library ? dlsym(library, "cblas_sgemm") : NULL;
    memcpy(&sgemm, &symbol, sizeof sgemm);
    return sgemm;
}

static float *ones(int64_t n)
{
    float *const x = malloc((size_t)n * sizeof *x + 1);
    for (int64_t i = 0; x && i < n; i++)
        x[i] = 1.0f;
    return x;
}

bench_openblas *bench_openblas_open(int64_t m, int64_t n, int64_t p)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 0); /* read when the library is loaded */
    sgemm_fn *const sgemm = find_sgemm();
    bench_openblas *const self = sgemm ? malloc(sizeof *self) : NULL;
    if (!self)
        return NULL;
    *self = (bench_openblas){sgemm, (int)m, (int)n, (int)p, ones(m * n), ones(n * p), ones(m * p)};
    if (self->a && self->b && self->out)
        return self;
    bench_openblas_close(self);
    return NULL;
}

void bench_openblas_close(bench_openblas *self)
{
    if (!self)
        return;
    free(self->a);
    free(self->b);
    free(self->out);
    free(self);
}

double bench_openblas_as(const char *core_type, const char *level, int64_t m, int64_t n, int64_t p)
{
    char command[300], line[64];
    snprintf(command, sizeof command,
             "OPENBLAS_CORETYPE=%s exec /proc/%ld/exe bench ops --level %s --openblas %" PRId64
             "x%" PRId64 "x%" PRId64,
             core_type, (long)getpid(), level, m, n, p);
    /* This program and words of its own: nothing a user wrote is in the command. */
    FILE *const child = popen(command, "r"); /* NOLINT(cert-env33-c): this program again */
    if (!child)
        return 0.0;
    const double units = fgets(line, sizeof line, child) ? strtod(line, NULL) : 0.0;
    return pclose(child) == 0 ? units : 0.0;
}
