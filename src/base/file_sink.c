/* Buffered writing of a file that has a temporary name until it is complete. */
#include "file_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc_priv.h"

enum { BUFFER_BYTES = 1 << 16, SUFFIX_BYTES = 48 };

static ifn_status io_error(const ifn_file_sink *self, int code, ifn_error *err)
{
    const bool is_stdout = strcmp(self->path, "-") == 0;
    return ifn_fail_errno(err, is_stdout ? "standard output" : self->path, code);
}

/* Opens the temporary file: next to the path, so that rename stays on one file system; with O_EXCL, so that no
 * existing file is overwritten. Not mkstemp: its mode ignores the umask. */
static ifn_status open_temporary(ifn_file_sink *self, ifn_error *err)
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        snprintf(self->temporary, self->temporary_room, "%s.%ld-%d.tmp", self->path, (long)getpid(),
                 i);
        self->fd = open(self->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (self->fd >= 0 || errno != EEXIST)
            break;
    }
    self->owns_fd = self->fd >= 0;
    return self->owns_fd ? IFN_OK : io_error(self, errno, err);
}

static void drop_temporary(ifn_file_sink *self)
{
    ifn_free_array(self->alloc, self->temporary, self->temporary_room, 1);
    self->temporary = NULL;
}

static ifn_status open_target(ifn_file_sink *self, ifn_error *err)
{
    struct stat st;
    if (strcmp(self->path, "-") == 0) {
        drop_temporary(self);
        self->fd = STDOUT_FILENO;
        return IFN_OK;
    }
    if (stat(self->path, &st) != 0 || S_ISREG(st.st_mode))
        return open_temporary(self, err);
    if (S_ISDIR(st.st_mode))
        return io_error(self, EISDIR, err);
    drop_temporary(self);
    self->fd = open(self->path, O_WRONLY | O_CLOEXEC);
    self->owns_fd = self->fd >= 0;
    return self->owns_fd ? IFN_OK : io_error(self, errno, err);
}

ifn_status ifn_file_sink_init(ifn_file_sink *self, const char *path, const ifn_allocator *alloc,
                              ifn_error *err)
{
    const size_t path_room = strlen(path) + 1;
    *self = (ifn_file_sink){.alloc = alloc,
                            .fd = -1,
                            .path_room = path_room,
                            .temporary_room = path_room + SUFFIX_BYTES};
    self->path = ifn_alloc_array(alloc, self->path_room, 1);
    self->temporary = ifn_alloc_array(alloc, self->temporary_room, 1);
    self->buffer = ifn_alloc_array(alloc, BUFFER_BYTES, 1);
    if (!self->path || !self->temporary || !self->buffer) {
        drop_temporary(self);
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", ifn_path_label(path));
    }
    memcpy(self->path, path, path_room);
    const ifn_status status = open_target(self, err);
    if (status != IFN_OK)
        drop_temporary(self);
    return status;
}

static ifn_status write_all(ifn_file_sink *self, const uint8_t *p, size_t bytes, ifn_error *err)
{
    while (bytes > 0) {
        const ssize_t written = write(self->fd, p, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return io_error(self, errno, err);
        p += written;
        bytes -= (size_t)written;
    }
    return IFN_OK;
}

static ifn_status flush(ifn_file_sink *self, ifn_error *err)
{
    const size_t bytes = self->buffered;
    self->buffered = 0;
    return write_all(self, self->buffer, bytes, err);
}

ifn_status ifn_file_sink_write(ifn_file_sink *self, const void *data, size_t bytes, ifn_error *err)
{
    if (bytes > BUFFER_BYTES - self->buffered)
        IFN_TRY(flush(self, err));
    if (bytes > BUFFER_BYTES)
        return write_all(self, data, bytes, err);
    if (bytes > 0)
        memcpy(self->buffer + self->buffered, data, bytes);
    self->buffered += bytes;
    return IFN_OK;
}

ifn_status ifn_file_sink_zeros(ifn_file_sink *self, uint64_t bytes, ifn_error *err)
{
    static const uint8_t zeros[4096];
    while (bytes > 0) {
        const size_t piece = bytes < sizeof zeros ? (size_t)bytes : sizeof zeros;
        IFN_TRY(ifn_file_sink_write(self, zeros, piece, err));
        bytes -= piece;
    }
    return IFN_OK;
}

ifn_status ifn_file_sink_finish(ifn_file_sink *self, ifn_error *err)
{
    IFN_TRY(flush(self, err));
    if (self->owns_fd) {
        self->owns_fd = false;
        if (close(self->fd) != 0)
            return io_error(self, errno, err);
    }
    if (self->temporary && rename(self->temporary, self->path) != 0)
        return io_error(self, errno, err);
    drop_temporary(self);
    return IFN_OK;
}

void ifn_file_sink_fini(ifn_file_sink *self)
{
    if (self->owns_fd)
        close(self->fd);
    if (self->temporary)
        unlink(self->temporary);
    drop_temporary(self);
    ifn_free_array(self->alloc, self->path, self->path_room, 1);
    ifn_free_array(self->alloc, self->buffer, BUFFER_BYTES, 1);
    *self = (ifn_file_sink){.fd = -1};
}
