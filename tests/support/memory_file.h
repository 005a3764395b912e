/* A FILE whose bytes end up in memory. */
#ifndef IFN_TEST_MEMORY_FILE_H
#define IFN_TEST_MEMORY_FILE_H

#include <stdio.h>
#include <stdlib.h>

typedef struct memory_file {
    FILE *file;
    char *data;
    size_t bytes;
} memory_file;

static inline void memory_file_open(memory_file *self)
{
    *self = (memory_file){0};
    self->file = open_memstream(&self->data, &self->bytes);
    if (!self->file)
        abort();
}

/* Closes; data and bytes are complete now. The caller frees data. */
static inline void memory_file_close(memory_file *self)
{
    fclose(self->file);
}

#endif
