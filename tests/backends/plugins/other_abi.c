/* Built for another ABI: nothing after the version fields may be read. */
#include <inferno/backend.h>

IFN_API const ifn_backend_desc *ifn_backend_entry(void);

const ifn_backend_desc *ifn_backend_entry(void)
{
    static const ifn_backend_desc desc = {.abi = IFN_BACKEND_ABI + 6};
    return &desc;
}
