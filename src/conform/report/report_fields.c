#include "report_fields.h"

#include "run_report.h"

#define MEMBER(type, member) offsetof(type, member), sizeof((type *)0)->member
#define TABLE(fields)                                                                              \
    {                                                                                              \
        fields, sizeof(fields) / sizeof *(fields)                                                  \
    }

static const report_field head[] = {
    {"profile", FIELD_TEXT, MEMBER(conform_report, profile)},
    {"shard", FIELD_TEXT, MEMBER(conform_report, shard)},
    {"rounds_begun", FIELD_COUNT, MEMBER(conform_report, rounds_begun)},
    {"rounds_done", FIELD_COUNT, MEMBER(conform_report, rounds_done)},
    {"filters", FIELD_TEXT, MEMBER(conform_report, filters)},
    {"seed", FIELD_HEX, MEMBER(conform_report, seed)},
    {"seconds", FIELD_NUMBER, MEMBER(conform_report, seconds)},
    {"registers_checked", FIELD_FLAG, MEMBER(conform_report, registers_checked)},
    {"vector_state_checked", FIELD_FLAG, MEMBER(conform_report, upper_checked)},
};
const report_fields report_head_fields = TABLE(head);

static const report_field origin[] = {
    {"version", FIELD_TEXT, MEMBER(report_origin, version)},
    {"commit", FIELD_TEXT, MEMBER(report_origin, commit)},
    {"program", FIELD_TEXT, MEMBER(report_origin, program)},
    {"cpu", FIELD_TEXT, MEMBER(report_origin, cpu)},
    {"features", FIELD_TEXT, MEMBER(report_origin, features)},
    {"os", FIELD_TEXT, MEMBER(report_origin, os)},
    {"date", FIELD_TEXT, MEMBER(report_origin, date)},
    {"command", FIELD_TEXT, MEMBER(report_origin, command)},
};
const report_fields report_origin_fields = TABLE(origin);

static const report_field binary[] = {
    {"file", FIELD_TEXT, MEMBER(report_binary, file)},
    {"hash", FIELD_TEXT, MEMBER(report_binary, hash)},
};
const report_fields report_binary_fields = TABLE(binary);

static const report_field planned[] = {
    {"cases", FIELD_COUNT, MEMBER(conform_planned, cases)},
    {"digest", FIELD_HEX, MEMBER(conform_planned, digest)},
    {"whole", FIELD_COUNT, MEMBER(conform_planned, whole)},
    {"whole_digest", FIELD_HEX, MEMBER(conform_planned, whole_digest)},
};
const report_fields report_planned_fields = TABLE(planned);

static const report_field evidence[] = {
    {"executed", FIELD_COUNT, MEMBER(conform_evidence, executed)},
    {"failed", FIELD_COUNT, MEMBER(conform_evidence, failed)},
};
const report_fields report_evidence_fields = TABLE(evidence);

static const report_field cell[] = {
    {"by", FIELD_TEXT, MEMBER(conform_cell, by)},
    {"inherited", FIELD_FLAG, MEMBER(conform_cell, is_inherited)},
    {"cases", FIELD_COUNT, MEMBER(conform_cell, cases)},
    {"passed", FIELD_COUNT, MEMBER(conform_cell, passed)},
    {"refused", FIELD_COUNT, MEMBER(conform_cell, refused)},
    {"undeclared", FIELD_COUNT, MEMBER(conform_cell, undeclared)},
    {"computed", FIELD_COUNT, MEMBER(conform_cell, computed)},
    {"failed", FIELD_COUNT, MEMBER(conform_cell, failed)},
    {"blunt", FIELD_COUNT, MEMBER(conform_cell, blunt)},
    {"sharp", FIELD_COUNT, MEMBER(conform_cell, sharp)},
    {"calls", FIELD_COUNT, MEMBER(conform_cell, calls)},
    {"compared", FIELD_COUNT, MEMBER(conform_cell, compared)},
    {"walked", FIELD_COUNT, MEMBER(conform_cell, walked)},
    {"worst_ratio", FIELD_NUMBER, MEMBER(conform_cell, ratio)},
    {"worst_scalar_ratio", FIELD_NUMBER, MEMBER(conform_cell, scalar_ratio)},
    {"worst_case", FIELD_TEXT, MEMBER(conform_cell, worst)},
};
const report_fields report_cell_fields = TABLE(cell);

static const report_field relation[] = {
    {"tried", FIELD_COUNT, MEMBER(conform_relation_count, tried)},
    {"held", FIELD_COUNT, MEMBER(conform_relation_count, held)},
    {"demanded", FIELD_COUNT, MEMBER(conform_relation_count, demanded)},
};
const report_fields report_relation_fields = TABLE(relation);

