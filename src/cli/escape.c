#include "escape.h"

#include <stdint.h>
#include <string.h>

#include "utf8_decode.h"

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

/* C0, DEL and C1. */
static int is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

void escape_terminal(FILE *out, const char *data, size_t bytes)
{
    size_t length;
    for (size_t i = 0; i < bytes; i += length) {
        uint32_t code;
        int valid;
        length = utf8_next(data + i, bytes - i, &code, &valid);
        if (length == 1 && put_escaped(out, data[i]))
            continue;
        if (valid && !is_control(code)) {
            fwrite(data + i, 1, length, out);
            continue;
        }
        for (size_t j = 0; j < length; j++)
            fprintf(out, "\\x%02x", (unsigned)(uint8_t)data[i + j]);
    }
}
