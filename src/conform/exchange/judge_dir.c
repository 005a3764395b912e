/* Computes the truth again from the id of each case: no file of the directory decides what is right. */
#include "judge_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arithmetic.h"
#include "case_pool.h"
#include "compare.h"
#include "complain.h"
#include "export.h"
#include "export_index.h"
#include "messages.h"
#include "selection.h"

enum { MAX_SHOWN = 6 };

typedef struct statistics {
    int64_t cases, not_run, failed;
    double worst;
} statistics;

typedef struct judge_dir {
    const char *dir;
    const char *spec;        /* --spec of the command line */
    conform_options planned; /* the options of export, from the index */
    conform_selection selection;
    conform_pool pool;
    export_index index;
    int64_t next; /* the first case of the index that was not judged yet */
    statistics all_statistics[IFN_OP_COUNT];
} judge_dir;

/* Prints why a case failed, for the first MAX_SHOWN cases of an op. */
static void fail_case(judge_dir *j, const conform_slot *s, const char *why)
{
    char id[CONFORM_ID_BYTES];
    conform_case_id(&s->c, id);
    if (j->all_statistics[s->c.op].failed < MAX_SHOWN)
        printf("%s: %s\n", id, why);
}

static npy_matrix matrix_of(const judge_dir *j, const conform_slot *s, int i)
{
    return export_matrix(j->selection.specs[s->c.op], &s->c, &s->layout.t[i]);
}

/* Reads the rows of a file into a buffer with the strides of the tensor; gaps between rows are filled from the truth.
 * */
static ifn_status read_got(judge_dir *j, const conform_slot *s, int i, const char *path,
                           unsigned char **out, ifn_error *err)
{
    const conform_tensor *const t = &s->layout.t[i];
    const conform_truth *const truth = &s->truth[i];
    const npy_matrix m = matrix_of(j, s, i);
    const size_t bytes = npy_bytes(&m), stride = export_stride(t);
    const size_t row = m.rows > 0 ? bytes / (size_t)m.rows : 0;
    unsigned char *dense = conform_pool_take(&j->pool, bytes, 1);
    *out = conform_pool_take(&j->pool, t->bytes, 1);
    IFN_TRY(npy_read(path, &m, dense, err));
    if (truth->class == CLASS_RAW)
        memcpy(*out, truth->raw, t->bytes);
    for (int64_t r = 0; r < m.rows; r++)
        memcpy(*out + (size_t)r * stride, dense + (size_t)r * row, row);
    return IFN_OK;
}

static void describe(const conform_tensor *t, const conform_truth *truth, const conform_result *res,
                     char *out, size_t bytes)
{
    const int64_t cols = t->cols > 0 ? t->cols : 1;
    if (truth->class == CLASS_RAW)
        snprintf(out, bytes, "%s, byte %lld: 0x%02x, expected 0x%02x; %lld wrong", t->name,
                 (long long)res->worst, (unsigned)res->got, (unsigned)res->want,
                 (long long)res->n_wrong);
    else
        snprintf(out, bytes, "%s[%lld,%lld]: %.9g, expected %.9g +- %.3g; %lld wrong", t->name,
                 (long long)(res->worst / cols), (long long)(res->worst % cols), res->got,
                 res->want, res->bound, (long long)res->n_wrong);
}

/* Returns 1 if the output is right, or 0 and says why not. */
static int judge_output(judge_dir *j, const conform_slot *s, int i, const char *path)
{
    const conform_tensor *t = &s->layout.t[i];
    statistics *sum = &j->all_statistics[s->c.op];
    ifn_error err = {0};
    char why[240];
    unsigned char *got;
    conform_result res;
    if (read_got(j, s, i, path, &got, &err) != IFN_OK) {
        fail_case(j, s, err.text);
        return 0;
    }
    conform_compare(t, got, &s->truth[i], &res, NULL);
    sum->worst = res.ratio > sum->worst ? res.ratio : sum->worst;
    if (!res.n_wrong)
        return 1;
    describe(t, &s->truth[i], &res, why, sizeof why);
    fail_case(j, s, why);
    return 0;
}

/* Requires that the file has the inputs of this case; others would have another truth. */
static ifn_status check_input(judge_dir *j, const conform_slot *s, int i, const char *path,
                              ifn_error *err)
{
    const conform_tensor *t = &s->layout.t[i];
    const npy_matrix m = matrix_of(j, s, i);
    const size_t bytes = npy_bytes(&m), row = m.rows > 0 ? bytes / (size_t)m.rows : 0;
    unsigned char *dense = conform_pool_take(&j->pool, bytes, 1);
    IFN_TRY(npy_read(path, &m, dense, err));
    for (int64_t r = 0; r < m.rows; r++)
        if (memcmp(dense + (size_t)r * row,
                   (const char *)s->before[i] + (size_t)r * export_stride(t), row) != 0)
            return ifn_fail(err, IFN_ERR_FORMAT,
                            "%.120s: row %lld is not this case's, expected files of this version's "
                            "export",
                            path, (long long)r);
    return IFN_OK;
}

