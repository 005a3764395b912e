#include "escape.h"

#include <string.h>

#include <inferno/text.h>

#include "messages.h"

static int put_escaped(FILE *out, char c)
{
    static const char from[] = "\"\\\n\t\r", to[] = "\"\\ntr";
    const char *at = c ? strchr(from, c) : NULL;
    if (!at)
        return 0;
    fputc('\\', out);
    fputc(to[at - from], out);
    return 1;
}

void escape_c(FILE *out, const char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (!put_escaped(out, data[i]))
            fputc(data[i], out);
}

void escape_terminal(FILE *out, const char *data, size_t bytes)
{
    size_t length;
    for (size_t i = 0; i < bytes; i += length) {
        uint32_t code;
        int valid;
        length = ifn_utf8_next(data + i, bytes - i, &code, &valid);
        if (length != 1 || !put_escaped(out, data[i]))
            message_put(out, data + i, length);
    }
}

/* Writes the character at p, or U+FFFD if the bytes are not one. Returns how many bytes it took. */
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

void escape_markup(const char *text, FILE *out)
{
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        const char *entity = entity_of(*p);
        if (entity)
            fputs(entity, out);
        p += entity ? 1 : put_character(p, out);
    }
}

void escape_shell(const char *text, FILE *out)
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
