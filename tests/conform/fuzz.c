#include "fuzz.h"
#include "case_call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "case_id.h"
#include "gen.h"

void fuzz_open(fuzz *f, ifn_op op)
{
    ifn_error err;
    *f = (fuzz){.module = conform_module_of(op)};
    assert_ok(ifn_backend_open("scalar", NULL, &f->backend, &err), err);
    conform_pool_init(&f->pool);
}

void fuzz_close(fuzz *f)
{
    if (getenv("CONFORM_FUZZ"))
        print_message("%s: %lld cases, %lld compared, %lld skipped, %lld blunt; worst T0 %.3g T1 "
                      "%.3g T2 %.3g special %.3g\n",
                      ifn_op_name(f->module->op), (long long)f->n_cases, (long long)f->n_compared,
                      (long long)f->n_skipped, (long long)f->n_blunt, f->worst[TIER_T0],
                      f->worst[TIER_T1], f->worst[TIER_T2], f->worst[TIER_SPECIAL]);
    assert_true(f->n_compared > f->n_skipped);
    ifn_backend_close(f->backend);
    conform_pool_fini(&f->pool);
}

static void choose_tier(fuzz *f)
{
    static const conform_family exact[] = {FAMILY_LATTICE, FAMILY_ASYMMETRIC, FAMILY_ONE_HOT};
    static const conform_family any[] = {FAMILY_NORMAL,     FAMILY_POSITIVE,    FAMILY_CANCELLING,
                                         FAMILY_TINY,       FAMILY_HUGE_VALUES, FAMILY_WIDE,
                                         FAMILY_SCALE_PROBE};
    static const conform_family random_signs[] = {FAMILY_NORMAL, FAMILY_NORMAL, FAMILY_WIDE};
    conform_case *c = &f->c;
    c->tier = (conform_tier)(f->n % 4);
    if (c->tier == TIER_T0)
        c->family = exact[f->n / 4 % 3];
    else if (c->tier == TIER_T1)
        c->family = any[f->n / 4 % N_OF(any)];
    else if (c->tier == TIER_T2)
        c->family = random_signs[f->n / 4 % 3];
    else
        c->family = FAMILY_SPECIALS;
}

static void next_case(fuzz *f)
{
    f->random = 0;
    f->c = (conform_case){.op = f->module->op, .dtype = IFN_DTYPE_F32, .out_dtype = IFN_DTYPE_F32};
    f->c.seed = conform_hash(f->n, "fuzz", f->module->op);
}

int fuzz_next(fuzz *f, uint64_t n)
{
    const char *more = getenv("CONFORM_FUZZ");
    if (f->n >= (more ? strtoull(more, NULL, 10) : n))
        return 0;
    f->n++;
    next_case(f);
    choose_tier(f);
    return 1;
}

int64_t fuzz_size(fuzz *f, int64_t low, int64_t high)
{
    const uint64_t bits = conform_hash(f->c.seed, "size", f->random++);
    if (bits % 8 == 0)
        return low;
    return bits % 8 == 1 ? high : low + (int64_t)((bits >> 8) % (uint64_t)(high - low + 1));
}

int64_t fuzz_pick_of(fuzz *f, const int64_t *list, size_t n)
{
    return list[conform_hash(f->c.seed, "pick", f->random++) % n];
}

static void describe(const fuzz *f)
{
    char id[CONFORM_ID_BYTES];
    conform_case_id(&f->c, id);
    print_error("%s\n", id);
}

/* Returns the tensor whose memory an output shares in place, named after the '=' of "out=x"; -1 if none. */
static int aliased(const fuzz *f, int tensor)
{
    const size_t n = strlen(f->l.t[tensor].name);
    if (f->c.alias == 0)
        return -1;
    const char *const alias = f->module->aliases[f->c.alias - 1];
    if (strncmp(alias, f->l.t[tensor].name, n) != 0 || alias[n] != '=')
        return -1;
    return conform_tensor_index(&f->l, alias + n + 1);
}

