#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_path.h"
#include "signals.h"

static ifn_status fail_io(const output *self, ifn_error *err)
{
    const char *name = strcmp(self->path, "-") == 0 ? "standard output" : self->path;
    return ifn_fail_errno(err, name, errno);
}

static void drop_temporary(output *self)
{
    signals_temporary(NULL);
    free(self->temporary);
    free(self->target);
    self->temporary = self->target = NULL;
}

/* Sets the final and the temporary name of the file. */
static ifn_status name_files(output *self, ifn_error *err)
{
    static const char suffix[] = ".XXXXXX";
    self->target = output_path_target(self->path);
    const size_t length = self->target ? strlen(self->target) : 0;
    self->temporary = self->target ? malloc(length + sizeof suffix) : NULL;
    if (!self->temporary) {
        drop_temporary(self);
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", self->path);
    }
    memcpy(self->temporary, self->target, length);
    memcpy(self->temporary + length, suffix, sizeof suffix);
    return IFN_OK;
}

static ifn_status open_temporary(output *self, ifn_error *err)
{
    IFN_TRY(name_files(self, err));
    signals_hold();
    const int fd = mkstemp(self->temporary);
    if (fd >= 0)
        signals_temporary(self->temporary);
    signals_release();
    if (fd >= 0) {
        (void)fchmod(fd, output_path_mode(self->target, NULL)); /* mkstemp makes private files */
        self->file = fdopen(fd, "wb");
        if (self->file)
            return IFN_OK;
        close(fd);
        unlink(self->temporary);
    }
    const ifn_status status = fail_io(self, err);
    drop_temporary(self);
    return status;
}

ifn_status output_open(output *self, const char *path, ifn_error *err)
{
    *self = (output){.path = path};
    if (strcmp(path, "-") == 0) {
        self->file = stdout;
        return IFN_OK;
    }
    struct stat st;
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
        return open_temporary(self, err);
    self->file = fopen(path, "wb");
    return self->file ? IFN_OK : fail_io(self, err);
}

ifn_status output_write(output *self, const void *data, size_t bytes, ifn_error *err)
{
    if (fwrite(data, 1, bytes, self->file) == bytes)
        return IFN_OK;
    return fail_io(self, err);
}

static int close_file(output *self)
{
    FILE *file = self->file;
    self->file = NULL;
    if (file == stdout)
        return fflush(file);
    const int flushed = fflush(file);
    const int code = errno;
    const int closed = fclose(file);
    if (flushed != 0)
        errno = code;
    return flushed != 0 ? flushed : closed;
}

ifn_status output_finish(output *self, ifn_error *err)
{
    if (close_file(self) != 0 || (self->temporary && rename(self->temporary, self->target) != 0)) {
        const ifn_status status = fail_io(self, err);
        output_discard(self);
        return status;
    }
    drop_temporary(self);
    return IFN_OK;
}

void output_discard(output *self)
{
    if (self->file)
        (void)close_file(self);
    if (self->temporary)
        unlink(self->temporary);
    drop_temporary(self);
}
