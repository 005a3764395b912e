/* Opens input files. */
#ifndef IFN_PROGRAM_INPUT_H
#define IFN_PROGRAM_INPUT_H

#include <stdio.h>

#include <inferno/status.h>

/**
 * Opens a regular file of at most `most` bytes for reading. FIFOs and devices are refused: they may never
 * end, and opening a FIFO may block for ever.
 * Errors  IFN_ERR_IO: cannot be opened, is not a regular file, is larger
 */
IFN_NODISCARD ifn_status input_open(FILE **out, const char *path, long long most, ifn_error *err);

#endif
