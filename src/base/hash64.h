/* XXH64, by its specification (github.com/Cyan4973/xxHash, doc/). It detects accidental changes; it is not
 * cryptographic, so other bytes with the same hash can be made on purpose. */
#ifndef IFN_HASH64_H
#define IFN_HASH64_H

#include <stddef.h>
#include <stdint.h>

/* The same bytes have the same hash on every machine. */
uint64_t ifn_hash64(const void *data, size_t bytes, uint64_t seed);

#endif
