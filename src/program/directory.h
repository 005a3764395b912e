/*
 * A directory of files that appears complete or not at all. While one is open, signals that would
 * end the program are held back. Once one has arrived, the functions that add files fail, and
 * directory_discard removes what is there and delivers the signal.
 */
#ifndef IFN_PROGRAM_DIRECTORY_H
#define IFN_PROGRAM_DIRECTORY_H

#include <stddef.h>

#include <inferno/status.h>

/* Caller's storage. Until directory_finish the files are in a temporary directory beside `path`.
 */
typedef struct directory {
    const char *path; /* borrowed */
    char *temporary;  /* private to this process */
    char *content;    /* a directory in `temporary`, which is renamed to `path` */
} directory;

/**
 * `path` must not exist, or be an empty directory.
 * Errors  IFN_ERR_ARGUMENT: something is there; IFN_ERR_IO: nothing can be made there
 */
ifn_status directory_open(directory *self, const char *path, ifn_error *err);
/* Adds a folder; its name has no '/'. */
ifn_status directory_folder(directory *self, const char *name, ifn_error *err);
/* Adds a file: "file", or "folder/file". */
ifn_status directory_add(directory *self, const char *name, const char *data, size_t bytes,
                         ifn_error *err);
/* The same, and creates the folders in its name that do not exist yet, at most two. */
ifn_status directory_add_below(directory *self, const char *name, const char *data, size_t bytes,
                               ifn_error *err);
/* Renames the temporary directory to `path`. Closes in any case. */
ifn_status directory_finish(directory *self, ifn_error *err);
/* Removes a directory that was not finished; after directory_finish it does nothing. */
void directory_discard(directory *self);

/* Removes a folder with its files and its subfolders, down to `depth` of them below each other. */
void directory_remove(const char *path, int depth);

#endif
