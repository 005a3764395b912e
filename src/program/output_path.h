/* Rules for output paths: links, existing files, and permissions of the result. */
#ifndef IFN_PROGRAM_OUTPUT_PATH_H
#define IFN_PROGRAM_OUTPUT_PATH_H

#include <sys/types.h>

#include <inferno/status.h>

/* Follows a path link by link to the file that a result replaces. The caller frees; NULL: no
 * memory. */
char *output_path_target(const char *path);

/* The permissions for the file `target`: its own if it exists, else those of a new file; never more than those
 * of `input`, from which the result is made (NULL: from none). */
mode_t output_path_mode(const char *target, const char *input);

/**
 * Refuses a path that is `input` itself (NULL: no input), also under another name or link, and, unless
 * `force` is 1, a path that exists. "-", devices and pipes are allowed, as nothing is replaced.
 * Errors  IFN_ERR_ARGUMENT
 */
ifn_status output_path_check(const char *path, const char *input, int force, ifn_error *err);

#endif
