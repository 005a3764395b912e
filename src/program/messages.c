#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <inferno/text.h>

/* Opens /dev/null for each closed standard descriptor; standard output read-only, so that writing a result to it
 * fails. */
static void keep_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}

void message_init(void)
{
    signal(SIGXFSZ, SIG_IGN);
    keep_standard_descriptors();
}

void message_put(FILE *out, const char *data, size_t bytes)
{
    size_t length;
    for (size_t i = 0; i < bytes; i += length) {
        uint32_t code;
        int valid;
        char piece[IFN_TEXT_CHARACTER_ROOM];
        length = ifn_utf8_next(data + i, bytes - i, &code, &valid);
        (void)ifn_text_printable(data + i, length, piece, sizeof piece);
        fputs(piece, out);
    }
}

/* Writes the whole line at once, so that lines of several processes do not mix. */
static void put_line(const char *program, const char *text)
{
    char *line = NULL;
    size_t bytes;
    FILE *const memory = open_memstream(&line, &bytes);
    FILE *const out = memory ? memory : stderr;
    fprintf(out, "%s: ", program);
    message_put(out, text, strlen(text));
    fputc('\n', out);
    if (memory && fclose(memory) == 0)
        fputs(line, stderr);
    free(line);
}

int message_error(const char *program, const ifn_error *err)
{
    put_line(program, err->text);
    return err->status == IFN_ERR_IO || err->status == IFN_ERR_ARGUMENT ? EXIT_USAGE : EXIT_NO;
}

int message_unwritten(const char *program, const ifn_error *err)
{
    put_line(program, err->text);
    return EXIT_NO;
}

void message_note(const char *program, const char *format, ...)
{
    enum { MOST = 4096 };
    char text[MOST];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_line(program, text);
}

int message_stdout(const char *program, int status)
{
    /* errno of an earlier failure is lost, but flushing what it left unwritten fails for the same reason */
    const int failed_before = ferror(stdout);
    clearerr(stdout);
    const bool is_flushed = fflush(stdout) == 0;
    const char *const reason =
        is_flushed ? "not everything could be written" : ifn_errno_reason(errno);
    if (status != EXIT_DONE || (is_flushed && !failed_before))
        return status;
    message_note(program, "standard output: %s", reason);
    return EXIT_NO;
}
