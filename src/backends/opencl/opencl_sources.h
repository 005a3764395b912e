/* The sources of the kernels, embedded as text. embed.cmake generates the text from kernels/. */
#ifndef IFN_OPENCL_SOURCES_H
#define IFN_OPENCL_SOURCES_H

#include "opencl_kernel_list.h"

/* IFN_OPENCL_KERNEL_add, ... */
typedef enum ifn_opencl_kernel {
#define X(name) IFN_OPENCL_KERNEL_##name,
    IFN_OPENCL_KERNELS(X)
#undef X
        IFN_OPENCL_KERNEL_COUNT
} ifn_opencl_kernel;

typedef struct ifn_opencl_source {
    const char *name, *text;
} ifn_opencl_source;

enum { IFN_OPENCL_PREAMBLES = 2 };

/* The text that precedes every kernel, and the kernels, by number. */
extern const char *const ifn_opencl_preamble[IFN_OPENCL_PREAMBLES];
extern const ifn_opencl_source ifn_opencl_sources[];

#endif
