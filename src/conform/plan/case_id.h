/* Case ids: written, read back, hashed. */
#ifndef CONFORM_CASE_ID_H
#define CONFORM_CASE_ID_H

#include "case.h"

/* "linear/Q4_K/rows=3,n=17,k=512/T2/normal/raw/0/1a2b3c"; "linear/Q4_K,Q6_K/..." where the second
 * weight is of another dtype than the first; and "/at=4,cut=3x0" after it where the
 * seed does not decide these: terminated, at most CONFORM_ID_BYTES. */
void conform_case_id(const conform_case *c, char out[CONFORM_ID_BYTES]);

/* Reads an id back. Returns 1, or 0 and a message that says what was found and expected. */
int conform_case_parse(const char *id, conform_case *out, ifn_error *err);

/* A stable 64-bit hash of the id: what shards are cut by. */
uint64_t conform_case_hash(const conform_case *c);

#endif
