/*
 * A write trap: memory whose pages are read-only, so that each write to it raises a signal. The memory is the one that
 * all calls of a backend share (the static variables of its shared object, and its state), or any other. Meanwhile
 * nothing else may write there, the kernel included.
 */
#ifndef CONFORM_WRITE_TRAP_H
#define CONFORM_WRITE_TRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WRITE_TRAP_MOST = 8 };

typedef struct write_trap {
    int n;
    struct {
        uintptr_t begin;
        size_t bytes;
    } pages[WRITE_TRAP_MOST];
} write_trap;

/* True if this process can handle such signals: it has one thread. Another thread may block the signal and would die of
 * it. */
bool write_trap_is_safe(void);
/* Finds the writable data of the shared object that contains `code`, and the beginning of `state`, which may be NULL.
 * Returns false if there is none, if the object is this program, or if there are no single steps. */
bool write_trap_find(write_trap *self, uintptr_t code, const void *state);
/* Takes all pages that overlap the range. Returns false without single steps or if the range is empty. */
bool write_trap_of(write_trap *self, const void *begin, size_t bytes);
bool write_trap_has(const write_trap *self, uintptr_t address);
/* Arms the trap, or disarms it. */
void write_trap_set(const write_trap *self, bool is_set);

#endif
