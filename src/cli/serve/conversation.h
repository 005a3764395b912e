/* Converts the messages of a chat to token ids. */
#ifndef IFN_CLI_CONVERSATION_H
#define IFN_CLI_CONVERSATION_H

#include <jansson.h>

#include "refusal.h"
#include "served.h"

/**
 * Appends the ids of the messages to `ids`. Expects an optional system message, then messages of user and assistant in
 * turn, the last one from the user. The text of a message never becomes a mark of the template. False: `why` is set.
 */
bool conversation_ids(const served *model, const json_t *messages, ifn_tokens *ids, refusal *why);

#endif
