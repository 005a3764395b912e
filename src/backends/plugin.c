#include "plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fp_control.h"

enum { PATH_BYTES = 4096 };

int ifn_plugin_is_path(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') || (length >= 3 && strcmp(name + length - 3, ".so") == 0);
}

/* Makes the path absolute: a bare "x.so" means the file in the current folder, never one on a search path, and a loader
 * that has loaded an object of that relative name from another folder would not look here. */
static const char *full_path(const char *name, char room[PATH_BYTES])
{
    if (name[0] == '/' || !getcwd(room, PATH_BYTES))
        return name;
    const size_t used = strlen(room), left = PATH_BYTES - used;
    const int length = snprintf(room + used, left, "/%s", name);
    return length > 0 && (size_t)length < left ? room : name;
}

static const char *last_dl_error(void)
{
    const char *text = dlerror();
    return text ? text : "no reason given";
}

static ifn_status ask(void *library, const char *path, ifn_plugin *out, ifn_error *err)
{
    ifn_backend_entry_fn entry;
    *(void **)&entry = dlsym(library, IFN_BACKEND_ENTRY_SYMBOL); /* the form POSIX prescribes */
    if (!entry)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "backend '%s': no symbol %s, expected a plugin with IFN_BACKEND_ENTRY",
                        path, IFN_BACKEND_ENTRY_SYMBOL);
    *out = (ifn_plugin){library, entry()};
    if (!out->desc)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "backend '%s': its entry gives no descriptor",
                        path);
    return IFN_OK;
}

/*
 * A loaded object stays mapped (RTLD_NODELETE) until the process ends: a plugin's own threads, such as those of
 * libgomp, outlive close(), and would run in unmapped code. dlclose still releases the handle.
 */
ifn_status ifn_plugin_open(const char *path, ifn_plugin *out, ifn_error *err)
{
    char room[PATH_BYTES];
    *out = (ifn_plugin){NULL, NULL};
    const uint64_t before = ifn_fp_control();
    void *library = dlopen(full_path(path, room), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library)
        return ifn_fail(err, IFN_ERR_IO, "backend '%s': cannot be loaded: %s", path,
                        last_dl_error());
    ifn_status status = ask(library, path, out, err);
    const uint64_t after = ifn_fp_control();
    if (status == IFN_OK && after != before)
        status = ifn_fail(err, IFN_ERR_UNSUPPORTED,
                          "backend '%s': changes the floating-point environment when it is loaded "
                          "(control 0x%llx, expected 0x%llx); was it linked with -ffast-math?",
                          path, (unsigned long long)after, (unsigned long long)before);
    ifn_fp_control_set(before);
    if (status != IFN_OK) {
        dlclose(library);
        *out = (ifn_plugin){NULL, NULL};
    }
    return status;
}

void ifn_plugin_close(void *library)
{
    if (library)
        dlclose(library);
}
