/* Finds the backends that an expression names, and opens them as a chain. */
#include "registry.h"

#include <assert.h>
#include <string.h>

#include <inferno/nearest.h>

#include "alloc_priv.h"
#include "backend_list.h"
#include "chain.h"
#include "descriptor.h"
#include "expression.h"
#include "plugin.h"

/* The reference: the base of every leaf whose expression names no other. It has no base itself. */
#define ROOT "scalar"

/* An expression may leave out two stages: the leaf under `parallel`, and the base under that leaf. */
#define STAGES_MAX (IFN_EXPRESSION_MAX + 2)

/* ifn_backend_scalar, ... */
#define X(name) extern const ifn_backend_desc ifn_backend_##name;
IFN_BACKEND_LIST(X)
#undef X

static const ifn_backend_desc *const built_in[] = {
#define X(name) &ifn_backend_##name,
    IFN_BACKEND_LIST(X)
#undef X
        NULL,
};

#define N_BUILT_IN (sizeof built_in / sizeof built_in[0] - 1)

static const ifn_registry registered = {built_in, N_BUILT_IN};

/* Other names of registered backends. */
static const struct {
    const char *alias, *name;
} aliases[] = {{"tracing", "trace"}, {"multicore", "parallel"}};

enum { N_ALIASES = sizeof aliases / sizeof *aliases };

static const char *without_alias(const char *name)
{
    for (size_t i = 0; i < N_ALIASES; i++)
        if (strcmp(name, aliases[i].alias) == 0)
            return aliases[i].name;
    return name;
}

static const ifn_backend_desc *find(const ifn_registry *registry, const char *name)
{
    const char *const known = without_alias(name);
    for (size_t i = 0; i < registry->n; i++)
        if (strcmp(registry->descs[i]->name, known) == 0)
            return registry->descs[i];
    return NULL;
}

/* "scalar, simd, trace"; truncated to `bytes`. */
static void list_names(const ifn_registry *registry, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < registry->n; i++) {
        const char *const parts[] = {i ? ", " : "", registry->descs[i]->name};
        for (size_t j = 0; j < 2; j++) {
            const size_t length = strlen(parts[j]);
            if (length >= bytes - used)
                return;
            memcpy(out + used, parts[j], length + 1);
            used += length;
        }
    }
}

static ifn_status unknown(const ifn_registry *registry, const char *name, ifn_error *err)
{
    char names[160], hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = name};
    list_names(registry, names, sizeof names);
    for (size_t i = 0; i < registry->n; i++)
        ifn_nearest_offer(&near, registry->descs[i]->name);
    for (size_t i = 0; i < N_ALIASES; i++)
        ifn_nearest_offer(&near, aliases[i].alias);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': unknown%s%s build has: %s", name,
                    ifn_nearest_hint(&near, hint), near.name ? " This" : "; this", names);
}

/* True if `name` is registered and can run here. */
static bool runs(const ifn_registry *registry, const char *name, const ifn_backend_env *env)
{
    ifn_backend_desc desc;
    const ifn_backend_desc *const given = find(registry, name);
    return given && ifn_desc_accept(given, name, &desc, NULL) == IFN_OK &&
           ifn_desc_is_usable(&desc, env);
}

static const char *best_leaf(const ifn_registry *registry, const ifn_backend_env *env)
{
    return runs(registry, "simd", env) ? "simd" : ROOT;
}

static const char *best_expression(const ifn_registry *registry, const ifn_backend_env *env)
{
    const char *const leaf = best_leaf(registry, env);
    return strcmp(leaf, ROOT) != 0 && runs(registry, "parallel", env) ? "parallel:simd" : leaf;
}

typedef struct stages {
    size_t n;
    bool keeps_refusals;
    ifn_stage stages[STAGES_MAX];
} stages;

/* Finds the descriptor for a name: a registered one, or that of the plugin at a path. */
static ifn_status look_up(const ifn_registry *registry, const char *name, ifn_plugin *out,
                          ifn_error *err)
{
    if (ifn_plugin_is_path(name))
        return ifn_plugin_open(name, out, err);
    *out = (ifn_plugin){NULL, find(registry, name)};
    return out->desc ? IFN_OK : unknown(registry, name, err);
}

static ifn_status add_stage(stages *self, const ifn_registry *registry, const char *name,
                            const char *options, ifn_error *err)
{
    ifn_plugin found;
    ifn_stage *const stage = &self->stages[self->n];
    IFN_TRY(look_up(registry, name, &found, err));
    const ifn_status status = ifn_desc_accept(found.desc, name, &stage->desc, err);
    if (status != IFN_OK) {
        ifn_plugin_close(found.library);
        return status;
    }
    stage->options = options;
    stage->keeps_refusals = self->keeps_refusals;
    stage->path = found.library ? name : NULL;
    stage->library = found.library;
    stage->implied = false;
    self->n++;
    return IFN_OK;
}

/* Closes the plugins that no opened node has taken over. */
static void close_plugins(stages *self)
{
    for (size_t i = 0; i < self->n; i++)
        ifn_plugin_close(self->stages[i].library);
}

