/* The triangle always begins after the main diagonal. */
#include "museum_kit.h"

ifn_status museum_triangle_offset_ignored(ifn_backend *self,
                                          const ifn_fill_strict_upper_tri_args *a)
{
    ifn_fill_strict_upper_tri_args main_diagonal = *a;
    main_diagonal.offset = 0;
    return ifn_fill_strict_upper_tri(self->base, &main_diagonal);
}
