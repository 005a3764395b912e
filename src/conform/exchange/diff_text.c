#include "diff.h"
#include "report_rank.h"

static void put_side(const char *name, const char *path, const conform_report *r, FILE *out)
{
    fprintf(out, "%s: %s, %s, commit %.12s, profile %s, seed %llu: ", name, path, r->origin.date,
            r->origin.commit, r->profile, (unsigned long long)r->seed);
    conform_report_verdict(r, out);
    fputc('\n', out);
}

static void put_standings(const report_diff *d, FILE *out)
{
    for (int s = 0; s < d->b->n_tested; s++) {
        const int was = conform_report_tested(d->a, d->b->label[s]);
        const char *const now = conform_rank_name(conform_standing_of(d->b, s).rank);
        if (was < 0)
            fprintf(out, "%s: new, %s\n", d->b->label[s], now);
        else
            fprintf(out, "%s: %s -> %s\n", d->b->label[s],
                    conform_rank_name(conform_standing_of(d->a, was).rank), now);
    }
    for (int s = 0; s < d->a->n_tested; s++)
        if (conform_report_tested(d->b, d->a->label[s]) < 0)
            fprintf(out, "%s: gone\n", d->a->label[s]);
}

static void put_count(const char *name, int64_t a, int64_t b, FILE *out)
{
    if (a != b)
        fprintf(out, ", %s %lld -> %lld", name, (long long)a, (long long)b);
}

static void put_cell(const diff_cell *c, FILE *out)
{
    static const conform_cell none;
    const conform_cell *const a = c->a ? c->a : &none, *const b = c->b ? c->b : &none;
    fprintf(out, "%-7s %s on %s", diff_change_name(c->change), ifn_op_name(c->op), c->label);
    put_count("cases", a->cases, b->cases, out);
    put_count("refused", a->refused, b->refused, out);
    put_count("failed", a->failed, b->failed, out);
    if (a->ratio < b->ratio || a->ratio > b->ratio)
        fprintf(out, ", worst %.3g -> %.3g", a->ratio, b->ratio);
    fputc('\n', out);
}

static void put_failures(const char *what, const conform_report *of, const conform_report *other,
                         FILE *out)
{
    for (int64_t i = 0; i < of->n_failures; i++) {
        const conform_failure *const f = &of->failures[i];
        if (!diff_has_failure(other, of, f))
            fprintf(out, "%s failure of %s: %s: %s\n", what, of->label[f->tested], f->check, f->id);
    }
}

static void put_problems(const char *what, const conform_report *of, const conform_report *other,
                         FILE *out)
{
    for (int i = 0; i < of->n_problems; i++)
        if (!diff_has_problem(other, of->problems[i]))
            fprintf(out, "%s problem: %s\n", what, of->problems[i]);
}

void diff_text(const report_diff *d, FILE *out)
{
    put_side("A", d->path_a, d->a, out);
    put_side("B", d->path_b, d->b, out);
    put_standings(d, out);
    for (int64_t i = 0; i < d->n; i++)
        if (d->cells[i].change != DIFF_SAME)
            put_cell(&d->cells[i], out);
    put_failures("new", d->b, d->a, out);
    put_failures("gone", d->a, d->b, out);
    put_problems("new", d->b, d->a, out);
    put_problems("gone", d->a, d->b, out);
    fprintf(out, "%lld ops on backends: %lld worse, %lld better, %lld otherwise different: %s\n",
            (long long)d->n, (long long)d->n_worse, (long long)d->n_better, (long long)d->n_other,
            diff_is_worse(d) ? "B is worse" : "B is no worse");
}
