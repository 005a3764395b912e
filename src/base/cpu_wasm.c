/* WebAssembly: an engine refuses a module with instructions it lacks, so a module that runs may use its vectors. */
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
