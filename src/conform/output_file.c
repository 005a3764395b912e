#include "output_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ifn_status unwritten(const char *path, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_IO, "%s: cannot be written", path);
}

static ifn_status finish(FILE *out, const char *path, ifn_error *err)
{
    const int failed = ferror(out) != 0;
    return fclose(out) == 0 && !failed ? IFN_OK : unwritten(path, err);
}

/* What is there and is no plain file (a device, a pipe, a link) is written through, never replaced.
 */
static int is_written_through(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static ifn_status write_through(const char *path, conform_writer write, const void *what,
                                ifn_error *err)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return unwritten(path, err);
    write(what, out);
    return finish(out, path, err);
}

ifn_status conform_write_document(const char *path, conform_writer write, const void *what,
                                  ifn_error *err)
{
    char temporary[4096];
    if (strcmp(path, "-") == 0) {
        write(what, stdout);
        return fflush(stdout) == 0 ? IFN_OK : unwritten("standard output", err);
    }
    if (is_written_through(path))
        return write_through(path, write, what, err);
    const int n = snprintf(temporary, sizeof temporary, "%s.%ld.part", path, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof temporary)
        return unwritten(path, err);
    if (write_through(temporary, write, what, err) != IFN_OK || rename(temporary, path) != 0) {
        remove(temporary);
        return unwritten(path, err);
    }
    return IFN_OK;
}

ifn_status conform_collect(conform_writer write, const void *what, char **out, size_t *bytes,
                           ifn_error *err)
{
    *out = NULL;
    FILE *const memory = open_memstream(out, bytes);
    if (memory)
        write(what, memory);
    const int is_whole = memory && !ferror(memory);
    if (memory && fclose(memory) == 0 && is_whole)
        return IFN_OK;
    free(*out);
    *out = NULL;
    return ifn_fail(err, IFN_ERR_NOMEM, "no memory for what is to be written");
}

typedef struct report_writer {
    void (*write)(const conform_report *r, FILE *out);
    const conform_report *report;
} report_writer;

static void write_report(const void *what, FILE *out)
{
    const report_writer *w = what;
    w->write(w->report, out);
}

ifn_status conform_write_file(const char *path, void (*write)(const conform_report *r, FILE *out),
                              const conform_report *r, ifn_error *err)
{
    const report_writer w = {write, r};
    return conform_write_document(path, write_report, &w, err);
}
