/* Detection per architecture; the one for another machine answers 0. */
#ifndef IFN_CPU_PRIV_H
#define IFN_CPU_PRIV_H

#include <stdbool.h>
#include <stdint.h>

uint64_t ifn_cpu_detect_x86(void);
/* Of a processor that has tile registers: 1 where the system gives them. */
int ifn_cpu_request_tiles_x86(void);
uint64_t ifn_cpu_detect_arm(void);
uint64_t ifn_cpu_detect_wasm(void);

/*
 * The x86 answer as a function of what the instructions returned, so that machines we do not have
 * can be tested: leaf 1 (ecx, edx), leaf 7.0 (ebx, ecx, edx), leaf 7.1 (eax, edx), XCR0 (0 where
 * XGETBV may not be used), and whether the system gives tile registers to who asks.
 */
typedef struct ifn_cpuid {
    uint32_t ecx1, edx1, ebx7, ecx7, edx7, eax7_1, edx7_1;
    uint64_t xcr0;
    bool has_tiles;
} ifn_cpuid;

uint64_t ifn_cpu_decode_x86(const ifn_cpuid *id);

#endif
