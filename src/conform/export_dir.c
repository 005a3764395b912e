#include "export_dir.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ifn_status unwritten(const char *path, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_IO, "%.200s: cannot be made", path);
}

static int is_entry(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Renaming would find out, too, but only when all is written. */
static ifn_status check_free(const char *path, ifn_error *err)
{
    int n_entries = 0;
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT ? IFN_OK : unwritten(path, err);
    for (const struct dirent *entry; (entry = readdir(dir));)
        n_entries += is_entry(entry->d_name);
    closedir(dir);
    return n_entries == 0
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_ARGUMENT,
                          "%.150s: is not empty, expected a new or empty directory", path);
}

ifn_status export_dir_open(export_dir *self, const char *path, ifn_error *err)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length + 32 > EXPORT_PATH_BYTES)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%.100s: the path is too long", path);
    memcpy(self->path, path, length);
    self->path[length] = '\0';
    IFN_TRY(check_free(self->path, err));
    memcpy(self->temporary, self->path, length);
    snprintf(self->temporary + length, EXPORT_PATH_BYTES - length, ".%ld.part", (long)getpid());
    return mkdir(self->temporary, 0777) == 0 ? IFN_OK : unwritten(self->temporary, err);
}

ifn_status export_dir_folder(const export_dir *self, const char *name, ifn_error *err)
{
    char path[EXPORT_PATH_BYTES];
    IFN_TRY(export_path(path, self->temporary, name, "", "", err));
    return mkdir(path, 0777) == 0 ? IFN_OK : unwritten(path, err);
}

/* What is no folder is unlinked; there are folders of files only. */
static void remove_tree(const char *path, int depth)
{
    char below[EXPORT_PATH_BYTES];
    DIR *dir = opendir(path);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        const int n = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (!is_entry(entry->d_name) || n < 0 || n >= EXPORT_PATH_BYTES)
            continue;
        if (unlink(below) != 0 && depth > 0)
            remove_tree(below, depth - 1);
    }
    if (dir)
        closedir(dir);
    rmdir(path);
}

void export_dir_discard(export_dir *self)
{
    remove_tree(self->temporary, 1);
}

ifn_status export_dir_finish(export_dir *self, ifn_error *err)
{
    return rename(self->temporary, self->path) == 0 ? IFN_OK : unwritten(self->path, err);
}
