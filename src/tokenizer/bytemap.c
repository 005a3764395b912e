/*
 * Source: GPT-2's encoder.py, bytes_to_unicode. The bytes that Latin-1 prints (! to ~, U+00A1 to
 * U+00AC, U+00AE to U+00FF) stand for themselves; the other 68 are U+0100, U+0101, ... in order.
 */
#include "bytemap.h"

/* The three ranges that do not print, and the code points they move to. */
enum {
    LOW_END = 33, /* 0 .. 32: controls and the space */
    MIDDLE = 127,
    MIDDLE_END = 161, /* 127 .. 160: controls and the no-break space */
    HYPHEN = 173,     /* the soft hyphen */
    MOVED = 256,
    MOVED_MIDDLE = MOVED + LOW_END,
    MOVED_HYPHEN = MOVED_MIDDLE + MIDDLE_END - MIDDLE
};

static uint32_t code_of(uint8_t byte)
{
    if (byte < LOW_END)
        return MOVED + (uint32_t)byte;
    if (byte >= MIDDLE && byte < MIDDLE_END)
        return MOVED_MIDDLE + (uint32_t)(byte - MIDDLE);
    return byte == HYPHEN ? MOVED_HYPHEN : byte;
}

/* The byte that a code point stands for, or -1. */
static int byte_of(uint32_t code)
{
    if (code < MOVED)
        return code_of((uint8_t)code) == code ? (int)code : -1;
    if (code < MOVED_MIDDLE)
        return (int)(code - MOVED);
    if (code < MOVED_HYPHEN)
        return (int)(code - MOVED_MIDDLE + MIDDLE);
    return code == MOVED_HYPHEN ? HYPHEN : -1;
}

size_t ifn_bytemap_spell(uint8_t byte, char out[2])
{
    const uint32_t code = code_of(byte);
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    out[0] = (char)(0xc0 | code >> 6);
    out[1] = (char)(0x80 | (code & 0x3f));
    return 2;
}

size_t ifn_bytemap_read(const char *p, size_t n, uint8_t *byte)
{
    if (n == 0)
        return 0;
    const uint8_t lead = (uint8_t)p[0];
    uint32_t code = lead;
    size_t length = 1;
    if (lead >= 0x80) {
        if (n < 2 || lead < 0xc2 || lead > 0xdf || ((uint8_t)p[1] & 0xc0) != 0x80)
            return 0;
        code = (uint32_t)(lead & 0x1f) << 6 | ((uint8_t)p[1] & 0x3f);
        length = 2;
    }
    const int found = byte_of(code);
    if (found < 0)
        return 0;
    *byte = (uint8_t)found;
    return length;
}

bool ifn_bytemap_covers(ifn_string text)
{
    uint8_t ignored;
    for (size_t i = 0; i < text.bytes;) {
        const size_t length = ifn_bytemap_read(text.data + i, text.bytes - i, &ignored);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}
