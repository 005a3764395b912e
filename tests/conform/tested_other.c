#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "tested.h"

static const ifn_manifest manifest = {.manifest_bytes = sizeof manifest, .invariances = 0x7ff};

static ifn_status open_leaf(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, "", NULL, out, err);
}

static ifn_status linear_writes_gap(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    if (status == IFN_OK && a->rows > 1 && a->out_stride[0] > a->w[0]->shape[0])
        a->out[0][a->w[0]->shape[0]] = 1.0f;
    return status;
}

static void fill_writes_gap(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = linear_writes_gap;
}

static ifn_status add_reads_late(ifn_backend *self, const ifn_add_args *a)
{
    const int64_t end = a->part_end ? a->part_end : a->n;
    (void)self;
    for (int64_t i = a->part_begin; i < end; i++) {
        a->out[i] = 0;
        a->out[i] = a->x[i] + a->y[i];
    }
    return IFN_OK;
}

static void fill_reads_late(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add_reads_late;
}

static ifn_status add_own_arithmetic(ifn_backend *self, const ifn_add_args *a)
{
    const ifn_status status = ifn_add(self->inner, a);
    if (status == IFN_OK && a->n > 0 && a->part_begin == 0)
        a->out[0] += 0.0f * a->out[0] - 0.0f; /* changes the bits of -0 only */
    return status;
}

static void fill_own_arithmetic(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add_own_arithmetic;
}

static ifn_status matmul_writes_refused(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    if (a->m > 0 && a->p > 0)
        a->out[0] = 1;
    return IFN_ERR_UNSUPPORTED;
}

static void fill_writes_refused(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->matmul = matmul_writes_refused;
}

static ifn_status linear_packs(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    if (status == IFN_OK && a->packed[0] && a->rows > 0 && a->w[0]->shape[0] > 0)
        a->out[0][0] = 0;
    return status;
}

static void fill_packs(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear = linear_packs;
}

static ifn_status pack(const ifn_tensor *const *w, int n, uint32_t ops, ifn_packed *out)
{
    (void)w;
    for (int i = 0; i < n; i++)
        out[i] = (ifn_packed){.data = malloc(16), .bytes = 16, .ops = ops};
    return IFN_OK;
}

static ifn_status prepare(ifn_backend *self, const ifn_tensor *const *w, int n, uint32_t uses,
                          ifn_packed *out, ifn_error *err)
{
    (void)self;
    (void)uses;
    (void)err;
    return pack(w, n, IFN_USE_LINEAR, out);
}

static ifn_status prepare_for_q8(ifn_backend *self, const ifn_tensor *const *w, int n,
                                 uint32_t uses, ifn_packed *out, ifn_error *err)
{
    (void)self;
    (void)uses;
    (void)err;
    return pack(w, n, IFN_USE_LINEAR_Q8, out);
}

static ifn_status cannot_prepare(ifn_backend *self, const ifn_tensor *const *w, int n,
                                 uint32_t uses, ifn_packed *out, ifn_error *err)
{
    (void)self;
    (void)w;
    (void)n;
    (void)uses;
    (void)out;
    return ifn_fail(err, IFN_ERR_NOMEM, "no room for panels");
}

static void release(ifn_backend *self, ifn_packed *packed)
{
    (void)self;
    free(packed->data);
}

/* Computes a part from the last multiple of four on: correct only where cuts are legal. */
static ifn_status matmul_one_granule(ifn_backend *self, const ifn_matmul_args *a)
{
    ifn_matmul_args wide = *a;
    wide.part2_begin = a->part2_begin / 4 * 4;
    return ifn_matmul(self->base, &wide);
}

static int64_t granule_of_four(const ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    (void)self;
    (void)args;
    return op == IFN_OP_MATMUL && axis == 1 ? 4 : 1;
}

static void fill_one_granule(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->matmul = matmul_one_granule;
}

#define LEAF(word, ...)                                                                            \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word, .summary = "",  \
                                                 .manifest = &manifest, __VA_ARGS__};              \
    const conform_tested tested_##word = {#word, open_leaf, &desc_##word};

