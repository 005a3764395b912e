#include "output_path.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINK_BYTES = 4096, MOST_LINKS = 40 };

/* The target of a link, relative to the same directory as `path`; NULL: not a link. The caller frees.
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

char *output_path_target(const char *path)
{
    char *at = strdup(path), *next;
    for (int i = 0; i < MOST_LINKS && at && (next = read_link(at)); i++) {
        free(at);
        at = next;
    }
    return at;
}

static mode_t usual_mode(void)
{
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

mode_t output_path_mode(const char *target, const char *input)
{
    struct stat st;
    mode_t mode = stat(target, &st) == 0 ? st.st_mode & 0777 : usual_mode();
    if (input && stat(input, &st) == 0)
        mode &= st.st_mode | S_IRUSR | S_IWUSR;
    return mode;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

ifn_status output_path_check(const char *path, const char *input, int force, ifn_error *err)
{
    struct stat out, in;
    if (strcmp(path, "-") == 0 || stat(path, &out) != 0 || !S_ISREG(out.st_mode))
        return IFN_OK;
    if (input && stat(input, &in) == 0 && is_same_file(&out, &in))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "%s: is the input itself, expected another file for the result", path);
    if (!force)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: exists already; --force replaces it", path);
    return IFN_OK;
}
