/* A directory of folders of files that appears complete or not at all. */
#ifndef CONFORM_EXPORT_DIR_H
#define CONFORM_EXPORT_DIR_H

#include "export.h"

typedef struct export_dir {
    char path[EXPORT_PATH_BYTES], temporary[EXPORT_PATH_BYTES];
} export_dir;

/* `path` must not exist, or be an empty directory. Files go to `temporary` until it is finished. */
IFN_NODISCARD ifn_status export_dir_open(export_dir *self, const char *path, ifn_error *err);
IFN_NODISCARD ifn_status export_dir_folder(const export_dir *self, const char *name,
                                           ifn_error *err);
IFN_NODISCARD ifn_status export_dir_finish(export_dir *self, ifn_error *err);
/* Removes what was written. */
void export_dir_discard(export_dir *self);

#endif
