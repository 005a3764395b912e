#include "verbs.h"

#include <string.h>

#include "export.h"
#include "judge_dir.h"
#include "merge.h"
#include "report.h"
#include "report_level.h"

typedef struct verb {
    const char *name, *words, *what;
    int (*main)(int argc, char **argv);
} verb;

static const verb verbs[] = {
    {"merge", "A.json B.json ... [--json F] [--html F] [--junit F] [--tap]",
     "Joins the reports of shards, and says whether all of it is conformant. Reports of other\n"
     "programs, plugins, profiles, seeds or filters are refused; so is a shard given twice. A\n"
     "shard that is missing is named, and what remains is not conformant.",
     conform_merge_main},
    {"level", "A.json ...", "The rank of each backend, from the counts of its reports.",
     conform_level_main},
    {"export", "DIR [--op OP] [--cases N] [--shape m=3,n=17]",
     "Writes inputs, truth and bounds as .npy files with an index. Of the options of `inferno\n"
     "conform`, those choose the cases that do there: --op, --dtype, --shape, --cases, --profile,\n"
     "--seed, --shard, --spec.",
     conform_export_main},
    {"judge", "DIR [--spec PATH]",
     "Judges the outputs that were put beside what export has written: of every case of its plan,\n"
     "or it is not conformant.",
     conform_judge_dir_main},
};

enum { N_VERBS = sizeof verbs / sizeof *verbs };

static int asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

int conform_verb_main(int argc, char **argv)
{
    for (int i = 0; argc > 1 && i < N_VERBS; i++) {
        const verb *const v = &verbs[i];
        if (strcmp(argv[1], v->name) != 0)
            continue;
        if (!asks_for_help(argc - 2, argv + 2))
            return v->main(argc - 1, argv + 1);
        printf("usage: inferno conform %s %s\n\n%s\n", v->name, v->words, v->what);
        return EXIT_DONE;
    }
    return -1;
}

void conform_verbs_usage(FILE *out)
{
    for (int i = 0; i < N_VERBS; i++)
        fprintf(out, "       inferno conform %s %s\n", verbs[i].name, verbs[i].words);
}
