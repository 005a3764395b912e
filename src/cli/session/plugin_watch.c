#include "plugin_watch.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "supervisor.h"

/* --- the command line --- */

/* Returns true if the name of a stage, "name=options", is the path of a plugin. */
static bool is_path(const char *stage, size_t length)
{
    return memchr(stage, '/', length) ||
           (length >= 3 && strncmp(stage + length - 3, ".so", 3) == 0);
}

#define BLANKS " \t" /* around a name they do not matter */

/* Copies the path of the first plugin of an expression. Returns 0 if there is none. */
static int find_in(const char *expression, char *out, size_t bytes)
{
    for (const char *stage = expression; *stage;) {
        stage += strspn(stage, BLANKS);
        const size_t all = strcspn(stage, ":");
        size_t name = strcspn(stage, "=:");
        while (name > 0 && strchr(BLANKS, stage[name - 1]))
            name--;
        if (is_path(stage, name)) {
            snprintf(out, bytes, "%.*s", (int)name, stage);
            return 1;
        }
        stage += all + (stage[all] == ':');
    }
    return 0;
}

/* Returns the backend expression of option i, after '=' or in the next word; NULL: i is another word. */
static const char *expression_at(int argc, char **argv, int i)
{
    static const char *const options[] = {"--backend", "--against"};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const size_t length = strlen(options[k]);
        if (strncmp(argv[i], options[k], length) != 0)
            continue;
        if (argv[i][length] == '=')
            return argv[i] + length + 1;
        if (argv[i][length] == '\0' && i + 1 < argc)
            return argv[i + 1];
    }
    return NULL;
}

int plugin_watch_find(int argc, char **argv, char *out, size_t bytes)
{
    for (int i = 1; i < argc; i++) {
        const char *const expression = expression_at(argc, argv, i);
        if (expression && find_in(expression, out, bytes))
            return 1;
    }
    return 0;
}

int plugin_watch_find_word(int argc, char **argv, char *out, size_t bytes)
{
    for (int i = 1; i < argc; i++) {
        const char *const value = argv[i][0] == '-' ? strchr(argv[i], '=') : NULL;
        const char *const word = value ? value + 1 : argv[i];
        const size_t length = strlen(word);
        if (length >= 3 && strcmp(word + length - 3, ".so") == 0 && find_in(word, out, bytes))
            return 1;
    }
    return 0;
}

/* --- the ops --- */

/* A plugin in a chain, and its original function table. */
typedef struct watched {
    const ifn_backend *backend; /* NULL: this entry is free */
    const ifn_op_table *own;
    ifn_op_table table;
} watched;

enum { MOST_WATCHED = 8 };

static watched watches[MOST_WATCHED];

/* Returns the original table of a watched backend. Watching functions are only called through their own backend, as
 * wrappers copied the table before it was watched. */
static const ifn_op_table *own_of(const ifn_backend *self)
{
    const watched *w = watches;
    while (w->backend != self)
        w++;
    return w->own;
}

#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status watch_##name(ifn_backend *self, const ifn_##name##_args *a)                  \
    {                                                                                              \
        supervisor_enter_op(#name);                                                                \
        const ifn_status status = own_of(self)->name(self, a);                                     \
        supervisor_leave_op();                                                                     \
        return status;                                                                             \
    }
IFN_OPS(X)
#undef X

static bool is_registered(const ifn_backend *self)
{
    size_t n;
    const ifn_backend_desc *const *list = ifn_backend_list(&n);
    for (size_t i = 0; i < n; i++)
        if (list[i]->fill == self->desc->fill)
            return 1;
    return 0;
}

/* Replaces only the ops that the plugin implements itself, as these entries tell which backend implements an op. */
static void watch(ifn_backend *self, watched *w)
{
    *w = (watched){self, self->ops, *self->ops};
#define X(NAME, name, cut, cut2, doc)                                                              \
    if (ifn_backend_implements(self, IFN_OP_##NAME))                                               \
        w->table.name = watch_##name;
    IFN_OPS(X)
#undef X
    self->ops = &w->table;
}

static void watch_chain(ifn_backend *self)
{
    for (; self; self = ifn_backend_below(self))
        for (int i = 0; i < MOST_WATCHED && !is_registered(self); i++)
            if (!watches[i].backend) {
                watch(self, &watches[i]);
                break;
            }
}

ifn_status plugin_watch_open(const char *expression, const ifn_backend_options *options,
                             ifn_backend **out, ifn_error *err)
{
    char plugin[8];
    if (!expression || !find_in(expression, plugin, sizeof plugin))
        return ifn_backend_open(expression, options, out, err);
    supervisor_enter("while it was loaded", 1);
    const ifn_status status = ifn_backend_open(expression, options, out, err);
    supervisor_leave();
    if (status == IFN_OK)
        watch_chain(*out);
    return status;
}

static void forget_chain(const ifn_backend *self)
{
    for (; self; self = ifn_backend_below(self))
        for (int i = 0; i < MOST_WATCHED; i++)
            if (watches[i].backend == self)
                watches[i].backend = NULL;
}

void plugin_watch_close(ifn_backend *backend)
{
    supervisor_enter("while it was closed", 1);
    forget_chain(backend);
    ifn_backend_close(backend);
    supervisor_leave();
}
