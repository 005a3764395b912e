/*
 * What all kernels share. A tensor is passed as a buffer and an offset in bytes into it. Contraction
 * is off, so that every operation rounds once. Divisions and square roots are those of IEEE 754.
 */
#pragma OPENCL FP_CONTRACT OFF

#define BUFFER(name)   __global uchar *name##_memory, const ulong name##_offset
#define AS(type, name) ((__global type *)(name##_memory + name##_offset))

/* The work items of a group, which share a row. */
#define GROUP_ITEMS 64

/* The number of elements that are decoded or encoded at a time. */
#define PIECE 32

/* Returns the row of the cache, within a head, that holds position `row`. page_rows 0: the rows are consecutive. */
long row_in_pages(__global const int *pages, const long page_rows, const long row)
{
    return page_rows > 0 ? pages[row / page_rows] * page_rows + row % page_rows : row;
}

/* Adds up `own` of all items. The order is a fixed tree, so the same numbers give the same bits each time. */
float sum_of_group(__local float *room, const float own)
{
    const uint item = get_local_id(0);
    room[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_of = GROUP_ITEMS / 2; half_of > 0; half_of /= 2) {
        if (item < half_of)
            room[item] += room[item + half_of];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float all = room[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

/* Returns the largest `own` of all items. NaN is never the largest; without other numbers the result is -inf. */
float max_of_group(__local float *room, const float own)
{
    const uint item = get_local_id(0);
    room[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_of = GROUP_ITEMS / 2; half_of > 0; half_of /= 2) {
        if (item < half_of && room[item + half_of] > room[item])
            room[item] = room[item + half_of];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float all = room[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

/* -inf gives NaN, as in the formula of silu. */
float silu_of(const float x)
{
    return x / (1.0f + exp(-x));
}

float f16_to_f32(const uint bits)
{
    const uint sign_bit = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
    if (magnitude > 0x7c00u)
        return as_float(sign_bit | 0x7fc00000u | magnitude << 13);
    if (magnitude == 0x7c00u)
        return as_float(sign_bit | 0x7f800000u);
    if (magnitude < 0x0400u) /* subnormal or zero: a whole number of 2^-24 */
        return as_float(sign_bit | as_uint((float)magnitude * 0x1p-24f));
    return as_float(sign_bit | ((magnitude << 13) + (112u << 23)));
}

ushort f32_to_f16(const float value)
{
    const uint bits = as_uint(value), magnitude = bits & 0x7fffffffu;
    const uint sign_bit = bits >> 16 & 0x8000u;
    if (magnitude > 0x7f800000u)
        return (ushort)(sign_bit | 0x7e00u | (magnitude >> 13 & 0x3ffu));
    if (magnitude >= 0x477ff000u)
        return (ushort)(sign_bit | 0x7c00u);
    if (magnitude < 0x38800000u) { /* the addition does the rounding: src/quant/f16.h */
        const float sum = as_float(magnitude) + 0.5f;
        return (ushort)(sign_bit | (as_uint(sum) - as_uint(0.5f)));
    }
    const uint rounded = magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u);
    return (ushort)(sign_bit | rounded >> 13);
}

/* Reads bytes one by one, since bytes of a file may have any address. */
uint load_u16(__global const uchar *p)
{
    return (uint)p[0] | (uint)p[1] << 8;
}

uint load_u32(__global const uchar *p)
{
    return load_u16(p) | load_u16(p + 2) << 16;
}

float load_f16(__global const uchar *p)
{
    return f16_to_f32(load_u16(p));
}

void store_u16(__global uchar *p, const uint value)
{
    p[0] = (uchar)value;
    p[1] = (uchar)(value >> 8);
}

void store_u32(__global uchar *p, const uint value)
{
    store_u16(p, value);
    store_u16(p + 2, value >> 16);
}
