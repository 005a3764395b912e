#include "opencl_api.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define LOADER "libOpenCL.so.1"

/* Looks up a function. memcpy, as ISO C has no conversion from void * to a pointer to a function. */
static bool find(void *loader, const char *name, void *out)
{
    void *const found = dlsym(loader, name);
    memcpy(out, &found, sizeof found);
    return found != NULL;
}

/* The id of the process that first used the driver; a fork inherits it. 0: none yet. */
static atomic_long user;

static bool is_forked(void)
{
    long first = 0;
    const long this_one = (long)getpid();
    return !atomic_compare_exchange_strong(&user, &first, this_one) && first != this_one;
}

ifn_status ifn_opencl_api_find(ifn_opencl_api *out, ifn_error *err)
{
    void *const loader = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!loader)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "backend 'opencl': " LOADER " cannot be loaded, expected an OpenCL loader");
#define X(name)                                                                                    \
    if (!find(loader, #name, &out->name))                                                          \
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,                                                  \
                        "backend 'opencl': " LOADER " has no " #name ", expected OpenCL 1.2");
    IFN_OPENCL_API(X)
#undef X
    if (is_forked())
        return ifn_fail(
            err, IFN_ERR_UNSUPPORTED,
            "backend 'opencl': the driver was used before this process was forked, which "
            "lacks its threads; expected it to be used after that alone");
    return IFN_OK;
}
