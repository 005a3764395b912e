#include "writable.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NAMED = 6, NAME_BYTES = 48 };

/* An ELF file in memory. Its contents are not trusted: every offset is checked. */
typedef struct elf {
    const unsigned char *data;
    size_t bytes;
    const Elf64_Shdr *sections;
    size_t n_sections, names; /* `names`: the index of the section of section names */
} elf;

typedef struct variable {
    const char *name;
    uint64_t bytes;
} variable;

/* The `n` items of `size` bytes at `at`; NULL: they are not all in the file. */
static const void *inside(const elf *e, uint64_t at, uint64_t n, uint64_t size)
{
    if (at % _Alignof(Elf64_Shdr) || at > e->bytes || (size && n > (e->bytes - at) / size))
        return NULL;
    return e->data + at;
}

static int open_sections(elf *e)
{
    const Elf64_Ehdr *const head = inside(e, 0, 1, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr))
        return 0;
    e->n_sections = head->e_shnum;
    e->names = head->e_shstrndx;
    e->sections = inside(e, head->e_shoff, e->n_sections, sizeof *e->sections);
    return e->sections && e->names < e->n_sections;
}

/* The name at `at` of a table of names, which must end inside it. */
static const char *name_at(const elf *e, const Elf64_Shdr *names, uint64_t at)
{
    if (at >= names->sh_size || names->sh_offset > e->bytes ||
        names->sh_size > e->bytes - names->sh_offset)
        return NULL;
    const char *const name = (const char *)e->data + names->sh_offset + at;
    return memchr(name, '\0', (size_t)(names->sh_size - at)) ? name : NULL;
}

/* True for .data and .bss. Other writable sections belong to the loader or are read-only by the time ops run. */
static bool is_writable(const elf *e, size_t i)
{
    static const char constants[] = ".data.rel.ro";
    if (i == SHN_UNDEF || i >= e->n_sections || e->sections[i].sh_flags & SHF_TLS)
        return false;
    const char *const name = name_at(e, &e->sections[e->names], e->sections[i].sh_name);
    return name && strncmp(name, constants, sizeof constants - 1) != 0 &&
           (strncmp(name, ".data", 5) == 0 || strncmp(name, ".bss", 4) == 0);
}

/* True for a variable of the plugin, not one that the compiler adds. */
static bool is_own(const char *name)
{
    return name && *name && *name != '_' && strncmp(name, "completed.", 10) != 0;
}

static void insert(variable found[MOST_NAMED], variable v)
{
    for (int i = 0; i < MOST_NAMED; i++)
        if (v.bytes > found[i].bytes) {
            const variable smaller = found[i];
            found[i] = v;
            v = smaller;
        }
}

/* Returns the number of variables in a symbol table; `found` receives the largest. */
static size_t collect(const elf *e, const Elf64_Shdr *table, variable found[MOST_NAMED])
{
    const size_t n = (size_t)(table->sh_size / sizeof(Elf64_Sym));
    const Elf64_Sym *const symbols = inside(e, table->sh_offset, n, sizeof *symbols);
    size_t count = 0;
    if (!symbols || table->sh_link >= e->n_sections)
        return 0;
    for (size_t i = 0; i < n; i++) {
        const char *const name = name_at(e, &e->sections[table->sh_link], symbols[i].st_name);
        if (ELF64_ST_TYPE(symbols[i].st_info) != STT_OBJECT || symbols[i].st_size == 0 ||
            !is_writable(e, symbols[i].st_shndx) || !is_own(name))
            continue;
        insert(found, (variable){name, symbols[i].st_size});
        count++;
    }
    return count;
}

static void put_names(const variable *found, size_t n, char *out, size_t bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < n && i < MOST_NAMED && used < bytes; i++)
        used += (size_t)snprintf(out + used, bytes - used, "%s%.*s (%llu bytes)", i ? ", " : "",
                                 NAME_BYTES, found[i].name, (unsigned long long)found[i].bytes);
    if (n > MOST_NAMED && used < bytes)
        snprintf(out + used, bytes - used, " and %zu more", n - MOST_NAMED);
}

static const Elf64_Shdr *find(const elf *e, uint32_t type)
{
    for (size_t i = 0; i < e->n_sections; i++)
        if (e->sections[i].sh_type == type)
            return &e->sections[i];
    return NULL;
}

static void describe(elf *e, char *out, size_t bytes)
{
    variable found[MOST_NAMED] = {{NULL, 0}};
    if (!open_sections(e))
        return;
    const Elf64_Shdr *const table = find(e, SHT_SYMTAB);
    if (table)
        put_names(found, collect(e, table, found), out, bytes);
}

void conform_writable_names(const char *path, char *out, size_t bytes)
{
    struct stat st;
    const int fd = open(path, O_RDONLY);
    out[0] = '\0';
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && st.st_size > 0) {
        elf e = {.bytes = (size_t)st.st_size};
        void *const map = mmap(NULL, e.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map != MAP_FAILED) {
            e.data = map;
            describe(&e, out, bytes);
            munmap(map, e.bytes);
        }
    }
    close(fd);
}
