/* page.html, embedded into the program by the build. */
#ifndef IFN_CLI_PAGE_H
#define IFN_CLI_PAGE_H

#include <stddef.h>

extern const char page[];
extern const size_t page_bytes;

#endif
