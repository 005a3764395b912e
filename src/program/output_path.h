/* What may be written where: links, files that are there already, and who may read the result. */
#ifndef IFN_PROGRAM_OUTPUT_PATH_H
#define IFN_PROGRAM_OUTPUT_PATH_H

#include <sys/types.h>

#include <inferno/status.h>

/* Where a path leads, link by link: the file that a result replaces. The caller frees; NULL: no
 * memory. */
char *output_path_target(const char *path);

/* What the file `target` will allow: as before where it exists, else what a new file may; never
 * more than `input`, from which the result is made (NULL: from none). */
mode_t output_path_mode(const char *target, const char *input);

/**
 * Refuses a path that is `input` itself (NULL: there is none), by another name or link too, and,
 * unless `force` is 1, one where a file is already. "-", devices and pipes replace nothing.
 * Errors  IFN_ERR_ARGUMENT
 */
ifn_status output_path_check(const char *path, const char *input, int force, ifn_error *err);

#endif
