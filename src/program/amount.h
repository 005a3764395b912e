/* Formats amounts with units. */
#ifndef IFN_PROGRAM_AMOUNT_H
#define IFN_PROGRAM_AMOUNT_H

#include <stdint.h>

typedef struct amount {
    char text[24];
} amount;

/* "75.0 KiB", "1.21 GiB": three digits or four; "512 B" below one KiB. */
amount amount_bytes(uint64_t bytes);
/* "596 M", "1.24 G": powers of 1000; numbers below 1000 are written in full. */
amount amount_count(uint64_t n);

#endif
