#include "metrics.h"

#include "memory_file.h"
#include "test.h"

TEST(the_first_forward_is_the_prompt_and_the_rest_decode)
{
    metrics m = {0};
    metrics_add(&m, 80000000);
    metrics_add(&m, 2000000);
    metrics_add(&m, 3000000);
    memory_file f;
    memory_file_open(&f);
    metrics_print(&m, f.file);
    memory_file_close(&f);
    assert_string_equal(f.data, "metrics:\n"
                                "  time_to_first_token_ms: 80.000\n"
                                "  decode_tokens_per_second: 400.000\n"
                                "  per_forward_ms: min 2.000 max 80.000 mean 28.333 (n=3)\n");
    free(f.data);
}

TEST(one_forward_has_no_decode_rate)
{
    metrics m = {0};
    metrics_add(&m, 5000000);
    assert_true(metrics_decode_rate(&m) == 0.0);
    assert_true(metrics_first_ms(&m) == 5.0);
    assert_true(metrics_mean_ms(&m) == 5.0);
}

TEST(nothing_measured_is_zero)
{
    const metrics m = {0};
    memory_file f;
    memory_file_open(&f);
    json_writer w = {.out = f.file};
    json_begin_object(&w);
    metrics_json(&m, &w);
    json_end_object(&w);
    memory_file_close(&f);
    assert_string_equal(f.data,
                        "{\"time_to_first_token_ms\": 0, \"decode_tokens_per_second\": 0, "
                        "\"per_forward_ms\": {\"min\": 0, \"max\": 0, \"mean\": 0, \"n\": 0}}");
    free(f.data);
}
