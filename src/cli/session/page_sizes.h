/* The values of --page-rows of generate and bench: rows of a page of the KV cache. */
#ifndef IFN_CLI_PAGE_SIZES_H
#define IFN_CLI_PAGE_SIZES_H

#include <stdint.h>

static const char *const page_size_words[] = {"none", "16", "32", "64", "128", "256", NULL};

/* Returns the rows of a page for an index in page_size_words; 0: no pages. */
static inline int64_t page_size_of(int choice)
{
    return choice == 0 ? 0 : (int64_t)8 << choice;
}

#endif
