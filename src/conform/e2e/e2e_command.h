/* `inferno conform e2e MODEL.gguf ...`: compares whole models with an f64 pass over the same file. */
#ifndef CONFORM_E2E_COMMAND_H
#define CONFORM_E2E_COMMAND_H

#include "options.h"

/* 0: no run failed; 1: one did; 2: wrong usage, or a model that cannot be opened. */
int conform_e2e_main(const conform_options *options);

#endif
