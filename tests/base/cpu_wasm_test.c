#include "cpu_priv.h"

#include <inferno/cpu.h>

#include "test.h"

TEST(a_native_program_has_no_vectors_of_webassembly)
{
    uint64_t mask;
    assert_true(ifn_cpu_level_mask("wasm128", &mask));
    assert_false(ifn_cpu_has(ifn_cpu_detect(), mask));
    assert_int_equal(ifn_cpu_detect_wasm(), 0); /* tests/wasm covers machines that have them */
}
