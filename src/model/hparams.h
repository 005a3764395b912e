/* Reads the hyper-parameters from GGUF metadata and validates them together. */
#ifndef IFN_HPARAMS_H
#define IFN_HPARAMS_H

#include <inferno/model.h>

#include "arch.h"

/* Fills everything but n_vocab, which is a dimension of the embedding tensor. */
ifn_status ifn_hparams_read(const ifn_gguf *gguf, const ifn_arch **arch, ifn_hparams *out,
                            ifn_error *err);

#endif
