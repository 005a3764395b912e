/* The truth is made anew from each case's id: nothing in the directory decides what is right. */
#include "judge_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "case_pool.h"
#include "compare.h"
#include "complain.h"
#include "export.h"
#include "report.h"
#include "selection.h"
#include "spec_doc.h"

enum { MAX_SHOWN = 6, MAX_CASES = 1 << 24 };

typedef struct tally {
    int64_t cases, not_run, failed;
    double worst;
} tally;

typedef struct judge_dir {
    const char *dir;
    conform_options options;
    conform_selection selection;
    conform_pool pool;
    tally tallies[IFN_OP_COUNT];
} judge_dir;

typedef struct judged_case {
    char id[CONFORM_ID_BYTES], folder[24];
} judged_case;

/* Says why a case failed, for the first ones of an op. */
static void fail_case(judge_dir *j, const conform_slot *s, const char *why)
{
    char id[CONFORM_ID_BYTES];
    conform_case_id(&s->c, id);
    if (j->tallies[s->c.op].failed < MAX_SHOWN)
        printf("%s: %s\n", id, why);
}

/* The file's rows in a buffer with the gaps of the tensor, which the truth knows. */
static ifn_status read_got(judge_dir *j, const conform_tensor *t, const conform_truth *truth,
                           const char *path, unsigned char **out, ifn_error *err)
{
    const npy_matrix m = export_matrix(t);
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
    tally *sum = &j->tallies[s->c.op];
    ifn_error err = {0};
    char why[240];
    unsigned char *got;
    conform_result res;
    if (read_got(j, t, &s->truth[i], path, &got, &err) != IFN_OK) {
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

/* Files of other inputs than these would have another truth. */
static ifn_status check_input(judge_dir *j, const conform_slot *s, int i, const char *path,
                              ifn_error *err)
{
    const conform_tensor *t = &s->layout.t[i];
    const npy_matrix m = export_matrix(t);
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

/* All outputs missing: not run. Some of them: failed. */
static ifn_status judge_outputs(judge_dir *j, const conform_slot *s, const char *folder,
                                ifn_error *err)
{
    tally *sum = &j->tallies[s->c.op];
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

static ifn_status judge_case(judge_dir *j, const judged_case *one, ifn_error *err)
{
    conform_case c;
    conform_slot slot;
    if (!conform_case_parse(one->id, &c, err))
        return IFN_ERR_FORMAT;
    if (c.tier == TIER_REFUSE)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: is a call to refuse, expected one with values",
                        one->id);
    conform_pool_reset(&j->pool);
    const ifn_status built =
        conform_slot_build(&slot, &j->pool, &c, j->selection.specs[c.op], NULL, err);
    if (built == IFN_ERR_NOMEM)
        return built;
    if (built != IFN_OK)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: is no case of this version", one->id);
    IFN_TRY(check_inputs(j, &slot, one->folder, err));
    return judge_outputs(j, &slot, one->folder, err);
}

static ifn_status read_id(spec_doc *doc, spec_node *node, void *into)
{
    judged_case *one = into;
    return spec_doc_name(doc, node, one->id, sizeof one->id);
}

/* Digits only: a folder of the directory. */
static ifn_status read_folder(spec_doc *doc, spec_node *node, void *into)
{
    judged_case *one = into;
    IFN_TRY(spec_doc_name(doc, node, one->folder, sizeof one->folder));
    if (one->folder[0] && !one->folder[strspn(one->folder, "0123456789")])
        return IFN_OK;
    return spec_doc_fail(doc, node, "folder '%s', expected a number as 0000", one->folder);
}

/* For the author of the kernel; the id says it all. */
static ifn_status pass_over(spec_doc *doc, spec_node *node, void *into)
{
    (void)doc;
    (void)node;
    (void)into;
    return IFN_OK;
}

static ifn_status read_case(spec_doc *doc, spec_node *node, void *into)
{
    static const spec_key keys[] = {
        {"id", 1, read_id},        {"folder", 1, read_folder},  {"op", 0, pass_over},
        {"dtype", 0, pass_over},   {"out_dtype", 0, pass_over}, {"dims", 0, pass_over},
        {"scalars", 0, pass_over}, {"tensors", 0, pass_over},
    };
    judged_case one = {.id = ""};
    IFN_TRY(spec_doc_map(doc, node, keys, sizeof keys / sizeof *keys, &one));
    return judge_case(into, &one, doc->err);
}

static ifn_status read_cases(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, MAX_CASES, read_case, into);
}

static ifn_status read_kind(spec_doc *doc, spec_node *node, void *into)
{
    const char *text;
    (void)into;
    IFN_TRY(spec_doc_text(doc, node, &text));
    return strcmp(text, "export/1") == 0
               ? IFN_OK
               : spec_doc_fail(doc, node, "'%.40s', expected export/1: kind and version", text);
}

static ifn_status judge_index(judge_dir *j, ifn_error *err)
{
    static const spec_key keys[] = {{"inferno", 1, read_kind}, {"cases", 1, read_cases}};
    char path[EXPORT_PATH_BYTES];
    spec_doc doc;
    IFN_TRY(export_path(path, j->dir, ".", "index", ".yaml", err));
    IFN_TRY(spec_doc_open(&doc, path, err));
    const ifn_status status =
        spec_doc_map(&doc, spec_doc_root(&doc), keys, sizeof keys / sizeof *keys, j);
    spec_doc_close(&doc);
    return status;
}

/* Every op of the index must have run, and nothing failed. Returns 1 if so. */
static int print_table(const judge_dir *j)
{
    int64_t executed = 0, failed = 0;
    int idle = 0;
    printf("%-24s%10s%10s%10s%12s\n", "op", "cases", "not run", "failed", "worst");
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const tally *t = &j->tallies[op];
        if (!t->cases)
            continue;
        printf("%-24s%10lld%10lld%10lld%12.3g\n", ifn_op_name((ifn_op)op), (long long)t->cases,
               (long long)t->not_run, (long long)t->failed, t->worst);
        executed += t->cases - t->not_run;
        failed += t->failed;
        idle += t->cases == t->not_run;
    }
    const int conformant = executed > 0 && failed == 0 && idle == 0;
    printf("%lld cases executed, %lld failed, %d ops not run at all: %s\n", (long long)executed,
           (long long)failed, idle, conformant ? "conformant" : "NOT conformant");
    return conformant;
}

static ifn_status check_options(const conform_options *o, ifn_error *err)
{
    static const char *const allowed[] = {"--spec", NULL};
    const char *other = conform_options_beside(o, allowed);
    return other ? ifn_fail(err, IFN_ERR_ARGUMENT, "found %s, expected --spec only", other)
                 : IFN_OK;
}

static ifn_status judge_all(judge_dir *j, int argc, char **argv, ifn_error *err)
{
    if (argc < 2 || argv[1][0] == '-')
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "found %s, expected a directory that export has written",
                        argc < 2 ? "nothing" : argv[1]);
    j->dir = argv[1];
    IFN_TRY(conform_options_parse(&j->options, argc - 1, argv + 1, err));
    IFN_TRY(check_options(&j->options, err));
    IFN_TRY(conform_selection_open(&j->selection, &j->options, err));
    return judge_index(j, err);
}

int conform_judge_dir_main(int argc, char **argv)
{
    judge_dir j = {.dir = NULL};
    ifn_error err = {0};
    conform_pool_init(&j.pool);
    const ifn_status status = judge_all(&j, argc, argv, &err);
    conform_pool_fini(&j.pool);
    conform_selection_close(&j.selection);
    if (status != IFN_OK)
        return conform_complain("conform judge", &err, 0);
    return print_table(&j) ? EXIT_DONE : EXIT_NO;
}
