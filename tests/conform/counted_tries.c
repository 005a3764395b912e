#include "counted_tries.h"

#include "runner.h"

int n_tries;

ifn_status __real_conform_runner_try_for(conform_runner *self, int tested, conform_check check,
                                         const conform_case *c, conform_verdict *out,
                                         ifn_error *err);
ifn_status __wrap_conform_runner_try_for(conform_runner *self, int tested, conform_check check,
                                         const conform_case *c, conform_verdict *out,
                                         ifn_error *err);
ifn_status __real_conform_runner_try_written(conform_runner *self, int tested,
                                             const conform_case *c, const spec_entry *entry,
                                             conform_verdict *out, ifn_error *err);
ifn_status __wrap_conform_runner_try_written(conform_runner *self, int tested,
                                             const conform_case *c, const spec_entry *entry,
                                             conform_verdict *out, ifn_error *err);

ifn_status __wrap_conform_runner_try_for(conform_runner *self, int tested, conform_check check,
                                         const conform_case *c, conform_verdict *out,
                                         ifn_error *err)
{
    n_tries++;
    return __real_conform_runner_try_for(self, tested, check, c, out, err);
}

ifn_status __wrap_conform_runner_try_written(conform_runner *self, int tested,
                                             const conform_case *c, const spec_entry *entry,
                                             conform_verdict *out, ifn_error *err)
{
    n_tries++;
    return __real_conform_runner_try_written(self, tested, c, entry, out, err);
}
