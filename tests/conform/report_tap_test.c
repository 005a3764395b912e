#include <string.h>

#include "bench.h"
#include "written.h"

TEST(every_op_of_every_backend_is_one_line)
{
    conform_report r = bench_measurement();
    conform_report_problem(&r, "newly refused");
    memcpy(r.origin.version, "1.2", 4);
    memcpy(r.origin.cpu, "a CPU", 6);
    memcpy(r.profile, "ci", 3);
    memcpy(r.filters, "--op matmul", 12);
    char *text = written(conform_report_tap, &r);
    assert_string_equal(
        text, "TAP version 13\n1..3\n"
              "# inferno 1.2 (, program ) on a CPU, , \n"
              "# profile ci, shard 0/1, seed 42, --op matmul\n"
              "ok 1 - scalar matmul: 2 cases, 0 refused, 0 failed\n"
              "  ---\n  duration_ms: 500.000\n  ...\n"
              "not ok 2 - ./mine.so matmul: 2 cases, 1 refused, 1 failed\n"
              "  ---\n  duration_ms: 0.000\n  ...\n"
              "# value: matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234: out[0,3]: \"<one>\" & only\n"
              "#   out[3]: got 1.5 (0x1.8p+0, 0x3fc00000), want 1.25 (0x1.4p+0, 0x3fa00000), bound "
              "0.125, error/bound 2, 2097152 ulp\n"
              "#   again: inferno conform --backend ./mine.so --case "
              "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234 --in-process\n"
              "not ok 3 - newly refused\n");
    free(text);
    conform_report_close(&r);
}
