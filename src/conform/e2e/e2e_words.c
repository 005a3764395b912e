#include "e2e_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "first_bad.h"

/* With a number after it, it is still a path of a report. */
enum { FILE_CHARS = FIRST_BAD_PATH_BYTES - 16 };

static ifn_status add_model(e2e_words *self, const char *path, ifn_error *err)
{
    if (!*path || strncmp(path, "--", 2) == 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--e2e: found '%.60s', expected a GGUF file, or the word shipped", path);
    if (self->n_models == E2E_MAX_MODELS)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--e2e: given more than %d times", E2E_MAX_MODELS);
    self->models[self->n_models++] = path;
    return IFN_OK;
}

static ifn_status set_runs(e2e_words *self, const char *text, ifn_error *err)
{
    char *end;
    errno = 0;
    const long long n = strtoll(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || n < 1 || n > 1000000)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--runs: found '%.60s', expected 1 .. 1000000",
                        text);
    self->n_runs = n;
    return IFN_OK;
}

static ifn_status check(const e2e_words *self, ifn_error *err)
{
    static const char *const allowed[] = {"--backend",  "--spec",       "--profile", "--seed",
                                          "--json",     "--shrunk",     "--quiet",   "--help",
                                          "--patience", "--in-process", NULL};
    const char *const file = self->options.shrunk;
    const char *const beside = conform_options_beside(&self->options, allowed);
    if (beside)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "--e2e: found %s beside it, which does not apply",
                        beside);
    if (self->company && (self->explain || file))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--company: found %s beside it, which does not apply",
                        self->explain ? "--explain" : "--shrunk");
    if (file && (strcmp(file, "-") == 0 || strlen(file) > FILE_CHARS))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--shrunk: found '%.60s', expected a path of at most %d characters", file,
                        FILE_CHARS);
    return IFN_OK;
}

ifn_status e2e_words_parse(e2e_words *out, int argc, char **argv, ifn_error *err)
{
    char *rest[E2E_MAX_WORDS];
    int n = 0;
    *out = (e2e_words){.n_models = 0};
    if (argc > E2E_MAX_WORDS)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "found %d words, expected at most %d", argc,
                        E2E_MAX_WORDS);
    for (int i = 0; i < argc; i++) {
        const char *const equals = strchr(argv[i], '=');
        const int takes =
            conform_options_is(argv[i], "--e2e") || conform_options_is(argv[i], "--runs");
        const int is_model = conform_options_is(argv[i], "--e2e");
        const int explains = strcmp(argv[i], "--explain") == 0;
        const int company = strcmp(argv[i], "--company") == 0;
        const char *value = equals ? equals + 1 : "";
        if (i == 0 || (!takes && !explains && !company)) {
            rest[n++] = argv[i];
            continue;
        }
        out->explain |= explains;
        out->company |= company;
        if (takes && !equals && i + 1 < argc)
            value = argv[++i];
        if (takes)
            IFN_TRY(is_model ? add_model(out, value, err) : set_runs(out, value, err));
    }
    IFN_TRY(conform_options_parse(&out->options, n, rest, err));
    return check(out, err);
}