int fuzz_begin(fuzz *f)
{
    const conform_declared strict = {.exp_eps = 4 * U, .rsqrt_rel = 2 * U};
    f->l = (conform_layout){0};
    if (conform_case_layout(&f->c, &f->l) != IFN_OK)
        return 0;
    for (int t = 0; t < f->l.n; t++) {
        const size_t bytes = f->l.t[t].bytes;
        f->data[t] = f->l.t[t].absent ? NULL : malloc(bytes + 1);
        if (f->data[t])
            memset(f->data[t], 0xa5, bytes + 1);
    }
    memset(f->truth, 0, sizeof f->truth);
    conform_pool_reset(&f->pool);
    f->module->fill(&f->c, &f->l, f->data);
    f->module->truth(&f->c, &f->l, f->data, &strict, &f->pool, f->truth);
    for (int t = 0; t < f->l.n; t++) {
        const int over = aliased(f, t);
        if (over < 0)
            continue;
        free(f->data[t]);
        f->data[t] = f->data[over];
    }
    conform_case_bind(&f->c, &f->l, f->data, &f->call);
    return 1;
}

void fuzz_run(fuzz *f)
{
    ifn_status status = IFN_ERR_ARGUMENT;
    ifn_error err = {0};
    if (ifn_op_check(f->c.op, &f->call.args.call, &err) != IFN_OK)
        describe(f);
    assert_ok(ifn_op_check(f->c.op, &f->call.args.call, &err), err);
    switch (f->c.op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        status = ifn_##name(f->backend, &f->call.args.name);                                       \
        break;
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    assert_int_equal(status, IFN_OK);
}

static void note(fuzz *f, const conform_result *r, const conform_truth *truth)
{
    /* a value decoded from a quantized output reaches its bound, half a step, all the time */
    double *worst = truth->class == CLASS_DECODED ? &f->worst_decoded : &f->worst[f->c.tier];
    f->n_compared += r->n_compared;
    f->n_skipped += r->n_skipped;
    f->n_blunt += truth->power > 0 && truth->power < 1;
    *worst = r->ratio > *worst ? r->ratio : *worst;
}

static int is_written(const conform_tensor *t)
{
    return !t->absent && (t->role == ROLE_OUT || t->role == ROLE_INOUT);
}

int64_t fuzz_wrong(fuzz *f)
{
    int64_t n = 0;
    for (int t = 0; t < f->l.n; t++) {
        conform_result r;
        if (!is_written(&f->l.t[t]))
            continue;
        conform_compare(&f->l.t[t], f->data[t], &f->truth[t], &r, NULL);
        n += r.n_wrong;
    }
    return n;
}

void fuzz_end(fuzz *f)
{
    for (int t = 0; t < f->l.n; t++)
        if (aliased(f, t) < 0)
            free(f->data[t]);
}

void fuzz_honest(fuzz *f)
{
    if (!fuzz_begin(f))
        return;
    f->n_cases++;
    fuzz_run(f);
    for (int t = 0; t < f->l.n; t++) {
        conform_result r;
        if (!is_written(&f->l.t[t]))
            continue;
        conform_compare(&f->l.t[t], f->data[t], &f->truth[t], &r, NULL);
        if (r.n_wrong)
            describe(f);
        assert_that(r.n_wrong == 0,
                    "%s: %lld of %lld wrong, worst [%lld]: got %.9g, want %.17g "
                    "within %.3g, ratio %.3g",
                    f->l.t[t].name, (long long)r.n_wrong, (long long)r.n_compared,
                    (long long)r.worst, r.got, r.want, r.bound, r.ratio);
        note(f, &r, &f->truth[t]);
    }
    fuzz_end(f);
}

float *fuzz_floats(fuzz *f, const char *name)
{
    return f->data[conform_tensor_index(&f->l, name)];
}

int fuzz_caught(ifn_op op, conform_tier tier, conform_family family, int n, void (*choose)(fuzz *f),
                void (*fault)(fuzz *f))
{
    int caught = 0, run = 0;
    fuzz f;
    fuzz_open(&f, op);
    for (; run < n; run++) {
        f.n++;
        next_case(&f);
        f.c.tier = tier;
        f.c.family = family;
        choose(&f);
        assert_true(fuzz_begin(&f));
        fault(&f);
        caught += fuzz_wrong(&f) > 0;
        fuzz_end(&f);
    }
    ifn_backend_close(f.backend);
    conform_pool_fini(&f.pool);
    return caught * 100 / run;
}
