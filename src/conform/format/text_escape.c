#include "text_escape.h"

#include <stddef.h>
#include <string.h>

#include <inferno/text.h>

/* The character at p as it is, or U+FFFD for bytes that are none. Returns the bytes it took. */
static size_t put_character(const unsigned char *p, FILE *out)
{
    uint32_t code;
    int valid;
    const size_t n = ifn_utf8_next((const char *)p, strnlen((const char *)p, 4), &code, &valid);
    if (valid)
        fwrite(p, 1, n, out);
    else
        fputs("\xef\xbf\xbd", out);
    return n;
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

void conform_put_word(const char *text, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=,+-@%";
    if (*text && text[strspn(text, plain)] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('\'', out);
    for (const char *p = text; *p; p++)
        if (*p == '\'')
            fputs("'\\''", out);
        else
            fputc(*p, out);
    fputc('\'', out);
}
