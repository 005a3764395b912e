/*
 * A plugin whose fault is named by its option, for tests of the command as a whole:
 *
 *   nothing   implements no op: all are inherited
 *   honest    its own matmul, in the plain order
 *   tail      matmul drops the last term from k = 9 on, unless k is a multiple of 4
 *   cut       matmul truncates each sum instead of rounding it
 *   shy       linear refuses F16 weights without declaring it
 *   frank     the same, declared
 *   lazy      matmul refuses every call, and declares it
 *   rare      one call of matmul in 997 adds 1 to a sum
 *   racing    its own matmul, which counts its calls without synchronization
 *   leaving   computes correctly; the process ends with status 9 when the backend is closed
 *   dying     the same, by SIGSEGV
 *   staying   the same, but the process never ends
 *   undoing   computes correctly; an exit handler that it has registered crashes
 */
#include <inferno/backend.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char is_frank, is_lazy;

static int is_unsupported(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    (void)out_dtype;
    if (is_lazy)
        return op == IFN_OP_MATMUL;
    return is_frank && op == IFN_OP_LINEAR && dtype == IFN_DTYPE_F16;
}

static void range(int64_t begin, int64_t end, int64_t extent, int64_t out[2])
{
    out[0] = end ? begin : 0;
    out[1] = end ? end : extent;
}

typedef float finish(double sum, int64_t n);

static ifn_status multiply(const ifn_matmul_args *a, int64_t n, finish *last)
{
    int64_t rows[2], cols[2];
    if (a->m < 0 || a->n < 0 || a->p < 0)
        return IFN_ERR_SHAPE;
    range(a->part_begin, a->part_end, a->m, rows);
    range(a->part2_begin, a->part2_end, a->p, cols);
    for (int64_t i = rows[0]; i < rows[1]; i++)
        for (int64_t j = cols[0]; j < cols[1]; j++) {
            double sum = 0;
            for (int64_t t = 0; t < n; t++)
                sum += (double)a->a[i * a->n + t] * (double)a->b[t * a->p + j];
            a->out[i * a->p + j] = last(sum, a->n);
        }
    return IFN_OK;
}

static float rounded(double sum, int64_t n)
{
    (void)n;
    return (float)sum;
}

/* Rounds towards zero, where the bound has room for it. */
static float cut(double sum, int64_t n)
{
    float f = (float)sum;
    uint32_t bits;
    if (n < 16 || f * 0 != 0)
        return f;
    memcpy(&bits, &f, sizeof bits);
    if ((sum > 0 && (double)f > sum) || (sum < 0 && (double)f < sum))
        bits--;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static ifn_status honest(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return multiply(a, a->n, rounded);
}

static int n_calls;

static ifn_status racing(ifn_backend *self, const ifn_matmul_args *a)
{
    n_calls++;
    return honest(self, a);
}

static ifn_status rare(ifn_backend *self, const ifn_matmul_args *a)
{
    static int calls;
    const ifn_status status = honest(self, a);
    if (++calls % 997 == 0 && status == IFN_OK && a->m > 0 && a->p > 0 && a->part_end == 0)
        a->out[0] += 1;
    return status;
}

static ifn_status tail(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return multiply(a, a->n >= 9 && a->n % 4 ? a->n - 1 : a->n, rounded);
}

static ifn_status cutting(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return multiply(a, a->n, cut);
}

static ifn_status refuse(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return a->m < 0 || a->n < 0 || a->p < 0 ? IFN_ERR_SHAPE : IFN_ERR_UNSUPPORTED;
}

/* The base's op, which the table held before fill. */
static ifn_status (*inherited)(ifn_backend *self, const ifn_linear_args *a);

static ifn_status choosy(ifn_backend *self, const ifn_linear_args *a)
{
    if (a->n_w > 0 && a->w[0] && a->w[0]->dtype == IFN_DTYPE_F16)
        return IFN_ERR_UNSUPPORTED;
    return inherited(self, a);
}

static void fill(ifn_op_table *t, const ifn_backend_env *env)
{
    const char *what = env->options;
    is_frank = strcmp(what, "frank") == 0;
    is_lazy = strcmp(what, "lazy") == 0;
    if (strcmp(what, "honest") == 0)
        t->matmul = honest;
    else if (strcmp(what, "rare") == 0)
        t->matmul = rare;
    else if (strcmp(what, "racing") == 0)
        t->matmul = racing;
    else if (strcmp(what, "tail") == 0)
        t->matmul = tail;
    else if (strcmp(what, "cut") == 0)
        t->matmul = cutting;
    else if (is_lazy)
        t->matmul = refuse;
    if (is_frank || strcmp(what, "shy") == 0) {
        inherited = t->linear;
        t->linear = choosy;
    }
}

static char ending[16]; /* a copy: env no longer exists when it is read */

static void crash(void)
{
    raise(SIGSEGV);
}

static ifn_status begin(void **state, const ifn_backend_env *env, ifn_error *err)
{
    (void)err;
    *state = NULL;
    snprintf(ending, sizeof ending, "%s", env->options);
    if (strcmp(ending, "undoing") == 0)
        atexit(crash);
    return IFN_OK;
}

static void end(void *state)
{
    (void)state;
    if (strcmp(ending, "leaving") == 0)
        _exit(9);
    if (strcmp(ending, "dying") == 0)
        raise(SIGSEGV);
    while (strcmp(ending, "staying") == 0)
        pause();
}

static const ifn_manifest manifest = {
    .manifest_bytes = sizeof manifest, .invariances = 0x3ff, .unsupported = is_unsupported};

IFN_BACKEND_ENTRY(.name = "faulty", .summary = "what its option says", .open = begin, .close = end,
                  .fill = fill, .manifest = &manifest)
