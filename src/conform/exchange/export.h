/*
 * `inferno conform export DIR`: cases as files, for kernels that are no backend. Each case has a
 * folder of .npy files; index.yaml names them, with what the op is called with.
 */
#ifndef CONFORM_EXPORT_H
#define CONFORM_EXPORT_H

#include "npy.h"
#include "options.h"
#include "slot.h"

enum { EXPORT_PATH_BYTES = 4096 };

int conform_export_main(const conform_options *options);

/* A tensor as its file has it: rows without gaps, blocks as bytes, the spec's shape. */
npy_matrix export_matrix(const spec_op *spec, const conform_case *c, const conform_tensor *t);
/* The same of one number for each element. */
npy_matrix export_elements(const spec_op *spec, const conform_case *c, const conform_tensor *t,
                           const char *descr);
/* The same with one byte for each byte of `m`. */
npy_matrix export_bytes(const npy_matrix *m);

/* The case as its files know it: neither prepared weights nor overlaps nor phases. */
conform_case export_case_of(const conform_case *c);
/* The slot as the options' declarations have it: T0's inputs shortened, truth and bounds made under them. */
conform_slot export_slot_under(const conform_slot *s, const conform_options *o, conform_pool *pool);
/* From row to row in memory. */
size_t export_stride(const conform_tensor *t);

/* What stands in a folder: every tensor that holds something before the call, ... */
int export_is_input(const conform_slot *s, int i);
/* ... and every tensor that the truth judges. */
int export_is_output(const conform_slot *s, int i);

/* "<dir>/<folder>/<tensor><ending>" */
IFN_NODISCARD ifn_status export_path(char out[EXPORT_PATH_BYTES], const char *dir,
                                     const char *folder, const char *tensor, const char *ending,
                                     ifn_error *err);

#endif
