/* Parses and prints lists of token ids. */
#ifndef IFN_CLI_IDS_H
#define IFN_CLI_IDS_H

#include <stdio.h>

#include <inferno/status.h>
#include <inferno/tokenizer.h>

#include "json_writer.h"

/**
 * Appends the ids of "1,2,3" or "[1, 2, 3]". `out` starts zeroed or holds ids already; the caller releases it with
 * ifn_tokens_free.
 * Errors  IFN_ERR_ARGUMENT: a word that is no id, or an empty list
 */
ifn_status ids_parse(const char *list, ifn_tokens *out, ifn_error *err);

/* Requires that every id is below n_vocab. */
ifn_status ids_check(const ifn_tokens *ids, int64_t n_vocab, ifn_error *err);

/* Print the ids: "[12522, 5193, 264, 882]". */
void ids_print(FILE *out, const ifn_token *ids, size_t n);
void ids_json(json_writer *out, const ifn_token *ids, size_t n);

#endif
