/* Amounts as people read them. */
#ifndef IFN_PROGRAM_AMOUNT_H
#define IFN_PROGRAM_AMOUNT_H

#include <stdint.h>

typedef struct amount {
    char text[24];
} amount;

/* "75.0 KiB", "1.21 GiB": three digits or four; "512 B" below one KiB. */
amount amount_bytes(uint64_t bytes);
/* "596 M", "1.24 G": thousands of thousands; what is below 1000 stands whole. */
amount amount_count(uint64_t n);

#endif
