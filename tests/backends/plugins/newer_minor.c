/* Built against a newer header than this library's. */
#include <inferno/backend.h>

IFN_API const ifn_backend_desc *ifn_backend_entry(void);

const ifn_backend_desc *ifn_backend_entry(void)
{
    static const ifn_backend_desc desc = {.abi = IFN_BACKEND_ABI,
                                          .abi_minor = IFN_BACKEND_ABI_MINOR + 1};
    return &desc;
}
