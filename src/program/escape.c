#include "escape.h"

#include <string.h>

#include <inferno/text.h>

#include "report.h"

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
            report_put(out, data + i, length);
    }
}
