#include "tested.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "spin.h"

const spec_op *matmul_spec(void)
{
    static const spec_op spec = {
        .op = IFN_OP_MATMUL,
        .n_dims = 3,
        .dims =
            {
                {.name = "m",
                 .n_edges = 5,
                 .edges = {0, 1, 2, 3, 5},
                 .random_low = 1,
                 .random_high = 64},
                {.name = "n",
                 .n_edges = 7,
                 .edges = {0, 1, 7, 8, 9, 31, 33},
                 .random_low = 1,
                 .random_high = 512,
                 .model_n = 1,
                 .model = {4096}},
                {.name = "p",
                 .n_edges = 5,
                 .edges = {0, 1, 2, 15, 17},
                 .random_low = 1,
                 .random_high = 64},
            },
        .n_regimes = 12,
        .regimes = {{TIER_T0, FAMILY_LATTICE},
                    {TIER_T0, FAMILY_ASYMMETRIC},
                    {TIER_T0, FAMILY_ONE_HOT},
                    {TIER_T1, FAMILY_NORMAL},
                    {TIER_T1, FAMILY_POSITIVE},
                    {TIER_T1, FAMILY_CANCELLING},
                    {TIER_T1, FAMILY_TINY},
                    {TIER_T1, FAMILY_HUGE_VALUES},
                    {TIER_T1, FAMILY_WIDE},
                    {TIER_T2, FAMILY_NORMAL},
                    {TIER_T2, FAMILY_WIDE},
                    {TIER_SPECIAL, FAMILY_SPECIALS}},
        .n_dtypes = 1,
        .dtypes = {IFN_DTYPE_F32},
    };
    return &spec;
}

const spec_op *add_spec(void)
{
    static const spec_op spec = {
        .op = IFN_OP_ADD,
        .n_dims = 1,
        .dims = {{.name = "n",
                  .n_edges = 5,
                  .edges = {0, 1, 2, 3, 5},
                  .random_low = 1,
                  .random_high = 1000}},
        .n_dtypes = 1,
        .dtypes = {IFN_DTYPE_F32},
    };
    return &spec;
}

typedef struct span {
    int64_t begin, end;
} span;

static span part_of(int64_t begin, int64_t end, int64_t extent)
{
    return end ? (span){begin, end} : (span){0, extent};
}

/* Returns the product of row i and column j over n terms, from the last to the first if `backwards`. */
static float dot(const ifn_matmul_args *a, int64_t i, int64_t j, int64_t n, int backwards)
{
    float sum = 0;
    for (int64_t t = 0; t < n; t++) {
        const int64_t at = backwards ? n - 1 - t : t;
        sum += a->a[i * a->n + at] * a->b[at * a->p + j];
    }
    return sum;
}

static ifn_status multiply(const ifn_matmul_args *a, int64_t n, int backwards)
{
    const span rows = part_of(a->part_begin, a->part_end, a->m);
    const span cols = part_of(a->part2_begin, a->part2_end, a->p);
    for (int64_t i = rows.begin; i < rows.end; i++)
        for (int64_t j = cols.begin; j < cols.end; j++)
            a->out[i * a->p + j] = dot(a, i, j, n, backwards);
    return IFN_OK;
}

static __attribute__((noinline)) ifn_status do_honest(const ifn_matmul_args *a)
{
    return multiply(a, a->n, 0);
}

static ifn_status do_one_past_the_end(const ifn_matmul_args *a)
{
    if (a->m && a->p)
        a->out[a->m * a->p] = 1.0f;
    return multiply(a, a->n, 0);
}

static ifn_status do_one_before(const ifn_matmul_args *a)
{
    if (a->m && a->p)
        a->out[-1] = 1.0f;
    return multiply(a, a->n, 0);
}

static volatile float sink;

static ifn_status do_reads_past(const ifn_matmul_args *a)
{
    if (a->n && a->p)
        sink = a->b[a->n * a->p];
    return multiply(a, a->n, 0);
}

static ifn_status do_reads_before(const ifn_matmul_args *a)
{
    if (a->m && a->n)
        sink = a->a[-1];
    return multiply(a, a->n, 0);
}

