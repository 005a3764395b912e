#include "spec_dir.h"

#include <string.h>
#include <unistd.h>

#include "shipped.h"

ifn_status conform_spec_dir(const char *given, char out[SPEC_DIR_BYTES], ifn_error *err)
{
    _Static_assert((int)SPEC_DIR_BYTES == (int)SHIPPED_PATH_BYTES, "one buffer for either");
    if (!given)
        return shipped_path("specs", "spec", out, err);
    if (access(given, R_OK | X_OK) != 0)
        return ifn_fail(err, IFN_ERR_IO, "specs: %s is no folder that can be read",
                        ifn_path_label(given));
    if (strlen(given) >= SPEC_DIR_BYTES)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "specs: the path is longer than %d bytes",
                        SPEC_DIR_BYTES);
    memcpy(out, given, strlen(given) + 1);
    return IFN_OK;
}
