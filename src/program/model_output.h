/* A model file that appears complete or not at all: ifn_gguf_writer as a program uses it. */
#ifndef IFN_PROGRAM_MODEL_OUTPUT_H
#define IFN_PROGRAM_MODEL_OUTPUT_H

#include <inferno/gguf_writer.h>

/**
 * ifn_gguf_writer_open on the file to which `path` leads, with the permissions of output_path_mode.
 * A signal that ends the program removes the unfinished file. `input`: the file from which the model is
 * made, or NULL.
 * Errors  as there
 */
IFN_NODISCARD ifn_status model_output_open(const char *path, const char *input, uint32_t alignment,
                                           ifn_gguf_writer **out, ifn_error *err);

/* ifn_gguf_writer_close. */
void model_output_close(ifn_gguf_writer *writer);

#endif
