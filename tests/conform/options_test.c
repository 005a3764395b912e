#include "options.h"

#include <string.h>

#include "build.h"
#include "test.h"

enum { MAX_ARGS = 20 };

/* The parsed words stay valid until the next call. */
static ifn_status parse(conform_options *out, const char *const *words, ifn_error *err)
{
    static char *argv[MAX_ARGS];
    int argc = 1;
    argv[0] = (char *)(uintptr_t) "conform";
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    return conform_options_parse(out, argc, argv, err);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(defaults_are_a_smoke_run)
{
    conform_options o;
    ifn_error err = {0};
    assert_ok(parse(&o, (const char *const[]){NULL}, &err), err);
    assert_int_equal(o.filter.profile, PROFILE_SMOKE);
    assert_int_equal(o.n_backends + o.n_ops + o.n_shape + o.in_process + o.tap + o.fail_fast, 0);
    assert_null(o.spec);
}

/* The levels come in the order of the header, without those of another kind of processor. */
TEST(a_star_stands_for_the_levels_of_this_processor)
{
    conform_options o;
    ifn_error err = {0};
    char best[40];
    assert_ok(
        parse(&o, WORDS("--backend", "scalar", "--backend=simd=*", "--backend", "simd"), &err),
        err);
    const int n_levels = o.n_backends - 2;
    assert_string_equal(o.backends[0], "scalar");
    assert_string_equal(o.backends[n_levels + 1], "simd");
    for (int i = 1; i <= n_levels; i++) {
        ifn_backend *backend;
        assert_ok(ifn_backend_open(o.backends[i], NULL, &backend, &err), err);
        ifn_backend_close(backend);
    }
    snprintf(best, sizeof best, "simd=%s", build_cpu_level());
    assert_string_equal(n_levels ? o.backends[n_levels] : "simd=none", best);
}

TEST(every_option_arrives)
{
    conform_options o;
    ifn_error err = {0};
    assert_ok(parse(&o,
                    WORDS("--backend", "scalar", "--backend=./a.so:simd", "--op", "add", "--dtype",
                          "q4_k", "--shape", "m=3,n=17", "--profile=ci", "--in-process"),
                    &err),
              err);
    assert_int_equal(o.n_backends, 2);
    assert_string_equal(o.backends[1], "./a.so:simd");
    assert_int_equal(o.ops[0], IFN_OP_ADD);
    assert_int_equal(o.filter.dtypes[0], IFN_DTYPE_Q4_K);
    assert_string_equal(o.shape[1].name, "n");
    assert_int_equal(o.shape[1].size, 17);
    assert_int_equal(o.filter.profile, PROFILE_CI);
    assert_true(o.in_process);
    assert_ok(parse(&o,
                    WORDS("--cases", "12", "--seed=7", "--shard", "2/8", "--case", "id", "--json",
                          "f", "--junit=g", "--tap", "--baseline", "h", "--spec", "dir",
                          "--fail-fast", "--reach"),
                    &err),
              err);
    assert_int_equal(o.filter.n_cases, 12);
    assert_int_equal(o.filter.seed, 7);
    assert_int_equal(o.filter.shard, 2);
    assert_int_equal(o.filter.n_shards, 8);
    assert_string_equal(o.id, "id");
    assert_string_equal(o.json, "f");
    assert_string_equal(o.junit, "g");
    assert_string_equal(o.baseline, "h");
    assert_string_equal(o.spec, "dir");
    assert_true(o.tap);
    assert_true(o.fail_fast);
    assert_true(o.reach);
}

TEST(what_is_wrong_is_named_with_what_was_expected)
{
    static const struct {
        const char *words[3], *text;
    } bad[] = {
        {{"--colour"}, "--colour: unknown option"},
        {{"merge.json"}, "found 'merge.json', expected an option"},
        {{"--e2e", ""}, "--e2e: found '', expected a GGUF file, or the word shipped"},
        {{"--e2e", "--quiet"}, "--e2e: found '--quiet', expected a GGUF file, or the word shipped"},
        {{"--e2e=a", "--runs=0"}, "--runs: found '0', expected a number in 1 .. 1000000"},
        {{"--op", "multiply"}, "--op: found 'multiply', expected the name of an op"},
        {{"--dtype", "Q9"}, "--dtype: found 'Q9', expected a dtype"},
        {{"--shape", "3"}, "--shape: found '3', expected name=number"},
        {{"--shape", "m=x"}, "--shape: found 'x', expected a number"},
        {{"--profile", "daily"}, "--profile: found 'daily', expected smoke|ci|nightly"},
        {{"--cases", "0"}, "--cases: found '0', expected a number in 1 .. "},
        {{"--shard", "8/8"}, "--shard: found '8', expected a number in 0 .. 7"},
        {{"--shard", "3"}, "--shard: found '3', expected i/n"},
        {{"--seed"}, "--seed: needs a value"},
        {{"--seed", "-1"}, "--seed: found '-1', expected a number 0 .. 18446744073709551615"},
        {{"--seed", "18446744073709551616"}, "--seed: found '18446744073709551616'"},
        {{"--seed", " 1"}, "--seed: found ' 1', expected a number"},
        {{"--cases", " 1"}, "--cases: found ' 1', expected a number"},
        {{"--for", "90"}, "--for: found '90', expected a time, as in 90s, 30m or 8h"},
        {{"--for", "0s"}, "--for: found '0s', expected a time"},
        {{"--for", "1hm"}, "--for: found '1hm', expected a time"},
        {{"--for=1s", "--case=id"}, "--for and --case: the cases are the same for every seed"},
        {{"--resume=f", "--exhaustive"}, "--resume and --exhaustive: the cases are the same"},
        {{"--tap=yes"}, "--tap: takes no value, found 'yes'"},
        {{"--json=-", "--tap"}, "--tap and --json: both go to standard output"},
        {{"--json=-", "--junit=-"}, "--json and --junit: both go to standard output"},
        {{"--html=-", "--shrunk=-"}, "--html and --shrunk: both go to standard output"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        conform_options o;
        ifn_error err = {0};
        assert_int_equal(parse(&o, bad[i].words, &err), IFN_ERR_ARGUMENT);
        assert_that(strncmp(err.text, bad[i].text, strlen(bad[i].text)) == 0, "'%s', expected '%s'",
                    err.text, bad[i].text);
    }
}

TEST(a_time_has_a_unit)
{
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {{"90s", 90}, {"30m", 1800}, {"8h", 28800}};
    for (size_t i = 0; i < N_OF(cases); i++) {
        conform_options o;
        ifn_error err = {0};
        assert_ok(parse(&o, WORDS("--resume", "f", "--for", cases[i].text), &err), err);
        assert_true(o.seconds == cases[i].seconds);
        assert_string_equal(o.resume, "f");
    }
}

TEST(a_seed_has_sixty_four_bits)
{
    conform_options o;
    ifn_error err = {0};
    assert_ok(parse(&o, WORDS("--seed", "18446744073709551615"), &err), err);
    assert_true(o.filter.seed == UINT64_MAX);
}

/* The command may be named by the first word, or by its older form as an option. */
TEST(options_of_another_command_are_refused)
{
    static const struct {
        const char *words[5], *text;
    } bad[] = {
        {{"--runs", "3"}, "--runs: does not apply to a run of ops (see inferno conform --help)"},
        {{"--gdb"}, "--gdb: does not apply to a run of ops (see inferno conform --help)"},
        {{"e2e", "a", "--op", "add"},
         "--op: does not apply to e2e (see inferno conform e2e --help)"},
        {{"--op", "add", "--e2e", "a"}, "--op: does not apply to e2e"},
        {{"museum", "--company"}, "--company: does not apply to museum"},
        {{"--museum", "--case=x"}, "--case: does not apply to museum"},
        {{"--museum", "x.so", "--e2e", "a"}, "--museum: does not apply to e2e"},
        {{"merge", "a", "--op", "add"}, "--op: does not apply to merge"},
        {{"level", "a", "--json=b"}, "--json: does not apply to level"},
        {{"export", "d", "--backend=x"}, "--backend: does not apply to export"},
        {{"judge", "d", "--op=add"}, "--op: does not apply to judge"},
        {{"debug", "c", "--seed=3"}, "--seed: does not apply to debug"},
        {{"diff", "a", "b", "--json=c"}, "--json: does not apply to diff"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        conform_options o;
        ifn_error err = {0};
        assert_int_equal(parse(&o, bad[i].words, &err), IFN_ERR_ARGUMENT);
        assert_that(strncmp(err.text, bad[i].text, strlen(bad[i].text)) == 0, "'%s', expected '%s'",
                    err.text, bad[i].text);
    }
}

TEST(words_that_are_no_options_may_stand_anywhere)
{
    conform_options o;
    ifn_error err = {0};
    assert_ok(parse(&o, WORDS("diff", "a.json", "--html", "c", "b.json"), &err), err);
    assert_int_equal(o.command, SUBCOMMAND_diff);
    assert_int_equal(o.n_words, 2);
    assert_string_equal(o.words[1], "b.json");
    assert_ok(parse(&o, WORDS("museum", "--fault=f", "x.so"), &err), err);
    assert_string_equal(o.museum, "x.so");
    assert_ok(parse(&o, WORDS("debug", "--gdb", "id", "--dir", "d"), &err), err);
    assert_string_equal(o.words[0], "id");
    assert_true(o.gdb);
    assert_string_equal(o.dir, "d");
}

TEST(each_command_says_how_many_words_it_wants)
{
    static const struct {
        const char *words[4], *text;
    } bad[] = {
        {{"merge"}, "found 0 words that are no options, expected A.json B.json ..."},
        {{"diff", "a"}, "found 1 words that are no options, expected A.json B.json"},
        {{"export"}, "found 0 words that are no options, expected DIR"},
        {{"judge", "d", "e"}, "found 2 words that are no options, expected DIR"},
        {{"debug"}, "found 0 words that are no options, expected CASE"},
        {{"e2e"}, "found 0 words that are no options, expected MODEL.gguf ..."},
        {{"museum", "a", "b"}, "found 2 words that are no options, expected [PLUGIN.so]"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        conform_options o;
        ifn_error err = {0};
        assert_int_equal(parse(&o, bad[i].words, &err), IFN_ERR_ARGUMENT);
        assert_string_equal(err.text, bad[i].text);
    }
}

TEST(the_museum_is_of_the_ci_profile_where_nothing_else_is_said)
{
    conform_options o;
    ifn_error err = {0};
    assert_ok(parse(&o, WORDS("museum"), &err), err);
    assert_int_equal(o.filter.profile, PROFILE_CI);
    assert_ok(parse(&o, WORDS("--museum", "--profile", "smoke"), &err), err);
    assert_int_equal(o.filter.profile, PROFILE_SMOKE);
    assert_string_equal(o.museum, "");
}

TEST(models_and_options_may_be_mixed)
{
    conform_options o;
    ifn_error err = {0};
    assert_ok(parse(&o,
                    WORDS("--e2e", "a.gguf", "--backend", "scalar", "--e2e=b=c.gguf", "--explain",
                          "--runs", "1000", "--profile=ci", "--shrunk", "bad.yaml"),
                    &err),
              err);
    assert_int_equal(o.command, SUBCOMMAND_e2e);
    assert_int_equal(o.n_models, 2);
    assert_string_equal(o.models[0], "a.gguf");
    assert_string_equal(o.models[1], "b=c.gguf");
    assert_true(o.explain);
    assert_string_equal(o.shrunk, "bad.yaml");
    assert_int_equal(o.n_runs, 1000);
    assert_ok(parse(&o, WORDS("e2e", "a.gguf", "--company", "shipped"), &err), err);
    assert_int_equal(o.n_models, 2);
    assert_string_equal(o.models[1], "shipped");
    assert_true(o.company);
}

/* The verdict states these filters: it is only about the cases that they leave. */
TEST(filters_are_kept_as_they_were_given)
{
    conform_options o;
    ifn_error err = {0};
    assert_ok(parse(&o, WORDS("--backend", "scalar", "--profile=ci", "--seed", "3"), &err), err);
    assert_string_equal(o.filters, "");
    assert_ok(parse(&o, WORDS("--op=add", "--quiet", "--cases", "7", "--exhaustive"), &err), err);
    assert_string_equal(o.filters, "--op add --cases 7 --exhaustive");
}

TEST(too_many_of_one_are_refused)
{
    static const struct {
        const char *word;
        int most;
    } lists[] = {{"--backend=scalar", CONFORM_MAX_TESTED}, {"--e2e=m", OPTIONS_MAX_MODELS}};
    for (size_t i = 0; i < N_OF(lists); i++) {
        char *argv[CONFORM_MAX_TESTED + OPTIONS_MAX_MODELS];
        conform_options o;
        ifn_error err = {0};
        for (size_t k = 0; k < N_OF(argv); k++)
            argv[k] = (char *)(uintptr_t)lists[i].word;
        assert_ok(conform_options_parse(&o, lists[i].most + 1, argv, &err), err);
        assert_int_equal(conform_options_parse(&o, lists[i].most + 2, argv, &err),
                         IFN_ERR_ARGUMENT);
    }
}
