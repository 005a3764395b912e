/* Writes, parses and hashes case ids. */
#ifndef CONFORM_CASE_ID_H
#define CONFORM_CASE_ID_H

#include "case.h"

/* Writes the id, NUL-terminated, at most CONFORM_ID_BYTES: "linear/Q4_K/rows=3,n=17,k=512/T2/normal/raw/0/1a2b3c".
 * The dtype field is "Q4_K,Q6_K" if the second weight has another dtype than the first. "/at=4,cut=3x0" follows
 * if the case, and not its seed, sets the address or the cut. */
void conform_case_id(const conform_case *c, char out[CONFORM_ID_BYTES]);

/* Parses an id. Returns 1, or 0 and a message with what was found and what was expected. */
int conform_case_parse(const char *id, conform_case *out, ifn_error *err);

/* A stable 64-bit hash of the id, which assigns the case to a shard. */
uint64_t conform_case_hash(const conform_case *c);

#endif
