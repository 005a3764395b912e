/*
 * In long rows eight lanes find the maximum, and a search for its bits finds the index. Of zeros of both signs the one
 * in the lowest lane is the maximum, and one of the other sign that comes before it is no longer found.
 */
#include <string.h>

#include "museum_kit.h"

enum { LANES = 8, LEAST = 1024 };

static float most_of_lanes(const float *x, int64_t n)
{
    float lane[LANES], most;
    for (int i = 0; i < LANES; i++)
        lane[i] = x[i];
    for (int64_t i = LANES; i < n; i++)
        if (x[i] > lane[i % LANES])
            lane[i % LANES] = x[i];
    most = lane[0];
    for (int i = 1; i < LANES; i++)
        if (lane[i] > most)
            most = lane[i];
    return most;
}

ifn_status museum_zero_of_the_lowest_lane(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status != IFN_OK || a->n < LEAST || *a->value != 0)
        return status;
    const float most = most_of_lanes(a->x, a->n);
    int32_t i = 0;
    while (memcmp(&a->x[i], &most, sizeof most) != 0)
        i++;
    *a->index = i;
    *a->value = most;
    return IFN_OK;
}
