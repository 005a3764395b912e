/* The window always begins at column 0. */
#include "museum_kit.h"

ifn_status museum_window_from_zero(ifn_backend *self, const ifn_copy_2d_from_cols_args *a)
{
    ifn_copy_2d_from_cols_args first = *a;
    const ifn_status status = ifn_copy_2d_from_cols(self->base, a);
    first.col_begin = 0;
    return status == IFN_OK ? ifn_copy_2d_from_cols(self->base, &first) : status;
}
