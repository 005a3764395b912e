/* `inferno conform --e2e` as a whole, on a tiny model. */
#include "e2e/e2e_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "paths.h"
#include "test.h"
#include "tiny_model.h"

static char model[256];

static int write_model(void **state)
{
    (void)state;
    const tiny_model m = tiny_default("qwen3");
    snprintf(model, sizeof model, "%s", temp_path("tiny.gguf"));
    tiny_write(&m, model);
    return 0;
}

static void an_honest_backend_is_conformant_and_its_json_is_evidence(void **state)
{
    (void)state;
    char json[256], *out;
    snprintf(json, sizeof json, "%s", temp_path("e2e.json"));
    assert_int_equal(COMMAND(&out, "--e2e", model, "--backend", "scalar", "--json", json), 0);
    assert_non_null(strstr(out, "tiny.gguf on scalar\n"));
    assert_non_null(strstr(out, "fused f32, kv f16        forced"));
    assert_non_null(strstr(out, " 0 failed"));
    free(out);
    /* of ops it knows nothing */
    assert_int_equal(COMMAND(&out, "level", json), 1);
    assert_non_null(strstr(out, "scalar: no level"));
    free(out);
    char *const text = read_file(json, NULL);
    assert_non_null(strstr(text, "\"whole_models\": [\n    {\"backend\": \"scalar\""));
    free(text);
}

static void a_fault_of_the_museum_is_red_and_explained(void **state)
{
    (void)state;
    char *out;
    assert_int_equal(COMMAND(&out, "--e2e", model, "--backend", MUSEUM "=sees_the_next:scalar"), 1);
    assert_non_null(strstr(out, "FAILED"));
    assert_non_null(strstr(out, "first bad op: "));
    assert_non_null(strstr(out, "attention"));
    assert_non_null(strstr(out, "NOT conformant"));
    free(out);
}

static void explain_is_told_of_an_honest_backend_as_well(void **state)
{
    (void)state;
    char *out;
    assert_int_equal(COMMAND(&out, "--e2e", model, "--backend", "scalar", "--explain"), 0);
    assert_non_null(strstr(out, "tiny.gguf on scalar, random-1:\n"));
    free(out);
}

static void what_cannot_be_opened_is_wrong_usage(void **state)
{
    (void)state;
    assert_int_equal(COMMAND(NULL, "--e2e", temp_path("none.gguf"), "--backend", "scalar"), 2);
    assert_int_equal(COMMAND(NULL, "--e2e", model, "--backend", "no-such"), 2);
    assert_int_equal(COMMAND(NULL, "--e2e"), 2);
    assert_int_equal(COMMAND(NULL, "--e2e", model, "--help"), 0);
    assert_true(conform_e2e_is_wanted(2, (char *[]){(char[]){"conform"}, (char[]){"--e2e"}}));
    assert_false(conform_e2e_is_wanted(1, (char *[]){(char[]){"--e2e"}}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(an_honest_backend_is_conformant_and_its_json_is_evidence),
        RUN(a_fault_of_the_museum_is_red_and_explained),
        RUN(explain_is_told_of_an_honest_backend_as_well),
        RUN(what_cannot_be_opened_is_wrong_usage),
    };
    const int failed = cmocka_run_group_tests(tests, write_model, NULL);
    temp_clean();
    return failed;
}
