#include "bench.h"

#include <math.h>
#include <string.h>

#include "case_id.h"
#include "patience.h"
#include "shrink.h"
#include "test.h"

void bench_open(conform_runner *r, const conform_tested *tested, int in_process, double patience)
{
    static const spec_op *specs[IFN_OP_COUNT];
    ifn_error err = {0};
    specs[IFN_OP_MATMUL] = matmul_spec();
    *r = (conform_runner){.tested = tested,
                          .n_tested = 1,
                          .specs = (spec_op *const *)(uintptr_t)specs,
                          .in_process = in_process,
                          .patience = patience_times(patience)};
    assert_ok(conform_runner_open(r, &err), err);
}

conform_case bench_case(int64_t m, int64_t n, int64_t p)
{
    return (conform_case){.op = IFN_OP_MATMUL,
                          .dim = {m, n, p},
                          .tier = TIER_T2,
                          .family = FAMILY_NORMAL,
                          .seed = 0x1234};
}

conform_failure bench_failure(conform_runner *r, const conform_case *c)
{
    conform_failure f = {.op = c->op, .c = *c};
    ifn_error err = {0};
    assert_ok(conform_runner_try(r, 0, c, &f.verdict, &err), err);
    assert_int_equal(f.verdict.outcome, OUTCOME_FAIL);
    conform_case_id(c, f.id);
    return f;
}

conform_failure bench_shrunk(conform_runner *r, const conform_case *c)
{
    conform_failure f = bench_failure(r, c);
    ifn_error err = {0};
    assert_ok(conform_shrink(r, &f, BENCH_ENOUGH, &err), err);
    return f;
}

conform_failure bench_failure_of(const conform_tested *tested, conform_case c, double patience)
{
    conform_runner r;
    bench_open(&r, tested, 0, patience);
    const conform_failure f = bench_failure(&r, &c);
    conform_runner_close(&r);
    return f;
}

void bench_expect(const conform_tested *tested, conform_case c, conform_check check,
                  const char *said)
{
    const conform_failure f = bench_failure_of(tested, c, 10);
    assert_that(f.verdict.check == check && strstr(f.verdict.detail, said),
                "%s: %s: %s, expected %s and '%s'", tested->label,
                conform_check_name(f.verdict.check), f.verdict.detail, conform_check_name(check),
                said);
}

conform_report bench_measurement(void)
{
    conform_report r;
    const conform_case c = bench_case(2, 3, 4);
    const conform_verdict good = {.outcome = OUTCOME_PASS,
                                  .ratio = 0.25,
                                  .calls = 7,
                                  .seconds = 0.25,
                                  .n_compared = 8,
                                  .power = 3,
                                  .relations = {{1, 1, 1}, [2] = {2, 1, 0}}},
                          refused = {.outcome = OUTCOME_REFUSED},
                          bad = {.outcome = OUTCOME_FAIL,
                                 .check = CHECK_VALUE,
                                 .ratio = (double)INFINITY,
                                 .calls = 7,
                                 .power = 0.5,
                                 .worst = {.worst = 3,
                                           .first_wrong = 3,
                                           .n_wrong = 1,
                                           .got = 1.5,
                                           .want = 1.25,
                                           .bound = 0.125,
                                           .ratio = 2},
                                 .tensor = "out",
                                 .map = {.rows = 2,
                                         .cols = 4,
                                         .cell_rows = 1,
                                         .cell_cols = 1,
                                         .cells = "...a.zz ",
                                         .col_cuts = "2"},
                                 .detail = "out[0,3]: \"<one>\" & only"};
    conform_report_open(&r, 2);
    memcpy(r.label[0], "scalar", 7);
    memcpy(r.label[1], "./mine.so", 10);
    memcpy(r.expression[0], "scalar", 7);
    memcpy(r.profile, "smoke", 6);
    memcpy(r.shard, "0/1", 4);
    r.seed = 0x2a;
    r.seconds = 1.5;
    r.registers_checked = r.upper_checked = 1;
    conform_report_add(&r, &c, 0, &good);
    conform_report_add(&r, &c, 0, &good);
    conform_report_add(&r, &c, 1, &bad);
    conform_report_add(&r, &c, 1, &refused);
    return r;
}
