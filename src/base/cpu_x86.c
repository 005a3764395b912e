/* x86: CPUID says what the core can do, XCR0 which registers the system saves on a task switch, and the system itself
 * whether it grants tile registers on request. */
#include "cpu_priv.h"

#include <inferno/cpu.h>

#include <string.h>

#include "cpu_streams.h"

enum { XCR0_AVX = 0x6, XCR0_AVX512 = 0xe6, XCR0_AMX = 0x60000 };

static uint64_t pick(uint32_t reg, int bit, uint64_t feature)
{
    return reg >> bit & 1 ? feature : 0;
}

uint64_t ifn_cpu_decode_x86(const ifn_cpuid *id)
{
    uint64_t features = pick(id->edx1, 26, IFN_CPU_SSE2) | pick(id->ecx1, 9, IFN_CPU_SSSE3) |
                        pick(id->ecx1, 19, IFN_CPU_SSE41);
    const int osxsave = id->ecx1 >> 27 & 1;
    if (!osxsave || (id->xcr0 & XCR0_AVX) != XCR0_AVX || !(id->ecx1 >> 28 & 1))
        return features;
    features |= IFN_CPU_AVX | pick(id->ecx1, 12, IFN_CPU_FMA) | pick(id->ecx1, 29, IFN_CPU_F16C) |
                pick(id->ebx7, 5, IFN_CPU_AVX2) | pick(id->eax7_1, 4, IFN_CPU_AVXVNNI);
    if ((id->xcr0 & XCR0_AVX512) != XCR0_AVX512 || !(id->ebx7 >> 16 & 1))
        return features;
    features |= IFN_CPU_AVX512F | pick(id->ebx7, 17, IFN_CPU_AVX512DQ) |
                pick(id->ebx7, 30, IFN_CPU_AVX512BW) | pick(id->ebx7, 31, IFN_CPU_AVX512VL) |
                pick(id->ecx7, 11, IFN_CPU_AVX512VNNI) | pick(id->eax7_1, 5, IFN_CPU_AVX512BF16) |
                pick(id->edx7_1, 19, IFN_CPU_AVX10);
    if ((id->xcr0 & XCR0_AMX) != XCR0_AMX || !id->has_tiles || !(id->edx7 >> 24 & 1))
        return features;
    return features | IFN_CPU_AMXTILE | pick(id->edx7, 22, IFN_CPU_AMXBF16) |
           pick(id->edx7, 25, IFN_CPU_AMXINT8);
}

ifn_cpu_streams ifn_cpu_streams_of(const char vendor[12], uint32_t family)
{
    enum { ZEN_5 = 0x1a };
    if (memcmp(vendor, "AuthenticAMD", 12) != 0 && memcmp(vendor, "HygonGenuine", 12) != 0)
        return IFN_STREAMS_SEVERAL;
    return family < ZEN_5 ? IFN_STREAM_FOLLOWED : IFN_STREAM_FETCHED;
}

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

static uint64_t read_xcr0(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

#ifdef __linux__
enum { SUPPORTED = 0x1021, REQUEST = 0x1023, TILE_DATA = 18 }; /* of arch_prctl */

static bool may_ask_for_tiles(void)
{
    uint64_t states = 0;
    return syscall(SYS_arch_prctl, SUPPORTED, &states) == 0 && states >> TILE_DATA & 1;
}

int ifn_cpu_request_tiles_x86(void)
{
    return syscall(SYS_arch_prctl, REQUEST, TILE_DATA) == 0;
}
#else
static bool may_ask_for_tiles(void)
{
    return true;
}

int ifn_cpu_request_tiles_x86(void)
{
    return 1;
}
#endif

uint64_t ifn_cpu_detect_x86(void)
{
    ifn_cpuid id = {0};
    uint32_t eax, ebx, ecx;
    if (!__get_cpuid(1, &eax, &ebx, &id.ecx1, &id.edx1))
        return 0;
    if (id.ecx1 >> 27 & 1)
        id.xcr0 = read_xcr0();
    if (__get_cpuid_count(7, 0, &eax, &id.ebx7, &id.ecx7, &id.edx7) && eax >= 1)
        __get_cpuid_count(7, 1, &id.eax7_1, &ebx, &ecx, &id.edx7_1);
    if ((id.xcr0 & XCR0_AMX) == XCR0_AMX)
        id.has_tiles = may_ask_for_tiles();
    return ifn_cpu_decode_x86(&id);
}

static uint32_t family_of(uint32_t eax1)
{
    enum { EXTENDED = 15 };
    const uint32_t family = eax1 >> 8 & 15;
    return family < EXTENDED ? family : family + (eax1 >> 20 & 255);
}

ifn_cpu_streams ifn_cpu_streams_x86(void)
{
    uint32_t eax, ebx, ecx, edx, letters[3]; /* in ebx, edx, ecx */
    char vendor[sizeof letters];
    if (!__get_cpuid(0, &eax, &letters[0], &letters[2], &letters[1]) ||
        !__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return IFN_STREAMS_SEVERAL;
    memcpy(vendor, letters, sizeof vendor);
    return ifn_cpu_streams_of(vendor, family_of(eax));
}
#else
uint64_t ifn_cpu_detect_x86(void)
{
    return 0;
}

int ifn_cpu_request_tiles_x86(void)
{
    return 0;
}

ifn_cpu_streams ifn_cpu_streams_x86(void)
{
    return IFN_STREAMS_SEVERAL;
}
#endif
