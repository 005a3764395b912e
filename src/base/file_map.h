/* Maps a file read-only: the only place of the library that reads the filesystem. */
#ifndef IFN_FILE_MAP_H
#define IFN_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/status.h>

/* Which content of which file this is, as the system tells it: what is written later changes the time. */
typedef struct ifn_file_stamp {
    uint64_t bytes, inode;
    int64_t modified, changed; /* nanoseconds; nobody can set the time of the last change */
} ifn_file_stamp;

/* Zeros after the content, of which a kernel may read some. */
enum { IFN_FILE_MAP_MORE = 256 };

typedef struct ifn_file_map {
    const void *data; /* NULL for an empty file */
    size_t bytes;
    size_t mapped;        /* with the zeros that follow, and may be read */
    ifn_file_stamp stamp; /* when it was opened */
} ifn_file_map;

/* Two contents with one stamp: equal, where the first was settled when it was read. */
bool ifn_file_stamp_equal(const ifn_file_stamp *a, const ifn_file_stamp *b);

/* Whether a change from now on would get another time. A system that has no finer clock gives the same to
 * two changes within 2 seconds, others within a tick. */
bool ifn_file_stamp_is_settled(const ifn_file_stamp *self);

/* 0: nothing is there under this path. 1 where that cannot be told. */
bool ifn_file_is_there(const char *path);

/* Errors  IFN_ERR_IO, naming the path: missing, not a regular file, unreadable. */
ifn_status ifn_file_map_open(const char *path, ifn_file_map *out, ifn_error *err);
void ifn_file_map_close(ifn_file_map *self);

/* Gives back the memory of [data, data + bytes), a part of the map, and of all of the huge pages that it touches:
 * where the system keeps files in huge pages, reading one byte brings back a whole one, with bytes that were
 * dropped. What is read later comes from the file again. */
void ifn_file_map_drop(const ifn_file_map *self, const void *data, size_t bytes);

#endif