static ifn_status check_inputs(judge_dir *j, const conform_slot *s, const char *folder,
                               ifn_error *err)
{
    char path[EXPORT_PATH_BYTES];
    for (int i = 0; i < s->layout.n; i++) {
        if (!export_is_input(s, i))
            continue;
        IFN_TRY(export_path(path, j->dir, folder, s->layout.t[i].name, ".npy", err));
        IFN_TRY(check_input(j, s, i, path, err));
    }
    return IFN_OK;
}

/* Judges all outputs of a case. If all are missing, it was not run; if some are, it failed. */
static ifn_status judge_outputs(judge_dir *j, const conform_slot *s, const char *folder,
                                ifn_error *err)
{
    statistics *sum = &j->all_statistics[s->c.op];
    char path[EXPORT_PATH_BYTES], missing[300] = "";
    int n_there = 0, n_missing = 0, right = 1;
    for (int i = 0; i < s->layout.n; i++) {
        if (!export_is_output(s, i))
            continue;
        IFN_TRY(export_path(path, j->dir, folder, s->layout.t[i].name, ".got.npy", err));
        if (access(path, F_OK) != 0) {
            n_missing++;
            snprintf(missing, sizeof missing, "%.200s: is missing, others are there", path);
            continue;
        }
        n_there++;
        right = right && judge_output(j, s, i, path);
    }
    if (n_there && n_missing && right)
        fail_case(j, s, missing);
    sum->cases++;
    sum->not_run += !n_there;
    sum->failed += n_there && (n_missing || !right);
    return IFN_OK;
}

static ifn_status is_not_planned(const judge_dir *j, const char *id, ifn_error *err)
{
    if (j->next == j->index.n)
        return ifn_fail(err, IFN_ERR_FORMAT,
                        "%.120s/index.yaml: ends after %lld cases, expected %s of its plan next",
                        j->dir, (long long)j->index.n, id);
    return ifn_fail(err, IFN_ERR_FORMAT,
                    "%.120s/index.yaml: case %lld is %s, expected %s as its plan has it", j->dir,
                    (long long)j->next, j->index.cases[j->next].id, id);
}

/* Judges the next case of the plan. It must be the next case of the index, unless export skips it. */
static ifn_status judge_case(judge_dir *j, const conform_case *planned, ifn_error *err)
{
    const conform_case c = export_case_of(planned);
    conform_slot slot;
    char id[CONFORM_ID_BYTES];
    if (c.tier == TIER_REFUSE)
        return IFN_OK;
    conform_pool_reset(&j->pool);
    const ifn_status built =
        conform_slot_build(&slot, &j->pool, &c, j->selection.specs[c.op], NULL, err);
    if (built != IFN_OK)
        return built == IFN_ERR_SHAPE ? IFN_OK : built;
    slot = export_slot_under(&slot, &j->planned, &j->pool);
    conform_case_id(&c, id);
    if (j->next == j->index.n || strcmp(j->index.cases[j->next].id, id) != 0)
        return is_not_planned(j, id, err);
    const char *const folder = j->index.cases[j->next++].folder;
    IFN_TRY(check_inputs(j, &slot, folder, err));
    return judge_outputs(j, &slot, folder, err);
}

static ifn_status judge_op(judge_dir *j, int op, ifn_error *err)
{
    conform_plan plan;
    ifn_status status = IFN_OK;
    IFN_TRY(conform_selection_plan(&j->selection, (ifn_op)op, &plan, err));
    for (int64_t i = 0; i < plan.n && status == IFN_OK; i++)
        status = judge_case(j, &plan.cases[i], err);
    conform_plan_close(&plan);
    return status;
}

/* Limits the cases that the plan of an index may draw per listed case, as drawing takes time and memory, and export
 * skips only a few. */
