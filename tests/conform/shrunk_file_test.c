#include "shrunk_file.h"

#include <string.h>

#include "bench.h"
#include "case_id.h"
#include "case_pool.h"
#include "test.h"
#include "written.h"
#include "written_case.h"

static const char small[] = "matmul/F32/m=1,n=2,p=1/T0/lattice/raw/0/1";
static const char golden[] = "matmul/F32/m=1,n=2,p=1/GO/written/raw/0/1.1";

static spec_entry *values_of(const char *id)
{
    conform_pool pool;
    conform_case c;
    ifn_error err = {0};
    conform_pool_init(&pool);
    conform_slot *slot = conform_pool_take(&pool, 1, sizeof *slot);
    assert_true(conform_case_parse(id, &c, &err));
    assert_ok(conform_slot_build(slot, &pool, &c, NULL, NULL, &err), err);
    spec_entry *entry = conform_written_of(slot, "value", SPEC_MAX_VALUES);
    conform_pool_fini(&pool);
    return entry;
}

TEST(every_shrunk_case_is_an_item_with_its_values)
{
    conform_report r = bench_measurement();
    memcpy(r.failures[0].shrunk, small, sizeof small);
    memcpy(r.failures[0].written, golden, sizeof golden);
    r.failures[0].values = values_of(small);
    char *text = written(conform_put_shrunk, &r);
    assert_non_null(strstr(text, "\ninferno: cases/1\ncases:\n  - case: matmul/F32/m=1,n=2,p=1/GO/"
                                 "written/raw/0/1.1\n    name: \"value on ./mine.so\"\n    a: [["));
    assert_non_null(strstr(text, "    out: [["));
    free(text);
    conform_report_close(&r);
}

TEST(a_case_without_values_is_an_id)
{
    conform_report r = bench_measurement();
    memcpy(r.failures[0].shrunk, small, sizeof small);
    char *text = written(conform_put_shrunk, &r);
    assert_non_null(strstr(text, "cases:\n  - case: matmul/F32/m=1,n=2,p=1/T0/lattice/raw/0/1\n"
                                 "    name: \"value on ./mine.so\"\n"));
    assert_null(strstr(text, "out:"));
    free(text);
    conform_report_close(&r);
}

TEST(failures_without_a_smallest_case_are_left_out)
{
    conform_report r = bench_measurement();
    char *text = written(conform_put_shrunk, &r);
    assert_non_null(strstr(text, "cases:\n  []\n"));
    free(text);
    conform_report_close(&r);
}