/* Adds the reference under a leaf that names no base. */
static ifn_status add_root(stages *self, const ifn_registry *registry, ifn_error *err)
{
    IFN_TRY(add_stage(self, registry, ROOT, "", err));
    self->stages[self->n - 1].implied = true;
    return IFN_OK;
}

static bool is_named(const ifn_stage *stage, const char *name)
{
    return !stage->path && strcmp(stage->desc.name, name) == 0;
}

/* Adds the stages that the expression leaves out: the best leaf under `parallel`, the reference under a leaf. */
static ifn_status add_implied(stages *self, const ifn_registry *registry,
                              const ifn_backend_env *env, ifn_error *err)
{
    assert(self->n > 0);
    const ifn_stage *last = &self->stages[self->n - 1];
    if (is_named(last, "parallel")) {
        IFN_TRY(add_stage(self, registry, best_leaf(registry, env), "", err));
        last = &self->stages[self->n - 1];
    }
    if (ifn_desc_is_wrapper(&last->desc) || is_named(last, ROOT))
        return IFN_OK;
    return add_root(self, registry, err);
}

static ifn_status check_root(const stages *self, ifn_error *err)
{
    for (size_t i = 0; i < self->n; i++) {
        const ifn_stage *const stage = &self->stages[i];
        if (!is_named(stage, ROOT))
            continue;
        if (*stage->options)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': option '%s', expected none", ROOT,
                            stage->options);
        if (i + 1 < self->n)
            return ifn_fail(err, IFN_ERR_ARGUMENT,
                            "backend '%s': implements every op and stands on nothing, found '%s' "
                            "below it",
                            ROOT, self->stages[i + 1].desc.name);
    }
    return IFN_OK;
}

static ifn_status open_stages(const ifn_registry *registry, const ifn_expression *expression,
                              const ifn_backend_env *env, stages *all, ifn_backend **out,
                              ifn_error *err)
{
    for (size_t i = 0; i < expression->n; i++)
        IFN_TRY(add_stage(all, registry, expression->stages[i].name, expression->stages[i].options,
                          err));
    IFN_TRY(check_root(all, err));
    IFN_TRY(add_implied(all, registry, env, err));
    return ifn_chain_open(all->stages, all->n, NULL, env, out, err);
}

/* Splits `text` in place. */
static ifn_status open_text(const ifn_registry *registry, char *text, const ifn_backend_env *env,
                            bool keeps_refusals, ifn_backend **out, ifn_error *err)
{
    ifn_expression expression;
    stages all = {.keeps_refusals = keeps_refusals};
    IFN_TRY(ifn_expression_split(text, &expression, err));
    const ifn_status status = open_stages(registry, &expression, env, &all, out, err);
    close_plugins(&all);
    return status;
}

ifn_status ifn_registry_open(const ifn_registry *registry, const char *expression,
                             const ifn_backend_options *options, ifn_backend **out, ifn_error *err)
{
    ifn_backend_env env;
    bool keeps_refusals;
    *out = NULL;
    IFN_TRY(ifn_env_from_options(options, &env, &keeps_refusals, err));
    if (!expression || !*expression)
        expression = best_expression(registry, &env);
    const size_t bytes = strlen(expression) + 1;
    char *const text = ifn_alloc_array(env.alloc, bytes, 1);
    if (!text)
        return ifn_fail(err, IFN_ERR_NOMEM, "backend '%s': out of memory", expression);
    memcpy(text, expression, bytes);
    const ifn_status status = open_text(registry, text, &env, keeps_refusals, out, err);
    ifn_free_array(env.alloc, text, bytes, 1);
    return status;
}

ifn_status ifn_registry_open_desc(const ifn_registry *registry, const ifn_backend_desc *desc,
                                  ifn_backend *base_or_inner, const char *text_options,
                                  const ifn_backend_options *options, ifn_backend **out,
                                  ifn_error *err)
{
    ifn_backend_env env;
    stages all = {.n = 1};
    *out = NULL;
    IFN_TRY(ifn_env_from_options(options, &env, &all.keeps_refusals, err));
    IFN_TRY(ifn_desc_accept(desc, "?", &all.stages[0].desc, err));
    all.stages[0].keeps_refusals = all.keeps_refusals;
    all.stages[0].options = text_options ? text_options : "";
    if (!base_or_inner && !ifn_desc_is_wrapper(&all.stages[0].desc) && desc != find(registry, ROOT))
        IFN_TRY(add_root(&all, registry, err));
    return ifn_chain_open(all.stages, all.n, base_or_inner, &env, out, err);
}

ifn_status ifn_backend_open(const char *expression, const ifn_backend_options *options,
                            ifn_backend **out, ifn_error *err)
{
    return ifn_registry_open(&registered, expression, options, out, err);
}

ifn_status ifn_backend_open_desc(const ifn_backend_desc *desc, ifn_backend *base_or_inner,
                                 const char *text_options, const ifn_backend_options *options,
                                 ifn_backend **out, ifn_error *err)
{
    return ifn_registry_open_desc(&registered, desc, base_or_inner, text_options, options, out,
                                  err);
}

const ifn_backend_desc *const *ifn_backend_list(size_t *n)
{
    *n = registered.n;
    return registered.descs;
}
