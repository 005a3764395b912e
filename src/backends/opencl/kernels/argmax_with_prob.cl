/* Returns whether b at index j wins over a at index i: the larger one, a number over a NaN, the first of equals. */
bool is_better(const float b, const uint j, const float a, const uint i)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && (!isnan(b) || j < i);
    return b > a || (b == a && j < i);
}

/* One work group computes the whole op. */
__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
argmax_with_prob(BUFFER(index), BUFFER(value), BUFFER(x), const long n)
{
    __local float values[GROUP_ITEMS];
    __local uint places[GROUP_ITEMS];
    __global const float *const x = AS(const float, x);
    const uint item = get_local_id(0);
    uint best = item < n ? item : 0;
    for (uint i = best; i < n; i += GROUP_ITEMS)
        if (is_better(x[i], i, x[best], best))
            best = i;
    values[item] = x[best];
    places[item] = best;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_of = GROUP_ITEMS / 2; half_of > 0; half_of /= 2) {
        if (item < half_of && is_better(values[item + half_of], places[item + half_of],
                                        values[item], places[item])) {
            values[item] = values[item + half_of];
            places[item] = places[item + half_of];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) {
        AS(uint, value)[0] = AS(const uint, x)[places[0]];
        AS(int, index)[0] = (int)places[0];
    }
}
