#include "sample.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a with a final mixing step. */
static uint64_t hash_text(uint64_t h, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    h ^= h >> 31;
    return h * UINT64_C(0x9e3779b97f4a7c15);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_hash(const void *a, const void *b)
{
    const sample_entry *const x = a, *const y = b;
    const int order = compare_numbers(x->hash, y->hash);
    return order ? order : compare_numbers(x->number, y->number);
}

static int by_round(const void *a, const void *b)
{
    const sample_entry *const x = a, *const y = b;
    const int order = compare_numbers(x->round, y->round);
    return order ? order : by_hash(a, b);
}

/* Hashes what a mutant does, not its place: when other lines change, the same mutant is drawn again. */
static uint64_t hash_mutant(const sample *self, const char *path, const mutant_list *list, size_t i)
{
    const mutant *const m = &list->m[i];
    const token *const name = &list->tokens.t[m->name];
    const char *const file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    uint64_t h = hash_text(self->seed * 2 + 1, file, strlen(file));
    h = hash_text(h, list->tokens.text + name->begin, name->end - name->begin);
    h = hash_text(h, list->tokens.text + m->begin, m->end - m->begin);
    return hash_text(h, m->text, strlen(m->text));
}

/* Numbers the mutants of a file so that kinds take turns: the first of each kind, the second of each, ... */
static void number_rounds(sample_entry *entries, size_t n, const mutant_list *list)
{
    size_t used[MUTANT_KIND_COUNT] = {0};
    qsort(entries, n, sizeof *entries, by_hash);
    for (size_t i = 0; i < n; i++)
        entries[i].round = used[list->m[entries[i].number].kind]++;
    qsort(entries, n, sizeof *entries, by_round);
    for (size_t i = 0; i < n; i++)
        entries[i].round = i;
}

void sample_add(sample *self, const char *path, const mutant_list *mutants)
{
    self->entries = realloc(self->entries, (self->n + mutants->n + 1) * sizeof *self->entries);
    if (!self->entries)
        abort();
    sample_entry *const own = self->entries + self->n;
    for (size_t i = 0; i < mutants->n; i++)
        own[i] = (sample_entry){path, i, 0, hash_mutant(self, path, mutants, i)};
    number_rounds(own, mutants->n, mutants);
    self->n += mutants->n;
}

void sample_order(sample *self)
{
    if (self->n)
        qsort(self->entries, self->n, sizeof *self->entries, by_round);
}

void sample_free(sample *self)
{
    free(self->entries);
    *self = (sample){0};
}
