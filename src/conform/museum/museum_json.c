/* The kill matrix for programs; spec/museum.schema.yaml says what the keys mean. */
#include "museum_report.h"
#include "run_report.h"
#include "text_escape.h"

static void put_text(const char *key, const char *text, FILE *out)
{
    fprintf(out, "\"%s\": ", key);
    conform_put_json(text, out);
    fputs(", ", out);
}

static void put_kills(const conform_museum_row *row, FILE *out)
{
    int n = 0;
    fputs("\"kills\": [", out);
    for (int f = 0; f < CHECK_COUNT; f++) {
        const conform_museum_kill *k = &row->kills[f];
        if (!k->is_there)
            continue;
        fputs(n++ ? ", {" : "{", out);
        put_text("family", conform_check_name(f), out);
        put_text("case", k->id, out);
        fprintf(out, "\"work\": %lld, \"seconds\": %.6f}", (long long)k->work, k->seconds);
    }
    fputs("]", out);
}

static void put_row(const conform_museum_row *row, FILE *out)
{
    const int killer = conform_museum_killer(row);
    fputs("    {", out);
    put_text("fault", row->fault->name, out);
    put_text("op", row->fault->op, out);
    put_text("text", row->fault->text, out);
    put_text("source", row->fault->source, out);
    fprintf(out, "\"year\": %d, ", (int)row->fault->year);
    put_text("expected", row->fault->killer, out);
    put_text("outcome",
             conform_museum_is_killed(row) ? "killed"
             : killer >= 0                 ? "died"
                                           : "survived",
             out);
    put_text("killer", killer >= 0 ? conform_check_name(killer) : "", out);
    fprintf(out, "\"cases\": %lld, \"seconds\": %.6f, ", (long long)row->n_cases, row->seconds);
    put_kills(row, out);
    fputs("}", out);
}

static void put_wings(const conform_museum_report *r, FILE *out)
{
    fputs("  \"wings\": [", out);
    for (int i = 0; i < r->n; i += conform_museum_wing_at(r, i).n) {
        const conform_museum_wing wing = conform_museum_wing_at(r, i);
        fprintf(out, "%s{\"year\": %d, \"faults\": %d, \"killed\": %d}", i ? ", " : "",
                (int)wing.year, wing.n, wing.killed);
    }
    fputs("],\n", out);
}

static void put_families(const conform_museum_sum *sum, FILE *out)
{
    int n = 0;
    for (int f = 0; f < CHECK_COUNT; f++) {
        const char *reason = conform_check_reason(f);
        if (!*conform_check_name(f))
            continue;
        fputs(n++ ? ",\n    {" : "\n    {", out);
        put_text("family", conform_check_name(f), out);
        put_text("reason", reason ? reason : "", out);
        fprintf(out, "\"notices\": %d, \"alone\": %d}", sum->kills[f], sum->only[f]);
    }
}

void conform_museum_json(const conform_museum_report *r, FILE *out)
{
    const conform_museum_sum sum = conform_museum_add_up(r);
    fputs("{\"inferno\": \"museum/1\", ", out);
    put_text("museum", r->museum, out);
    put_text("base", r->base, out);
    put_text("profile", r->profile, out);
    fprintf(out,
            "\"seed\": %llu, \"whole\": %s, \"complete\": %s, \"lone_killers\": %s, "
            "\"seconds\": %.3f,\n",
            (unsigned long long)r->seed, r->is_whole ? "true" : "false",
            r->n_families == CHECK_COUNT ? "true" : "false",
            conform_museum_knows_lone(r) ? "true" : "false", r->seconds);
    conform_origin_json(&r->origin, out);
    fprintf(out, ",\n  \"killed\": %d, \"died\": %d, \"survived\": %d,\n", sum.killed, sum.crashed,
            sum.survived);
    put_wings(r, out);
    fputs("  \"faults\": [\n", out);
    for (int i = 0; i < r->n; i++) {
        put_row(&r->rows[i], out);
        fputs(i + 1 < r->n ? ",\n" : "\n", out);
    }
    fputs("  ],\n  \"families\": [", out);
    put_families(&sum, out);
    fputs("\n  ]}\n", out);
}
