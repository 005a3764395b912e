#include "profile.h"

#include <string.h>

static const char *const names[] = {
#define X(NAME, name, cases, stratum, model, work, sweep) name,
    CONFORM_PROFILES(X)
#undef X
};

const char *conform_profile_name(conform_profile profile)
{
    return (size_t)profile < PROFILE_COUNT ? names[profile] : "?";
}

int conform_profile_from_name(const char *name, conform_profile *out)
{
    for (int i = 0; i < PROFILE_COUNT; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        *out = (conform_profile)i;
        return 1;
    }
    return 0;
}
