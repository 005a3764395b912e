/* WebAssembly: an engine that lacks an instruction loads no module that has it, so what runs may use its vectors. */
#include "cpu_priv.h"

#include <inferno/cpu.h>

uint64_t ifn_cpu_detect_wasm(void)
{
#if defined(__wasm__)
    return IFN_CPU_SIMD128;
#else
    return 0;
#endif
}
