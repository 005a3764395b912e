/* `inferno conform --e2e` as a whole, on a tiny model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "paths.h"
#include "test.h"
#include "this_machine.h"
#include "tiny_model.h"

static char model[256], temporary[256];

static int write_model(void **state)
{
    (void)state;
    const tiny_model m = tiny_default("qwen3");
    snprintf(model, sizeof model, "%s", temp_path("tiny.gguf"));
    tiny_write(&m, model);
    /* files that a failure leaves are removed with the others */
    snprintf(temporary, sizeof temporary, "%s", temp_path("left"));
    return mkdir(temporary, 0700) || setenv("TMPDIR", temporary, 1);
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
    /* the report has no ops */
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

/* Extracts the path that follows `before` in the output of the command. */
static void path_said(const char *out, const char *before, char *path, size_t bytes)
{
    const char *const at = strstr(out, before);
    assert_that(at, "no '%s' in: %s", before, out);
    snprintf(path, bytes, "%.*s", (int)strcspn(at + strlen(before), "'"), at + strlen(before));
}

/* Expects that the case fails in the same op on `backend`, and passes on scalar and simd. */
static void assert_replayed(const char *path, const char *backend, const char *op)
{
    char *out;
    assert_int_equal(COMMAND(&out, "--backend", backend, "--case", path), 1);
    assert_non_null(strstr(out, op));
    assert_non_null(strstr(out, " 1 failed"));
    free(out);
    assert_int_equal(
        COMMAND(NULL, "--backend", "scalar", "--backend", on_this_machine("simd"), "--case", path),
        0);
}

static void the_call_behind_a_failure_can_be_replayed_alone(void **state)
{
    (void)state;
    static const struct {
        const char *backend, *op;
    } checks[] = {{MUSEUM "=sees_the_next:scalar", "attention"},
                  {MUSEUM "=activations_f16:simd", "linear"}};
    for (size_t i = 0; i < N_OF(checks); i++) {
        char *out, path[512], again[512];
        struct stat st;
        assert_int_equal(
            COMMAND(&out, "--e2e", model, "--backend", on_this_machine(checks[i].backend)), 1);
        assert_non_null(strstr(out, "first bad op: "));
        path_said(out, "--backend '", again, sizeof again);
        path_said(out, "--case '", path, sizeof path);
        free(out);
        assert_int_equal(stat(path, &st), 0);
        assert_true(st.st_size > 0 && st.st_size < 3 << 20);
        assert_replayed(path, again, checks[i].op);
    }
}

static void the_file_goes_where_it_is_wanted(void **state)
{
    (void)state;
    static const char check[] = MUSEUM "=sees_the_next:scalar";
    char path[256], *out, *text;
    snprintf(path, sizeof path, "%s", temp_path("wanted.yaml"));
    assert_int_equal(COMMAND(NULL, "--e2e", model, "--backend", check, "--shrunk", path), 1);
    text = read_file(path, NULL);
    assert_non_null(strstr(text, "inferno: cases/1\n"));
    free(text);
    assert_int_equal(COMMAND(&out, "--e2e", model, "--backend", check, "--shrunk",
                             temp_path("no-such-folder/wanted.yaml")),
                     1);
    assert_non_null(strstr(out, "  alone        no file: "));
    assert_non_null(strstr(out, "no-such-folder/wanted.yaml: no such file or directory\n"));
    free(out);
}

/* The smoke profile finds it; the command that is printed fails for the same reason. */
static void a_split_by_company_is_named_and_repeated(void **state)
{
    (void)state;
    static const char named[] = "(op attention) of sequence ";
    const char *const check = MUSEUM "=rounded_by_company:scalar";
    char *out, again[512], seed[24], place[96];
    assert_int_equal(COMMAND(&out, "--e2e", model, "--company", "--backend", check), 1);
    snprintf(again, sizeof again, "again: inferno conform e2e %s --company --runs 1 --seed ",
             model);
    const char *const at = strstr(out, again);
    assert_that(at, "no '%s' in: %s", again, out);
    snprintf(seed, sizeof seed, "%.*s", (int)strcspn(at + strlen(again), " "), at + strlen(again));
    snprintf(place, sizeof place, "--seed %s: R10: blk.0.attended %s", seed, named);
    assert_that(strstr(out, place), "no '%s' in: %s", place, out);
    free(out);
    assert_int_equal(COMMAND(&out, "--e2e", model, "--company", "--runs", "1", "--seed", seed,
                             "--backend", check),
                     1);
    assert_non_null(strstr(out, place));
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
    assert_int_equal(COMMAND(NULL, "e2e", model, "--company", "--explain"), 2);
    assert_int_equal(COMMAND(NULL, "e2e", model, "--shrunk", "-"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(an_honest_backend_is_conformant_and_its_json_is_evidence),
        RUN(a_fault_of_the_museum_is_red_and_explained),
        RUN(the_call_behind_a_failure_can_be_replayed_alone),
        RUN(the_file_goes_where_it_is_wanted),
        RUN(a_split_by_company_is_named_and_repeated),
        RUN(explain_is_told_of_an_honest_backend_as_well),
        RUN(what_cannot_be_opened_is_wrong_usage),
    };
    const int failed = cmocka_run_group_tests(tests, write_model, NULL);
    temp_clean();
    return failed;
}
