#include "utf8_decode.h"

/* What may follow a lead byte (Unicode, table 3-7): the range of the second byte excludes overlong
 * forms, surrogates and everything above U+10FFFF. */
typedef struct lead {
    int n_more;
    uint32_t bits;
    uint8_t low, high;
} lead;

static lead classify(uint8_t byte)
{
    if (byte >= 0xc2 && byte <= 0xdf)
        return (lead){1, byte & 0x1fu, 0x80, 0xbf};
    if (byte >= 0xe0 && byte <= 0xef)
        return (lead){2, byte & 0x0fu, byte == 0xe0 ? 0xa0 : 0x80, byte == 0xed ? 0x9f : 0xbf};
    if (byte >= 0xf0 && byte <= 0xf4)
        return (lead){3, byte & 0x07u, byte == 0xf0 ? 0x90 : 0x80, byte == 0xf4 ? 0x8f : 0xbf};
    return (lead){0};
}

size_t utf8_next(const char *data, size_t bytes, uint32_t *code, int *valid)
{
    const uint8_t first = (uint8_t)data[0];
    const lead l = classify(first);
    *valid = first < 0x80;
    *code = first < 0x80 ? first : UTF8_REPLACEMENT;
    uint32_t value = l.bits;
    size_t i = 1;
    for (; i <= (size_t)l.n_more && i < bytes; i++) {
        const uint8_t byte = (uint8_t)data[i];
        if (byte < (i == 1 ? l.low : 0x80) || byte > (i == 1 ? l.high : 0xbf))
            return i;
        value = value << 6 | (byte & 0x3fu);
    }
    if (l.n_more > 0 && i == (size_t)l.n_more + 1) {
        *valid = 1;
        *code = value;
    }
    return i;
}
