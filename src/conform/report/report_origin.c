#include "report_origin.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <inferno/version.h>

#include "build.h"
#include "fnv1a.h"
#include "system.h"

enum { PATH_BYTES = 4096 };

static int add_file(uint64_t *hash, const char *path)
{
    unsigned char chunk[1 << 14];
    FILE *const file = fopen(path, "rb");
    if (!file)
        return 0;
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
        *hash = fnv1a_bytes(*hash, chunk, n);
    const bool is_read = !ferror(file);
    fclose(file);
    return is_read;
}

static void put_hash(char out[ORIGIN_HASH_BYTES], uint64_t hash, bool is_known)
{
    if (is_known)
        snprintf(out, ORIGIN_HASH_BYTES, "%016llx", (unsigned long long)hash);
    else
        snprintf(out, ORIGIN_HASH_BYTES, "unknown");
}

/* Hashes the program's file once and keeps the result. */
static void hash_program(char out[ORIGIN_HASH_BYTES])
{
    static uint64_t hash = FNV1A_START;
    static bool is_read, is_known;
    if (!is_read)
        is_known = add_file(&hash, "/proc/self/exe");
    is_read = true;
    put_hash(out, hash, is_known);
}

static void find_features(char *out, size_t bytes)
{
    const uint64_t mask = ifn_cpu_detect();
    size_t used = 0;
    *out = '\0';
#define X(NAME, text)                                                                              \
    if (mask & IFN_CPU_##NAME && used < bytes)                                                     \
        used += (size_t)snprintf(out + used, bytes - used, "%s%s", used ? " " : "", text);
    IFN_CPU_FEATURES(X)
#undef X
}

static void join(char *out, size_t bytes, int argc, char **argv)
{
    size_t used = (size_t)snprintf(out, bytes, "inferno");
    for (int i = 0; i < argc && used < bytes; i++) {
        const bool is_plain = *argv[i] && !strpbrk(argv[i], " \t\n'\"");
        used += (size_t)snprintf(out + used, bytes - used, is_plain ? " %s" : " '%s'", argv[i]);
    }
}

void report_origin_fill(report_origin *out, int argc, char **argv)
{
    *out = (report_origin){.version = ""};
    snprintf(out->version, sizeof out->version, "%s", ifn_version());
    snprintf(out->commit, sizeof out->commit, "%s", build_commit());
    hash_program(out->program);
    system_name(out->os, sizeof out->os);
    system_host(out->host, sizeof out->host);
    system_cpu(out->cpu, sizeof out->cpu);
    find_features(out->features, sizeof out->features);
    system_date(out->date, sizeof out->date);
    join(out->command, sizeof out->command, argc, argv);
}

/* Returns true for the path of a plugin; the same rule by which the library tells a path from a built-in name. */
static bool is_path(const char *name)
{
    const size_t n = strlen(name);
    return strchr(name, '/') || (n >= 3 && strcmp(name + n - 3, ".so") == 0);
}

/* A name without '/' is a file of the current folder; the search path of dlopen plays no role. */
static int add_plugin(report_binary *out, uint64_t *hash, const char *name)
{
    char path[PATH_BYTES + 2];
    const size_t used = strlen(out->file);
    snprintf(path, sizeof path, "%s%s", strchr(name, '/') ? "" : "./", name);
    snprintf(out->file + used, sizeof out->file - used, "%s%s", used ? " " : "", path);
    return add_file(hash, path);
}

#define BLANKS " \t" /* ignored around a name */

void report_binary_fill(report_binary *out, const char *expression)
{
    uint64_t hash = FNV1A_START;
    bool is_known = 1;
    *out = (report_binary){.file = ""};
    while (*expression) {
        char name[PATH_BYTES];
        expression += strspn(expression, BLANKS);
        size_t n = strcspn(expression, ":=");
        while (n > 0 && strchr(BLANKS, expression[n - 1]))
            n--;
        snprintf(name, sizeof name, "%.*s", (int)n, expression);
        if (is_path(name))
            is_known &= add_plugin(out, &hash, name);
        expression += strcspn(expression, ":");
        expression += *expression == ':';
    }
    if (*out->file)
        put_hash(out->hash, hash, is_known);
    else
        hash_program(out->hash);
}

const char *report_origin_differs(const report_origin *a, const report_origin *b)
{
    if (strcmp(a->version, b->version) != 0)
        return "version";
    if (strcmp(a->commit, b->commit) != 0)
        return "commit";
    return strcmp(a->program, b->program) == 0 ? NULL : "program";
}

int report_origin_same_machine(const report_origin *a, const report_origin *b)
{
    return strcmp(a->cpu, b->cpu) == 0 && strcmp(a->features, b->features) == 0 &&
           strcmp(a->os, b->os) == 0;
}
