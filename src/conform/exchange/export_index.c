#include "export_index.h"

#include <stdlib.h>
#include <string.h>

#include "export.h"

enum { MAX_CASES = 1 << 24 };

static ifn_status read_id(spec_doc *doc, spec_node *node, void *into)
{
    exported_case *one = into;
    return spec_doc_name(doc, node, one->id, sizeof one->id);
}

/* Accepts digits only, so that the folder lies in the directory. */
static ifn_status read_folder(spec_doc *doc, spec_node *node, void *into)
{
    exported_case *one = into;
    IFN_TRY(spec_doc_name(doc, node, one->folder, sizeof one->folder));
    if (one->folder[0] && !one->folder[strspn(one->folder, "0123456789")])
        return IFN_OK;
    return spec_doc_fail(doc, node, "folder '%s', expected a number as 0000", one->folder);
}

/* Skips a key meant for the author of the kernel; the id determines the case. */
static ifn_status pass_over(spec_doc *doc, spec_node *node, void *into)
{
    (void)doc;
    (void)node;
    (void)into;
    return IFN_OK;
}

static ifn_status read_case(spec_doc *doc, spec_node *node, void *into)
{
    static const spec_key keys[] = {
        {"id", 1, read_id},        {"folder", 1, read_folder},  {"op", 0, pass_over},
        {"dtype", 0, pass_over},   {"out_dtype", 0, pass_over}, {"dims", 0, pass_over},
        {"scalars", 0, pass_over}, {"tensors", 0, pass_over},
    };
    export_index *const self = into;
    if (self->n == self->capacity) {
        self->capacity = self->capacity ? 2 * self->capacity : 1024;
        exported_case *const grown = realloc(self->cases, (size_t)self->capacity * sizeof *grown);
        if (!grown)
            return ifn_fail(doc->err, IFN_ERR_NOMEM, "no memory for the index");
        self->cases = grown;
    }
    self->cases[self->n] = (exported_case){.id = ""};
    return spec_doc_map(doc, node, keys, sizeof keys / sizeof *keys, &self->cases[self->n++]);
}

static ifn_status read_cases(spec_doc *doc, spec_node *node, void *into)
{
    return spec_doc_list(doc, node, MAX_CASES, read_case, into);
}

static ifn_status read_kind(spec_doc *doc, spec_node *node, void *into)
{
    const char *text;
    (void)into;
    IFN_TRY(spec_doc_text(doc, node, &text));
    return strcmp(text, "export/2") == 0
               ? IFN_OK
               : spec_doc_fail(doc, node, "'%.40s', expected export/2: kind and version", text);
}

static ifn_status read_word(spec_doc *doc, spec_node *node, void *into)
{
    export_index *const self = into;
    const char *text;
    IFN_TRY(spec_doc_text(doc, node, &text));
    self->words[self->n_words++] = (char *)node->data.scalar.value;
    return IFN_OK;
}

static ifn_status read_plan(spec_doc *doc, spec_node *node, void *into)
{
    export_index *const self = into;
    static char command[] = "conform", word[] = "export", dir[] = "DIR";
    char *const first[] = {command, word, dir};
    enum { N_FIRST = sizeof first / sizeof *first };
    memcpy(self->words, first, sizeof first);
    self->n_words = N_FIRST;
    return spec_doc_list(doc, node, EXPORT_MAX_WORDS - N_FIRST, read_word, into);
}

ifn_status export_index_open(export_index *out, const char *dir, ifn_error *err)
{
    static const spec_key keys[] = {
        {"inferno", 1, read_kind}, {"plan", 1, read_plan}, {"cases", 1, read_cases}};
    char path[EXPORT_PATH_BYTES];
    *out = (export_index){.n = 0};
    IFN_TRY(export_path(path, dir, ".", "index", ".yaml", err));
    IFN_TRY(spec_doc_open(&out->doc, path, err));
    return spec_doc_map(&out->doc, spec_doc_root(&out->doc), keys, sizeof keys / sizeof *keys, out);
}

void export_index_close(export_index *self)
{
    spec_doc_close(&self->doc);
    free(self->cases);
    *self = (export_index){.n = 0};
}
