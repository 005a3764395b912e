/* Cuts text into words; byte-pair merges never cross a word's end. */
#ifndef IFN_PRETOKENIZE_H
#define IFN_PRETOKENIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regex.h"

enum { IFN_PRE_MAX_STAGES = 4 };

/*
 * A pre-tokenizer: one way to cut text into words. The text passes through the stages in order. In each
 * stage, every match and every gap between two matches becomes a piece, and the next stage sees each
 * piece alone, as if the text began and ended there.
 */
typedef struct ifn_pre_rule {
    const char *names[12];                      /* in tokenizer.ggml.pre, then NULL */
    const char *stages[IFN_PRE_MAX_STAGES + 1]; /* as published, then NULL */
    bool ignores_merges; /* a word that is itself a token becomes that token, without merging */
    bool adds_bos;       /* the default if the metadata does not say */
} ifn_pre_rule;

/* The rule at `index`, or NULL past the last. */
const ifn_pre_rule *ifn_pre_rule_at(size_t index);

/* The rule with this name, or NULL. */
const ifn_pre_rule *ifn_pre_rule_find(const char *name, size_t bytes);

typedef struct ifn_pretokenizer {
    ifn_regex_context regex;
    pcre2_code *stages[IFN_PRE_MAX_STAGES + 1]; /* then NULL */
} ifn_pretokenizer;                             /* immutable once open */

ifn_status ifn_pretokenizer_open(ifn_pretokenizer *self, const ifn_pre_rule *rule,
                                 const ifn_allocator *alloc, ifn_error *err);
void ifn_pretokenizer_close(ifn_pretokenizer *self);

typedef ifn_status (*ifn_word_sink)(void *cookie, const uint8_t *word, size_t bytes,
                                    ifn_error *err);

/*
 * Passes the words of a text to `sink`, in order; concatenated they are the text, which may be any bytes.
 * A byte that belongs to no well-formed UTF-8 character is a word of its own, and the text before and
 * after it is cut as if it ended and began there.
 */
ifn_status ifn_pretokenize(const ifn_pretokenizer *self, const uint8_t *text, size_t bytes,
                           ifn_word_sink sink, void *cookie, ifn_error *err);

#endif
