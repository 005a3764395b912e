#include "memory_watch.h"

#include <string.h>

#include "fnv1a.h"

/* FNV-1a over words of 8 bytes; the last word is padded with zeros. */
static uint64_t digest(const unsigned char *data, size_t bytes)
{
    uint64_t h = FNV1A_START;
    for (size_t at = 0; at < bytes; at += 8) {
        uint64_t word = 0;
        memcpy(&word, data + at, bytes - at < 8 ? bytes - at : 8);
        h = fnv1a_word(h, word);
    }
    return h;
}

static int overlaps(const memory_written *w, const void *data, size_t bytes)
{
    const uintptr_t x = (uintptr_t)w->begin, y = (uintptr_t)data;
    return x < y + bytes && y < x + w->bytes;
}

static void forget(memory_watch *self, int i)
{
    self->n--;
    memmove(&self->place[i], &self->place[i + 1], (size_t)(self->n - i) * sizeof *self->place);
}

void conform_watch_written(memory_watch *self, const void *data, size_t bytes, ifn_op op,
                           int64_t call)
{
    for (int i = self->n; i-- > 0;)
        if (overlaps(&self->place[i], data, bytes))
            forget(self, i);
    if (bytes == 0)
        return;
    if (self->n == WATCH_PLACES)
        forget(self, 0);
    self->place[self->n++] = (memory_written){data, bytes, digest(data, bytes), op, call};
}

const memory_written *conform_watch_changed(const memory_watch *self, const void *data,
                                            size_t bytes)
{
    for (int i = 0; i < self->n; i++) {
        const memory_written *const w = &self->place[i];
        if (overlaps(w, data, bytes) && digest(w->begin, w->bytes) != w->digest)
            return w;
    }
    return NULL;
}
