/* Messages of a chat as the ids that the model is to see. */
#ifndef IFN_CLI_CONVERSATION_H
#define IFN_CLI_CONVERSATION_H

#include <jansson.h>

#include "refusal.h"
#include "served.h"

/**
 * A system message or none, then the user's and the assistant's in turns, the last the user's.
 * Appends to `ids`. What a message spells is text and no mark of the template.
 */
bool conversation_ids(const served *model, const json_t *messages, ifn_tokens *ids, refusal *why);

#endif
