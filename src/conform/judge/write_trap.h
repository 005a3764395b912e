/*
 * Memory that all calls of a backend share, the static variables of its shared object and its state, or any other,
 * made such that each write to it is a signal. Nobody else may write there meanwhile, the kernel included.
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

/* Writes of this process can be such signals: other threads may block the signal, and would die of it. */
bool write_trap_is_safe(void);
/* Of the object that has `code`, and of `state`, which may be NULL. False where there is none, where it is that of
 * this program, and where there are no single steps. */
bool write_trap_find(write_trap *self, uintptr_t code, const void *state);
/* The pages that have a byte of it. False where there are no single steps, or it is empty. */
bool write_trap_of(write_trap *self, const void *begin, size_t bytes);
bool write_trap_has(const write_trap *self, uintptr_t address);
/* Writes are signals; or no longer. */
void write_trap_set(const write_trap *self, bool is_set);

#endif
