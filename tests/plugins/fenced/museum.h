/* The faults by name: what `inferno conform --museum` asks for, and an option says. */
#ifndef MUSEUM_H
#define MUSEUM_H

#include "faults.h"

/* DEVICE_SOUND: there is none of that name. */
device_fault museum_fault(const char *name);

/* How open fails then. */
ifn_status museum_refuse(const char *found, ifn_error *err);

#endif
