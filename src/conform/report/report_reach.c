/* Prints the certificate of a report as text, and checks it for the ranks. */
#include <string.h>

#include "run_report.h"

typedef struct finding {
    const conform_report *report;
    FILE *out; /* NULL: nothing is printed */
    bool is_all;
    ifn_op op;
    int64_t n_holes, n_left_out;
    char first[200];
} finding;

enum { SHOWN = 3 };

static void find_hole(void *cookie, const reach_hole *hole)
{
    finding *const f = cookie;
    char text[200];
    *(hole->is_left_out ? &f->n_left_out : &f->n_holes) += 1;
    if (hole->is_left_out)
        return;
    conform_reach_say(f->op, hole, text, sizeof text);
    if (f->n_holes == 1)
        memcpy(f->first, text, sizeof f->first);
    if (f->out && (f->is_all || f->n_holes <= SHOWN))
        fprintf(f->out, "  %s\n", text);
}

static bool has_promises(const conform_report *r, int op, int s)
{
    return conform_report_cell(r, (ifn_op)op, s)->reach.needed.n > 0;
}

static finding look(const conform_report *r, int s, bool is_all, FILE *out)
{
    finding f = {.report = r, .out = out, .is_all = is_all};
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        f.op = (ifn_op)op;
        conform_reach_missing(&conform_report_cell(r, f.op, s)->reach, find_hole, &f);
    }
    return f;
}

int conform_reach_is_whole(const conform_report *r, int tested, char *lacks, size_t bytes)
{
    for (int op = 0; op < IFN_OP_COUNT; op++)
        if (!has_promises(r, op, tested)) {
            snprintf(lacks, bytes, "the report has no certificate of %s", ifn_op_name((ifn_op)op));
            return 0;
        }
    const finding f = look(r, tested, false, NULL);
    if (f.n_holes == 1)
        snprintf(lacks, bytes, "%s", f.first);
    else if (f.n_holes > 1)
        snprintf(lacks, bytes, "%s, and %lld more holes in the certificate", f.first,
                 (long long)f.n_holes - 1);
    return f.n_holes == 0;
}

static int count_ops(const conform_report *r, int s)
{
    int n = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        n += has_promises(r, op, s);
    return n;
}

static bool has_any(const reach_row *row, int first, int last)
{
    for (int class = first; class <= last; class ++)
        if (row->at[class])
            return true;
    return false;
}

/* Lists classes that do not count as holes: what the manifest does not support, by dtype and form of weights, and far
 * offsets for which there was no address space or time. */
static void put_left_out(const conform_report *r, int s, FILE *out)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_reach *const reach = &conform_report_cell(r, (ifn_op)op, s)->reach;
        for (int i = 0; i < reach->refused.n; i++) {
            const reach_row *const row = &reach->refused.rows[i];
            char key[80];
            conform_reach_say_key((ifn_op)op, row->key, key, sizeof key);
            if (has_any(row, 0, REACH_FIRST_FAR - 1))
                fprintf(out, "  left out, as the backend declares: %s\n", key);
            if (has_any(row, REACH_FIRST_FAR, REACH_LAST_FAR))
                fprintf(out, "  left out, for want of address space or time: %s past 2^31\n", key);
        }
    }
}

static void put_backend(const conform_report *r, int s, bool is_all, FILE *out)
{
    const int n_ops = count_ops(r, s);
    const finding f = look(r, s, false, NULL);
    if (n_ops == 0)
        return;
    fprintf(out, "%s: reach of %d of %d ops: ", r->label[s], n_ops, IFN_OP_COUNT);
    if (f.n_holes)
        fprintf(out, "%lld hole%s", (long long)f.n_holes, f.n_holes > 1 ? "s" : "");
    else
        fputs("whole", out);
    if (f.n_left_out)
        fprintf(out, ", %lld class%s left out as not supported", (long long)f.n_left_out,
                f.n_left_out > 1 ? "es" : "");
    fputs(f.n_holes > SHOWN && !is_all ? " (--reach lists all)\n" : "\n", out);
    look(r, s, is_all, out);
    if (is_all)
        put_left_out(r, s, out);
}

void conform_report_reach(const conform_report *r, bool all, FILE *out)
{
    for (int s = 0; s < r->n_tested; s++)
        put_backend(r, s, all, out);
}
