/* Words that end a text where they begin, as it is produced piece by piece. */
#ifndef IFN_CLI_STOP_WORDS_H
#define IFN_CLI_STOP_WORDS_H

#include <stddef.h>

#include "args.h"

/**
 * Finds the first stop word in a text. Returns 1 and sets *end to where it begins; or 0 and sets *end to the length
 * of the text before any possible beginning of a stop word, whatever follows.
 */
int stop_words_find(const arg_list *words, const char *text, size_t bytes, size_t *end);

#endif
