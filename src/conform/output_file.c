#include "output_file.h"

#include <string.h>
#include <unistd.h>

static ifn_status unwritten(const char *path, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_IO, "%s: cannot be written", path);
}

ifn_status conform_write_file(const char *path, void (*write)(const conform_report *r, FILE *out),
                              const conform_report *r, ifn_error *err)
{
    char temporary[4096];
    if (strcmp(path, "-") == 0) {
        write(r, stdout);
        return fflush(stdout) == 0 ? IFN_OK : unwritten("standard output", err);
    }
    const int n = snprintf(temporary, sizeof temporary, "%s.%ld.part", path, (long)getpid());
    FILE *out = n > 0 && (size_t)n < sizeof temporary ? fopen(temporary, "w") : NULL;
    if (!out)
        return unwritten(path, err);
    write(r, out);
    const int failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed || rename(temporary, path) != 0) {
        remove(temporary);
        return unwritten(path, err);
    }
    return IFN_OK;
}
