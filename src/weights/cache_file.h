/*
 * A file of images: what backends have prepared of a model's weights, on this machine and the next.
 *
 * Layout, all numbers little endian:
 *
 *     0   "IFNCACHE"
 *     8   u32   version, 1
 *     12  u32   n, the number of images
 *     16  u64   bytes of the file
 *     24  u64   bytes, inode, modified, changed: the stamp of the model's file; zeros: not told
 *     56  n x   { char name[64], layout[64]; u64 weight, offset, bytes, image }
 *         u64   hash of all before
 *
 * `weight` and `image` are hashes: of the weight's bytes in the model's file, and of the image's. Images
 * begin at multiples of 4096, in the order of the entries, with zeros between. Hashes are XXH64: they
 * find what has happened to a file, not who has done it.
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

/* An entry, what it is of, and its bytes. */
typedef struct ifn_cache_item {
    ifn_cache_entry entry;
    const ifn_tensor *weight;
    const void *image;
} ifn_cache_item;

/* Open: mapped, its table checked. All zero is nothing open. */
typedef struct ifn_cache_file {
    ifn_file_map map;
    size_t n;
    ifn_file_stamp model;
    bool is_foreign; /* what is there under this name is no cache: nobody may replace it */
} ifn_cache_file;

/**
 * Reads the head, not the images. `out` is open, and must be closed, after failure as well.
 * Errors  IFN_ERR_IO: cannot be read. IFN_ERR_FORMAT: no cache, another version, cut short, changed
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
 * Writes all under a temporary name, then gives it its own. Fills in what the entries do not know:
 * offset and image.
 * Errors  IFN_ERR_IO, IFN_ERR_NOMEM; nothing of it stays
 */
IFN_NODISCARD ifn_status ifn_cache_file_write(const ifn_cache_target *target, ifn_cache_item *items,
                                              size_t n, const ifn_allocator *alloc, ifn_error *err);

#endif
