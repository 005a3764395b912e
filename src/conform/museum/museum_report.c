/* Counts the kill matrix and prints it as text. */
#include "museum_report.h"

#include <stdbool.h>
#include <string.h>

static int cheaper(const conform_museum_row *row, int a, int b)
{
    return b < 0 || row->kills[a].work < row->kills[b].work;
}

static int cheapest(const conform_museum_row *row, int crashes)
{
    int best = -1;
    for (int f = 0; f < DETECTOR_COUNT; f++)
        if (row->kills[f].is_there && conform_detector_is_crash(f) == crashes &&
            cheaper(row, f, best))
            best = f;
    return best;
}

int conform_museum_killer(const conform_museum_row *row)
{
    const int judged = cheapest(row, 0);
    return judged >= 0 ? judged : cheapest(row, 1);
}

int conform_museum_is_killed(const conform_museum_row *row)
{
    return cheapest(row, 0) >= 0;
}

int conform_museum_only_killer(const conform_museum_row *row)
{
    int only = -1;
    for (int f = 0; f < DETECTOR_COUNT; f++) {
        if (!row->kills[f].is_there || conform_detector_is_crash(f))
            continue;
        if (only >= 0)
            return -1;
        only = f;
    }
    return only;
}

conform_museum_sum conform_museum_add_up(const conform_museum_report *r)
{
    conform_museum_sum sum = {0};
    for (int i = 0; i < r->n; i++) {
        const int only = conform_museum_only_killer(&r->rows[i]);
        if (conform_museum_is_killed(&r->rows[i]))
            sum.killed++;
        else if (conform_museum_killer(&r->rows[i]) >= 0)
            sum.crashed++;
        else
            sum.survived++;
        for (int f = 0; f < DETECTOR_COUNT; f++)
            sum.kills[f] += r->rows[i].kills[f].is_there;
        if (only >= 0)
            sum.only[only]++;
    }
    return sum;
}

conform_museum_wing conform_museum_wing_at(const conform_museum_report *r, int first)
{
    conform_museum_wing wing = {.year = r->rows[first].fault->year};
    for (int i = first; i < r->n && r->rows[i].fault->year == wing.year; i++) {
        wing.n++;
        wing.killed += conform_museum_is_killed(&r->rows[i]);
    }
    return wing;
}

void conform_museum_wing_name(const conform_museum_wing *wing, char out[40])
{
    if (wing->year)
        snprintf(out, 40, "bugs of %d", (int)wing->year);
    else
        snprintf(out, 40, "bugs of other years, and our own");
}

static bool is_unexplained(const conform_museum_sum *sum, int detector)
{
    return *conform_detector_name(detector) && !sum->only[detector] &&
           !conform_detector_reason(detector);
}

int conform_museum_knows_lone(const conform_museum_report *r)
{
    return r->n_detectors > 1;
}

int conform_museum_unexplained(const conform_museum_report *r, const conform_museum_sum *sum)
{
    int n = 0;
    for (int f = 0; conform_museum_knows_lone(r) && r->is_whole && f < DETECTOR_COUNT; f++)
        n += is_unexplained(sum, f);
    return n;
}

/* Lists the detectors that noticed anything: the columns of the matrix. Their numbers are explained below it. */
static int columns_of(const conform_museum_sum *sum, int *columns)
{
    int n = 0;
    for (int f = 0; f < DETECTOR_COUNT; f++)
        if (sum->kills[f])
            columns[n++] = f;
    return n;
}

static void put_row(const conform_museum_row *row, const int *columns, int n, FILE *out)
{
    const int killer = conform_museum_killer(row);
    fprintf(out, "%-26s %-22s", row->fault->name, row->fault->op);
    for (int i = 0; i < n; i++)
        fprintf(out, "%3s",
                row->kills[columns[i]].is_there ? columns[i] == killer ? "@" : "x" : ".");
    if (killer < 0)
        fprintf(out, "  SURVIVES %lld cases\n", (long long)row->n_cases);
    else
        fprintf(out, " %7.0f ms  %s\n", row->kills[killer].seconds * 1e3, row->kills[killer].id);
}

static void put_wing(const conform_museum_report *r, int first, const int *columns, int n,
                     FILE *out)
{
    const conform_museum_wing wing = conform_museum_wing_at(r, first);
    char name[40];
    conform_museum_wing_name(&wing, name);
    fprintf(out, "after %s: %d of %d killed\n", name, wing.killed, wing.n);
    for (int i = 0; i < wing.n; i++)
        put_row(&r->rows[first + i], columns, n, out);
}

static void put_detectors(const conform_museum_report *r, const conform_museum_sum *sum,
                          const int *columns, int n, FILE *out)
{
    fputs("\n", out);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%3d  %-15s notices %3d", i + 1, conform_detector_name(columns[i]),
                sum->kills[columns[i]]);
        fprintf(out, conform_museum_knows_lone(r) ? ", %d of them alone\n" : "\n",
                sum->only[columns[i]]);
    }
    for (int f = 0; conform_museum_knows_lone(r) && f < DETECTOR_COUNT; f++) {
        const char *reason = conform_detector_reason(f);
        if (*conform_detector_name(f) && !sum->only[f])
            fprintf(out, "     %-15s alone in nothing; stays: %s\n", conform_detector_name(f),
                    reason ? reason : "NO REASON GIVEN");
    }
}

void conform_museum_text(const conform_museum_report *r, FILE *out)
{
    const conform_museum_sum sum = conform_museum_add_up(r);
    int columns[DETECTOR_COUNT];
    const int n = columns_of(&sum, columns);
    fprintf(out, "%-26s %-22s", "fault", "op");
    for (int i = 0; i < n; i++)
        fprintf(out, "%3d", i + 1);
    fputs("  time to kill, cheapest case (@)\n", out);
    for (int i = 0; i < r->n; i += conform_museum_wing_at(r, i).n)
        put_wing(r, i, columns, n, out);
    put_detectors(r, &sum, columns, n, out);
    fprintf(out,
            "\n%d faults over %s, %s profile, %.1f s: %d killed by a judgement, %d only died, "
            "%d survived\n",
            r->n, r->base, r->profile, r->seconds, sum.killed, sum.crashed, sum.survived);
    if (conform_museum_unexplained(r, &sum))
        fprintf(out, "%d detectors are alone in nothing and have no reason to stay\n",
                conform_museum_unexplained(r, &sum));
}
