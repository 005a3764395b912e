/*
 * A file of images. An image is a model's weight in a layout that a backend has prepared; the file can be
 * used again, on this machine and on others.
 *
 * Layout, all numbers little endian:
 *
 *     0   "IFNCACHE"
 *     8   u32   version, 1
 *     12  u32   n, the number of images
 *     16  u64   bytes of the file
 *     24  u64   bytes, inode, modified, changed: the stamp of the model's file; zeros: unknown
 *     56  n x   { char name[64], layout[64]; u64 weight, offset, bytes, image }
 *         u64   hash of all bytes before it
 *
 * `weight` and `image` are hashes: of the weight's bytes in the model's file, and of the image's. Images
 * begin at multiples of 4096, in the order of the entries, with zeros between. Hashes are XXH64: they
 * detect accidental damage, not manipulation.
 */
#ifndef IFN_CACHE_FILE_H
#define IFN_CACHE_FILE_H

#include <inferno/backend.h>

#include "file_map.h"

enum { IFN_CACHE_NAME_BYTES = 64 };

typedef struct ifn_cache_entry {
    char name[IFN_CACHE_NAME_BYTES], layout[IFN_LAYOUT_BYTES];
    uint64_t weight, offset, bytes, image;
} ifn_cache_entry;

/* An entry, the weight it belongs to, and the bytes of its image. */
typedef struct ifn_cache_item {
    ifn_cache_entry entry;
    const ifn_tensor *weight;
    const void *image;
} ifn_cache_item;

/* An open cache file: mapped, its table checked. All zero if nothing is open. */
typedef struct ifn_cache_file {
    ifn_file_map map;
    size_t n;
    ifn_file_stamp model;
    bool is_foreign; /* the file of this name is not a cache: it must not be replaced */
} ifn_cache_file;

/**
 * Reads the head, not the images. The caller must close `out` after failure as well.
 * Errors  IFN_ERR_IO: cannot be read. IFN_ERR_FORMAT: not a cache, another version, truncated, altered
 */
IFN_NODISCARD ifn_status ifn_cache_file_open(const char *path, ifn_cache_file *out, ifn_error *err);
void ifn_cache_file_close(ifn_cache_file *self);

ifn_cache_entry ifn_cache_file_entry(const ifn_cache_file *self, size_t i);
const void *ifn_cache_file_image(const ifn_cache_file *self, const ifn_cache_entry *entry);

typedef struct ifn_cache_target {
    const char *path;
    const ifn_file_stamp *model;
    void (*writes)(void *cookie, const char *temporary); /* as ifn_weights_params has it */
    void *cookie;
} ifn_cache_target;

/**
 * Writes the whole file under a temporary name, then renames it. Fills in `offset` and `image` of each entry.
 * Errors  IFN_ERR_IO, IFN_ERR_NOMEM; the temporary file is removed
 */
IFN_NODISCARD ifn_status ifn_cache_file_write(const ifn_cache_target *target, ifn_cache_item *items,
                                              size_t n, const ifn_allocator *alloc, ifn_error *err);

#endif
