/* One call of the system, where it has that call. */
#include <inferno/huge_pages.h>

#include <stdint.h>
#include <sys/mman.h> /* MADV_HUGEPAGE: this file alone is built with _DEFAULT_SOURCE */

size_t ifn_advise_huge_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t skipped = (size_t)(-(uintptr_t)p) % IFN_HUGE_PAGE;
    if (bytes < skipped)
        return 0;
    const size_t whole = (bytes - skipped) / IFN_HUGE_PAGE * IFN_HUGE_PAGE;
    if (whole && madvise((char *)p + skipped, whole, MADV_HUGEPAGE) == 0)
        return whole;
#else
    (void)p;
    (void)bytes;
#endif
    return 0;
}
