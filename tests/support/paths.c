#include "paths.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 1024, N_TURNS = 8 };

static const char *join(const char *dir, const char *relative)
{
    static char turns[N_TURNS][PATH_BYTES];
    static int turn;
    char *path = turns[turn++ % N_TURNS];
    if (snprintf(path, PATH_BYTES, "%s/%s", dir, relative) >= PATH_BYTES)
        abort();
    return path;
}

const char *source_path(const char *relative)
{
    const char *dir = getenv("INFERNO_SOURCE_DIR");
    return join(dir && *dir ? dir : ".", relative);
}

const char *external_path(const char *relative)
{
    const char *dir = getenv("INFERNO_EXTERNAL_DATA");
    return dir && *dir ? join(dir, relative) : NULL;
}

static char temp_dir[PATH_BYTES];

/* A child that ends does not take the folder with it. */
static pid_t temp_owner;

static void clean_own(void)
{
    if (getpid() == temp_owner)
        temp_clean();
}

const char *temp_path(const char *name)
{
    if (!*temp_dir) {
        const char *base = getenv("TMPDIR");
        snprintf(temp_dir, sizeof temp_dir, "%s/inferno-test-XXXXXX", base ? base : "/tmp");
        if (!mkdtemp(temp_dir))
            abort();
        temp_owner = getpid();
        atexit(clean_own);
    }
    return join(temp_dir, name);
}

static int is_entry(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

void remove_tree(const char *path)
{
    DIR *dir = opendir(path);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        char below[PATH_BYTES];
        if (!is_entry(entry->d_name))
            continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (unlink(below) != 0)
            remove_tree(below);
    }
    if (dir)
        closedir(dir);
    rmdir(path);
}

int names_in(const char *folder, const char *part)
{
    int n = 0;
    DIR *const dir = opendir(folder);
    if (!dir)
        abort();
    for (const struct dirent *entry; (entry = readdir(dir));)
        n += is_entry(entry->d_name) && strstr(entry->d_name, part);
    closedir(dir);
    return n;
}

void temp_clean(void)
{
    if (*temp_dir)
        remove_tree(temp_dir);
    temp_dir[0] = '\0';
}

char *read_file(const char *path, size_t *bytes)
{
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file)
        return NULL;
    char *data = NULL;
    size_t used = 0, room = 0;
    for (;;) {
        if (room - used < 2) {
            room = room ? room * 2 : 4096;
            data = realloc(data, room);
            if (!data)
                abort();
        }
        const size_t got = fread(data + used, 1, room - used - 1, file);
        used += got;
        if (got == 0)
            break;
    }
    fclose(file);
    data[used] = '\0';
    if (bytes)
        *bytes = used;
    return data;
}

void write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
        abort();
}