static ifn_status do_writes_input(const ifn_matmul_args *a)
{
    if (a->m && a->n)
        memset((void *)(uintptr_t)a->a, 0, sizeof(float));
    return multiply(a, a->n, 0);
}

static ifn_status do_changes_mxcsr(const ifn_matmul_args *a)
{
    const ifn_status status = multiply(a, a->n, 0);
#ifdef __x86_64__
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    mxcsr |= 0x8040;
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
#endif
    return status;
}

/* The asm does not name rbx in its clobber list: that is the fault. The product is a call, because code here that
 * used the register would make the compiler restore it. */
static ifn_status do_clobbers_rbx(const ifn_matmul_args *a)
{
    const ifn_status status = do_honest(a);
#ifdef __x86_64__
    __asm__ volatile("xor %%ebx, %%ebx" : : :);
#endif
    return status;
}

/* Leaves upper halves in use, if the processor can tell: abi.h. */
static ifn_status do_leaves_upper(const ifn_matmul_args *a)
{
    const ifn_status status = multiply(a, a->n, 0);
#ifdef __x86_64__
    if (conform_abi_checks_upper())
        __asm__ volatile("vcmpps $15, %%ymm0, %%ymm0, %%ymm0" : : :);
#endif
    return status;
}

static ifn_status do_leaves_tiles(const ifn_matmul_args *a)
{
    const ifn_status status = multiply(a, a->n, 0);
#ifdef __x86_64__
    static const unsigned char config[64] = {1}; /* has no rows, but counts as in use */
    if (conform_abi_checks_upper() && ifn_cpu_ask_for_tiles())
        __asm__ volatile("ldtilecfg %0" : : "m"(config));
#endif
    return status;
}

static ifn_status do_crashes(const ifn_matmul_args *a)
{
    volatile int *volatile nowhere = (volatile int *)sizeof(int); /* a sanitizer would see NULL */
    if (a->m == 3)
        *nowhere = 1;
    return multiply(a, a->n, 0);
}

int tested_signal;

static ifn_status do_dies(const ifn_matmul_args *a)
{
    if (a->m == 3) {
        signal(tested_signal, SIG_DFL);
        raise(tested_signal);
    }
    return multiply(a, a->n, 0);
}

static ifn_status do_exits(const ifn_matmul_args *a)
{
    if (a->m == 3)
        _Exit(7);
    return multiply(a, a->n, 0);
}

static ifn_status do_hangs(const ifn_matmul_args *a)
{
    for (volatile int forever = 1; a->m == 3 && forever;)
        continue;
    return multiply(a, a->n, 0);
}

/* --- more threads than there are processors, each with no end before it has had its time --- */

double tested_spins_for;

static ifn_status do_spins(const ifn_matmul_args *a)
{
    static atomic_int is_done;
    if (a->m == 3 && !atomic_exchange(&is_done, 1))
        spin_on_all(tested_spins_for);
    return multiply(a, a->n, 0);
}

static ifn_status do_spins_on(const ifn_matmul_args *a)
{
    if (a->m == 3)
        spin_on_all(INFINITY);
    return multiply(a, a->n, 0);
}

static ifn_status do_stale_output(const ifn_matmul_args *a)
{
    const span rows = part_of(a->part_begin, a->part_end, a->m);
    const span cols = part_of(a->part2_begin, a->part2_end, a->p);
    for (int64_t i = rows.begin; i < rows.end; i++)
        for (int64_t j = cols.begin; j < cols.end; j++)
            a->out[i * a->p + j] += dot(a, i, j, a->n, 0);
    return IFN_OK;
}

static ifn_status do_drops_last(const ifn_matmul_args *a)
{
    return multiply(a, a->n > 0 ? a->n - 1 : 0, 0);
}

static ifn_status do_swaps_rows(const ifn_matmul_args *a)
{
    const ifn_status status = multiply(a, a->n, 0);
    for (int64_t j = 0; j < a->p && a->m > 1 && !a->part_end && !a->part2_end; j++) {
        const float t = a->out[j];
        a->out[j] = a->out[a->p + j];
        a->out[a->p + j] = t;
    }
    return status;
}

