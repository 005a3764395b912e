#include "file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h> /* MADV_DONTNEED: built with _DEFAULT_SOURCE */
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <inferno/huge_pages.h>

#define SECOND INT64_C(1000000000)

static int64_t nanoseconds(const struct timespec *t)
{
    return (int64_t)t->tv_sec * SECOND + t->tv_nsec;
}

/* Maps a file over a larger anonymous mapping, so that zeros follow even a file that fills its last page. Where the
 * anonymous mapping fails, the file is mapped alone: there is no page after it that must not be read, either. */
static void *map_bytes(int fd, size_t bytes, size_t *mapped)
{
    *mapped = bytes + IFN_FILE_MAP_MORE;
    void *const room = mmap(NULL, *mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) {
        *mapped = bytes;
        return mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    void *const data = mmap(room, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
    if (data == MAP_FAILED) {
        const int why = errno;
        (void)munmap(room, *mapped);
        errno = why;
    }
    return data;
}

static ifn_status map_fd(int fd, const char *path, ifn_file_map *out, ifn_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return ifn_fail_errno(err, path, errno);
    if (S_ISDIR(st.st_mode))
        return ifn_fail_errno(err, path, EISDIR);
    if (!S_ISREG(st.st_mode))
        return ifn_fail(err, IFN_ERR_IO, "%s: is not a regular file", ifn_path_label(path));
    if ((uintmax_t)st.st_size > SIZE_MAX - IFN_FILE_MAP_MORE)
        return ifn_fail(err, IFN_ERR_IO, "%s: too large for this machine", ifn_path_label(path));
    out->stamp = (ifn_file_stamp){.bytes = (uint64_t)st.st_size,
                                  .inode = (uint64_t)st.st_ino,
                                  .modified = nanoseconds(&st.st_mtim),
                                  .changed = nanoseconds(&st.st_ctim)};
    if (st.st_size == 0)
        return IFN_OK;
    const size_t bytes = (size_t)st.st_size;
    void *const data = map_bytes(fd, bytes, &out->mapped);
    if (data == MAP_FAILED)
        return ifn_fail_errno(err, path, errno);
    out->data = data;
    out->bytes = bytes;
    return IFN_OK;
}

ifn_status ifn_file_map_open(const char *path, ifn_file_map *out, ifn_error *err)
{
    *out = (ifn_file_map){.data = NULL};
    /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return ifn_fail_errno(err, path, errno);
    const ifn_status status = map_fd(fd, path, out, err);
    close(fd);
    return status;
}

void ifn_file_map_close(ifn_file_map *self)
{
    if (self->data)
        munmap((void *)(uintptr_t)self->data, self->mapped);
    *self = (ifn_file_map){.data = NULL};
}

void ifn_file_map_drop(const ifn_file_map *self, const void *data, size_t bytes)
{
    const uintptr_t map = (uintptr_t)self->data, at = (uintptr_t)data;
    const uintptr_t map_end = map + self->bytes;
    if (bytes == 0 || map > at || at + bytes > map_end)
        return;
    const uintptr_t begin = at / IFN_HUGE_PAGE * IFN_HUGE_PAGE;
    const uintptr_t end = (at + bytes + IFN_HUGE_PAGE - 1) / IFN_HUGE_PAGE * IFN_HUGE_PAGE;
    const uintptr_t from = begin > map ? begin : map, to = end < map_end ? end : map_end;
    (void)madvise((void *)from, to - from, MADV_DONTNEED);
}

bool ifn_file_stamp_equal(const ifn_file_stamp *a, const ifn_file_stamp *b)
{
    return a->bytes == b->bytes && a->inode == b->inode && a->modified == b->modified &&
           a->changed == b->changed;
}

bool ifn_file_stamp_is_settled(const ifn_file_stamp *self)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return false;
    const int64_t tick = self->changed % SECOND ? SECOND / 20 : 2 * SECOND;
    return self->changed != 0 && nanoseconds(&now) - self->changed >= tick;
}

bool ifn_file_is_there(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 || errno != ENOENT;
}
