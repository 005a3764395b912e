/*
 * out[r * out_row + c] = x[r * x_row + c * x_column], in words of 4 bytes. All ops that only move
 * elements run this kernel.
 */
__kernel void copy_rows(BUFFER(out), BUFFER(x), const long rows, const long cols,
                        const long out_row, const long x_row, const long x_column)
{
    const long i = (long)get_global_id(0), r = i / cols, c = i % cols;
    if (r < rows)
        AS(uint, out)[r * out_row + c] = AS(const uint, x)[r * x_row + c * x_column];
}
