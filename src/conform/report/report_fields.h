/*
 * Tables that map each member of a report's structs to its JSON key and to the rule by which two reports merge it.
 * report_json.c, report_read.c and conform_report_merge share them. spec/report.schema.yaml says what the keys mean.
 */
#ifndef CONFORM_REPORT_FIELDS_H
#define CONFORM_REPORT_FIELDS_H

#include <stddef.h>
#include <stdint.h>

typedef enum report_field_kind {
    FIELD_COUNT,  /* int64_t, from 0 on */
    FIELD_INDEX,  /* int64_t, from 0 on; -1: none */
    FIELD_NUMBER, /* double */
    FIELD_TEXT,   /* char[] */
    FIELD_FLAG,   /* int32_t, 0 or 1 */
    FIELD_HEX     /* uint64_t, as up to 16 hexadecimal digits */
} report_field_kind;

/* How report_merge changes a member of the report that is merged into. */
typedef enum report_rule {
    MERGE_NOT,  /* the member does not change */
    MERGE_KEEP, /* an empty member takes the value of the other report */
    MERGE_SUM,
    MERGE_MAX /* the larger number; flags: logical or */
} report_rule;

typedef struct report_field {
    const char *key;
    report_field_kind kind;
    size_t offset, bytes; /* of the member */
    report_rule merge;
} report_field;

typedef struct report_fields {
    const report_field *field;
    size_t n;
} report_fields;

/* Merges the struct `from` into `to`, member by member. */
void report_merge(const report_fields *table, void *to, const void *from);

/* All that is read from a museum's report: how many of its faults were noticed. */
typedef struct report_kills {
    int64_t killed, died, survived;
    int32_t is_whole, is_shipped;
} report_kills;

extern const report_fields report_head_fields;     /* conform_report */
extern const report_fields report_origin_fields;   /* report_origin */
extern const report_fields report_binary_fields;   /* report_binary */
extern const report_fields report_planned_fields;  /* conform_planned */
extern const report_fields report_evidence_fields; /* conform_evidence */
extern const report_fields report_cell_fields;     /* conform_cell */
extern const report_fields report_relation_fields; /* conform_relation_count */
extern const report_fields report_kind_fields;     /* conform_kind */
extern const report_fields report_mean_fields;     /* conform_mean */
extern const report_fields report_failure_fields;  /* conform_failure */
extern const report_fields report_row_fields;      /* e2e_row */
extern const report_fields report_kills_fields;    /* report_kills */

#endif
