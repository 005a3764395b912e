#include "block_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "messages.h"

ifn_status block_reader_open(block_reader *self, const char *path, ifn_error *err)
{
    *self = (block_reader){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (self->fd >= 0)
        return IFN_OK;
    return ifn_fail_errno(err, path, errno);
}

void block_reader_close(block_reader *self)
{
    if (self->fd >= 0)
        close(self->fd);
    free(self->data);
    *self = (block_reader){.fd = -1};
}

static ifn_status make_room(block_reader *self, size_t bytes, ifn_error *err)
{
    if (bytes <= self->room)
        return IFN_OK;
    free(self->data);
    self->data = malloc(bytes);
    self->room = self->data ? bytes : 0;
    return self->data
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory for %zu bytes", self->path, bytes);
}

ifn_status block_reader_read(block_reader *self, uint64_t offset, size_t bytes, ifn_error *err)
{
    IFN_TRY(make_room(self, bytes, err));
    for (size_t got = 0; got < bytes;) {
        const ssize_t n = pread(self->fd, self->data + got, bytes - got, (off_t)(offset + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ifn_fail_errno(err, self->path, errno);
        if (n == 0)
            return ifn_fail(err, IFN_ERR_IO,
                            "%s: found its end at byte %" PRIu64 ", expected %zu more bytes",
                            self->path, offset + got, bytes - got);
        got += (size_t)n;
    }
    return IFN_OK;
}
