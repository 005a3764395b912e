/* Writes the kill matrix as JSON; spec/museum.schema.yaml says what the keys mean. */
#include <math.h>

#include "museum_report.h"
#include "run_report.h"

static void put_count(const char *key, int64_t n, json_writer *out)
{
    json_key(out, key);
    json_put_int(out, n);
}

static void put_flag(const char *key, bool is_so, json_writer *out)
{
    json_key(out, key);
    json_put_bool(out, is_so);
}

static void put_seconds(double seconds, json_writer *out)
{
    json_key(out, "seconds");
    json_put_double(out, nearbyint(seconds * 1e6) / 1e6);
}

static void begin_list(const char *key, json_writer *out)
{
    json_line(out, 2);
    json_key(out, key);
    json_begin_array(out);
}

static void put_kills(const conform_museum_row *row, json_writer *out)
{
    json_key(out, "kills");
    json_begin_array(out);
    for (int f = 0; f < DETECTOR_COUNT; f++) {
        const conform_museum_kill *k = &row->kills[f];
        if (!k->is_there)
            continue;
        json_begin_object(out);
        json_member(out, "family", conform_detector_name(f));
        json_member(out, "case", k->id);
        put_count("work", k->work, out);
        put_seconds(k->seconds, out);
        json_end_object(out);
    }
    json_end_array(out);
}

static void put_row(const conform_museum_row *row, json_writer *out)
{
    const int killer = conform_museum_killer(row);
    json_line(out, 4);
    json_begin_object(out);
    json_member(out, "fault", row->fault->name);
    json_member(out, "op", row->fault->op);
    json_member(out, "text", row->fault->text);
    json_member(out, "source", row->fault->source);
    put_count("year", row->fault->year, out);
    json_member(out, "expected", row->fault->killer);
    json_member(out, "outcome",
                conform_museum_is_killed(row) ? "killed"
                : killer >= 0                 ? "died"
                                              : "survived");
    json_member(out, "killer", killer >= 0 ? conform_detector_name(killer) : "");
    put_count("cases", row->n_cases, out);
    put_seconds(row->seconds, out);
    put_kills(row, out);
    json_end_object(out);
}

static void put_wings(const conform_museum_report *r, json_writer *out)
{
    begin_list("wings", out);
    for (int i = 0; i < r->n; i += conform_museum_wing_at(r, i).n) {
        const conform_museum_wing wing = conform_museum_wing_at(r, i);
        json_begin_object(out);
        put_count("year", wing.year, out);
        put_count("faults", wing.n, out);
        put_count("killed", wing.killed, out);
        json_end_object(out);
    }
    json_end_array(out);
}

static void put_detectors(const conform_museum_sum *sum, json_writer *out)
{
    begin_list("families", out);
    for (int f = 0; f < DETECTOR_COUNT; f++) {
        const char *reason = conform_detector_reason(f);
        if (!*conform_detector_name(f))
            continue;
        json_line(out, 4);
        json_begin_object(out);
        json_member(out, "family", conform_detector_name(f));
        json_member(out, "reason", reason ? reason : "");
        put_count("notices", sum->kills[f], out);
        put_count("alone", sum->only[f], out);
        json_end_object(out);
    }
    json_line(out, 2);
    json_end_array(out);
}

static void put_head(const conform_museum_report *r, json_writer *out)
{
    const conform_museum_sum sum = conform_museum_add_up(r);
    json_member(out, "inferno", "museum/1");
    json_member(out, "museum", r->museum);
    json_member(out, "base", r->base);
    json_member(out, "profile", r->profile);
    json_key(out, "seed");
    json_put_uint(out, r->seed);
    put_flag("whole", r->is_whole, out);
    put_flag("shipped", r->is_shipped, out);
    put_flag("complete", r->n_detectors == DETECTOR_COUNT, out);
    put_flag("lone_killers", conform_museum_knows_lone(r), out);
    put_seconds(r->seconds, out);
    json_line(out, 2);
    conform_origin_json(&r->origin, out);
    json_line(out, 2);
    put_count("killed", sum.killed, out);
    put_count("died", sum.crashed, out);
    put_count("survived", sum.survived, out);
}

void conform_museum_json(const conform_museum_report *r, FILE *file)
{
    const conform_museum_sum sum = conform_museum_add_up(r);
    json_writer w = {.out = file};
    json_begin_object(&w);
    put_head(r, &w);
    put_wings(r, &w);
    begin_list("faults", &w);
    for (int i = 0; i < r->n; i++)
        put_row(&r->rows[i], &w);
    json_line(&w, 2);
    json_end_array(&w);
    put_detectors(&sum, &w);
    json_line(&w, 2);
    json_end_object(&w);
    json_finish(&w);
}
