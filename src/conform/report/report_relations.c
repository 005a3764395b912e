/* The table of R0 .. R9 for people: how often a relation was tried, and where it did not hold. */
#include <stdio.h>
#include <string.h>

#include "run_relations.h"

enum { WIDTH = 11 };

/* In brackets: equal bits were not promised, the truth was the judge. */
static void print_relation(const conform_relation_count *k, FILE *out)
{
    const int is_free = k->tried && !k->demanded;
    char number[48] = "-", text[56];
    if (k->tried && k->held == k->tried)
        snprintf(number, sizeof number, "%lld", (long long)k->tried);
    else if (k->tried)
        snprintf(number, sizeof number, "%lld/%lld", (long long)k->held, (long long)k->tried);
    snprintf(text, sizeof text, is_free ? "(%s)" : "%s", number);
    fprintf(out, " %*s", WIDTH, text);
}

static void print_head(const char *label, FILE *out)
{
    fprintf(out, "\n%-22s", label);
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        fprintf(out, " %*sR%d", WIDTH - 2, "", i);
    fputc('\n', out);
}

static int has_relations(const conform_cell *c)
{
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        if (c->relations[i].tried)
            return 1;
    return 0;
}

void conform_report_relations(const conform_report *r, FILE *out)
{
    for (int s = 0; s < r->n_subjects; s++) {
        int n = 0;
        for (int op = 0; op < IFN_OP_COUNT; op++) {
            const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
            if (!has_relations(c))
                continue;
            if (n++ == 0)
                print_head(r->label[s], out);
            fprintf(out, "%-22s", ifn_op_name((ifn_op)op));
            for (int i = 0; i < CONFORM_INVARIANCES; i++)
                print_relation(&c->relations[i], out);
            fputc('\n', out);
        }
    }
}
