/* Words that end a text where they begin, as it is produced piece by piece. */
#ifndef IFN_CLI_STOP_WORDS_H
#define IFN_CLI_STOP_WORDS_H

#include <stddef.h>

#include "args.h"

/**
 * Looks for the first of the words in a text. 1: found, and *end is where it begins. 0: not found,
 * and *end is how much of the text no word can take back, whatever follows.
 */
int stop_words_find(const arg_list *words, const char *text, size_t bytes, size_t *end);

#endif
