/* Where the operands of an operator begin and end, and statements. All by token index. */
#ifndef OPERANDS_H
#define OPERANDS_H

#include "tokens.h"

/* Tokens [first, last]. */
typedef struct operand {
    size_t first, last;
} operand;

/* What a binary operator, or "?", has on its left and right; of "," the right is one argument. */
operand operand_left(const token_list *t, size_t i);
operand operand_right(const token_list *t, size_t i);

/* 1 if the token can be the last of an operand: what stands behind it is an index or an operator.
 */
int operand_ends_at(const token_list *t, size_t i);

/* The first comma of the arguments behind "(" at i; 0: there is but one. */
size_t operand_comma(const token_list *t, size_t i);

/* 1 if "(" at i belongs to an if, for or while. */
int operand_is_head(const token_list *t, size_t i);

/* The ";" that ends the statement at i; i if something else ends it. */
size_t operand_statement_end(const token_list *t, size_t i);

#endif
