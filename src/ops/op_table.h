/* Functions on tables of ops: overlay, completeness, comparison of slots. */
#ifndef IFN_OP_TABLE_H
#define IFN_OP_TABLE_H

#include <stdbool.h>

#include <inferno/backend.h>

/* Puts the slots of `level` over those of `table`; an empty slot of `level` inherits. */
void ifn_op_overlay(ifn_op_table *table, const ifn_op_table *level);

/* The first op without a function; IFN_OP_COUNT when the table is complete. */
ifn_op ifn_op_table_first_empty(const ifn_op_table *table);

/* True if both tables run `op` with the same function. */
bool ifn_op_same_slot(const ifn_op_table *a, const ifn_op_table *b, ifn_op op);

#endif
