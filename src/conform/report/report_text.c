/* The report for people. */
#include <math.h>
#include <string.h>

#include "report_failures.h"
#include "report_level.h"
#include "run_relations.h"

static const char *red(int colour)
{
    return colour ? "\033[31m" : "";
}

static const char *plain(int colour)
{
    return colour ? "\033[0m" : "";
}

static int op_ran(const conform_report *r, int op)
{
    for (int s = 0; s < r->n_subjects; s++)
        if (conform_report_cell(r, (ifn_op)op, s)->cases)
            return 1;
    return 0;
}

enum { COLUMN = 42 };

static void print_header(const conform_report *r, FILE *out)
{
    fprintf(out, "%-22s", "");
    for (int s = 0; s < r->n_subjects; s++)
        fprintf(out, " |%*s", COLUMN, r->label[s]);
    fprintf(out, "\n%-22s", "op");
    for (int s = 0; s < r->n_subjects; s++)
        fprintf(out, " |%8s%8s%7s%7s%6s%6s", "cases", "refused", "failed", "blunt", "worst",
                "/sca");
    fputc('\n', out);
}

static void print_ratio(double ratio, FILE *out)
{
    if (isinf(ratio))
        fprintf(out, "%6s", "inf");
    else
        fprintf(out, ratio < 100 ? "%6.2f" : "%6.0e", ratio);
}

static void print_cell(const conform_cell *c, int colour, FILE *out)
{
    fprintf(out, " |%8lld%8lld%s%7lld%s%7lld", (long long)c->cases, (long long)c->refused,
            c->failed ? red(colour) : "", (long long)c->failed, c->failed ? plain(colour) : "",
            (long long)c->blunt);
    print_ratio(c->ratio, out);
    print_ratio(c->scalar_ratio, out);
}

static void print_matrix(const conform_report *r, int colour, FILE *out)
{
    print_header(r, out);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        if (!op_ran(r, op))
            continue;
        fprintf(out, "%-22s", ifn_op_name((ifn_op)op));
        for (int s = 0; s < r->n_subjects; s++)
            print_cell(conform_report_cell(r, (ifn_op)op, s), colour, out);
        fputc('\n', out);
    }
}

/* What is refused, by dtype and kind of weights, and whether the backend had said so. */
static void print_refusals(const conform_report *r, ifn_op op, int s, FILE *out)
{
    const conform_cell *c = conform_report_cell(r, op, s);
    if (!c->refused)
        return;
    fprintf(out, "%s refuses %lld of %lld cases of %s (%lld not declared):", r->label[s],
            (long long)c->refused, (long long)c->cases, ifn_op_name(op), (long long)c->undeclared);
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++)
            if (c->kinds[d][p].refused)
                fprintf(out, " %s%s %lld", p ? "prepared " : "", ifn_dtype_name((ifn_dtype)d),
                        (long long)c->kinds[d][p].refused);
    fputc('\n', out);
}

void conform_report_text(const conform_report *r, int colour, FILE *out)
{
    int64_t cases = 0, failed = 0;
    print_matrix(r, colour, out);
    conform_report_relations(r, out);
    conform_report_failures(r, out);
    for (int s = 0; s < r->n_subjects; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            cases += conform_report_cell(r, (ifn_op)op, s)->cases;
            failed += conform_report_cell(r, (ifn_op)op, s)->failed;
            print_refusals(r, (ifn_op)op, s, out);
        }
    fputc('\n', out);
    for (int i = 0; i < r->n_problems; i++)
        fprintf(out, "%s%s%s\n", red(colour), r->problems[i], plain(colour));
    if (!r->registers_checked)
        fprintf(out, "registers were not checked: there is no trampoline for this processor\n");
    if (!r->upper_checked)
        fprintf(out, "the upper vector state was not checked: this processor does not tell\n");
    conform_report_reach(r, r->lists_reach, out);
    conform_report_levels(r, out);
    if (r->rounds_begun > 1)
        fprintf(out, "%lld rounds, seeds %llu to %llu\n", (long long)r->rounds_begun,
                (unsigned long long)r->seed,
                (unsigned long long)r->seed + (unsigned long long)r->rounds_begun - 1);
    fprintf(out, "%lld cases, %lld failed, %.1f s (%.0f cases/s): ", (long long)cases,
            (long long)failed, r->seconds, r->seconds > 0 ? (double)cases / r->seconds : 0);
    conform_report_verdict(r, out);
    fputc('\n', out);
}
