/* A plugin with a backend of the tree, built with one mutated object, under the backend's own descriptor. MUTATED is
 * ifn_backend_scalar or ifn_backend_simd. */
#include <inferno/backend.h>

extern const ifn_backend_desc MUTATED;

IFN_API const ifn_backend_desc *ifn_backend_entry(void);

const ifn_backend_desc *ifn_backend_entry(void)
{
    return &MUTATED;
}
