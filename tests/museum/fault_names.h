/* The faults of a museum by name, as the option of its backend says them. */
#ifndef FAULT_NAMES_H
#define FAULT_NAMES_H

#include <inferno/backend.h>

#include "museum_list.h"

/* What `inferno conform --museum` asks a plugin for. */
IFN_API const conform_museum *ifn_museum(void);

/* -1: there is none. */
int fault_find(const conform_museum *museum, const char *name);

/* How open fails then: `plugin` and as many names as a message holds; the command lists them all. */
ifn_status fault_refuse(const conform_museum *museum, const char *plugin, const char *found,
                        ifn_error *err);

#endif
