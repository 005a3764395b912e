/* Maps a file read-only: the only place of the library that reads the filesystem. */
#ifndef IFN_FILE_MAP_H
#define IFN_FILE_MAP_H

#include <stddef.h>

#include <inferno/status.h>

typedef struct ifn_file_map {
    const void *data; /* NULL for an empty file */
    size_t bytes;
} ifn_file_map;

/* Errors  IFN_ERR_IO, naming the path: missing, not a regular file, unreadable. */
ifn_status ifn_file_map_open(const char *path, ifn_file_map *out, ifn_error *err);
void ifn_file_map_close(ifn_file_map *self);

/* Takes no memory any more for [data, data + bytes), a part of the map, nor for what else huge pages there would
 * cover: a system that keeps files in such brings in all of one where a byte is read, and so what was dropped
 * before. Whoever reads it again has it from the file. */
void ifn_file_map_drop(const ifn_file_map *self, const void *data, size_t bytes);

#endif
