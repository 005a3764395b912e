#include "write_trap.h"

#if defined(__linux__) && defined(__x86_64__)
#include <errno.h>
#include <link.h>
#include <sys/mman.h>

#include "process_state.h"
#include "zero_map.h"

bool write_trap_is_safe(void)
{
    return process_threads() == 1;
}

/* Bytes of a backend's state that are watched, as its size is unknown: choices made at the first call are mostly
 * here. */
enum { STATE_BYTES = 64 };

/* Adds all pages that overlap [begin, end). */
static void add(write_trap *self, uintptr_t begin, uintptr_t end)
{
    const uintptr_t page = page_bytes(), first = begin / page * page;
    const uintptr_t last = (end + page - 1) / page * page;
    if (begin < end && self->n < WRITE_TRAP_MOST) {
        self->pages[self->n].begin = first;
        self->pages[self->n++].bytes = last - first;
    }
}

static bool has_code(const struct dl_phdr_info *object, uintptr_t code)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *const h = &object->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && code - (object->dlpi_addr + h->p_vaddr) < h->p_memsz)
            return true;
    }
    return false;
}

/* The end of the part that the loader has made read-only after relocation (RELRO). */
static uintptr_t end_of_constants(const struct dl_phdr_info *object)
{
    uintptr_t end = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *const h = &object->dlpi_phdr[i];
        if (h->p_type == PT_GNU_RELRO)
            end = (object->dlpi_addr + h->p_vaddr + h->p_memsz) / page_bytes() * page_bytes();
    }
    return end;
}

typedef struct search {
    write_trap *trap;
    uintptr_t code;
} search;

static int add_variables(struct dl_phdr_info *object, size_t bytes, void *cookie)
{
    const search *const s = cookie;
    (void)bytes;
    if (!has_code(object, s->code))
        return 0;
    if (has_code(object, (uintptr_t)write_trap_find))
        return 1;
    const uintptr_t constant = end_of_constants(object);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *const h = &object->dlpi_phdr[i];
        const uintptr_t begin = object->dlpi_addr + h->p_vaddr, end = begin + h->p_memsz;
        if (h->p_type == PT_LOAD && h->p_flags & PF_W)
            add(s->trap, begin < constant ? constant : begin, end);
    }
    return 1;
}

bool write_trap_find(write_trap *self, uintptr_t code, const void *state)
{
    search s = {self, code};
    self->n = 0;
    (void)dl_iterate_phdr(add_variables, &s);
    if (self->n && state)
        add(self, (uintptr_t)state, (uintptr_t)state + STATE_BYTES);
    return self->n > 0;
}

bool write_trap_of(write_trap *self, const void *begin, size_t bytes)
{
    self->n = 0;
    add(self, (uintptr_t)begin, (uintptr_t)begin + bytes);
    return self->n > 0;
}

/* Ignores mprotect's errors, as a state may be no address at all; keeps errno. */
void write_trap_set(const write_trap *self, bool is_set)
{
    const int code = errno;
    for (int i = 0; i < self->n; i++)
        (void)mprotect((void *)self->pages[i].begin, self->pages[i].bytes,
                       is_set ? PROT_READ : PROT_READ | PROT_WRITE);
    errno = code;
}
#else
bool write_trap_is_safe(void)
{
    return false;
}

bool write_trap_find(write_trap *self, uintptr_t code, const void *state)
{
    (void)code;
    (void)state;
    self->n = 0;
    return false;
}

bool write_trap_of(write_trap *self, const void *begin, size_t bytes)
{
    (void)begin;
    (void)bytes;
    self->n = 0;
    return false;
}

void write_trap_set(const write_trap *self, bool is_set)
{
    (void)self;
    (void)is_set;
}
#endif

bool write_trap_has(const write_trap *self, uintptr_t address)
{
    for (int i = 0; i < self->n; i++)
        if (address - self->pages[i].begin < self->pages[i].bytes)
            return true;
    return false;
}
