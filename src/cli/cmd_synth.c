/* synth: writes a model with seeded random weights. */
#include <inttypes.h>
#include <string.h>

#include "args.h"
#include "commands.h"
#include "file_type.h"
#include "messages.h"
#include "model_output.h"
#include "output_path.h"
#include "synth.h"

enum { MAX_KEYS = 32 };

typedef struct synth_options {
    const char *type;
    int64_t seed;
    bool force, quiet;
    const char *keys[MAX_KEYS], *values[MAX_KEYS];
    int n_keys;
} synth_options;

#define AT(member) offsetof(synth_options, member)
static const arg_option synth_table[] = {
    {.name = "--type",
     .kind = ARG_STRING,
     .value = "TYPE",
     .at = AT(type),
     .help = "of the matrices, chosen as quantize does; default: F32"},
    {.name = "--seed",
     .kind = ARG_INT,
     .value = "S",
     .at = AT(seed),
     .int_range = {0, INT64_MAX},
     .help = "the same seed gives the same file everywhere; default: 0"},
    ARG_FORCE(synth_options),
    ARG_QUIET(synth_options),
};
#undef AT

/* Keeps keys of the shape until ARCH is known, as it may follow them. */
static ifn_status keep_key(void *values, const char *name, const char *value, ifn_error *err)
{
    synth_options *o = values;
    if (o->n_keys == MAX_KEYS)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: more than %d keys", name, MAX_KEYS);
    o->keys[o->n_keys] = name + 2;
    o->values[o->n_keys++] = value;
    return IFN_OK;
}

const arg_command synth_command = {
    .program = INFERNO,
    .name = "synth",
    .positionals = "ARCH[:PRESET] OUT.gguf [--KEY VALUE ...]",
    .min_positionals = 2,
    .max_positionals = 2,
    .summary = "Writes a model with random weights and a byte-level tokenizer.\n"
               "ARCH: llama qwen2 qwen3. PRESET: tiny (the default) 0.6b 1.7b.\n"
               "KEY: vocab_size context_length embedding_length feed_forward_length block_count\n"
               "attention.head_count attention.head_count_kv attention.key_length rope.freq_base\n"
               "attention.layer_norm_rms_epsilon\n" FILE_TYPE_USAGE,
    .brief = "a model with random weights, in any shape",
    .examples = "inferno synth llama tiny.gguf --type Q4_K --seed 7 --force\n"
                "inferno synth qwen3:tiny wide.gguf --type F32 --embedding_length 512 --force",
    .options = synth_table,
    .n_options = sizeof synth_table / sizeof *synth_table,
    .other = keep_key,
};

static ifn_status describe(synth_model *model, const synth_options *o, const char *arch,
                           ifn_error *err)
{
    IFN_TRY(synth_parse(model, arch, err));
    model->seed = (uint64_t)o->seed;
    IFN_TRY(file_type_parse("--type", o->type, &model->type, err));
    for (int i = 0; i < o->n_keys; i++)
        IFN_TRY(synth_set(model, o->keys[i], o->values[i], err));
    return synth_check(model, err);
}

static int write_model(const synth_model *model, const char *path, int quiet)
{
    ifn_gguf_writer *writer;
    ifn_error err;
    progress bar;
    if (model_output_open(path, NULL, 32, &writer, &err) != IFN_OK)
        return message_unwritten(INFERNO, &err);
    progress_init(&bar, "writing weights", progress_terminal(quiet));
    ifn_status status = synth_write(writer, model, &bar, &err);
    if (status == IFN_OK)
        status = ifn_gguf_writer_finish(writer, &err);
    progress_clear(&bar);
    model_output_close(writer);
    return status == IFN_OK ? EXIT_DONE : message_unwritten(INFERNO, &err);
}

int cmd_synth(int argc, char **argv)
{
    synth_options options = {.type = "F32"};
    synth_model model = {0};
    ifn_error err;
    int n = 0;
    const int done = args_begin(&synth_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    if (describe(&model, &options, argv[0], &err) != IFN_OK ||
        output_path_check(argv[1], NULL, options.force, &err) != IFN_OK)
        return message_error(INFERNO, &err);
    return write_model(&model, argv[1], options.quiet);
}
