#include <string.h>

#include "bench.h"
#include "run_relations.h"
#include "written.h"

TEST(the_table_says_what_held_and_what_was_promised)
{
    conform_report r = bench_report();
    conform_relation_count *counts = conform_report_cell(&r, IFN_OP_MATMUL, 0)->relations;
    counts[3] = (conform_relation_count){4, 3, 4};
    counts[5] = (conform_relation_count){7, 7, 0};
    char *text = written(conform_report_relations, &r);
    assert_non_null(strstr(text, "R9"));
    assert_non_null(strstr(text, "matmul"));
    assert_non_null(strstr(text, " 3/4 "));
    assert_non_null(strstr(text, "(7)"));
    assert_null(strstr(text, "attention")); /* nothing was tried there */
    free(text);
    conform_report_close(&r);
}
