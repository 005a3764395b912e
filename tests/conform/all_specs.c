#include "all_specs.h"

#include "paths.h"
#include "test.h"

spec_op *specs[IFN_OP_COUNT];

int open_specs(void **state)
{
    (void)state;
    ifn_error err = {0};
    assert_ok(spec_read_all(source_path("spec"), specs, &err), err);
    return 0;
}

int close_specs(void **state)
{
    (void)state;
    spec_free_all(specs);
    return 0;
}
