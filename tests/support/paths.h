/* Paths of files that tests read, and of temporary files that they write. */
#ifndef IFN_PATHS_H
#define IFN_PATHS_H

#include <stddef.h>

/* "<source dir>/<relative>", in static storage that the eighth next call overwrites. */
const char *source_path(const char *relative);

/* "<external data>/<relative>", or NULL if the build was configured without external data. */
const char *external_path(const char *relative);

/* A path in a temporary directory of this process, which temp_clean removes. */
const char *temp_path(const char *name);
void temp_clean(void);
/* Removes a folder with all its contents. */
void remove_tree(const char *path);
/* How many names in a folder, hidden ones included, contain `part`. Aborts if the folder does not exist. */
int names_in(const char *folder, const char *part);

/* The whole file, terminated by a NUL that is not counted; the caller frees it. NULL if unreadable.
 */
char *read_file(const char *path, size_t *bytes);
/* Writes a file; aborts if it cannot. */
void write_file(const char *path, const void *data, size_t bytes);

#endif
