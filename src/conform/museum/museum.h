/* `inferno conform museum [PLUGIN.so]`: does the suite notice every fault that is known? */
#ifndef CONFORM_MUSEUM_H
#define CONFORM_MUSEUM_H

#include "options.h"

/* 0: every fault is killed by a judgement; 1: not so; 2: wrong usage. */
int conform_museum_main(const conform_options *options);

#endif
