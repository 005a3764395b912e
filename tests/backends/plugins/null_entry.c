/* A plugin whose entry returns NULL. */
#include <inferno/backend.h>

IFN_API const ifn_backend_desc *ifn_backend_entry(void);

const ifn_backend_desc *ifn_backend_entry(void)
{
    return NULL;
}
