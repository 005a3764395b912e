#include "kv_pages.h"

#include "kv_copy.h"

/* The entries of a sequence in the block table; -1: no page. */
static int32_t *entries_of(ifn_context *self, int32_t sequence)
{
    return self->host.pages + ifn_kv_cache_entries(&self->b.kv, sequence);
}

static int64_t n_entries(const ifn_context *self, int64_t rows)
{
    return (rows + self->b.kv.page_rows - 1) / self->b.kv.page_rows;
}

static ifn_status take_page(ifn_context *self, int32_t *out)
{
    for (int64_t i = 0; i < self->b.kv.n_pages; i++)
        if (self->host.page_users[i] == 0) {
            self->host.page_users[i] = 1;
            *out = (int32_t)i;
            return IFN_OK;
        }
    return ifn_fail(self->err, IFN_ERR_NOMEM, "another page of the KV cache: all %lld are in use",
                    (long long)self->b.kv.n_pages);
}

/* Replaces the entry's page, which other sequences share, by a copy that only this sequence uses. */
static ifn_status make_own(ifn_context *self, int32_t *entry)
{
    int32_t copy = -1;
    IFN_TRY(take_page(self, &copy));
    const int64_t rows = self->b.kv.page_rows;
    const ifn_status status = ifn_kv_copy_rows(self, *entry * rows, copy * rows, rows);
    if (status != IFN_OK) {
        self->host.page_users[copy] = 0;
        return status;
    }
    self->host.page_users[*entry]--;
    *entry = copy;
    return IFN_OK;
}

ifn_status ifn_kv_pages_for(ifn_context *self, int32_t sequence, int64_t first, int64_t n)
{
    if (self->b.kv.page_rows == 0)
        return IFN_OK;
    int32_t *const entries = entries_of(self, sequence);
    for (int64_t i = first / self->b.kv.page_rows; i < n_entries(self, first + n); i++) {
        if (entries[i] < 0)
            IFN_TRY(take_page(self, &entries[i]));
        else if (self->host.page_users[entries[i]] > 1)
            IFN_TRY(make_own(self, &entries[i]));
    }
    return IFN_OK;
}

void ifn_kv_pages_cut(ifn_context *self, int32_t sequence, int64_t n)
{
    if (self->b.kv.page_rows == 0)
        return;
    int32_t *const entries = entries_of(self, sequence);
    const int64_t end = ifn_kv_cache_entries(&self->b.kv, 1);
    for (int64_t i = n_entries(self, n); i < end && entries[i] >= 0; i++) {
        self->host.page_users[entries[i]]--;
        entries[i] = -1;
    }
}

void ifn_kv_pages_share(ifn_context *self, int32_t from, int32_t to, int64_t n)
{
    const int32_t *const source = entries_of(self, from);
    int32_t *const target = entries_of(self, to);
    for (int64_t i = 0; i < n_entries(self, n); i++) {
        target[i] = source[i];
        self->host.page_users[source[i]]++;
    }
}

void ifn_kv_pages_clear(ifn_context *self)
{
    if (self->b.kv.page_rows == 0)
        return;
    const int64_t n = ifn_kv_cache_entries(&self->b.kv, self->plan.params.n_sequences);
    for (int64_t i = 0; i < n; i++)
        self->host.pages[i] = -1;
    for (int64_t i = 0; i < self->b.kv.n_pages; i++)
        self->host.page_users[i] = 0;
}

int64_t ifn_context_pages(const ifn_context *self, int64_t *in_use)
{
    int64_t n = 0;
    for (int64_t i = 0; i < self->b.kv.n_pages; i++)
        n += self->host.page_users[i] > 0;
    if (in_use)
        *in_use = n;
    return self->b.kv.n_pages;
}
