#include "directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages.h"
#include "signals.h"

/* The path without trailing slashes, then `separator` and `name`; the caller frees. */
static char *join(const char *path, const char *separator, const char *name)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    const size_t bytes = length + strlen(separator) + strlen(name) + 1;
    char *joined = malloc(bytes);
    if (joined)
        snprintf(joined, bytes, "%.*s%s%s", (int)length, path, separator, name);
    return joined;
}

static bool is_entry(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static ifn_status fail_io(const char *path, ifn_error *err)
{
    return ifn_fail_errno(err, path, errno);
}

/* Fails after a rename. EBUSY and EINVAL mean that `path` is "." or a mount point, which cannot be replaced. */
static ifn_status fail_rename(const char *path, ifn_error *err)
{
    if (errno == EBUSY || errno == EINVAL)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "%s: is in use, expected the name of a new directory", path);
    return fail_io(path, err);
}

/* Refuses a path that is not free. Renaming would fail, too, but only after everything has been written. */
static ifn_status check_free(const char *path, ifn_error *err)
{
    int n_entries = 0;
    DIR *dir = opendir(path);
    if (!dir && errno == ENOTDIR)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: is no directory, expected a new or empty one",
                        path);
    if (!dir)
        return errno == ENOENT ? IFN_OK : fail_io(path, err);
    for (const struct dirent *entry; (entry = readdir(dir));)
        n_entries += is_entry(entry->d_name);
    closedir(dir);
    return n_entries == 0 ? IFN_OK
                          : ifn_fail(err, IFN_ERR_ARGUMENT,
                                     "%s: is not empty, expected a new or empty directory", path);
}

/* Makes the temporary directory and `content` in it: mkdtemp makes private directories, while `content` gets the
 * permissions of any new directory. */
static ifn_status make_temporary(directory *self, ifn_error *err)
{
    self->temporary = join(self->path, ".", "XXXXXX");
    if (!self->temporary)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", self->path);
    if (!mkdtemp(self->temporary)) {
        free(self->temporary);
        self->temporary = NULL;
        return fail_io(self->path, err);
    }
    self->content = join(self->temporary, "/", "new");
    if (!self->content)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", self->path);
    return mkdir(self->content, 0777) == 0 ? IFN_OK : fail_io(self->path, err);
}

ifn_status directory_open(directory *self, const char *path, ifn_error *err)
{
    *self = (directory){.path = path};
    IFN_TRY(check_free(path, err));
    signals_hold();
    const ifn_status status = make_temporary(self, err);
    if (status != IFN_OK)
        directory_discard(self);
    return status;
}

/* Makes an entry of this name with `make_it`; an error names the directory. */
static ifn_status make(const directory *self, const char *name,
                       int (*make_it)(const char *path, const char *data, size_t bytes),
                       const char *data, size_t bytes, ifn_error *err)
{
    if (signals_is_waiting())
        return ifn_fail(err, IFN_ERR_IO, "%s: interrupted", self->path);
    char *path = join(self->content, "/", name);
    if (!path)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", self->path);
    const int made = make_it(path, data, bytes);
    const int code = errno;
    free(path);
    errno = code;
    return made == 0 ? IFN_OK : fail_io(self->path, err);
}

static int make_folder(const char *path, const char *data, size_t bytes)
{
    (void)data;
    (void)bytes;
    return mkdir(path, 0777);
}

ifn_status directory_folder(directory *self, const char *name, ifn_error *err)
{
    return make(self, name, make_folder, NULL, 0, err);
}

static int make_file(const char *path, const char *data, size_t bytes)
{
    FILE *file = fopen(path, "wbx");
    if (!file)
        return -1;
    const size_t written = fwrite(data, 1, bytes, file);
    const int code = errno;
    const int closed = fclose(file);
    if (written != bytes)
        errno = code;
    return closed == 0 && written == bytes ? 0 : -1;
}

ifn_status directory_add(directory *self, const char *name, const char *data, size_t bytes,
                         ifn_error *err)
{
    return make(self, name, make_file, data, bytes, err);
}

static int make_folder_unless_there(const char *path, const char *data, size_t bytes)
{
    return make_folder(path, data, bytes) == 0 || errno == EEXIST ? 0 : -1;
}

ifn_status directory_add_below(directory *self, const char *name, const char *data, size_t bytes,
                               ifn_error *err)
{
    char folder[PATH_MAX];
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
        IFN_TRY(make(self, folder, make_folder_unless_there, NULL, 0, err));
    }
    return directory_add(self, name, data, bytes, err);
}

static void remove_entries(DIR *dir, int depth);

/* Removes a folder by the open parent and a name in it, which needs no path and follows no link. */
static void remove_folder(int parent, const char *name, int depth)
{
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir)
        remove_entries(dir, depth);
    else if (fd >= 0)
        close(fd);
    unlinkat(parent, name, AT_REMOVEDIR);
}

static void remove_entries(DIR *dir, int depth)
{
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (is_entry(entry->d_name) && unlinkat(dirfd(dir), entry->d_name, 0) != 0 && depth > 0)
            remove_folder(dirfd(dir), entry->d_name, depth - 1);
    closedir(dir);
}

void directory_remove(const char *path, int depth)
{
    remove_folder(AT_FDCWD, path, depth);
}

void directory_discard(directory *self)
{
    if (self->temporary)
        directory_remove(self->temporary, 2);
    free(self->content);
    free(self->temporary);
    self->content = self->temporary = NULL;
    signals_release();
}

ifn_status directory_finish(directory *self, ifn_error *err)
{
    /* rename replaces an empty directory, but fails if another process has filled it meanwhile */
    const int renamed = rename(self->content, self->path);
    const ifn_status status = renamed == 0 ? IFN_OK : fail_rename(self->path, err);
    directory_discard(self);
    return status;
}
