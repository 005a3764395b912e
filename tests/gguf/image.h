/* The bytes of a GGUF file, made by hand, valid or not, to test the reader with. */
#ifndef IFN_TEST_IMAGE_H
#define IFN_TEST_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/gguf.h>

typedef struct image {
    uint8_t *data;
    size_t bytes;
    uint32_t version;
    size_t room;
} image;

/* Begins a file with magic, version and counts. Free with image_free. */
image image_new(uint32_t version, uint64_t n_tensors, uint64_t n_entries);
void image_free(image *self);

void image_put(image *self, const void *data, size_t bytes);
void image_u32(image *self, uint32_t v);
void image_u64(image *self, uint64_t v);
/* Appends a count, a dimension or a string length, in the width of the file's version. */
void image_length(image *self, uint64_t v);
void image_string(image *self, const char *text);
/* Appends a key and the number of its type; the caller appends the value. */
void image_key(image *self, const char *key, uint32_t type);
void image_kv_u32(image *self, const char *key, uint32_t value);
/* dims are in the file's order, fastest first. */
void image_tensor(image *self, const char *name, uint32_t n_dims, const uint64_t *dims,
                  uint32_t type, uint64_t offset);
/* Appends zeros up to a multiple of `to`. */
void image_pad(image *self, size_t to);
void image_zeros(image *self, size_t bytes);

/* Opens a copy that ends at a protected page, so that reading past the end is a crash. */
ifn_status image_open(const image *self, ifn_gguf **out, ifn_error *err);
/* Closes a file that image_open has opened. */
void image_close(ifn_gguf *gguf);

/* Opens and closes the file, and returns the error; its status is IFN_OK if the file is well-formed. */
ifn_error image_try(const image *self);

#endif
