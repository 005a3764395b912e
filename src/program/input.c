#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)                    ? "a directory"
           : S_ISFIFO(mode)                 ? "a FIFO"
           : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
                                            : "no file";
}

static ifn_status check(int fd, const char *path, long long most, ifn_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return ifn_fail_errno(err, path, errno);
    if (!S_ISREG(st.st_mode))
        return ifn_fail(err, IFN_ERR_IO, "%s: is %s, expected a regular file", path,
                        kind_of(st.st_mode));
    if (st.st_size > most)
        return ifn_fail(err, IFN_ERR_IO, "%s: %lld bytes, expected at most %lld", path,
                        (long long)st.st_size, most);
    return IFN_OK;
}

ifn_status input_open(FILE **out, const char *path, long long most, ifn_error *err)
{
    /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return ifn_fail_errno(err, path, errno);
    const ifn_status status = check(fd, path, most, err);
    *out = status == IFN_OK ? fdopen(fd, "rb") : NULL;
    if (*out)
        return IFN_OK;
    close(fd);
    return status == IFN_OK ? ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", path) : status;
}
