#include "weights_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <inferno/cpu.h>

#include "alloc_priv.h"
#include "cache_check.h"
#include "grow.h"
#include "min_max.h"
#include "model_priv.h"
#include "reason.h"

struct ifn_weights_cache {
    const ifn_allocator *alloc;
    const ifn_model *model;
    char *path; /* owned */
    void (*note)(void *cookie, const char *text);
    void (*writes)(void *cookie, const char *temporary);
    void *cookie; /* passed to both */
    ifn_cache_file file;
    bool is_kept;               /* images that are prepared are to be written to the file */
    ifn_file_stamp model_stamp; /* zeros: too new a file for its stamp to be reliable */
    ifn_cache_item *items;      /* [n], owned */
    size_t n, room, next;       /* next: the expected weight whose turn it is in the second pass */
};

ifn_status ifn_weights_cache_open(const ifn_weights *weights, const ifn_weights_params *how,
                                  ifn_weights_cache **out, ifn_error *err)
{
    const ifn_allocator *const alloc = weights->alloc;
    const size_t path_bytes = strlen(how->cache) + 1;
    const ifn_file_stamp *const stamp = ifn_model_stamp(weights->model);
    ifn_weights_cache *const self = ifn_alloc_zeroed(alloc, 1, sizeof *self);
    char *const path = self ? ifn_alloc_array(alloc, path_bytes, 1) : NULL;
    if (!path) {
        ifn_free_array(alloc, self, 1, sizeof *self);
        return ifn_fail(err, IFN_ERR_NOMEM, "weights: out of memory for a cache");
    }
    memcpy(path, how->cache, path_bytes);
    *self = (ifn_weights_cache){.alloc = alloc,
                                .model = weights->model,
                                .path = path,
                                .note = how->note,
                                .writes = how->writes,
                                .cookie = how->cookie};
    if (ifn_file_stamp_is_settled(stamp))
        self->model_stamp = *stamp;
    *out = self;
    return IFN_OK;
}

void ifn_weights_cache_close(ifn_weights_cache *self)
{
    if (!self)
        return;
    ifn_cache_file_close(&self->file);
    ifn_free_array(self->alloc, self->items, self->room, sizeof *self->items);
    ifn_free_array(self->alloc, self->path, strlen(self->path) + 1, 1);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}

static void note(const ifn_weights_cache *self, const char *text, const char *rest)
{
    char line[2 * sizeof((ifn_error *)0)->text];
    snprintf(line, sizeof line, "%s%s", text, rest);
    if (self->note)
        self->note(self->cookie, line);
}

/* Writes the name of the backend's layout for a weight; "" if it names none. */
static void name_layout(const ifn_backend *who, const ifn_tensor *w, uint32_t uses,
                        char out[IFN_LAYOUT_BYTES])
{
    memset(out, 0, IFN_LAYOUT_BYTES);
    if (who->desc->layout)
        who->desc->layout(who, w, uses, out);
    out[IFN_LAYOUT_BYTES - 1] = '\0';
}

bool ifn_weights_cache_knows(const ifn_backend *who, const ifn_tensor *w, uint32_t uses)
{
    char layout[IFN_LAYOUT_BYTES];
    name_layout(who, w, uses, layout);
    return *layout && strlen(w->name) < IFN_CACHE_NAME_BYTES;
}

ifn_status ifn_weights_cache_expect(ifn_weights_cache *self, const ifn_backend *who,
                                    const ifn_tensor *w, uint32_t uses, ifn_error *err)
{
    ifn_cache_item *const items =
        ifn_grow(self->alloc, self->items, &self->room, self->n + 1, sizeof *items);
    if (!items)
        return ifn_fail(err, IFN_ERR_NOMEM, "weights: out of memory for a cache of %zu weights",
                        self->n + 1);
    self->items = items;
    ifn_cache_item *const item = &items[self->n++];
    *item = (ifn_cache_item){.weight = w};
    memcpy(item->entry.name, w->name, strlen(w->name));
    name_layout(who, w, uses, item->entry.layout);
    return IFN_OK;
}

