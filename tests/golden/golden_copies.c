#include "golden_copies.h"

#include <stdio.h>
#include <string.h>

#include "paths.h"
#include "program.h"
#include "test.h"

const char golden_shipped[] = "fixtures/gguf/little-world-f16.gguf";
const char *const golden_types[GOLDEN_COPIES] = {"F32", "Q8_0", "Q4_0", "Q4_K", "Q6_K"};

static char copies[GOLDEN_COPIES][1024];

/* Returns the name of a copy, such as "little-world-q8_0.gguf". */
static void name_of(const char *type, char out[64])
{
    char lower[16] = "";
    for (size_t i = 0; type[i]; i++)
        lower[i] = (char)(type[i] >= 'A' && type[i] <= 'Z' ? type[i] - 'A' + 'a' : type[i]);
    snprintf(out, 64, "little-world-%s.gguf", lower);
}

void golden_copies_make(void)
{
    for (size_t i = 0; i < GOLDEN_COPIES; i++) {
        char name[64];
        name_of(golden_types[i], name);
        snprintf(copies[i], sizeof copies[i], "%s", temp_path(name));
        program p = assert_runs("inferno", "quantize", "--force", source_path(golden_shipped),
                                copies[i], golden_types[i]);
        program_free(&p);
    }
}

const char *golden_copy(size_t type)
{
    return copies[type];
}

const char *golden_copy_of(const golden_spec *spec)
{
    for (size_t i = 0; i < GOLDEN_COPIES; i++)
        if (strcmp(strrchr(copies[i], '/') + 1, spec->model) == 0)
            return copies[i];
    fail_msg("%s: %s is not among the copies", spec->path, spec->model);
    return NULL;
}
