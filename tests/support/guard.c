#include "guard.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static guard map_guarded(size_t bytes, int at_end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t body = (bytes + page - 1) / page * page + (bytes == 0 ? page : 0);
    const int zero = open("/dev/zero", O_RDWR);
    guard g = {.bytes = bytes, .map_bytes = body + 2 * page};
    g.map = zero < 0 ? MAP_FAILED : mmap(NULL, g.map_bytes, PROT_NONE, MAP_PRIVATE, zero, 0);
    if (zero >= 0)
        close(zero);
    if (g.map == MAP_FAILED || mprotect((char *)g.map + page, body, PROT_READ | PROT_WRITE) != 0)
        abort();
    g.data = (char *)g.map + page + (at_end ? body - bytes : 0);
    guard_fill(&g);
    return g;
}

void guard_fill(guard *self)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    memset((char *)self->map + page, 0xa5, self->map_bytes - 2 * page);
}

guard guard_at_end(size_t bytes)
{
    return map_guarded(bytes, 1);
}

guard guard_at_start(size_t bytes)
{
    return map_guarded(bytes, 0);
}

void guard_read_only(guard *self)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (mprotect((char *)self->map + page, self->map_bytes - 2 * page, PROT_READ) != 0)
        abort();
}

void guard_free(guard *self)
{
    if (self->map)
        munmap(self->map, self->map_bytes);
    *self = (guard){0};
}
