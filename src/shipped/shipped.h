/*
 * Files that ship with the programs: specs, the project's own model, the museum. They lie where
 * `cmake --install` puts them as seen from the program, <prefix>/bin/program and
 * <prefix>/share/inferno/<name>; the build tree is laid out alike (src/CMakeLists.txt). No path is
 * compiled in, so an installed tree can be moved and two builds in two places are the same bytes.
 */
#ifndef IFN_SHIPPED_H
#define IFN_SHIPPED_H

#include <stddef.h>

#include <inferno/status.h>

enum { SHIPPED_PATH_BYTES = 4096 };

/* The project's own model. */
#define SHIPPED_MODEL "little-world-f16.gguf"

/**
 * The path of a file or folder that can be read. `what` says for people what it is.
 * Errors  IFN_ERR_IO naming the place where it was looked for
 */
IFN_NODISCARD ifn_status shipped_path(const char *what, const char *name,
                                      char out[SHIPPED_PATH_BYTES], ifn_error *err);

#endif
