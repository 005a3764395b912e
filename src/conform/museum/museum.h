/* `inferno conform museum [PLUGIN.so]`: tests whether the suite notices every fault of the museum. */
#ifndef CONFORM_MUSEUM_H
#define CONFORM_MUSEUM_H

#include "options.h"

/* Returns 0 if a judgement kills every fault and no detector is superfluous, else 1; 2: wrong usage. */
int conform_museum_main(const conform_options *options);

#endif
