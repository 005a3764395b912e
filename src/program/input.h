/* A file that is to be read. */
#ifndef IFN_PROGRAM_INPUT_H
#define IFN_PROGRAM_INPUT_H

#include <stdio.h>

#include <inferno/status.h>

/**
 * Opens a regular file of at most `most` bytes for reading. A FIFO or a device is refused: nobody
 * knows whether it ends, and opening a FIFO may wait for ever.
 * Errors  IFN_ERR_IO: cannot be opened, is no regular file, is larger
 */
IFN_NODISCARD ifn_status input_open(FILE **out, const char *path, long long most, ifn_error *err);

#endif
