/* Prints R0 .. R10 as text: how often two runs were compared, and for which ops they were not equal. */
#include <stdio.h>

#include "run_relations.h"
#include "run_report.h"

static conform_relation_count sum_of(const conform_report *r, int s, int relation)
{
    conform_relation_count sum = {0};
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_relation_count *const k =
            &conform_report_cell(r, (ifn_op)op, s)->relations[relation];
        sum.tried += k->tried;
        sum.held += k->held;
        sum.demanded += k->demanded;
    }
    return sum;
}

static void print_unequal(const conform_report *r, int s, int relation, FILE *out)
{
    int n = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_relation_count *const k =
            &conform_report_cell(r, (ifn_op)op, s)->relations[relation];
        if (k->held < k->tried)
            fprintf(out, "%s %s %lld/%lld", n++ ? "," : "    equal in", ifn_op_name((ifn_op)op),
                    (long long)k->held, (long long)k->tried);
    }
    if (n)
        fputc('\n', out);
}

static void print_relation(const conform_report *r, int s, int relation, FILE *out)
{
    const conform_relation_count sum = sum_of(r, s, relation);
    if (!sum.tried)
        return;
    fprintf(out, "R%d  %-34s%10lld%10lld%10lld\n", relation, conform_relation_words(relation),
            (long long)sum.tried, (long long)sum.held, (long long)sum.demanded);
    print_unequal(r, s, relation, out);
}

static bool has_relations(const conform_report *r, int s)
{
    for (int i = 0; i < CONFORM_INVARIANCES; i++)
        if (sum_of(r, s, i).tried)
            return true;
    return false;
}

void conform_report_relations(const conform_report *r, FILE *out)
{
    for (int s = 0; s < r->n_tested; s++) {
        if (!has_relations(r, s))
            continue;
        fprintf(out, "\n%s: two runs compared bit by bit\n%-38s%10s%10s%10s\n", r->label[s], "",
                "pairs", "equal", "promised");
        for (int i = 0; i < CONFORM_INVARIANCES; i++)
            print_relation(r, s, i, out);
    }
}