LEAF(writes_gap, .fill = fill_writes_gap)
LEAF(reads_late, .fill = fill_reads_late)
LEAF(writes_refused, .fill = fill_writes_refused)
LEAF(packs, .fill = fill_packs, .prepare = prepare, .release = release)
LEAF(packs_for_q8, .fill = fill_packs, .prepare = prepare_for_q8, .release = release)
LEAF(cannot_pack, .fill = fill_packs, .prepare = cannot_prepare, .release = release)
LEAF(one_granule, .fill = fill_one_granule, .granule = granule_of_four)

enum { SUMS = 32 };

static float product_in(int64_t n_sums, const ifn_matmul_args *a, int64_t row, int64_t col)
{
    float sum[SUMS] = {0}, all = 0;
    for (int64_t l = 0; l < a->n; l++)
        sum[l % n_sums] += a->a[row * a->n + l] * a->b[l * a->p + col];
    for (int64_t s = 0; s < n_sums; s++)
        all += sum[s];
    return all;
}

/* Sums term by term for few rows, and in 32 sums for many: only the latter has a depth of 32 + n / 32. */
static ifn_status matmul_shallow(ifn_backend *self, const ifn_matmul_args *a)
{
    const int64_t n_rows = a->part_end ? a->part_end : a->m;
    const int64_t n_cols = a->part2_end ? a->part2_end : a->p;
    (void)self;
    for (int64_t row = a->part_begin; row < n_rows; row++)
        for (int64_t col = a->part2_begin; col < n_cols; col++)
            a->out[row * a->p + col] = product_in(a->m > 4 ? SUMS : 1, a, row, col);
    return IFN_OK;
}

static int64_t shallow_depth(ifn_op op, ifn_dtype dtype, int64_t k)
{
    (void)op;
    (void)dtype;
    return k / SUMS + SUMS;
}

static void fill_shallow(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->matmul = matmul_shallow;
}

static const ifn_manifest of_shallow = {.manifest_bytes = sizeof of_shallow,
                                        .depth = shallow_depth};
static const ifn_backend_desc desc_shallow = {IFN_BACKEND_STAMP, .name = "shallow", .summary = "",
                                              .manifest = &of_shallow, .fill = fill_shallow};
const conform_tested tested_shallow = {"shallow", open_leaf, &desc_shallow};

static const ifn_backend_desc desc_own_arithmetic = {IFN_BACKEND_STAMP, .name = "own_arithmetic",
                                                     .summary = "", .flags = IFN_BACKEND_WRAPPER,
                                                     .fill = fill_own_arithmetic};

static ifn_backend *inner;

static void close_inner(void)
{
    ifn_backend_close(inner);
}

/* A wrapper only borrows the backend inside, so that one is closed at exit. */
static ifn_status open_wrapper(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    if (!inner) {
        IFN_TRY(ifn_backend_open("scalar", NULL, &inner, err));
        atexit(close_inner);
    }
    return ifn_backend_open_desc(self->cookie, inner, "", NULL, out, err);
}

const conform_tested tested_own_arithmetic = {"own_arithmetic", open_wrapper, &desc_own_arithmetic};

conform_verdict judge_once(const conform_tested *tested, const conform_case *c)
{
    return judge_once_by(NULL, tested, c);
}

conform_site *tested_site;

conform_verdict judge_once_by(const spec_op *spec, const conform_tested *tested,
                              const conform_case *c)
{
    conform_pool pool;
    conform_judge judge;
    conform_verdict v;
    ifn_backend *backend, *scalar;
    ifn_error err = {0};
    conform_slot *slot = calloc(1, sizeof *slot);
    conform_pool_init(&pool);
    assert_ok(tested->open(tested, &backend, &err), err);
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    assert_ok(conform_slot_build(slot, &pool, c, spec, scalar, &err), err);
    conform_judge_open(&judge, backend, tested_site);
    conform_judge_case(&judge, slot, &v);
    conform_judge_close(&judge);
    ifn_backend_close(scalar);
    ifn_backend_close(backend);
    conform_pool_fini(&pool);
    free(slot);
    return v;
}

bool judge_is_fatal(const conform_tested *tested, const conform_case *c, conform_outcome *outcome)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        _exit((int)judge_once(tested, c).outcome);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    *outcome = (conform_outcome)WEXITSTATUS(status);
    return WIFSIGNALED(status);
}
