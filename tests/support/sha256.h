/* SHA-256 (FIPS 180-4), for comparing long results with a published digest. */
#ifndef IFN_SHA256_H
#define IFN_SHA256_H

#include <stddef.h>

/* The digest as 64 lower-case hex digits, terminated. */
void sha256_hex(const void *data, size_t bytes, char out[65]);

#endif
