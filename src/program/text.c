#include "text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"
#include "messages.h"

ifn_status text_append(text *self, const char *data, size_t bytes, ifn_error *err)
{
    const size_t needed = self->bytes + bytes + 1;
    char *const room = needed > bytes ? array_grow(self->data, &self->room, needed, 1) : NULL;
    if (!room)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for a text of %zu bytes", needed);
    self->data = room;
    if (bytes > 0)
        memcpy(self->data + self->bytes, data, bytes);
    self->bytes += bytes;
    self->data[self->bytes] = '\0';
    return IFN_OK;
}

void text_free(text *self)
{
    free(self->data);
    *self = (text){0};
}

ifn_status text_sink(void *cookie, const char *data, size_t bytes)
{
    return text_append(cookie, data, bytes, NULL);
}

static ifn_status read_all(text *self, FILE *file, const char *name, ifn_error *err)
{
    char chunk[16384];
    for (;;) {
        errno = 0;
        const size_t got = fread(chunk, 1, sizeof chunk, file);
        if (got > TEXT_MOST_BYTES - self->bytes)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: more than %zu bytes of text", name,
                            TEXT_MOST_BYTES);
        IFN_TRY(text_append(self, chunk, got, err));
        if (got == sizeof chunk)
            continue;
        if (ferror(file))
            return ifn_fail_errno(err, name, errno);
        return IFN_OK;
    }
}

/* Refuses devices, which never end, and prints a note for a pipe, which may keep the user waiting. */
static ifn_status look_at(const char *path, ifn_error *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return ifn_fail_errno(err, path, errno);
    if (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: is a device, expected a file, a pipe or -",
                        path);
    if (S_ISFIFO(st.st_mode))
        message_note(INFERNO, "%s: is a pipe, reading until its writer closes it", path);
    return IFN_OK;
}

ifn_status text_read(text *self, const char *path, ifn_error *err)
{
    if (strcmp(path, "-") == 0)
        return read_all(self, stdin, "standard input", err);
    IFN_TRY(look_at(path, err));
    FILE *file = fopen(path, "rb");
    if (!file)
        return ifn_fail_errno(err, path, errno);
    const ifn_status status = read_all(self, file, path, err);
    fclose(file);
    return status;
}
