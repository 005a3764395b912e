#include "bench_peer.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111 }; /* of the C interface of BLAS */

typedef void openblas_fn(int order, int ta, int tb, int m, int n, int k, float alpha,
                         const float *a, int lda, const float *b, int ldb, float beta, float *c,
                         int ldc);
typedef int onednn_fn(char ta, char tb, int64_t m, int64_t n, int64_t k, float alpha,
                      const float *a, int64_t lda, const float *b, int64_t ldb, float beta,
                      float *c, int64_t ldc);

struct bench_peer {
    openblas_fn *openblas; /* one of the two */
    onednn_fn *onednn;
    bench_product product;
    float *a, *b, *out;
};

void bench_peer_run(void *cookie)
{
    const bench_peer *const t = cookie;
    const int64_t m = t->product.m, n = t->product.n, p = t->product.p;
    if (t->openblas)
        t->openblas(ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, (int)m, (int)p, (int)n, 1.0f, t->a,
                    (int)n, t->b, (int)p, 0.0f, t->out, (int)p);
    else
        (void)t->onednn('N', 'N', m, p, n, 1.0f, t->a, n, t->b, p, 0.0f, t->out, p);
}

/* Loads a library by one of two names and returns the address of a symbol; NULL: there is none. */
static void *find(const char *name, const char *older, const char *symbol)
{
    void *library = dlopen(name, RTLD_NOW);
    if (!library && older)
        library = dlopen(older, RTLD_NOW);
    return library ? dlsym(library, symbol) : NULL;
}

/* C has no cast from an object pointer to a function pointer, so the bytes of the pointer are copied. */
static void find_function(bench_peer *self, bench_library library)
{
    if (library == BENCH_OPENBLAS) {
        void *const symbol = find("libopenblas.so.0", NULL, "cblas_sgemm");
        memcpy(&self->openblas, &symbol, sizeof symbol);
    } else {
        void *const symbol = find("libdnnl.so.3", "libdnnl.so.2", "dnnl_sgemm");
        memcpy(&self->onednn, &symbol, sizeof symbol);
    }
}

/* Sets the number of threads in the environment, which both libraries read when they are loaded. */
static void ask_for_threads(int n_threads)
{
    char text[16];
    snprintf(text, sizeof text, "%d", n_threads);
    setenv("OPENBLAS_NUM_THREADS", text, 0);
    setenv("OMP_NUM_THREADS", text, 0);
}

static float *ones(int64_t n)
{
    float *const x = malloc((size_t)n * sizeof *x + 1);
    for (int64_t i = 0; x && i < n; i++)
        x[i] = 1.0f;
    return x;
}

bench_peer *bench_peer_open(bench_library library, bench_product product)
{
    const int64_t m = product.m, n = product.n, p = product.p;
    bench_peer *const self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    ask_for_threads(product.n_threads);
    find_function(self, library);
    if (self->openblas || self->onednn) {
        self->product = product;
        self->a = ones(m * n);
        self->b = ones(n * p);
        self->out = ones(m * p);
    }
    if (self->a && self->b && self->out)
        return self;
    bench_peer_close(self);
    return NULL;
}

void bench_peer_close(bench_peer *self)
{
    if (!self)
        return;
    free(self->a);
    free(self->b);
    free(self->out);
    free(self);
}

double bench_openblas_as(const char *core_type, const char *level, bench_product product)
{
    char command[320], line[64];
    snprintf(command, sizeof command,
             "OPENBLAS_CORETYPE=%s exec /proc/%ld/exe bench ops --level %s -t %d "
             "--openblas %" PRId64 "x%" PRId64 "x%" PRId64,
             core_type, (long)getpid(), level, product.n_threads, product.m, product.n, product.p);
    /* The command consists of this program and fixed words; it contains no user input. */
    FILE *const child = popen(command, "r"); /* NOLINT(cert-env33-c): this program again */
    if (!child)
        return 0.0;
    const double units = fgets(line, sizeof line, child) ? strtod(line, NULL) : 0.0;
    return pclose(child) == 0 ? units : 0.0;
}
