/* Plugins of ABI 2.0 in this host. */
#include "frozen.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/signature.h>

#include "op_growth.h"
#include "registry.h"
#include "road.h"

/* The object that the host has loaded, or loads from the same path. */
static void *symbol_of(const char *plugin, const char *name)
{
    void *const library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    void *const symbol = dlsym(library, name);
    assert_non_null(symbol);
    return symbol;
}

static int64_t calls_shown(const char *plugin, ifn_op op)
{
    return ((const int64_t *)symbol_of(plugin, "frozen_calls"))[op];
}

static const ifn_backend_desc *desc_of(const char *plugin)
{
    ifn_backend_entry_fn entry;
    *(void **)&entry = symbol_of(plugin, IFN_BACKEND_ENTRY_SYMBOL);
    return entry();
}

static const frozen_argument *arguments_of(ifn_op op)
{
    const frozen_argument *(*ask)(int32_t);
    *(void **)&ask = symbol_of(FROZEN, "frozen_arguments");
    return ask(op);
}

static ifn_backend *open_chain(const char *expression)
{
    ifn_backend *b;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(expression, NULL, &b, &err), err);
    return b;
}

enum { N_VOCAB = 61, N_IDS = 16 };

typedef struct result {
    ifn_token ids[N_IDS];
    float logits[N_VOCAB];
} result;

static result generate(const char *expression, ifn_kv kv)
{
    static const ifn_token prompt[] = {3, 1, 4, 1, 5, 9, 2, 6};
    const tiny_model m = tiny_default("qwen3");
    const char *const path = temp_path("frozen.gguf");
    ifn_context_params p = road_params();
    result out;
    p.kv = kv;
    tiny_write(&m, path);
    road r = road_open_on(path, &p, expression, NULL);
    road_generate(&r, prompt, N_OF(prompt), out.ids, N_IDS);
    road_logits(&r, out.logits);
    road_close(&r);
    return out;
}

static void assert_same(const result *a, const result *b, double tolerance)
{
    assert_memory_equal(a->ids, b->ids, sizeof a->ids);
    for (int i = 0; i < N_VOCAB; i++)
        assert_true(fabs((double)a->logits[i] - (double)b->logits[i]) <= tolerance);
}

TEST(a_plugin_of_2_0_runs_a_model)
{
    static const ifn_op ops[] = {IFN_OP_APPLY_ROPE, IFN_OP_KV_STORE, IFN_OP_ATTENTION};
    int64_t before[N_OF(ops)];
    const result expected = generate("scalar", IFN_KV_F32);
    for (size_t i = 0; i < N_OF(ops); i++)
        before[i] = calls_shown(FROZEN, ops[i]);
    const result found = generate(FROZEN, IFN_KV_F32);
    assert_same(&found, &expected, 1e-4);
    for (size_t i = 0; i < N_OF(ops); i++)
        assert_that(calls_shown(FROZEN, ops[i]) > before[i], "%s: not called", ifn_op_name(ops[i]));
}

TEST(what_a_plugin_of_2_0_refuses_its_base_runs)
{
    const result expected = generate("scalar", IFN_KV_F16), found = generate(FROZEN, IFN_KV_F16);
    assert_same(&found, &expected, 1e-4);
}

TEST(a_wrapper_of_2_0_changes_no_bit)
{
    static const char *const stacks[] = {WRAPPER ":scalar", WRAPPER ":parallel=2+small:scalar",
                                         "check:" WRAPPER ":scalar"};
    const result expected = generate("scalar", IFN_KV_F32);
    for (size_t i = 0; i < N_OF(stacks); i++) {
        const result found = generate(stacks[i], IFN_KV_F32);
        assert_same(&found, &expected, 0);
    }
}

static const ifn_op_arg *find(ifn_op op, const char *name)
{
    const ifn_op_arg *const arg = ifn_op_arg_find(op, name);
    assert_that(arg != NULL, "%s: argument %s is gone", ifn_op_name(op), name);
    return arg;
}

static bool knows(const frozen_argument *all, const char *name)
{
    for (; all->name; all++)
        if (strcmp(all->name, name) == 0)
            return true;
    return false;
}

/* What is new lies behind all that 2.0 has, and not in the padding at its end, which a plugin counts
 * as known. */
TEST(arguments_stay_where_they_were)
{
    const ifn_backend_desc *const desc = desc_of(FROZEN);
    for (int i = 0; arguments_of((ifn_op)i); i++) {
        const ifn_op op = (ifn_op)i;
        const frozen_argument *const known = arguments_of(op);
        const ifn_op_signature now = ifn_op_signature_of(op);
        for (const frozen_argument *a = known; a->name; a++)
            assert_int_equal(find(op, a->name)->offset, a->offset);
        for (size_t k = 0; k < now.n; k++)
            assert_that(knows(known, now.args[k].name) ||
                            now.args[k].offset >= desc->args_bytes[op],
                        "%s: %s lies in what 2.0 has", ifn_op_name(op), now.args[k].name);
        assert_int_equal(ifn_op_least_bytes(op), desc->args_bytes[op]);
    }
    assert_true(desc->call_bytes <= IFN_CALL_BYTES);
}

