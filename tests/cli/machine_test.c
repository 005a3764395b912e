#include "machine.h"

#include <string.h>
#include <unistd.h>

#include "paths.h"
#include "test.h"

static void a_machine_has_memory_and_this_process_holds_some(void **state)
{
    (void)state;
    assert_true(machine_memory_bytes() > 16u << 20);
    assert_true(machine_peak_rss_bytes() > 64u << 10);
    assert_true(machine_peak_rss_bytes() < machine_memory_bytes());
}

static void the_shipped_model_is_found_or_both_places_are_named(void **state)
{
    (void)state;
    char path[4096];
    ifn_error err = {0};
    const ifn_status status = machine_shipped_model(path, sizeof path, &err);
    if (status == IFN_OK) {
        assert_int_equal(access(path, R_OK), 0);
        return;
    }
    assert_int_equal(status, IFN_ERR_IO);
    assert_non_null(strstr(err.text, "fixtures/gguf/"));
    assert_non_null(strstr(err.text, "share/inferno/"));
}

static void a_path_that_does_not_fit_is_not_cut_off(void **state)
{
    (void)state;
    char path[8];
    ifn_error err = {0};
    assert_int_equal(machine_shipped_model(path, sizeof path, &err), IFN_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_machine_has_memory_and_this_process_holds_some),
        RUN(the_shipped_model_is_found_or_both_places_are_named),
        RUN(a_path_that_does_not_fit_is_not_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
