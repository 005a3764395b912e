/* Where the operands of an operator, and statements, begin and end. All positions are indices of tokens. */
#ifndef OPERANDS_H
#define OPERANDS_H

#include "tokens.h"

/* The tokens [first, last]. */
typedef struct operand {
    size_t first, last;
} operand;

/* Return the left and right operand of a binary operator or of "?"; to the right of "," it is one argument. */
operand operand_left(const token_list *t, size_t i);
operand operand_right(const token_list *t, size_t i);

/* Returns 1 if the token can end an operand: then an index or an operator follows. */
int operand_ends_at(const token_list *t, size_t i);

/* Returns the first comma of the arguments after "(" at i; 0: there is only one argument. */
size_t operand_comma(const token_list *t, size_t i);

/* Returns 1 if the "(" at i belongs to an if, for or while. */
int operand_is_head(const token_list *t, size_t i);

/* Returns the ";" that ends the statement at i; i if something else ends it. */
size_t operand_statement_end(const token_list *t, size_t i);

#endif
