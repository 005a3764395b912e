#include "report_fields.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "report_counts.h"

#define PLACE(type, member)   offsetof(type, member), sizeof((type *)0)->member
#define MEMBER(type, member)  PLACE(type, member), MERGE_NOT
#define KEPT(type, member)    PLACE(type, member), MERGE_KEEP
#define SUMMED(type, member)  PLACE(type, member), MERGE_SUM
#define LARGEST(type, member) PLACE(type, member), MERGE_MAX
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
    {"seconds", FIELD_NUMBER, SUMMED(conform_report, seconds)},
    {"registers_checked", FIELD_FLAG, LARGEST(conform_report, registers_checked)},
    {"vector_state_checked", FIELD_FLAG, LARGEST(conform_report, upper_checked)},
    {"memory_unguarded", FIELD_FLAG, LARGEST(conform_report, is_unguarded)},
    {"in_process", FIELD_FLAG, LARGEST(conform_report, is_in_process)},
};
const report_fields report_head_fields = TABLE(head);

static const report_field origin[] = {
    {"version", FIELD_TEXT, MEMBER(report_origin, version)},
    {"commit", FIELD_TEXT, MEMBER(report_origin, commit)},
    {"program", FIELD_TEXT, MEMBER(report_origin, program)},
    {"cpu", FIELD_TEXT, MEMBER(report_origin, cpu)},
    {"features", FIELD_TEXT, MEMBER(report_origin, features)},
    {"os", FIELD_TEXT, MEMBER(report_origin, os)},
    {"host", FIELD_TEXT, MEMBER(report_origin, host)},
    {"date", FIELD_TEXT, MEMBER(report_origin, date)},
    {"command", FIELD_TEXT, MEMBER(report_origin, command)},
};
const report_fields report_origin_fields = TABLE(origin);

static const report_field binary[] = {
    {"file", FIELD_TEXT, MEMBER(report_binary, file)},
    {"hash", FIELD_TEXT, MEMBER(report_binary, hash)},
    {"device", FIELD_FLAG, MEMBER(report_binary, is_device)},
};
const report_fields report_binary_fields = TABLE(binary);

static const report_field planned[] = {
    {"cases", FIELD_COUNT, SUMMED(conform_planned, cases)},
    {"digest", FIELD_HEX, SUMMED(conform_planned, digest)},
    {"whole", FIELD_COUNT, KEPT(conform_planned, whole)},
    {"whole_digest", FIELD_HEX, KEPT(conform_planned, whole_digest)},
};
const report_fields report_planned_fields = TABLE(planned);

static const report_field evidence[] = {
    {"executed", FIELD_COUNT, SUMMED(conform_evidence, executed)},
    {"failed", FIELD_COUNT, SUMMED(conform_evidence, failed)},
};
const report_fields report_evidence_fields = TABLE(evidence);

static const report_field cell[] = {
    {"by", FIELD_TEXT, KEPT(conform_cell, by)},
    {"inherited", FIELD_FLAG, MEMBER(conform_cell, is_inherited)},
    {"arithmetic", FIELD_TEXT, KEPT(conform_cell, arithmetic)},
    {"cases", FIELD_COUNT, SUMMED(conform_cell, cases)},
    {"passed", FIELD_COUNT, SUMMED(conform_cell, passed)},
    {"refused", FIELD_COUNT, SUMMED(conform_cell, refused)},
    {"undeclared", FIELD_COUNT, SUMMED(conform_cell, undeclared)},
    {"computed", FIELD_COUNT, SUMMED(conform_cell, computed)},
    {"failed", FIELD_COUNT, SUMMED(conform_cell, failed)},
    {"blunt", FIELD_COUNT, SUMMED(conform_cell, blunt)},
    {"sharp", FIELD_COUNT, SUMMED(conform_cell, sharp)},
    {"calls", FIELD_COUNT, SUMMED(conform_cell, calls)},
    {"compared", FIELD_COUNT, SUMMED(conform_cell, compared)},
    {"left_upper", FIELD_COUNT, SUMMED(conform_cell, left_upper)},
    {"left_tiles", FIELD_COUNT, SUMMED(conform_cell, left_tiles)},
    {"seconds", FIELD_NUMBER, SUMMED(conform_cell, seconds)},
    {"walked", FIELD_COUNT, SUMMED(conform_cell, swept)},
    {"worst_ratio", FIELD_NUMBER, LARGEST(conform_cell, ratio)},
    {"worst_scalar_ratio", FIELD_NUMBER, LARGEST(conform_cell, scalar_ratio)},
    {"worst_case", FIELD_TEXT, KEPT(conform_cell, worst)},
};
const report_fields report_cell_fields = TABLE(cell);

