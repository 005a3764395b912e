/* Writes bytes to standard output or to a file, which appears under its name only when it is complete. */
#ifndef IFN_FILE_SINK_H
#define IFN_FILE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/status.h>

typedef struct ifn_file_sink {
    const ifn_allocator *alloc;
    int fd;
    bool owns_fd;
    char *path, *temporary; /* owned; temporary is NULL when path is written directly */
    size_t path_room, temporary_room;
    uint8_t *buffer; /* owned */
    size_t buffered;
} ifn_file_sink;

/**
 * A path that names an existing device or pipe is written directly, since it cannot be replaced;
 * "-" is standard output. Fini is needed after failure as well.
 */
ifn_status ifn_file_sink_init(ifn_file_sink *self, const char *path, const ifn_allocator *alloc,
                              ifn_error *err);
ifn_status ifn_file_sink_write(ifn_file_sink *self, const void *data, size_t bytes, ifn_error *err);
ifn_status ifn_file_sink_zeros(ifn_file_sink *self, uint64_t bytes, ifn_error *err);
/* Flushes, closes, and renames the temporary file to `path`. */
ifn_status ifn_file_sink_finish(ifn_file_sink *self, ifn_error *err);
/* Frees everything, and removes the temporary file unless ifn_file_sink_finish succeeded. */
void ifn_file_sink_fini(ifn_file_sink *self);

#endif
