/* Whether b at j comes before a at i: larger, or a number where a is none; of equals the first. */
bool is_better(const float b, const uint j, const float a, const uint i)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && (!isnan(b) || j < i);
    return b > a || (b == a && j < i);
}

/* One group. */
__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void
argmax_with_prob(BUFFER(index), BUFFER(value), BUFFER(x), const long n)
{
    __local float values[LANES];
    __local uint places[LANES];
    __global const float *const x = AS(const float, x);
    const uint lane = get_local_id(0);
    uint best = lane < n ? lane : 0;
    for (uint i = best; i < n; i += LANES)
        if (is_better(x[i], i, x[best], best))
            best = i;
    values[lane] = x[best];
    places[lane] = best;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_of = LANES / 2; half_of > 0; half_of /= 2) {
        if (lane < half_of && is_better(values[lane + half_of], places[lane + half_of],
                                        values[lane], places[lane])) {
            values[lane] = values[lane + half_of];
            places[lane] = places[lane + half_of];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) {
        AS(uint, value)[0] = AS(const uint, x)[places[0]];
        AS(int, index)[0] = (int)places[0];
    }
}
