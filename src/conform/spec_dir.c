#include "spec_dir.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* <prefix>/bin/inferno -> <prefix>/share/inferno/spec; empty where that cannot be told. */
static void installed_dir(char out[SPEC_DIR_BYTES])
{
    char self[SPEC_DIR_BYTES - 64];
    out[0] = '\0';
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return;
    self[n] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (!slash)
            return;
        *slash = '\0';
    }
    snprintf(out, SPEC_DIR_BYTES, "%s/share/inferno/spec", self);
}

ifn_status conform_spec_dir(const char *given, char out[SPEC_DIR_BYTES], ifn_error *err)
{
    static const char built[] = INFERNO_SPEC_DIR;
    const char *choice = given ? given : built;
    if (!given) {
        installed_dir(out);
        if (out[0] && access(out, R_OK | X_OK) == 0)
            return IFN_OK;
    }
    if (access(choice, R_OK | X_OK) != 0)
        return ifn_fail(err, IFN_ERR_IO, "specs: %s is no folder that can be read", choice);
    if (strlen(choice) >= SPEC_DIR_BYTES)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "specs: the path is longer than %d bytes",
                        SPEC_DIR_BYTES);
    memcpy(out, choice, strlen(choice) + 1);
    return IFN_OK;
}