static const report_field relation[] = {
    {"tried", FIELD_COUNT, SUMMED(conform_relation_count, tried)},
    {"held", FIELD_COUNT, SUMMED(conform_relation_count, held)},
    {"demanded", FIELD_COUNT, SUMMED(conform_relation_count, demanded)},
};
const report_fields report_relation_fields = TABLE(relation);

static const report_field kind[] = {
    {"executed", FIELD_COUNT, SUMMED(conform_kind, executed)},
    {"refused", FIELD_COUNT, SUMMED(conform_kind, refused)},
    {"undeclared", FIELD_COUNT, SUMMED(conform_kind, undeclared)},
    {"failed", FIELD_COUNT, SUMMED(conform_kind, failed)},
    {"worst_ratio", FIELD_NUMBER, LARGEST(conform_kind, ratio)},
    {"t2_cases", FIELD_COUNT, SUMMED(conform_kind, t2_cases)},
    {"t2_ratio", FIELD_NUMBER, LARGEST(conform_kind, t2_ratio)},
};
const report_fields report_kind_fields = TABLE(kind);

static const report_field mean[] = {
    {"n", FIELD_COUNT, SUMMED(conform_mean, n)},
    {"sum", FIELD_NUMBER, SUMMED(conform_mean, sum)},
    {"squares", FIELD_NUMBER, SUMMED(conform_mean, squares)},
};
const report_fields report_mean_fields = TABLE(mean);

static const report_field failure[] = {
    {"case", FIELD_TEXT, MEMBER(conform_failure, id)},
    {"smallest", FIELD_TEXT, MEMBER(conform_failure, shrunk)},
    {"fault", FIELD_TEXT, MEMBER(conform_failure, check)},
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
    {"map_rows", FIELD_COUNT, MEMBER(conform_failure, verdict.map.rows)},
    {"map_cols", FIELD_COUNT, MEMBER(conform_failure, verdict.map.cols)},
    {"map_cell_rows", FIELD_COUNT, MEMBER(conform_failure, verdict.map.cell_rows)},
    {"map_cell_cols", FIELD_COUNT, MEMBER(conform_failure, verdict.map.cell_cols)},
    {"map", FIELD_TEXT, MEMBER(conform_failure, verdict.map.cells)},
    {"map_row_cuts", FIELD_TEXT, MEMBER(conform_failure, verdict.map.row_cuts)},
    {"map_col_cuts", FIELD_TEXT, MEMBER(conform_failure, verdict.map.col_cuts)},
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
    {"fault", FIELD_TEXT, MEMBER(e2e_row, check)},
    {"detail", FIELD_TEXT, MEMBER(e2e_row, detail)},
    {"first_bad", FIELD_TEXT, MEMBER(e2e_row, first_bad)},
    {"again", FIELD_TEXT, MEMBER(e2e_row, again)},
};
const report_fields report_row_fields = TABLE(row);

static const report_field kills[] = {
    {"killed", FIELD_COUNT, MEMBER(report_kills, killed)},
    {"died", FIELD_COUNT, MEMBER(report_kills, died)},
    {"survived", FIELD_COUNT, MEMBER(report_kills, survived)},
    {"whole", FIELD_FLAG, MEMBER(report_kills, is_whole)},
    {"shipped", FIELD_FLAG, MEMBER(report_kills, is_shipped)},
};
const report_fields report_kills_fields = TABLE(kills);

/* Returns true for an empty text or a number that is 0. */
static bool is_empty(const report_field *f, const unsigned char *member)
{
    const size_t n = f->kind == FIELD_TEXT ? 1 : f->bytes;
    for (size_t i = 0; i < n; i++)
        if (member[i])
            return false;
    return true;
}

static void add(const report_field *f, void *to, const void *from)
{
    if (f->kind == FIELD_NUMBER)
        *(double *)to += *(const double *)from;
    else if (f->kind == FIELD_HEX)
        *(uint64_t *)to += *(const uint64_t *)from;
    else
        *(int64_t *)to += *(const int64_t *)from;
}

static void keep_larger(const report_field *f, void *to, const void *from)
{
    if (f->kind == FIELD_NUMBER)
        *(double *)to = fmax(*(double *)to, *(const double *)from);
    else
        *(int32_t *)to |= *(const int32_t *)from;
}

void report_merge(const report_fields *table, void *to, const void *from)
{
    for (size_t i = 0; i < table->n; i++) {
        const report_field *const f = &table->field[i];
        unsigned char *const mine = (unsigned char *)to + f->offset;
        const unsigned char *const others = (const unsigned char *)from + f->offset;
        if (f->merge == MERGE_SUM)
            add(f, mine, others);
        else if (f->merge == MERGE_MAX)
            keep_larger(f, mine, others);
        else if (f->merge == MERGE_KEEP && is_empty(f, mine))
            memcpy(mine, others, f->bytes);
    }
}
