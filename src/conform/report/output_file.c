#include "output_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "output.h"

ifn_status conform_collect(conform_writer write, const void *what, char **out, size_t *bytes,
                           ifn_error *err)
{
    *out = NULL;
    FILE *const memory = open_memstream(out, bytes);
    if (memory)
        write(what, memory);
    const bool is_whole = memory && !ferror(memory);
    if (memory && fclose(memory) == 0 && is_whole)
        return IFN_OK;
    free(*out);
    *out = NULL;
    return ifn_fail(err, IFN_ERR_NOMEM, "no memory for what is to be written");
}

ifn_status conform_write_document(const char *path, conform_writer write, const void *what,
                                  ifn_error *err)
{
    output out;
    char *text;
    size_t bytes;
    IFN_TRY(conform_collect(write, what, &text, &bytes, err));
    ifn_status status = output_open(&out, path, err);
    if (status == IFN_OK)
        status = output_write(&out, text, bytes, err);
    if (status == IFN_OK)
        status = output_finish(&out, err);
    output_discard(&out);
    free(text);
    return status;
}

ifn_status conform_check_output(const char *path, ifn_error *err)
{
    struct stat st;
    output out;
    ifn_error why = {0};
    if (!path || strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return IFN_OK;
    const ifn_status status = output_open(&out, path, &why);
    output_discard(&out);
    return status == IFN_OK ? IFN_OK : ifn_fail(err, IFN_ERR_ARGUMENT, "%s", why.text);
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
