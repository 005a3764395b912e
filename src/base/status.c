/* Names and texts of statuses, and the functions that fill in an ifn_error. */
#include <inferno/status.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/text.h>

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

/* clang-format off */
#define ERRNO_REASONS(X)                                          \
    X(ENOENT,       "no such file or directory")                  \
    X(EACCES,       "permission denied")                          \
    X(EPERM,        "permission denied")                          \
    X(EISDIR,       "is a directory, expected a file")            \
    X(ENOTDIR,      "a part of the path is not a directory")      \
    X(ENAMETOOLONG, "the path is too long")                       \
    X(ELOOP,        "too many links, or a circle of them")        \
    X(EROFS,        "the file system is read-only")               \
    X(ENOSPC,       "no space left on the device")                \
    X(EDQUOT,       "the disk quota is used up")                  \
    X(EFBIG,        "the file grows too large")                   \
    X(EPIPE,        "nobody reads the other end of the pipe")     \
    X(EBADF,        "is closed, or not open for this")            \
    X(EMFILE,       "too many open files")                        \
    X(ENFILE,       "too many open files")                        \
    X(EBUSY,        "is in use")                                  \
    X(ETXTBSY,      "is a program that runs")                     \
    X(EEXIST,       "exists already")                             \
    X(ENOTEMPTY,    "is a directory that is not empty")           \
    X(ENXIO,        "no such device, or a pipe that nobody reads") \
    X(ENODEV,       "cannot be mapped into memory")               \
    X(EAGAIN,       "no more processes or threads can be had")    \
    X(ENOMEM,       "out of memory")
/* clang-format on */

const char *ifn_errno_reason(int code)
{
    switch (code) {
#define X(NAME, words)                                                                             \
    case NAME:                                                                                     \
        return words;
        ERRNO_REASONS(X)
#undef X
    default:
        return "input or output error";
    }
}

enum { HEAD_BYTES = 60, WHOLE_BYTES = 1024 };

/* Bytes of the first piece of a text: an escape \xNN or a character. */
static size_t piece_bytes(const char *text, size_t bytes)
{
    uint32_t code;
    int valid;
    return bytes >= 4 && memcmp(text, "\\x", 2) == 0 ? 4
                                                     : ifn_utf8_next(text, bytes, &code, &valid);
}

/* The first border between two pieces (escapes or characters) at `least` or after it. */
static size_t border_from(const char *text, size_t bytes, size_t least)
{
    size_t at = 0;
    while (at < least)
        at += piece_bytes(text + at, bytes - at);
    return at;
}

/* Shortens a text by its middle, so that of a message with a long path the reason at its end stays. Returns
 * the length. */
static size_t keep_both_ends(const char *text, size_t bytes, char *out, size_t room)
{
    static const char gap[] = "...";
    if (bytes < room) {
        memmove(out, text, bytes);
        out[bytes] = '\0';
        return bytes;
    }
    const size_t head = border_from(text, bytes, HEAD_BYTES), left = room - head - sizeof gap;
    const size_t from = border_from(text, bytes, bytes - left), tail = bytes - from;
    memcpy(out, text, head);
    memcpy(out + head, gap, sizeof gap - 1);
    memcpy(out + head + sizeof gap - 1, text + from, tail);
    out[head + sizeof gap - 1 + tail] = '\0';
    return head + sizeof gap - 1 + tail;
}

/* Sets the text with unprintable bytes escaped: it goes to a terminal, and bytes of a file must not control that. */
static void set_text(ifn_error *err, const char *whole, size_t bytes)
{
    char kept[sizeof err->text], printable[4 * sizeof err->text];
    const size_t n = keep_both_ends(whole, bytes, kept, sizeof kept);
    keep_both_ends(printable, ifn_text_printable(kept, n, printable, sizeof printable), err->text,
                   sizeof err->text);
}

IFN_PRINTF(2, 0)
static void write_text(ifn_error *err, const char *format, va_list args)
{
    char most[WHOLE_BYTES], *whole = most;
    va_list again;
    va_copy(again, args);
    const int n = vsnprintf(most, sizeof most, format, args);
    if (n >= (int)sizeof most)
        whole = malloc((size_t)n + 1);
    if (whole && whole != most)
        (void)vsnprintf(whole, (size_t)n + 1, format, again);
    va_end(again);
    set_text(err, whole ? whole : most, n < 0 ? 0 : whole ? (size_t)n : sizeof most - 1);
    if (whole != most)
        free(whole);
}

IFN_PRINTF(4, 0)
static ifn_status fail_va(ifn_error *err, ifn_status status, uint64_t offset, const char *format,
                          va_list args)
{
    if (err) {
        err->status = status;
        err->offset = offset;
        write_text(err, format, args);
    }
    return status;
}

/* Defines the functions themselves; macros for the static analyser have the same names. */
#undef ifn_fail
#undef ifn_fail_at
#undef ifn_fail_errno

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

ifn_status ifn_fail_errno(ifn_error *err, const char *path, int code)
{
    return ifn_fail(err, code == ENOMEM ? IFN_ERR_NOMEM : IFN_ERR_IO, "%s: %s",
                    ifn_path_label(path), ifn_errno_reason(code));
}
