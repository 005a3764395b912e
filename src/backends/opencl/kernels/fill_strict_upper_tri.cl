__kernel void fill_strict_upper_tri(BUFFER(x), const float value, const long begin, const long end,
                                    const long cols, const long offset)
{
    const long i = (long)get_global_id(0), r = begin + i / cols, c = i % cols;
    if (r < end && c - r > offset)
        AS(float, x)[r * cols + c] = value;
}