static const report_field kind[] = {
    {"executed", FIELD_COUNT, MEMBER(conform_kind, executed)},
    {"refused", FIELD_COUNT, MEMBER(conform_kind, refused)},
    {"undeclared", FIELD_COUNT, MEMBER(conform_kind, undeclared)},
    {"t2_cases", FIELD_COUNT, MEMBER(conform_kind, t2_cases)},
    {"t2_ratio", FIELD_NUMBER, MEMBER(conform_kind, t2_ratio)},
};
const report_fields report_kind_fields = TABLE(kind);

static const report_field mean[] = {
    {"n", FIELD_COUNT, MEMBER(conform_mean, n)},
    {"sum", FIELD_NUMBER, MEMBER(conform_mean, sum)},
    {"squares", FIELD_NUMBER, MEMBER(conform_mean, squares)},
};
const report_fields report_mean_fields = TABLE(mean);

static const report_field failure[] = {
    {"case", FIELD_TEXT, MEMBER(conform_failure, id)},
    {"smallest", FIELD_TEXT, MEMBER(conform_failure, shrunk)},
    {"fault", FIELD_TEXT, MEMBER(conform_failure, fault)},
    {"detail", FIELD_TEXT, MEMBER(conform_failure, verdict.detail)},
    {"nature", FIELD_TEXT, MEMBER(conform_failure, nature)},
    {"cases", FIELD_COUNT, MEMBER(conform_failure, cases)},
    {"when", FIELD_TEXT, MEMBER(conform_failure, when)},
    {"tensor", FIELD_TEXT, MEMBER(conform_failure, verdict.tensor)},
    {"index", FIELD_INDEX, MEMBER(conform_failure, verdict.worst.worst)},
    {"wrong", FIELD_COUNT, MEMBER(conform_failure, verdict.worst.n_wrong)},
    {"raw", FIELD_FLAG, MEMBER(conform_failure, verdict.is_raw)},
    {"got", FIELD_NUMBER, MEMBER(conform_failure, verdict.worst.got)},
    {"want", FIELD_NUMBER, MEMBER(conform_failure, verdict.worst.want)},
    {"bound", FIELD_NUMBER, MEMBER(conform_failure, verdict.worst.bound)},
    {"ratio", FIELD_NUMBER, MEMBER(conform_failure, verdict.worst.ratio)},
};
const report_fields report_failure_fields = TABLE(failure);

static const report_field row[] = {
    {"model", FIELD_TEXT, MEMBER(e2e_row, model)},
    {"weights", FIELD_TEXT, MEMBER(e2e_row, weights)},
    {"graph", FIELD_TEXT, MEMBER(e2e_row, graph)},
    {"activations", FIELD_TEXT, MEMBER(e2e_row, activations)},
    {"kv", FIELD_TEXT, MEMBER(e2e_row, kv)},
    {"rule", FIELD_TEXT, MEMBER(e2e_row, rule)},
    {"runs", FIELD_COUNT, MEMBER(e2e_row, runs)},
    {"failed", FIELD_COUNT, MEMBER(e2e_row, failed)},
    {"steps", FIELD_COUNT, MEMBER(e2e_row, steps)},
    {"ties", FIELD_COUNT, MEMBER(e2e_row, ties)},
    {"worst", FIELD_NUMBER, MEMBER(e2e_row, worst)},
    {"kl_mean", FIELD_NUMBER, MEMBER(e2e_row, kl_mean)},
    {"kl_99", FIELD_NUMBER, MEMBER(e2e_row, kl_99)},
    {"kl_max", FIELD_NUMBER, MEMBER(e2e_row, kl_max)},
    {"tried", FIELD_COUNT, MEMBER(e2e_row, tried)},
    {"held", FIELD_COUNT, MEMBER(e2e_row, held)},
    {"demanded", FIELD_COUNT, MEMBER(e2e_row, demanded)},
    {"fault", FIELD_TEXT, MEMBER(e2e_row, fault)},
    {"detail", FIELD_TEXT, MEMBER(e2e_row, detail)},
    {"first_bad", FIELD_TEXT, MEMBER(e2e_row, first_bad)},
};
const report_fields report_row_fields = TABLE(row);

static const report_field kills[] = {
    {"killed", FIELD_COUNT, MEMBER(report_kills, killed)},
    {"died", FIELD_COUNT, MEMBER(report_kills, died)},
    {"survived", FIELD_COUNT, MEMBER(report_kills, survived)},
    {"whole", FIELD_FLAG, MEMBER(report_kills, is_whole)},
};
const report_fields report_kills_fields = TABLE(kills);
