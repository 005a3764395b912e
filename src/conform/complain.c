#include "complain.h"

#include <stdio.h>

#include "report.h"

int conform_complain(const char *command, const ifn_error *err, int is_writing)
{
    fprintf(stderr, "inferno: %s: %s\n", command, err->text);
    const int is_no =
        err->status == IFN_ERR_FORMAT || (is_writing && err->status != IFN_ERR_ARGUMENT);
    return is_no ? EXIT_NO : EXIT_USAGE;
}