static ifn_status do_zeros(const ifn_matmul_args *a)
{
    return multiply(a, 0, 0);
}

static ifn_status do_whole_in_every_part(const ifn_matmul_args *a)
{
    ifn_matmul_args whole = *a;
    whole.part_begin = whole.part_end = whole.part2_begin = whole.part2_end = 0;
    return multiply(&whole, a->n, 0);
}

static ifn_status do_ignores_parts(const ifn_matmul_args *a)
{
    ifn_matmul_args first = *a;
    if (a->part_end)
        first.part_end = a->part_begin + 1;
    return multiply(&first, a->n, 0);
}

static ifn_status do_part_dependent(const ifn_matmul_args *a)
{
    return multiply(a, a->n, a->part_end != 0 || a->part2_end != 0);
}

static ifn_status do_address_dependent(const ifn_matmul_args *a)
{
    return multiply(a, a->n, (uintptr_t)a->out / sizeof(float) % 2);
}

static ifn_status do_refuses(const ifn_matmul_args *a)
{
    (void)a;
    return IFN_ERR_UNSUPPORTED;
}

static ifn_status do_fails(const ifn_matmul_args *a)
{
    return a->m == 3 ? IFN_ERR_SHAPE : multiply(a, a->n, 0);
}

static ifn_status do_wobbles(const ifn_matmul_args *a)
{
    static int calls;
    multiply(a, a->n, calls++ & 1);
    return IFN_OK;
}

static ifn_status do_negative_only(const ifn_matmul_args *a)
{
    return multiply(a, a->m && a->n && a->a[0] < 0 ? 0 : a->n, 0);
}

static ifn_status do_sometimes(const ifn_matmul_args *a)
{
    static int calls;
    return multiply(a, ++calls % 150 == 1 ? 0 : a->n, 0);
}

static ifn_status do_tail_4099(const ifn_matmul_args *a)
{
    return multiply(a, a->n >= 9 && a->n % 4 ? a->n - 1 : a->n, 0);
}

static ifn_status do_from_31(const ifn_matmul_args *a)
{
    return multiply(a, a->n >= 31 ? a->n - 1 : a->n, 0);
}

static ifn_status do_odd_halves(const ifn_matmul_args *a)
{
    return multiply(a, a->n % 64 == 32 ? a->n - 1 : a->n, 0);
}

static ifn_status do_two_sizes(const ifn_matmul_args *a)
{
    return multiply(a, a->m >= 17 && a->p >= 9 ? 0 : a->n, 0);
}

static ifn_status do_small_only(const ifn_matmul_args *a)
{
    return multiply(a, a->n <= 12 ? 0 : a->n, 0);
}

/* Defines matmul_<name>, fill_<name>, desc_<name> and tested_<name>. All of them declare R0 to R10. */
static const ifn_manifest manifest = {.manifest_bytes = sizeof manifest, .invariances = 0x7ff};

static ifn_status open_desc(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, "", NULL, out, err);
}

#define X(word, text)                                                                              \
    static ifn_status matmul_##word(ifn_backend *self, const ifn_matmul_args *a)                   \
    {                                                                                              \
        (void)self;                                                                                \
        return do_##word(a);                                                                       \
    }                                                                                              \
    static void fill_##word(ifn_op_table *table, const ifn_backend_env *env)                       \
    {                                                                                              \
        (void)env;                                                                                 \
        table->matmul = matmul_##word;                                                             \
    }                                                                                              \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word,                 \
                                                 .summary = text, .fill = fill_##word,             \
                                                 .manifest = &manifest};                           \
    const conform_tested tested_##word = {#word, open_desc, &desc_##word};
FAULTY_BACKENDS(X)
#undef X

static const ifn_backend_desc desc_undeclared = {IFN_BACKEND_STAMP, .name = "undeclared",
                                                 .summary = "declares nothing",
                                                 .fill = fill_part_dependent};
const conform_tested tested_undeclared = {"undeclared", open_desc, &desc_undeclared};
