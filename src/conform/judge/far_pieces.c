#include "far_pieces.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* A tensor may begin up to a page after its map, so that a border lies in the piece after it. */
static bool is_at_border(size_t i)
{
    static const uint64_t borders[] = {UINT64_C(1) << 31, UINT64_C(1) << 32};
    for (size_t k = 0; k < sizeof borders / sizeof *borders; k++)
        if (i == borders[k] / FAR_PIECE || i + 1 == borders[k] / FAR_PIECE)
            return true;
    return false;
}

static bool is_shared(const far_map *self, size_t i)
{
    return i > 0 && (i + 1) * FAR_PIECE < self->region.body_bytes && !is_at_border(i);
}

#if defined(__linux__) && !defined(IFN_KEEPS_NOTES)
/* The memory of all shared pieces, without a name. -1: there is none. */
static int open_shared(void)
{
    const int file = memfd_create("far", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, FAR_PIECE) == 0)
        return file;
    close(file);
    return -1;
}

/* A call that met a million pages for the first time would take five times as long. */
static bool map_shared(const far_map *self, int file)
{
    for (size_t i = 0; i * FAR_PIECE < self->region.body_bytes; i++)
        if (is_shared(self, i) &&
            mmap(self->region.body + i * FAR_PIECE, FAR_PIECE, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) == MAP_FAILED)
            return false;
    return true;
}

/* The pages between are no zeros that cost nothing: they are there before anything is allowed. */
static bool repeat(const far_map *self)
{
    const int file = open_shared();
    const bool is_there = file >= 0 && map_shared(self, file);
    if (file >= 0)
        close(file);
    return is_there;
}
#else
static bool repeat(const far_map *self)
{
    (void)self;
    return false;
}
#endif

static bool allow_own(const far_map *self)
{
    far_piece p;
    for (size_t from = 0; far_pieces_next(self, from, &p); from = p.at + p.bytes)
        if (mprotect(self->region.body + p.at, p.bytes, PROT_READ | PROT_WRITE) != 0)
            return false;
    return true;
}

bool far_pieces_open(far_map *self, size_t bytes, size_t overread)
{
    if (!far_map_open(self, bytes, overread))
        return false;
    if (repeat(self) && allow_own(self))
        return true;
    far_map_close(self);
    return false;
}

bool far_pieces_protect(const far_map *self)
{
    return mprotect(self->region.body, self->region.body_bytes, PROT_READ) == 0;
}

bool far_pieces_next(const far_map *self, size_t from, far_piece *out)
{
    const size_t all = self->region.body_bytes;
    size_t i = from / FAR_PIECE;
    while (i > 1 && is_shared(self, i)) /* 1 is the first of them */
        i++;
    const size_t at = i * FAR_PIECE;
    if (from >= all)
        return false;
    *out = (far_piece){at, all - at < FAR_PIECE ? all - at : FAR_PIECE, is_shared(self, i)};
    return true;
}
