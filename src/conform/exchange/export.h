/*
 * `inferno conform export DIR`: writes cases as files, for kernels that are no backend. Each case is a folder of .npy
 * files; index.yaml lists them and the scalar arguments of each call.
 */
#ifndef CONFORM_EXPORT_H
#define CONFORM_EXPORT_H

#include "npy.h"
#include "options.h"
#include "slot.h"

enum { EXPORT_PATH_BYTES = 4096 };

int conform_export_main(const conform_options *options);

/* Returns the form of a tensor in its file: rows without gaps, blocks as bytes, the shape of the spec. */
npy_matrix export_matrix(const spec_op *spec, const conform_case *c, const conform_tensor *t);
/* The same for a file with one number per element, of type `descr`. */
npy_matrix export_elements(const spec_op *spec, const conform_case *c, const conform_tensor *t,
                           const char *descr);
/* The same for a file with one u8 for each byte of `m`. */
npy_matrix export_bytes(const npy_matrix *m);

/* Returns the case without prepared weights, overlaps and phases of attention, which files cannot express. */
conform_case export_case_of(const conform_case *c);
/* Returns the slot for the arithmetic that the options declare (--products, --ftz): inputs of T0 shortened, truth and
 * bounds computed for it. */
conform_slot export_slot_under(const conform_slot *s, const conform_options *o, conform_pool *pool);
/* Returns the bytes from row to row in memory. */
size_t export_stride(const conform_tensor *t);

/* A folder has a file of every tensor with a value before the call, ... */
int export_is_input(const conform_slot *s, int i);
/* ... and files of every tensor that has a truth. */
int export_is_output(const conform_slot *s, int i);

/* Makes the path "<dir>/<folder>/<tensor><ending>". IFN_ERR_ARGUMENT: it is too long. */
IFN_NODISCARD ifn_status export_path(char out[EXPORT_PATH_BYTES], const char *dir,
                                     const char *folder, const char *tensor, const char *ending,
                                     ifn_error *err);

#endif
