/* Huge pages through madvise, on systems that have it. */
#include <inferno/huge_pages.h>

#include <stdint.h>
#include <sys/mman.h> /* MADV_HUGEPAGE: this file alone is built with _DEFAULT_SOURCE */

/* Linux has MADV_COLLAPSE since 6.1; headers of C libraries define it only later. */
#if defined __linux__ && !defined MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* The whole huge pages inside [p, p + bytes). */
static unsigned char *whole_pages(void *p, size_t bytes, size_t *whole)
{
    const size_t skipped = (size_t)(-(uintptr_t)p) % IFN_HUGE_PAGE;
    *whole = bytes < skipped ? 0 : (bytes - skipped) / IFN_HUGE_PAGE * IFN_HUGE_PAGE;
    return (unsigned char *)p + skipped;
}

size_t ifn_advise_huge_pages(void *p, size_t bytes)
{
    size_t whole;
    unsigned char *const first = whole_pages(p, bytes, &whole);
#ifdef MADV_HUGEPAGE
    if (whole && madvise(first, whole, MADV_HUGEPAGE) == 0)
        return whole;
#else
    (void)first;
#endif
    return 0;
}

size_t ifn_move_to_huge_pages(void *p, size_t bytes)
{
    const size_t advised = ifn_advise_huge_pages(p, bytes);
#ifdef MADV_COLLAPSE
    size_t whole;
    unsigned char *const first = whole_pages(p, bytes, &whole);
    if (advised)
        (void)madvise(first, whole, MADV_COLLAPSE); /* as many as the system can */
#endif
    return advised;
}
