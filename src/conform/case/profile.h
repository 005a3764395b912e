/* Profiles: how much a run tries. */
#ifndef CONFORM_PROFILE_H
#define CONFORM_PROFILE_H

/* X(NAME, name, cases per op, cases per dtype and raw or prepared weights of an op that has
 * weights, cases at model sizes, most work of one of these, pieces of each sweep over all values (0:
 * all of it)) */
/* clang-format off */
#define CONFORM_PROFILES(X)                                  \
    X(SMOKE,   "smoke",      256,     8,   2, 1 << 20,  1)   \
    X(CI,      "ci",       10000,   600,  32, 1 << 22, 64)   \
    X(NIGHTLY, "nightly", 100000, 10000, 320, 1 << 25,  0)
/* clang-format on */

typedef enum conform_profile {
#define X(NAME, name, cases, stratum, model, work, sweep) PROFILE_##NAME,
    CONFORM_PROFILES(X)
#undef X
        PROFILE_COUNT
} conform_profile;

const char *conform_profile_name(conform_profile profile);
/* Returns 1 and sets *out, or 0. */
int conform_profile_from_name(const char *name, conform_profile *out);

#endif
