/* Functions on tables of ops. Each expands IFN_OPS, so that no slot is ever cast. */
#include "op_table.h"

void ifn_op_overlay(ifn_op_table *table, const ifn_op_table *level)
{
#define X(NAME, name, cut, cut2, doc)                                                              \
    if (level->name)                                                                               \
        table->name = level->name;
    IFN_OPS(X)
#undef X
}

ifn_op ifn_op_table_first_empty(const ifn_op_table *table)
{
#define X(NAME, name, cut, cut2, doc)                                                              \
    if (!table->name)                                                                              \
        return IFN_OP_##NAME;
    IFN_OPS(X)
#undef X
    return IFN_OP_COUNT;
}

bool ifn_op_same_slot(const ifn_op_table *a, const ifn_op_table *b, ifn_op op)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return a->name == b->name;
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return false;
}