static ifn_status check_drawn(const judge_dir *j, ifn_error *err)
{
    enum { MOST_DRAWN_FOR_ONE = 1000, MOST_DRAWN = 1 << 24 };
    const conform_filter *const w = &j->planned.filter;
    const int64_t shards = w->n_shards > 1 ? w->n_shards : 1;
    const int64_t most = (j->index.n + 1) * MOST_DRAWN_FOR_ONE * shards;
    if (w->n_cases <= most && w->n_cases <= MOST_DRAWN)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_FORMAT,
                    "%.120s/index.yaml: lists %lld cases of a plan that draws %lld, expected at "
                    "most %lld drawn",
                    j->dir, (long long)j->index.n, (long long)w->n_cases,
                    (long long)(most < MOST_DRAWN ? most : MOST_DRAWN));
}

/* Parses the options in the index. An error is one of the file, not of the command line. */
static ifn_status read_words(judge_dir *j, ifn_error *err)
{
    ifn_error why = {.status = IFN_OK};
    const ifn_status status =
        conform_options_parse(&j->planned, j->index.n_words, j->index.words, &why);
    return status == IFN_OK
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_FORMAT, "%.120s/index.yaml: plan: %s", j->dir, why.text);
}

/* Plans the cases again from the options, so that no case can be removed from the index or counted twice. */
static ifn_status judge_plan(judge_dir *j, ifn_error *err)
{
    IFN_TRY(read_words(j, err));
    IFN_TRY(check_drawn(j, err));
    j->planned.spec = j->spec;
    IFN_TRY(conform_selection_open(&j->selection, &j->planned, err));
    for (int op = 0; op < IFN_OP_COUNT; op++)
        IFN_TRY(judge_op(j, op, err));
    if (j->next < j->index.n)
        return ifn_fail(err, IFN_ERR_FORMAT,
                        "%.120s/index.yaml: %lld cases, expected the %lld of its plan", j->dir,
                        (long long)j->index.n, (long long)j->next);
    return IFN_OK;
}

/* Prints the verdict, with the declared arithmetic and with the filters and shard that restrict it. */
static void print_verdict(const judge_dir *j, int conformant)
{
    fputs(conformant ? "conformant" : "NOT conformant", stdout);
    const ifn_arithmetic a = {.inputs = (uint32_t)j->planned.products};
    char words[64];
    if (!conform_arithmetic_is_plain(&a))
        printf(", %s", conform_arithmetic_words(&a, words, sizeof words));
    if (j->planned.ftz)
        fputs(", subnormals flushed", stdout);
    if (j->planned.filters[0])
        printf(", of %s alone", j->planned.filters);
    if (j->planned.filter.n_shards > 1)
        printf(", of shard %lld/%lld alone", (long long)j->planned.filter.shard,
               (long long)j->planned.filter.n_shards);
    putchar('\n');
}

/* Sums over ops. Conformant: every case has run and none failed. */
static conform_judged sum_up(const judge_dir *j)
{
    conform_judged sum = {.cases = 0};
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        sum.cases += j->all_statistics[op].cases;
        sum.not_run += j->all_statistics[op].not_run;
        sum.failed += j->all_statistics[op].failed;
    }
    sum.is_conformant = sum.cases > 0 && sum.failed == 0 && sum.not_run == 0;
    return sum;
}

static void print_table(const judge_dir *j, const conform_judged *sum)
{
    printf("%-24s%10s%10s%10s%12s\n", "op", "cases", "not run", "failed", "worst");
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const statistics *t = &j->all_statistics[op];
        if (t->cases)
            printf("%-24s%10lld%10lld%10lld%12.3g\n", ifn_op_name((ifn_op)op), (long long)t->cases,
                   (long long)t->not_run, (long long)t->failed, t->worst);
    }
    printf("%lld cases executed, %lld failed, %lld not run: ",
           (long long)(sum->cases - sum->not_run), (long long)sum->failed, (long long)sum->not_run);
    print_verdict(j, sum->is_conformant);
}

ifn_status conform_judge_dir(const conform_options *options, conform_judged *out, ifn_error *err)
{
    judge_dir j = {.dir = options->words[0], .spec = options->spec};
    *out = (conform_judged){.cases = 0};
    conform_pool_init(&j.pool);
    ifn_status status = export_index_open(&j.index, j.dir, err);
    if (status == IFN_OK)
        status = judge_plan(&j, err);
    if (status == IFN_OK) {
        *out = sum_up(&j);
        print_table(&j, out);
    }
    conform_pool_fini(&j.pool);
    conform_selection_close(&j.selection);
    export_index_close(&j.index);
    return status;
}

int conform_judge_dir_main(const conform_options *options)
{
    conform_judged judged;
    ifn_error err = {0};
    if (conform_judge_dir(options, &judged, &err) != IFN_OK)
        return conform_complain("conform judge", &err, 0);
    return judged.is_conformant ? EXIT_DONE : EXIT_NO;
}
