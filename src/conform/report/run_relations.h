/* What a report counts of the relations R0 .. R10, and of how near T2 cases come to their bounds. */
#ifndef CONFORM_RUN_RELATIONS_H
#define CONFORM_RUN_RELATIONS_H

#include "report_counts.h"

void conform_count_relations(conform_cell *cell, const conform_case *c, const conform_verdict *v);

/* What R<i> says, in a few words: numerics 12. */
const char *conform_relation_words(int i);

/* The table of them, as report_text.c shows it. */
void conform_report_relations(const conform_report *r, FILE *out);

#endif
