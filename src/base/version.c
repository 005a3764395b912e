#include <inferno/version.h>

const char *ifn_version(void)
{
    return IFN_VERSION;
}
