/* A result file that appears complete or not at all. */
#ifndef IFN_PROGRAM_OUTPUT_H
#define IFN_PROGRAM_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#include <inferno/status.h>

/* Caller's storage. Until output_finish the bytes are in a file with a temporary name beside `target`. */
typedef struct output {
    const char *path; /* borrowed */
    char *target;     /* the file's final path: `path`, or what it links to */
    char *temporary;  /* NULL when writing directly to `path` */
    FILE *file;
} output;

/**
 * "-" is standard output. A path that exists and is not a regular file (a device, a pipe) is written
 * to directly, as it must not be replaced. A link is not replaced either, but the file it leads to is.
 * Errors  IFN_ERR_IO: no file can be made there
 */
ifn_status output_open(output *self, const char *path, ifn_error *err);
ifn_status output_write(output *self, const void *data, size_t bytes, ifn_error *err);
/* Flushes everything and renames the file to `target`. Closes in any case. */
ifn_status output_finish(output *self, ifn_error *err);
/* Removes an output that was not finished; after output_finish it does nothing. */
void output_discard(output *self);

#endif