/* The number of threads for hashing: the lanes of the innermost backend, but no more than processors. */
static int32_t threads_of(const ifn_backend *chain)
{
    while (chain->inner)
        chain = chain->inner;
    return (int32_t)ifn_max(1, ifn_min(ifn_backend_n_lanes(chain), ifn_cpu_count()));
}

static ifn_status check_layouts(const ifn_weights_cache *self, ifn_error *err)
{
    if (self->file.n != self->n)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: has %zu weights, expected %zu", self->path,
                        self->file.n, self->n);
    for (size_t i = 0; i < self->n; i++) {
        const ifn_cache_entry found = ifn_cache_file_entry(&self->file, i);
        const ifn_cache_entry *const wanted = &self->items[i].entry;
        if (strcmp(found.name, wanted->name) != 0 || strcmp(found.layout, wanted->layout) != 0)
            return ifn_fail(err, IFN_ERR_FORMAT, "%s: has %s as %s, expected %s as %s", self->path,
                            found.name, found.layout, wanted->name, wanted->layout);
    }
    return IFN_OK;
}

static ifn_status open_file(ifn_weights_cache *self, const ifn_weights *weights, ifn_error *err)
{
    IFN_TRY(ifn_cache_file_open(self->path, &self->file, err));
    IFN_TRY(check_layouts(self, err));
    const ifn_cache_check check = {&self->file, self->path, self->model, self->items,
                                   threads_of(weights->backend)};
    return ifn_cache_check_run(&check, self->alloc, err);
}

/* A file of that name that is not a cache, or cannot be read, belongs to someone else and is never replaced. */
bool ifn_weights_cache_find(ifn_weights_cache *self, const ifn_weights *weights)
{
    ifn_error why;
    if (self->n == 0) {
        note(self, self->path, ": not made, as nothing is prepared that could be kept");
        return false;
    }
    self->is_kept = !ifn_file_is_there(self->path);
    if (self->is_kept)
        return false;
    const ifn_status status = open_file(self, weights, &why);
    if (status == IFN_OK)
        return true;
    self->is_kept = self->file.map.data && !self->file.is_foreign;
    note(self, why.text, self->is_kept ? "; it is made anew" : "");
    ifn_cache_file_close(&self->file);
    return false;
}

ifn_status ifn_weights_cache_adopt(ifn_weights_cache *self, ifn_backend *who, const ifn_tensor *w,
                                   uint32_t uses, ifn_packed *out, ifn_error *err)
{
    const ifn_cache_entry e = ifn_cache_file_entry(&self->file, self->next++);
    ifn_error own = {.status = IFN_OK, .text = ""};
    const ifn_status status =
        who->desc->adopt(who, w, uses, ifn_cache_file_image(&self->file, &e), e.bytes, out, &own);
    return ifn_with_reason(status, &own, who->desc->name, "adopt", err);
}

void ifn_weights_cache_add(ifn_weights_cache *self, ifn_backend *who, const ifn_packed *packed)
{
    if (!self->is_kept)
        return;
    ifn_cache_item *const item = &self->items[self->next++];
    size_t bytes = 0;
    item->image = packed->data ? who->desc->image(who, packed, &bytes) : NULL;
    item->entry.bytes = bytes;
    item->entry.weight = ifn_cache_hash_weight(self->model, item->weight);
}

void ifn_weights_cache_keep(ifn_weights_cache *self)
{
    ifn_error why;
    const ifn_cache_target target = {self->path, &self->model_stamp, self->writes, self->cookie};
    if (self->is_kept &&
        ifn_cache_file_write(&target, self->items, self->n, self->alloc, &why) != IFN_OK)
        note(self, why.text, "; weights are prepared at each start");
}
