/* How this program was built, and which backends it can use on this processor. */
#ifndef IFN_PROGRAM_BUILD_H
#define IFN_PROGRAM_BUILD_H

#include <stdio.h>

/* The commit that was checked out when the build was configured, or "unknown". Static. */
const char *build_commit(void);

/* "gcc 12.2.0". Static. */
const char *build_compiler(void);

/* The highest level of the simd backend that this processor runs, such as "avx2", or "none". Static. */
const char *build_cpu_level(void);

/* The text of --version; its first line is "<program> 1.2.3". */
void build_print(const char *program, FILE *out);

#endif
