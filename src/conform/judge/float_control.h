/* The control bits of this thread's floating-point units (rounding, flushing), without the flags that every inexact
 * result sets. */
#ifndef CONFORM_FLOAT_CONTROL_H
#define CONFORM_FLOAT_CONTROL_H

#include <stdint.h>

/* Returns 0 on an unknown architecture. */
uint64_t conform_float_control(void);
void conform_set_float_control(uint64_t control);

/* `control` with a rounding mode other than to nearest and, for every other group of three seeds, with subnormals
 * flushed: a mode that the caller of an op may have, and that the op must restore. */
uint64_t conform_float_control_other(uint64_t control, uint64_t seed);

#endif