/* One row of attention over many keys, in any phase; `out` [2 * 16], partials of three blocks. */
enum { HEADS = 2, DIM = 16, KEYS = 600, BLOCKS = 3 };

typedef struct scene {
    float q[HEADS * DIM], k[HEADS * KEYS * DIM], v[HEADS * KEYS * DIM];
    float partials[HEADS * BLOCKS * (2 + DIM)], out[HEADS * DIM];
} scene;

static scene *new_scene(void)
{
    scene *const s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (uint64_t i = 0; i < N_OF(s->k); i++) {
        s->k[i] = tiny_random(1, i);
        s->v[i] = tiny_random(2, i);
    }
    for (uint64_t i = 0; i < N_OF(s->q); i++)
        s->q[i] = tiny_random(3, i);
    return s;
}

static ifn_status attend(ifn_backend *b, scene *s, ifn_attention_phase phase)
{
    const ifn_attention_args a =
        IFN_ARGS(attention, .out = s->out, .q = s->q, .k_cache = s->k, .v_cache = s->v,
                 .partials = phase ? s->partials : NULL, .rows = 1, .first_pos = KEYS - 1,
                 .max_pos = KEYS, .n_heads = HEADS, .n_kv_heads = HEADS, .head_dim = DIM,
                 .scale = 0.25f, .cache_dtype = IFN_DTYPE_F32, .phase = phase);
    return ifn_attention(b, &a);
}

/* The plugin from before `phase` would run the whole, and never fill `partials`. */
TEST(a_call_with_an_argument_that_is_not_known_goes_to_the_base)
{
    ifn_backend *const b = open_chain(SHRUNK), *const scalar = open_chain("scalar");
    scene *const expected = new_scene(), *const found = new_scene();
    assert_int_equal(attend(scalar, expected, IFN_ATTENTION_PARTIALS), IFN_OK);
    assert_int_equal(attend(scalar, expected, IFN_ATTENTION_MERGE), IFN_OK);
    const int64_t before = calls_shown(SHRUNK, IFN_OP_ATTENTION);
    assert_int_equal(attend(b, found, IFN_ATTENTION_PARTIALS), IFN_OK);
    assert_int_equal(attend(b, found, IFN_ATTENTION_MERGE), IFN_OK);
    assert_int_equal(calls_shown(SHRUNK, IFN_OP_ATTENTION), before);
    assert_memory_equal(found->partials, expected->partials, sizeof found->partials);
    assert_memory_equal(found->out, expected->out, sizeof found->out);
    assert_int_equal(attend(b, found, IFN_ATTENTION_WHOLE), IFN_OK);
    assert_int_equal(calls_shown(SHRUNK, IFN_OP_ATTENTION), before + 1);
    free(expected);
    free(found);
    ifn_backend_close(b);
    ifn_backend_close(scalar);
}

/* Cut along keys by `parallel`, whose pieces and whose merge the plugin must not see. */
TEST(pieces_that_are_not_known_go_to_the_base)
{
    ifn_backend *const b = open_chain("parallel=4+small:" SHRUNK), *const scalar =
                                                                       open_chain("scalar");
    scene *const expected = new_scene(), *const found = new_scene();
    assert_int_equal(attend(scalar, expected, IFN_ATTENTION_WHOLE), IFN_OK);
    assert_int_equal(attend(b, found, IFN_ATTENTION_WHOLE), IFN_OK);
    for (int i = 0; i < HEADS * DIM; i++)
        assert_true(fabs((double)found->out[i] - (double)expected->out[i]) <= 1e-5);
    free(expected);
    free(found);
    ifn_backend_close(b);
    ifn_backend_close(scalar);
}

static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    (void)self, (void)op, (void)args;
    return IFN_ERR_IO;
}
IFN_OPS(IFN_SLOT_THROUGH)

static void fill_whole(ifn_op_table *table, const ifn_backend_env *env)
{
    IFN_OPS(IFN_SET_THROUGH)
    desc_of(SHRUNK)->fill(table, env);
}

/* The plugin as the bottom of a chain. */
TEST(without_a_base_it_is_refused_by_name)
{
    const ifn_backend_desc *const old = desc_of(SHRUNK);
    ifn_backend_desc root = {0};
    memcpy(&root, old, old->desc_bytes); /* shorter than today's */
    root.name = "scalar";
    root.fill = fill_whole;
    const ifn_backend_desc *const descs[] = {&root};
    const ifn_registry alone = {descs, 1};
    ifn_backend *b;
    ifn_error err = {0};
    scene *const s = new_scene();
    assert_ok(ifn_registry_open_desc(&alone, &root, NULL, NULL, NULL, &b, &err), err);
    assert_int_equal(attend(b, s, IFN_ATTENTION_WHOLE), IFN_OK);
    assert_int_equal(attend(b, s, IFN_ATTENTION_MERGE), IFN_ERR_UNSUPPORTED);
    assert_int_equal(ifn_backend_explain(b, &err), 1);
    assert_string_equal(err.text,
                        "attention on backend 'scalar': 'phase' is set, which it was built "
                        "without, and no base runs the call");
    free(s);
    ifn_backend_close(b);
}
