/* Metadata to numbers, validated together. */
#ifndef IFN_HPARAMS_H
#define IFN_HPARAMS_H

#include <inferno/model.h>

#include "arch.h"

/* Fills everything but n_vocab, which the embedding tensor knows. */
ifn_status ifn_hparams_read(const ifn_gguf *gguf, const ifn_arch **arch, ifn_hparams *out,
                            ifn_error *err);

#endif
