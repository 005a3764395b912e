/* `inferno conform e2e MODEL.gguf ...`: whole models against f64, no golden file needed. */
#ifndef CONFORM_E2E_COMMAND_H
#define CONFORM_E2E_COMMAND_H

#include "options.h"

/* 0: no run failed; 1: one did; 2: wrong usage, or a model that cannot be opened. */
int conform_e2e_main(const conform_options *options);

#endif
