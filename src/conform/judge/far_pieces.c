#include "far_pieces.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

size_t far_piece_bytes(const far_map *self)
{
    enum { FEW = 1 << 28, SMALL = 1 << 18, LARGE = 1 << 21 };
    return self->region.body_bytes < FEW ? SMALL : LARGE;
}

/* True for the pieces on both sides of a border. A tensor may begin up to a page after its map, so its border may lie
 * in the next piece. */
static bool is_at_border(size_t i, size_t piece)
{
    static const uint64_t borders[] = {UINT64_C(1) << 26, UINT64_C(1) << 31, UINT64_C(1) << 32};
    for (size_t k = 0; k < sizeof borders / sizeof *borders; k++)
        if (i == borders[k] / piece || i + 1 == borders[k] / piece)
            return true;
    return false;
}

static bool is_shared(const far_map *self, size_t i)
{
    const size_t piece = far_piece_bytes(self);
    return i > 0 && (i + 1) * piece < self->region.body_bytes && !is_at_border(i, piece);
}

#if defined(__linux__) && !defined(IFN_KEEPS_NOTES)
/* Opens an anonymous file for the memory of all shared pieces. Returns -1 if there is none. */
static int open_shared(size_t bytes)
{
    const int file = memfd_create("far", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)bytes) == 0)
        return file;
    close(file);
    return -1;
}

/* Maps all shared pieces and populates their page tables: a call that touched a million unmapped pages would be five
 * times as slow. */
static bool map_shared(const far_map *self, int file)
{
    const size_t piece = far_piece_bytes(self);
    for (size_t i = 0; i * piece < self->region.body_bytes; i++)
        if (is_shared(self, i) &&
            mmap(self->region.body + i * piece, piece, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) == MAP_FAILED)
            return false;
    return true;
}

/* Maps the shared memory over the pages between the own pieces, before anything is made writable. */
static bool repeat(const far_map *self)
{
    const int file = open_shared(far_piece_bytes(self));
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
    const size_t all = self->region.body_bytes, piece = far_piece_bytes(self);
    size_t i = from / piece;
    while (i > 1 && is_shared(self, i)) /* piece 1 stands for all of them */
        i++;
    const size_t at = i * piece;
    if (from >= all)
        return false;
    *out = (far_piece){at, all - at < piece ? all - at : piece, is_shared(self, i)};
    return true;
}
