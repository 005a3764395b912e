#include <string.h>

#include "bench.h"
#include "run_relations.h"
#include "written.h"

TEST(the_table_says_what_held_and_what_was_promised)
{
    conform_report r = bench_measurement();
    conform_relation_count *counts = conform_report_cell(&r, IFN_OP_MATMUL, 0)->relations;
    counts[3] = (conform_relation_count){4, 3, 4};
    counts[5] = (conform_relation_count){7, 7, 0};
    char *text = written(conform_report_relations, &r);
    static const char *const parts[] = {
        "scalar: two runs compared bit by bit\n",
        "     pairs     equal  promised\n",
        "R3  prefill or decoding, any chunks            4         3         4\n"
        "    equal in matmul 3/4\n",
        "R5  any strides                                7         7         0\n",
    };
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(text, parts[i]), "%s is missing in\n%s", parts[i], text);
    assert_null(strstr(text, "attention")); /* no relation of attention was tried */
    free(text);
    conform_report_close(&r);
}
