#include "report.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

void report_init(void)
{
    signal(SIGXFSZ, SIG_IGN);
}

int report_error(const char *program, const ifn_error *err)
{
    fprintf(stderr, "%s: %s\n", program, err->text);
    return err->status == IFN_ERR_IO || err->status == IFN_ERR_ARGUMENT ? EXIT_USAGE : EXIT_NO;
}

int report_unwritten(const char *program, const ifn_error *err)
{
    fprintf(stderr, "%s: %s\n", program, err->text);
    return EXIT_NO;
}

void report_note(const char *program, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

int report_stdout(const char *program, int status)
{
    /* errno is only meaningful when the flush itself fails; an earlier failure has lost it. */
    const int failed_before = ferror(stdout);
    const int flushed = fflush(stdout);
    const char *reason = failed_before ? "not everything could be written" : errno_reason(errno);
    if (status != EXIT_DONE || (flushed == 0 && !failed_before))
        return status;
    report_note(program, "standard output: %s", reason);
    return EXIT_NO;
}

const char *errno_reason(int code)
{
    switch (code) {
    case ENOENT:
        return "no such file or directory";
    case EACCES:
    case EPERM:
        return "permission denied";
    case EISDIR:
        return "is a directory, expected a file";
    case ENOTDIR:
        return "a part of the path is not a directory";
    case ENAMETOOLONG:
        return "the path is too long";
    case EROFS:
        return "the file system is read-only";
    case ENOSPC:
        return "no space left on the device";
    case EFBIG:
        return "the file grows too large";
    case EPIPE:
        return "nobody reads the other end of the pipe";
    case ENOMEM:
        return "out of memory";
    default:
        return "input or output error";
    }
}
