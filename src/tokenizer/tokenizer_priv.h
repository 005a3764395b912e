/* The parts of a tokenizer. */
#ifndef IFN_TOKENIZER_PRIV_H
#define IFN_TOKENIZER_PRIV_H

#include "bpe.h"
#include "pretokenize.h"
#include "special.h"
#include "spm.h"
#include "tokenizer_meta.h"
#include "vocab.h"
#include "warnings.h"

enum { IFN_MAX_ENDS = 24 };

struct ifn_tokenizer {
    const ifn_allocator *alloc;
    ifn_vocab vocab;
    ifn_tokenizer_meta meta;
    ifn_special special;
    ifn_pretokenizer pre; /* meta.pre != NULL: byte-level BPE */
    ifn_bpe bpe;
    ifn_spm spm; /* meta.pre == NULL: SentencePiece */
    ifn_token ends[IFN_MAX_ENDS];
    int n_ends;
    ifn_warnings warnings;
};

#endif
