/* Counts for a report how the relations R0 .. R10 held, and how near T2 cases come to their bounds. */
#ifndef CONFORM_RUN_RELATIONS_H
#define CONFORM_RUN_RELATIONS_H

#include "report_counts.h"

void conform_count_relations(conform_cell *cell, const conform_case *c, const conform_verdict *v);

/* Returns R<i> in a few words: numerics 12. */
const char *conform_relation_words(int i);

/* Prints the table of relations for report_text.c. */
void conform_report_relations(const conform_report *r, FILE *out);

#endif
