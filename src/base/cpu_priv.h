/* Feature detection per architecture. On any other architecture the function returns 0. */
#ifndef IFN_CPU_PRIV_H
#define IFN_CPU_PRIV_H

#include <stdbool.h>
#include <stdint.h>

uint64_t ifn_cpu_detect_x86(void);
/* Asks the system for the tile registers of AMX, which the processor must have; 1 if it grants them. */
int ifn_cpu_request_tiles_x86(void);
uint64_t ifn_cpu_detect_arm(void);
uint64_t ifn_cpu_detect_wasm(void);

/*
 * What the instructions return on x86. Detection is a function of this struct, so that tests can
 * cover other processors: leaf 1 (ecx, edx), leaf 7.0 (ebx, ecx, edx), leaf 7.1 (eax, edx), XCR0 (0 if
 * XGETBV may not be used), and whether the system grants tile registers on request.
 */
typedef struct ifn_cpuid {
    uint32_t ecx1, edx1, ebx7, ecx7, edx7, eax7_1, edx7_1;
    uint64_t xcr0;
    bool has_tiles;
} ifn_cpuid;

uint64_t ifn_cpu_decode_x86(const ifn_cpuid *id);

#endif
