#ifndef IFN_MODEL_PRIV_H
#define IFN_MODEL_PRIV_H

#include <inferno/model.h>

#include "file_map.h"

struct ifn_model {
    const ifn_allocator *alloc;
    const ifn_gguf *gguf; /* borrowed */
    ifn_hparams hparams;
    ifn_model_tensors globals;
    ifn_layer *layers; /* [hparams.n_layers], owned */
    int64_t n_layers;  /* as allocated */
};

/* The stamp of the model's file; all zero if the model was opened from memory. */
const ifn_file_stamp *ifn_model_stamp(const ifn_model *self);

#endif
