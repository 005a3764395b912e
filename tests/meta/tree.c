#include "tree.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 1024 };

static void join(char out[PATH_BYTES], const char *dir, const char *name)
{
    const char *slash = *dir ? "/" : "";
    if (snprintf(out, PATH_BYTES, "%s%s%s", dir, slash, name) >= PATH_BYTES)
        abort();
}

static void keep(tree *self, const char *path)
{
    self->paths = realloc(self->paths, (self->n + 1) * sizeof *self->paths);
    if (!self->paths || !(self->paths[self->n++] = strdup(path)))
        abort();
}

static void read_below(tree *self, const char *root, const char *below)
{
    char path[PATH_BYTES], relative[PATH_BYTES];
    join(path, root, below);
    DIR *dir = opendir(path);
    if (!dir)
        abort();
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        join(relative, below, entry->d_name);
        join(path, root, relative);
        struct stat info;
        if (stat(path, &info) != 0)
            abort();
        if (S_ISDIR(info.st_mode))
            read_below(self, root, relative);
        else
            keep(self, relative);
    }
    closedir(dir);
}

tree tree_read(const char *dir)
{
    tree self = {0};
    read_below(&self, dir, "");
    return self;
}

void tree_free(tree *self)
{
    for (size_t i = 0; i < self->n; i++)
        free(self->paths[i]);
    free(self->paths);
}

int has_suffix(const char *text, const char *suffix)
{
    const size_t n = strlen(text), n_suffix = strlen(suffix);
    return n >= n_suffix && strcmp(text + n - n_suffix, suffix) == 0;
}
