#include "text_escape.h"

#include <stddef.h>

static int is_between(unsigned char c, unsigned low, unsigned high)
{
    return c >= low && c <= high;
}

/* Bytes of the well-formed UTF-8 character at p (Unicode, table 3-7); 0 if there is none. The NUL
 * at the end continues nothing. */
static size_t character_bytes(const unsigned char *p)
{
    const unsigned low = *p == 0xe0 ? 0xa0 : *p == 0xf0 ? 0x90 : 0x80;
    const unsigned high = *p == 0xed ? 0x9f : *p == 0xf4 ? 0x8f : 0xbf;
    const size_t n = *p < 0x80                    ? 1
                     : is_between(*p, 0xc2, 0xdf) ? 2
                     : is_between(*p, 0xe0, 0xef) ? 3
                     : is_between(*p, 0xf0, 0xf4) ? 4
                                                  : 0;
    if (n > 1 && !is_between(p[1], low, high))
        return 0;
    for (size_t i = 2; i < n; i++)
        if (!is_between(p[i], 0x80, 0xbf))
            return 0;
    return n;
}

/* The character at p as it is, or U+FFFD for a byte of none. Returns the bytes it took. */
static size_t put_character(const unsigned char *p, FILE *out)
{
    const size_t n = character_bytes(p);
    if (n > 0)
        fwrite(p, 1, n, out);
    else
        fputs("\xef\xbf\xbd", out);
    return n > 0 ? n : 1;
}

void conform_put_json(const char *text, FILE *out)
{
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p++);
        else if (*p < 0x20 || *p == 0x7f)
            fprintf(out, "\\u%04x", (unsigned)*p++);
        else
            p += put_character(p, out);
    }
    fputc('"', out);
}

static const char *entity_of(unsigned char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return c < 0x20 ? " " : NULL;
    }
}

void conform_put_markup(const char *text, FILE *out)
{
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        const char *entity = entity_of(*p);
        if (entity)
            fputs(entity, out);
        p += entity ? 1 : put_character(p, out);
    }
}
