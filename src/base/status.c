/* Names and texts of statuses, and the one way an error gets filled in. */
#include <inferno/status.h>

#include <stdarg.h>
#include <stdio.h>

#define N_STATUSES (sizeof names / sizeof *names)

static const char *const names[] = {
#define X(NAME, text) #NAME,
    IFN_STATUSES(X)
#undef X
};

static const char *const texts[] = {
#define X(NAME, text) text,
    IFN_STATUSES(X)
#undef X
};

const char *ifn_status_name(ifn_status status)
{
    return (size_t)status < N_STATUSES ? names[status] : "?";
}

const char *ifn_status_text(ifn_status status)
{
    return (size_t)status < N_STATUSES ? texts[status] : "?";
}

/* An error is one line on a person's terminal: bytes of a file may not drive the terminal. */
static void make_printable(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p; p++)
        if (*p < 0x20 || *p == 0x7f)
            *p = '?';
}

IFN_PRINTF(4, 0)
static ifn_status fail_va(ifn_error *err, ifn_status status, uint64_t offset, const char *format,
                          va_list args)
{
    if (err) {
        err->status = status;
        err->offset = offset;
        if (vsnprintf(err->text, sizeof err->text, format, args) < 0)
            err->text[0] = '\0';
        make_printable(err->text);
    }
    return status;
}

/* The functions themselves, not the analyser's macros. */
#undef ifn_fail
#undef ifn_fail_at

ifn_status ifn_fail(ifn_error *err, ifn_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_va(err, status, IFN_NO_OFFSET, format, args);
    va_end(args);
    return status;
}

ifn_status ifn_fail_at(ifn_error *err, ifn_status status, uint64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_va(err, status, offset, format, args);
    va_end(args);
    return status;
}
