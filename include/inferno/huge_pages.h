/*
 * Large blocks that are read over and over: fewer, larger pages cost the processor less to find.
 *
 * Stability: stable.
 */
#ifndef INFERNO_HUGE_PAGES_H
#define INFERNO_HUGE_PAGES_H

#include <stddef.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* What a huge page covers, and the alignment that lets a block have as many as fit. */
#define IFN_HUGE_PAGE ((size_t)2 << 20)

/*
 * Advises the system to back the whole huge pages inside [p, p + bytes) by such. The bytes keep
 * their values. Returns how many bytes were advised: 0 where none fit or the system has none.
 */
IFN_API size_t ifn_advise_huge_pages(void *p, size_t bytes);

/* The same, and what lies in small pages already is copied into huge ones before it returns, where
 * the system can do that. */
IFN_API size_t ifn_move_to_huge_pages(void *p, size_t bytes);

IFN_EXTERN_C_END

#endif
