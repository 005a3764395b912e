/* How this thread rounds: the control bits of its floating-point units, without the flags that every
 * inexact result sets. */
#ifndef CONFORM_FLOAT_CONTROL_H
#define CONFORM_FLOAT_CONTROL_H

#include <stdint.h>

/* 0 where nobody can tell. */
uint64_t conform_float_control(void);
void conform_set_float_control(uint64_t control);

/* The same with another rounding mode and, of every other `seed`, subnormals flushed: what the caller of an op may
 * have and must find again. */
uint64_t conform_float_control_other(uint64_t control, uint64_t seed);

#endif
