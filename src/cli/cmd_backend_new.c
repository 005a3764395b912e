/* backend new: writes a plugin project that builds against an installed copy of inferno and is conformant. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <inferno/backend.h>
#include <inferno/nearest.h>

#include "args.h"
#include "commands.h"
#include "directory.h"
#include "json_writer.h"
#include "messages.h"
#include "plugin_template.h"
#include "text.h"

enum { MAX_NAME = 63, MAX_FILES = 8 };

typedef struct project_file {
    text path, content;
} project_file;

/* The files of a template with the name filled in. */
typedef struct project {
    project_file files[MAX_FILES];
    size_t n;
} project;

typedef struct backend_options {
    bool device, json;
} backend_options;

static const arg_option backend_table[] = {
    {.name = "--device",
     .kind = ARG_FLAG,
     .at = offsetof(backend_options, device),
     .help = "a device with memory of its own, in OpenCL: one kernel, and whole models run"},
    ARG_JSON(backend_options),
};

static const char *const backend_words[] = {"new", NULL};

const arg_command backend_command = {
    .program = INFERNO,
    .name = "backend",
    .positionals = "new NAME [DIR]",
    .min_positionals = 1, /* so that an unknown verb is reported before a missing name */
    .max_positionals = 3,
    .summary = "Writes a plugin project to DIR (./NAME): CMake, one op, its conformance tests.",
    .brief = "a new backend, as a plugin project of its own",
    .examples = "inferno backend new quick\n"
                "inferno backend new --device remote",
    .words = backend_words,
    .options = backend_table,
    .n_options = sizeof backend_table / sizeof *backend_table,
};

/* Names that CMake reserves for its own targets, as the name of the plugin becomes a target. */
static const char *const cmake_targets[] = {
    "all",     "clean",          "depend",     "edit_cache",    "help", "install",
    "package", "package_source", "preinstall", "rebuild_cache", "test",
};

static bool is_word(const char *name)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return name[0] >= 'a' && name[0] <= 'z' && name[length] == '\0' && length <= MAX_NAME;
}

static bool is_cmake_target(const char *name)
{
    for (size_t i = 0; i < sizeof cmake_targets / sizeof *cmake_targets; i++)
        if (strcmp(cmake_targets[i], name) == 0)
            return 1;
    return 0;
}

static bool is_registered(const char *name)
{
    size_t n;
    const ifn_backend_desc *const *list = ifn_backend_list(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i]->name, name) == 0)
            return 1;
    return 0;
}

static ifn_status check_verb(char **argv, int n, ifn_error *err)
{
    char hint[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = argv[0]};
    ifn_nearest_offer(&near, "new");
    if (strcmp(argv[0], "new") != 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend: found '%.64s', expected new NAME [DIR]%s",
                        argv[0], ifn_nearest_hint(&near, hint));
    if (n < 2)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend: new: too few arguments, expected new NAME [DIR]");
    return IFN_OK;
}

static ifn_status check_name(const char *name, ifn_error *err)
{
    if (!is_word(name))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend: '%.64s' is no name, expected a letter a .. z, then at most %d of "
                        "a .. z 0 .. 9 _ -",
                        name, MAX_NAME - 1);
    if (is_cmake_target(name))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend: '%s' is a target of every CMake project, expected another name",
                        name);
    if (is_registered(name))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend: '%s' is there already, expected a name that `inferno backends` "
                        "does not list",
                        name);
    return IFN_OK;
}

/* Appends `data` with every @NAME@ replaced by the name. */
static ifn_status fill_in(text *out, const char *data, size_t bytes, const char *name,
                          ifn_error *err)
{
    static const char mark[] = "@NAME@";
    const size_t mark_bytes = sizeof mark - 1;
    size_t from = 0;
    for (size_t at = 0; at + mark_bytes <= bytes; at++) {
        if (memcmp(data + at, mark, mark_bytes) != 0)
            continue;
        IFN_TRY(text_append(out, data + from, at - from, err));
        IFN_TRY(text_append(out, name, strlen(name), err));
        from = at + mark_bytes;
    }
    return text_append(out, data + from, bytes - from, err);
}

static void project_free(project *self)
{
    for (size_t i = 0; i < self->n; i++) {
        text_free(&self->files[i].path);
        text_free(&self->files[i].content);
    }
}

/* Counts each file before it fills it, so that project_free also frees a half-filled one. */
static ifn_status project_fill(project *self, const plugin_template *template, const char *name,
                               ifn_error *err)
{
    while (self->n < template->n && self->n < MAX_FILES) {
        const plugin_template_file *from = &template->files[self->n];
        project_file *to = &self->files[self->n++];
        IFN_TRY(fill_in(&to->path, from->name, strlen(from->name), name, err));
        IFN_TRY(fill_in(&to->content, from->data, from->bytes, name, err));
    }
    return IFN_OK;
}

static ifn_status project_write(const project *self, const char *path, ifn_error *err)
{
    directory dir;
    IFN_TRY(directory_open(&dir, path, err));
    ifn_status status = IFN_OK;
    for (size_t i = 0; i < self->n && status == IFN_OK; i++)
        status = directory_add_below(&dir, self->files[i].path.data, self->files[i].content.data,
                                     self->files[i].content.bytes, err);
    if (status == IFN_OK)
        status = directory_finish(&dir, err);
    directory_discard(&dir);
    return status;
}

/* Prints the files and the commands to build and judge the plugin, so that a user needs no other text at first. */
static void print_project(const project *self, const char *path)
{
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    for (size_t i = 0; i < self->n; i++)
        printf("%s%s%s\n", path, slash, self->files[i].path.data);
    printf("\nNext:\n"
           "    cmake -S %s -B %s%sbuild\n"
           "    cmake --build %s%sbuild\n"
           "    ctest --test-dir %s%sbuild --output-on-failure\n"
           "Where inferno is installed in a place of its own, the first takes "
           "-DCMAKE_PREFIX_PATH=PLACE, too.\n",
           path, path, slash, path, slash, path, slash);
}

static void json_project(const project *self, const char *path, const char *name)
{
    json_writer json = {.out = stdout};
    json_begin_object(&json);
    json_key(&json, "name");
    json_put_string(&json, name);
    json_key(&json, "dir");
    json_put_string(&json, path);
    json_key(&json, "files");
    json_begin_array(&json);
    for (size_t i = 0; i < self->n; i++)
        json_put_string(&json, self->files[i].path.data);
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}

static ifn_status write_named(const backend_options *o, const char *name, const char *path,
                              ifn_error *err)
{
    project p = {.n = 0};
    ifn_status status = project_fill(&p, o->device ? &plugin_device : &plugin_host, name, err);
    if (status == IFN_OK)
        status = project_write(&p, path, err);
    if (status == IFN_OK && o->json)
        json_project(&p, path, name);
    else if (status == IFN_OK)
        print_project(&p, path);
    project_free(&p);
    return status;
}

int cmd_backend(int argc, char **argv)
{
    backend_options options = {0};
    int n = 0;
    if (argc < 2) {
        args_usage(&backend_command, stderr);
        return EXIT_USAGE;
    }
    const int done = args_begin(&backend_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    ifn_error err;
    ifn_status status = check_verb(argv, n, &err);
    if (status == IFN_OK)
        status = check_name(argv[1], &err);
    if (status == IFN_OK)
        status = write_named(&options, argv[1], n > 2 ? argv[2] : argv[1], &err);
    if (status == IFN_OK)
        return EXIT_DONE;
    return status == IFN_ERR_ARGUMENT ? message_error(INFERNO, &err)
                                      : message_unwritten(INFERNO, &err);
}
