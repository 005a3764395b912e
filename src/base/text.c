#include <inferno/text.h>
#include <stdbool.h>

#include <string.h>

/* The bytes that may follow a lead byte (Unicode, table 3-7): the range of the second one excludes overlong
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

size_t ifn_utf8_next(const char *data, size_t bytes, uint32_t *code, int *valid)
{
    const uint8_t first = (uint8_t)data[0];
    const lead l = classify(first);
    *valid = first < 0x80;
    *code = first < 0x80 ? first : IFN_UTF8_REPLACEMENT;
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

/* True for control characters (C0, DEL, C1), line separators, marks of direction, and zero-width characters
 * that join nothing. */
static bool is_misleading(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x200b, 0x200b},
        {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return 1;
    return 0;
}

/* Writes each byte of a character of `length` bytes as \xNN. */
static size_t escape(const char *data, size_t length, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        const uint8_t byte = (uint8_t)data[i];
        const char four[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        memcpy(out + 4 * i, four, sizeof four);
    }
    return 4 * length;
}

size_t ifn_text_printable(const char *data, size_t bytes, char *out, size_t room)
{
    char piece[IFN_TEXT_CHARACTER_ROOM];
    size_t used = 0, whole = 0, length;
    for (size_t i = 0; i < bytes; i += length) {
        uint32_t code;
        int valid;
        length = ifn_utf8_next(data + i, bytes - i, &code, &valid);
        size_t n = length;
        if (valid && !is_misleading(code))
            memcpy(piece, data + i, length);
        else
            n = escape(data + i, length, piece);
        if (used == whole && n < room - used) {
            memcpy(out + used, piece, n);
            used += n;
        }
        whole += n;
    }
    out[used] = '\0';
    return whole;
}
