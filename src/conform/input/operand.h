#ifndef CONFORM_OPERAND_H
#define CONFORM_OPERAND_H

#include <stdbool.h>

/* The role of an operand in its op, which decides the values that a family gives it. */
typedef enum conform_operand {
    OPERAND_A,      /* first factor, reduced along its rows' elements; random signs in T2 */
    OPERAND_B,      /* second factor, reduced along its rows' elements: weights [n, k] */
    OPERAND_B_DOWN, /* second factor, reduced down its columns: matmul's b [k, p] */
    OPERAND_PLAIN,  /* elementwise inputs: any float the family allows */
    OPERAND_WEIGHT, /* norm weights: about 1 */
    OPERAND_LOGIT   /* softmax inputs */
} conform_operand;

static inline bool conform_is_second(conform_operand operand)
{
    return operand == OPERAND_B || operand == OPERAND_B_DOWN;
}

static inline bool conform_is_factor(conform_operand operand)
{
    return operand == OPERAND_A || conform_is_second(operand);
}

#endif
