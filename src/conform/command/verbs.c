#include "verbs.h"

#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "case_pool.h"
#include "debug.h"
#include "diff.h"
#include "e2e_command.h"
#include "export.h"
#include "judge_dir.h"
#include "merge.h"
#include "messages.h"
#include "museum.h"
#include "report_level.h"
#include "subcommands.h"

typedef struct verb {
    const char *brief, *words, *what, *examples;
    int (*main)(int argc, char **argv);
} verb;

static char **new_words(size_t n)
{
    char **const words = calloc(n, sizeof *words);
    if (!words)
        conform_out_of_memory(n * sizeof *words, "the command line");
    return words;
}

/* `e2e A.gguf B.gguf ...` is `--e2e A.gguf --e2e B.gguf ...`: words that are no options, up to the
 * first that is one, are models. */
static int e2e_main(int argc, char **argv)
{
    static char name[] = "conform", option[] = "--e2e";
    char **const words = new_words(2 * (size_t)argc + 2);
    int n = 0, i = 1;
    words[n++] = name;
    do {
        words[n++] = option;
        if (i < argc && argv[i][0] != '-')
            words[n++] = argv[i++];
    } while (i < argc && argv[i][0] != '-');
    while (i < argc)
        words[n++] = argv[i++];
    const int status = conform_e2e_main(n, words);
    free(words);
    return status;
}

/* `museum [PLUGIN.so] ...` is `--museum [PLUGIN.so] ...`. */
static int museum_main(int argc, char **argv)
{
    static char name[] = "conform", option[] = "--museum";
    char **const words = new_words((size_t)argc + 2);
    words[0] = name;
    words[1] = option;
    memcpy(words + 2, argv + 1, (size_t)(argc - 1) * sizeof *words);
    const int status = conform_museum_main(argc + 1, words);
    free(words);
    return status;
}

static const verb verbs[SUBCOMMAND_COUNT] = {
    [SUBCOMMAND_merge] =
        {"the reports of shards as one",
         "A.json B.json ... [--json|--html|--junit F]\n"
         "A.json B.json ... --format text|tap|github",
         "Joins the reports of shards, and says whether all of it is conformant. Reports\n"
         "of other programs, plugins, profiles, seeds or filters are refused; so is a\n"
         "shard given twice. A shard that is missing is named, and what remains is not\n"
         "conformant.",
         "inferno conform --op add --shard 0/2 --json 0.json --quiet >0.txt\n"
         "inferno conform --op add --shard 1/2 --json 1.json --quiet >1.txt\n"
         "inferno conform merge 0.json 1.json --html page.html",
         conform_merge_main},
    [SUBCOMMAND_level] = {"the rank of each backend of reports", "A.json ...",
                          "The rank of each backend, from the counts of its reports.",
                          "inferno conform level report.json", conform_level_main},
    [SUBCOMMAND_export] =
        {"inputs, truth and bounds as files", "DIR [--op OP] [--cases N] [--shape m=3,n=17]",
         "Writes inputs, truth and bounds as .npy files with an index. These options of\n"
         "`inferno conform` choose the cases here, too: --op, --dtype, --shape, --cases,\n"
         "--profile, --seed, --shard, --spec.",
         "inferno conform export cases --op copy_in --cases 4", conform_export_main},
    [SUBCOMMAND_judge] =
        {"outputs that lie beside what was exported", "DIR [--spec PATH]",
         "Judges the outputs that were put beside what export has written: of every case\n"
         "of its plan, or it is not conformant.",
         "inferno conform judge cases", conform_judge_dir_main},
    [SUBCOMMAND_debug] =
        {"one case: its id in words, inputs, truth and results",
         "CASE [--backend EXPR] [--dir DIR] [--gdb]",
         "Says what the id of a case means, runs it on a backend in this process, and\n"
         "shows inputs, truth, results and errors, of large tensors what lies around the\n"
         "worst element. --dir writes all of it as .npy files; --gdb starts a debugger\n"
         "that stops at the call. --spec, --values and --patience as for conform itself.",
         "inferno conform debug add/F32/n=3/T1/normal/raw/0/1 --backend scalar",
         conform_debug_main},
    [SUBCOMMAND_diff] =
        {"what is new, gone, better or worse", "A.json B.json [--html F]",
         "Compares two reports, op by op and backend by backend. 1 where B is worse than\n"
         "A: more failures, a new problem, a lower level.",
         "inferno conform --op add --json a.json --quiet >a.txt\n"
         "inferno conform --op add --json b.json --seed 2 --quiet >b.txt\n"
         "inferno conform diff a.json b.json",
         conform_diff_main},
    [SUBCOMMAND_e2e] =
        {"whole models against a pass in double precision", "MODEL.gguf ... [options]",
         "Runs models on a backend, prompts whole and in chunks, with every cache, against\n"
         "an f64 pass; where one fails, the first op that breaks its contract is named.\n"
         "The word shipped is the project's own model. Options are those of `inferno\n"
         "conform`; --e2e MODEL.gguf is the same.",
         "inferno conform e2e shipped --runs 1 --backend scalar", e2e_main},
    [SUBCOMMAND_museum] =
        {"planted faults, and which check finds each", "[PLUGIN.so] [--fault NAME] [options]",
         "Judges every fault of a plugin of planted ones, the project's own where none is\n"
         "named: each must be found. Options are those of `inferno conform`; --museum is\n"
         "the same.",
         "inferno conform museum --fault finite_mask", museum_main},
};

static const char *const names[] = {
#define X(name) "conform " #name,
    CONFORM_SUBCOMMANDS(X)
#undef X
};

static int asks_for(const char *option, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], option) == 0)
            return 1;
    return 0;
}

manual conform_verb_manual(size_t i)
{
    const verb *const v = &verbs[i];
    return (manual){.program = "inferno",
                    .name = names[i],
                    .brief = v->brief,
                    .forms = v->words,
                    .summary = v->what,
                    .examples = v->examples};
}

/* 1: what --help or --version asks for was printed. */
static int tell(const verb *v, int argc, char **argv)
{
    const manual page = conform_verb_manual((size_t)(v - verbs));
    const int wants_help = asks_for("--help", argc, argv) || asks_for("-h", argc, argv);
    const int wants_version = asks_for("--version", argc, argv);
    if (wants_help)
        manual_help(&page, stdout);
    else if (wants_version)
        build_print(page.program, stdout);
    return wants_help || wants_version;
}

int conform_verb_main(int argc, char **argv)
{
    for (int i = 0; argc > 1 && i < SUBCOMMAND_COUNT; i++) {
        const verb *const v = &verbs[i];
        if (strcmp(argv[1], conform_subcommand_words[i]) != 0)
            continue;
        return tell(v, argc - 2, argv + 2) ? EXIT_DONE : v->main(argc - 1, argv + 1);
    }
    return -1;
}
