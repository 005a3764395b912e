#include "fault_names.h"

#include <stdio.h>
#include <string.h>

int fault_find(const conform_museum *museum, const char *name)
{
    for (int i = 0; i < museum->n; i++)
        if (strcmp(museum->faults[i].name, name) == 0)
            return i;
    return -1;
}

ifn_status fault_refuse(const conform_museum *museum, const char *plugin, const char *found,
                        ifn_error *err)
{
    const ifn_error blank = {.status = IFN_ERR_ARGUMENT, .offset = UINT64_MAX};
    if (!err)
        return IFN_ERR_ARGUMENT;
    *err = blank;
    int n =
        snprintf(err->text, sizeof err->text,
                 "%s: option '%.40s', expected one of %d faults:", plugin, found, (int)museum->n);
    for (int i = 0; i < museum->n; i++) {
        const char *const name = museum->faults[i].name;
        const size_t room = sizeof err->text - (size_t)n;
        if (strlen(name) + sizeof " ..." >= room) {
            (void)snprintf(err->text + n, room, " ...");
            break;
        }
        n += snprintf(err->text + n, room, " %s", name);
    }
    return IFN_ERR_ARGUMENT;
}
