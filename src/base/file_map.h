/* Maps a file read-only. */
#ifndef IFN_FILE_MAP_H
#define IFN_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/status.h>

/* Identifies a file and its content by what stat returns: a later write changes the times. */
typedef struct ifn_file_stamp {
    uint64_t bytes, inode;
    int64_t modified, changed; /* mtime and ctime in nanoseconds; programs cannot set ctime */
} ifn_file_stamp;

/* Bytes of zeros mapped after the content: kernels may read past the last tensor. */
enum { IFN_FILE_MAP_MORE = 256 };

typedef struct ifn_file_map {
    const void *data; /* NULL for an empty file */
    size_t bytes;
    size_t mapped;        /* readable bytes: the content and the zeros after it */
    ifn_file_stamp stamp; /* when it was opened */
} ifn_file_map;

/* True if two stamps are equal. Then the contents are equal too, provided the first stamp was settled when read. */
bool ifn_file_stamp_equal(const ifn_file_stamp *a, const ifn_file_stamp *b);

/* True if any change from now on would get another time. File systems with coarse clocks give the same time to two
 * changes within 2 seconds, others to two within a timer tick. */
bool ifn_file_stamp_is_settled(const ifn_file_stamp *self);

/* False if nothing exists under this path; true if something does or that cannot be found out. */
bool ifn_file_is_there(const char *path);

/* Errors  IFN_ERR_IO, naming the path: missing, not a regular file, unreadable. */
ifn_status ifn_file_map_open(const char *path, ifn_file_map *out, ifn_error *err);
void ifn_file_map_close(ifn_file_map *self);

/* Gives back the memory of [data, data + bytes), a part of the map, and of every huge page that it touches: if the
 * system caches files in huge pages, reading one byte maps a whole one again, with bytes dropped earlier.
 * Dropped bytes that are read later come from the file again. */
void ifn_file_map_drop(const ifn_file_map *self, const void *data, size_t bytes);

#endif
