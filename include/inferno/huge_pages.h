/*
 * Huge pages for large blocks of memory that are read over and over: fewer, larger pages cause fewer TLB
 * misses.
 *
 * Stability: stable.
 */
#ifndef INFERNO_HUGE_PAGES_H
#define INFERNO_HUGE_PAGES_H

#include <stddef.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* Bytes of a huge page, and the alignment at which a block has as many whole huge pages as possible. */
#define IFN_HUGE_PAGE ((size_t)2 << 20)

/*
 * Advises the system to use huge pages for each aligned 2 MiB range inside [p, p + bytes). The bytes keep
 * their values. Returns how many bytes were advised: 0 if none fit or the system has no huge pages.
 */
IFN_API size_t ifn_advise_huge_pages(void *p, size_t bytes);

/* The same, and moves data that already lies in small pages into huge ones before it returns, if the system
 * can do that. */
IFN_API size_t ifn_move_to_huge_pages(void *p, size_t bytes);

IFN_EXTERN_C_END

#endif
