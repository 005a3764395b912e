/* Finds the specs that ship with the program. */
#ifndef CONFORM_SPEC_DIR_H
#define CONFORM_SPEC_DIR_H

#include <inferno/status.h>

enum { SPEC_DIR_BYTES = 4096 };

/* Sets `out` to `given`, or, if that is NULL, to the folder that ships with the program (shipped.h). */
IFN_NODISCARD ifn_status conform_spec_dir(const char *given, char out[SPEC_DIR_BYTES],
                                          ifn_error *err);

#endif
