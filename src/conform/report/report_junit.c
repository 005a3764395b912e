/* Writes JUnit XML, which CI systems display: a suite per backend, a test case per op, with its failures inside. */
#include <stdlib.h>

#include "escape.h"
#include "page.h"
#include "report_numbers.h"
#include "report_rank.h"
#include "report_repeat.h"

/* Writes the text that a CI system shows below the message of a failure. */
static void put_body(const conform_report *r, const conform_failure *f, FILE *out)
{
    char *const again = conform_repeat_text(r, f);
    escape_markup(f->id, out);
    if (conform_has_numbers(&f->verdict)) {
        fputc('\n', out);
        conform_put_numbers(&f->verdict, &conform_numbers_in_line, out);
    }
    fputs("\nagain: ", out);
    escape_markup(again, out);
    free(again);
}

static void put_failures(const conform_report *r, ifn_op op, int s, FILE *out)
{
    for (int64_t i = 0; i < r->n_failures; i++) {
        const conform_failure *f = &r->failures[i];
        if (f->op != op || f->tested != s)
            continue;
        fprintf(out, "      <failure type=\"%s\" message=\"", f->check);
        escape_markup(f->verdict.detail, out);
        fputs("\">", out);
        put_body(r, f, out);
        fputs("</failure>\n", out);
    }
}

static void put_property(const char *name, const char *value, FILE *out)
{
    fprintf(out, "      <property name=\"%s\" value=\"", name);
    escape_markup(value, out);
    fputs("\"/>\n", out);
}

static void put_properties(const conform_report *r, int s, FILE *out)
{
    char seed[24], arithmetic[REPORT_ARITHMETIC_BYTES];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)r->seed);
    fputs("    <properties>\n", out);
    put_property("version", r->origin.version, out);
    put_property("commit", r->origin.commit, out);
    put_property("program", r->origin.program, out);
    put_property("cpu", r->origin.cpu, out);
    put_property("os", r->origin.os, out);
    put_property("features", r->origin.features, out);
    put_property("date", r->origin.date, out);
    put_property("command", r->origin.command, out);
    put_property("file", r->binary[s].file, out);
    put_property("backend", r->binary[s].hash, out);
    put_property("profile", r->profile, out);
    put_property("shard", r->shard, out);
    put_property("filters", r->filters, out);
    put_property("seed", seed, out);
    put_property("arithmetic", conform_report_arithmetic(r, s, arithmetic), out);
    fputs("    </properties>\n", out);
}

static void put_suite(const conform_report *r, int s, FILE *out)
{
    int64_t tests = 0, failures = 0;
    double seconds = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *const c = conform_report_cell(r, (ifn_op)op, s);
        tests += c->cases > 0;
        failures += c->failed > 0;
        seconds += c->seconds;
    }
    fputs("  <testsuite name=\"conform/", out);
    escape_markup(r->label[s], out);
    fprintf(out, "\" tests=\"%lld\" failures=\"%lld\" time=\"%.3f\" hostname=\"", (long long)tests,
            (long long)failures, seconds);
    escape_markup(r->origin.host, out);
    page_put("\" timestamp=\"", r->origin.date, "\">\n", out);
    put_properties(r, s, out);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        if (!c->cases)
            continue;
        fputs("    <testcase classname=\"", out);
        escape_markup(r->label[s], out);
        fprintf(out, "\" name=\"%s\" assertions=\"%lld\" time=\"%.3f\">\n", ifn_op_name((ifn_op)op),
                (long long)c->cases, c->seconds);
        put_failures(r, (ifn_op)op, s, out);
        if (c->refused && c->computed == 0)
            fputs("      <failure type=\"refused\" message=\"every case was refused\"/>\n", out);
        fputs("    </testcase>\n", out);
    }
    fputs("  </testsuite>\n", out);
}

static void put_problems(const conform_report *r, FILE *out)
{
    if (!r->n_problems)
        return;
    fprintf(out, "  <testsuite name=\"conform/accounting\" tests=\"%d\" failures=\"%d\">\n",
            r->n_problems, r->n_problems);
    for (int i = 0; i < r->n_problems; i++) {
        fprintf(out, "    <testcase classname=\"accounting\" name=\"%d\"><failure message=\"",
                i + 1);
        escape_markup(r->problems[i], out);
        fputs("\"/></testcase>\n", out);
    }
    fputs("  </testsuite>\n", out);
}

void conform_report_junit(const conform_report *r, FILE *out)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"inferno conform\" time=\"%.3f\">\n",
            r->seconds);
    for (int s = 0; s < r->n_tested; s++)
        put_suite(r, s, out);
    put_problems(r, out);
    fputs("</testsuites>\n", out);
}
