/* The faults by name: `inferno conform museum` lists them, and the option of the plugin selects one. */
#ifndef MUSEUM_H
#define MUSEUM_H

#include "faults.h"

/* Returns DEVICE_SOUND if there is no fault of that name. */
device_fault museum_fault(const char *name);

/* Describes the unknown name in `err`; returns the status for open. */
ifn_status museum_refuse(const char *found, ifn_error *err);

#endif
