/* Prints the report as text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_failures.h"
#include "report_rank.h"
#include "report_wrap.h"
#include "run_relations.h"

static const char *red(int colour)
{
    return colour ? "\033[31m" : "";
}

static const char *plain(int colour)
{
    return colour ? "\033[0m" : "";
}

static void print_ratio(double ratio, FILE *out)
{
    if (isinf(ratio))
        fprintf(out, "%7s", "inf");
    else
        fprintf(out, ratio < 100 ? "%7.2f" : "%7.0e", ratio);
}

static void print_row(const conform_report *r, ifn_op op, int s, int colour, FILE *out)
{
    const conform_cell *const c = conform_report_cell(r, op, s);
    fprintf(out, "%-22s%8lld%9lld%s%8lld%s%7lld", ifn_op_name(op), (long long)c->cases,
            (long long)c->refused, c->failed ? red(colour) : "", (long long)c->failed,
            c->failed ? plain(colour) : "", (long long)c->blunt);
    print_ratio(c->ratio, out);
    print_ratio(c->scalar_ratio, out);
    fputc('\n', out);
}

/* Returns true for an inherited op without failures and undeclared refusals: those from one backend share a line. */
static bool is_folded(const conform_report *r, int op, int s)
{
    const conform_cell *const c = conform_report_cell(r, (ifn_op)op, s);
    return !r->shows_all && c->cases && c->is_inherited && !c->failed && !c->undeclared;
}

static bool is_by(const conform_report *r, int op, int s, const char *by)
{
    return is_folded(r, op, s) && strcmp(conform_report_cell(r, (ifn_op)op, s)->by, by) == 0;
}

/* Prints one line for all folded ops that come from the same backend as `first`; nothing if an earlier op did so. */
static void print_inherited(const conform_report *r, int first, int s, FILE *out)
{
    const char *const by = conform_report_cell(r, (ifn_op)first, s)->by;
    int n = 0;
    int64_t cases = 0, refused = 0;
    double worst = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *const c = conform_report_cell(r, (ifn_op)op, s);
        if (!is_by(r, op, s, by))
            continue;
        if (op < first)
            return;
        n++;
        cases += c->cases;
        refused += c->refused;
        worst = fmax(worst, c->ratio);
    }
    fprintf(out, "%d op%s inherited from %s: %lld cases", n, n > 1 ? "s" : "", by,
            (long long)cases);
    if (refused)
        fprintf(out, ", %lld refused", (long long)refused);
    fprintf(out, ", 0 failed, worst %.2f (--all: each)\n", worst);
}

static void print_table(const conform_report *r, int s, int colour, FILE *out)
{
    fprintf(out, "%s%s\n%-22s%8s%9s%8s%7s%7s%7s\n", s ? "\n" : "", r->label[s], "op", "cases",
            "refused", "failed", "blunt", "worst", "/sca");
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (conform_report_cell(r, (ifn_op)op, s)->cases && !is_folded(r, op, s))
            print_row(r, (ifn_op)op, s, colour, out);
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (is_folded(r, op, s))
            print_inherited(r, op, s, out);
}

static int64_t sum_of_blunt(const conform_report *r)
{
    int64_t n = 0;
    for (int s = 0; s < r->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++)
            n += conform_report_cell(r, (ifn_op)op, s)->blunt;
    return n;
}

static void print_legend(const conform_report *r, FILE *out)
{
    fputs("\nworst: largest error/bound against the f64 truth; 1 is allowed\n"
          "/sca:  the same of the difference from scalar, by the sum of both bounds\n",
          out);
    if (sum_of_blunt(r))
        fputs("blunt: cases whose bound is so wide that one missing term of a sum would pass\n",
              out);
}

static void print_matrix(const conform_report *r, int colour, FILE *out)
{
    for (int s = 0; s < r->n_tested; s++)
        print_table(r, s, colour, out);
    print_legend(r, out);
}

/* Prints the refusals of an op by dtype and form of weights, and how many of them are not declared. */
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

/* Reports registers left in use. The ABI permits it, but later code runs slower. */
static void print_left(const conform_report *r, ifn_op op, int s, FILE *out)
{
    const conform_cell *c = conform_report_cell(r, op, s);
    const struct {
        const char *what, *without;
        int64_t cases;
    } left[] = {{"upper halves of vector registers", "vzeroupper", c->left_upper},
                {"tile registers", "tilerelease", c->left_tiles}};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i].cases)
            fprintf(out,
                    "%s leaves %s in use in %lld of %lld cases of %s: legal, and slow for what "
                    "comes next (no %s)\n",
                    r->label[s], left[i].what, (long long)left[i].cases, (long long)c->cases,
                    ifn_op_name(op), left[i].without);
}

void conform_report_text(const conform_report *r, int colour, FILE *out)
{
    int64_t cases = 0, failed = 0;
    print_matrix(r, colour, out);
    conform_report_relations(r, out);
    conform_report_failures(r, out);
    for (int s = 0; s < r->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            cases += conform_report_cell(r, (ifn_op)op, s)->cases;
            failed += conform_report_cell(r, (ifn_op)op, s)->failed;
            print_refusals(r, (ifn_op)op, s, out);
            print_left(r, (ifn_op)op, s, out);
        }
    fputc('\n', out);
    for (int i = 0; i < r->n_problems; i++)
        fprintf(out, "%s%s%s\n", red(colour), r->problems[i], plain(colour));
    if (!r->registers_checked)
        fprintf(out, "registers were not checked: there is no trampoline for this processor\n");
    if (!r->upper_checked)
        fprintf(out, "the upper vector state was not checked: this processor does not tell\n");
    if (r->is_unguarded)
        fprintf(out, "memory was not guarded: this system protects no pages; reads outside a\n"
                     "tensor and far writes go unseen\n");
    for (int s = 0; s < r->n_tested; s++)
        if (r->binary[s].is_device)
            fprintf(out, "%s is %s\n", r->label[s], ORIGIN_DEVICE);
    conform_report_reach(r, r->lists_reach, out);
    conform_report_ranks(r, out);
    if (r->rounds_begun > 1)
        fprintf(out, "%lld rounds, seeds %llu to %llu\n", (long long)r->rounds_begun,
                (unsigned long long)r->seed,
                (unsigned long long)r->seed + (unsigned long long)r->rounds_begun - 1);
    fprintf(out, "%lld cases, %lld failed, %.1f s (%.0f cases/s): ", (long long)cases,
            (long long)failed, r->seconds, r->seconds > 0 ? (double)cases / r->seconds : 0);
    conform_report_verdict(r, out);
    fputc('\n', out);
}

void conform_report_terminal(const conform_report *r, int colour, FILE *out)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const memory = open_memstream(&text, &bytes);
    conform_report_text(r, colour, memory ? memory : out);
    if (memory && fclose(memory) == 0)
        conform_put_wrapped(text, out);
    free(text);
}
