/* SHA-256 (FIPS 180-4), for pinned files and long expected results. */
#ifndef IFN_SHA256_H
#define IFN_SHA256_H

#include <stddef.h>

enum { SHA256_HEX = 65 };

/* Writes the sum of the data as 64 lower-case hex digits and a NUL. */
void sha256_hex(const void *data, size_t bytes, char hex[SHA256_HEX]);

#endif
