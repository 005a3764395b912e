/* Finds the faults of a museum by name, as the option of its backend gives it. */
#ifndef FAULT_NAMES_H
#define FAULT_NAMES_H

#include <inferno/backend.h>

#include "museum_list.h"

/* The list of faults, which `inferno conform museum` reads from a plugin. */
IFN_API const conform_museum *ifn_museum(void);

/* The index of a fault, or -1. */
int fault_find(const conform_museum *museum, const char *name);

/* Describes an unknown name in `err`, with `plugin` and as many names as the message holds; returns the status for
 * open. */
ifn_status fault_refuse(const conform_museum *museum, const char *plugin, const char *found,
                        ifn_error *err);

#endif
