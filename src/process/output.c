#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"
#include "signals.h"

enum { LINK_BYTES = 4096, MOST_LINKS = 40 };

static ifn_status fail_io(const output *self, ifn_error *err)
{
    const char *name = strcmp(self->path, "-") == 0 ? "standard output" : self->path;
    return ifn_fail(err, IFN_ERR_IO, "%s: %s", name, ifn_errno_reason(errno));
}

/* mkstemp makes private files; a result gets the permissions that any new file would. */
static void give_usual_mode(int fd)
{
    const mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(fd, 0666 & ~mask);
}

static void drop_temporary(output *self)
{
    signals_temporary(NULL);
    free(self->temporary);
    free(self->target);
    self->temporary = self->target = NULL;
}

/* The path that a link holds, seen from where its own path is; NULL: it is none. The caller frees.
 */
static char *read_link(const char *path)
{
    char text[LINK_BYTES];
    const ssize_t n = readlink(path, text, sizeof text);
    if (n <= 0 || n == (ssize_t)sizeof text)
        return NULL;
    const char *const slash = text[0] == '/' ? NULL : strrchr(path, '/');
    const size_t before = slash ? (size_t)(slash - path) + 1 : 0;
    char *const joined = malloc(before + (size_t)n + 1);
    if (joined) {
        memcpy(joined, path, before);
        memcpy(joined + before, text, (size_t)n);
        joined[before + (size_t)n] = '\0';
    }
    return joined;
}

/* Where a path leads, link by link. The caller frees; NULL: no memory. */
static char *follow(const char *path)
{
    char *at = strdup(path), *next;
    for (int i = 0; i < MOST_LINKS && at && (next = read_link(at)); i++) {
        free(at);
        at = next;
    }
    return at;
}

/* The names of the file, final and temporary. */
static ifn_status name_files(output *self, ifn_error *err)
{
    static const char suffix[] = ".XXXXXX";
    self->target = follow(self->path);
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
        give_usual_mode(fd);
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
