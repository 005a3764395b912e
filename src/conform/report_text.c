/* The report for people. */
#include <math.h>
#include <string.h>

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

/* The f32 that is meant, in decimal and in bits. */
static void print_float(const char *name, double x, FILE *out)
{
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    fprintf(out, "  %s %.9g (%a, 0x%08x)", name, x, x, (unsigned)bits);
}

static void print_numbers(const conform_verdict *v, FILE *out)
{
    const conform_result *w = &v->worst;
    if (w->worst < 0)
        return;
    fprintf(out, "  %s[%lld]", v->tensor, (long long)w->worst);
    if (v->is_raw) {
        fprintf(out, "  got byte 0x%02x  want 0x%02x\n", (unsigned)w->got, (unsigned)w->want);
        return;
    }
    print_float("got", w->got, out);
    print_float("want", w->want, out);
    fprintf(out, "  bound %.3g  error/bound %.3g", w->bound, w->ratio);
    const int64_t ulps = conform_ulp_distance((float)w->got, (float)w->want);
    if (ulps < INT64_MAX)
        fprintf(out, "  %lld ulp", (long long)ulps);
    fputc('\n', out);
}

static int has_numbers(const conform_verdict *v)
{
    return v->fault == FAULT_VALUE || v->fault == FAULT_SCALAR || v->fault == FAULT_PLACE;
}

/* One line for each part of the sentence. */
static void print_when(const char *when, FILE *out)
{
    const char *label = "when:";
    while (*when) {
        const char *const end = strstr(when, "; ");
        const size_t n = end ? (size_t)(end - when) : strlen(when);
        fprintf(out, "  %-9s %.*s\n", label, (int)n, when);
        when += end ? n + 2 : n;
        label = "";
    }
}

void conform_report_failure(const conform_report *r, const conform_failure *f, FILE *out)
{
    fprintf(out, "%s on %s: %s: %s\n", ifn_op_name(f->op), r->label[f->subject], f->fault,
            f->verdict.detail);
    if (has_numbers(&f->verdict))
        print_numbers(&f->verdict, out);
    if (f->nature[0])
        fprintf(out, "  %s\n", f->nature);
    print_when(f->when, out);
    if (f->shrunk[0] && strcmp(f->shrunk, f->id) != 0)
        fprintf(out, "  smallest: inferno conform --backend %s --case '%s'\n", r->label[f->subject],
                f->shrunk);
    if (f->written[0] && f->values)
        fprintf(out, "  values:   %s (--shrunk FILE writes them down)\n", f->written);
    fprintf(out, "  again:    inferno conform --backend %s --case '%s'\n", r->label[f->subject],
            f->id);
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
    for (int64_t i = 0; i < r->n_failures; i++) {
        fputc('\n', out);
        conform_report_failure(r, &r->failures[i], out);
    }
    for (int s = 0; s < r->n_subjects; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            cases += conform_report_cell(r, (ifn_op)op, s)->cases;
            failed += conform_report_cell(r, (ifn_op)op, s)->failed;
            print_refusals(r, (ifn_op)op, s, out);
        }
    fputc('\n', out);
    for (int i = 0; i < r->n_problems; i++)
        fprintf(out, "%s%s%s\n", red(colour), r->problems[i], plain(colour));
    if (failed > r->n_failures)
        fprintf(out, "%lld more failures are counted and not shown\n",
                (long long)(failed - r->n_failures));
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
