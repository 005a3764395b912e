/* Lists every file below a directory. */
#ifndef IFN_TREE_H
#define IFN_TREE_H

#include <stddef.h>

typedef struct tree {
    char **paths; /* relative to the directory */
    size_t n;
} tree;

/* Aborts if the directory cannot be read. */
tree tree_read(const char *dir);
void tree_free(tree *self);

int has_suffix(const char *text, const char *suffix);

#endif
