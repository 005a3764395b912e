#include "warnings.h"

#include <stdarg.h>
#include <stdio.h>

void ifn_warn(ifn_warnings *self, const char *format, ...)
{
    char text[1024];
    va_list args;
    if (!self || self->n == IFN_MAX_WARNINGS)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)ifn_fail(&self->lines[self->n++], IFN_ERR_FORMAT, "%s", text);
}
