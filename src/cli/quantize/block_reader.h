/* Reads pieces of a file with read(), not mmap, so that memory use is that of one piece however large the file is. */
#ifndef IFN_CLI_BLOCK_READER_H
#define IFN_CLI_BLOCK_READER_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/status.h>

typedef struct block_reader {
    const char *path; /* borrowed */
    int fd;
    uint8_t *data; /* the last piece */
    size_t room;
} block_reader;

ifn_status block_reader_open(block_reader *self, const char *path, ifn_error *err);
void block_reader_close(block_reader *self); /* fd -1: nothing is open */

/**
 * Reads `bytes` bytes from `offset` into self->data, over the previous piece.
 * Errors  IFN_ERR_IO: unreadable, or the file has become shorter
 */
ifn_status block_reader_read(block_reader *self, uint64_t offset, size_t bytes, ifn_error *err);

#endif
