/* Where tests find what they read, and where they may write. */
#ifndef IFN_PATHS_H
#define IFN_PATHS_H

#include <stddef.h>

/* "<source dir>/<relative>"; static storage of eight turns. */
const char *source_path(const char *relative);

/* "<external data>/<relative>", or NULL when the build was not given external data. */
const char *external_path(const char *relative);

/* A name in a fresh temporary directory of this process; removed by temp_clean. */
const char *temp_path(const char *name);
void temp_clean(void);
/* A folder and all that is in it. */
void remove_tree(const char *path);
/* How many names in a folder have this in them, hidden ones, too. Aborts if there is no folder. */
int names_in(const char *folder, const char *part);

/* The whole file, terminated by a NUL that is not counted; the caller frees it. NULL if unreadable.
 */
char *read_file(const char *path, size_t *bytes);
/* Writes a file; aborts if it cannot. */
void write_file(const char *path, const void *data, size_t bytes);

#endif
