#include "judge_lend.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* Guards the blocks, as several threads may prepare weights at once. */
static pthread_mutex_t lending = PTHREAD_MUTEX_INITIALIZER;

/* Takes block b; on a device it comes from device_blocks and has no pages of its own. */
static void *take_block(judge_run *r, guard_block *b, size_t bytes, size_t align, size_t cut)
{
    if (!r->judge->image.device) {
        void *const data = guard_block_take_cut(b, bytes, align, r->overread, cut);
        if (data && r->lent_poison)
            conform_poison(data, bytes, r->lent_poison);
        return data;
    }
    *b = (guard_block){.data = device_blocks_take(&r->judge->there, bytes, align), .bytes = bytes};
    return b->data;
}

/* True if it is the turn of this allocation to fail. */
static bool is_refused(judge_run *r)
{
    return r->starved_at > 0 && --r->starved_at == 0;
}

/* Takes the first free block; allocations beyond the last come from the backend's own allocator, without guards. */
static void *take_any(judge_run *r, size_t bytes, size_t align, size_t cut)
{
    if (is_refused(r))
        return NULL;
    for (int i = 0; i < CONFORM_BLOCKS; i++) {
        guard_block *b = &r->judge->blocks[i];
        if (b->data)
            continue;
        void *const data = take_block(r, b, bytes, align, cut);
        judge_tell_block(r, i);
        if (data || !r->judge->image.device)
            return data;
        break;
    }
    r->n_unguarded++;
    return r->own->alloc(r->own->cookie, bytes, align);
}

static void give_any_back(judge_run *r, void *p, size_t bytes)
{
    for (int i = 0; p && i < CONFORM_BLOCKS; i++) {
        guard_block *b = &r->judge->blocks[i];
        if (b->data != p)
            continue;
        if (b->bytes != bytes)
            conform_verdict_fail(r->verdict, CHECK_PREPARE,
                                 "%s: %zu bytes given back, expected the %zu asked for",
                                 judge_block_name(i), bytes, b->bytes);
        guard_block_give_back(b);
        judge_tell_block(r, i);
        return;
    }
    if (p && r->n_unguarded == 0) {
        conform_verdict_fail(r->verdict, CHECK_PREPARE,
                             "%zu bytes given back that nobody has asked for, or has already given "
                             "back",
                             bytes);
        return;
    }
    r->n_unguarded -= p != NULL;
    r->own->free(r->own->cookie, p, bytes);
}

static bool is_lent(const judge_run *r, const void *p)
{
    for (int i = 0; i < CONFORM_BLOCKS; i++)
        if (p && r->judge->blocks[i].data == p)
            return true;
    return false;
}

static void *take(void *cookie, size_t bytes, size_t align)
{
    const size_t cut = judge_rival_asked(cookie, bytes, align);
    pthread_mutex_lock(&lending);
    void *const data = take_any(cookie, bytes, align, cut);
    pthread_mutex_unlock(&lending);
    judge_rival_lent(cookie, is_lent(cookie, data) ? data : NULL, bytes, NULL);
    return data;
}

static void give_back(void *cookie, void *p, size_t bytes)
{
    (void)judge_rival_asked(cookie, 0, 1);
    pthread_mutex_lock(&lending);
    give_any_back(cookie, p, bytes);
    pthread_mutex_unlock(&lending);
    judge_rival_lent(cookie, NULL, 0, p);
}

static bool copy(judge_run *r, void *to, const void *from, size_t bytes)
{
    if (r->judge->image.device)
        return device_blocks_copy(&r->judge->there, to, from, bytes) == IFN_OK;
    memcpy(to, from, bytes);
    return true;
}

static void *resize_any(judge_run *r, void *p, size_t old_bytes, size_t bytes, size_t align,
                        size_t cut)
{
    if (p && !is_lent(r, p))
        return r->own->resize(r->own->cookie, p, old_bytes, bytes, align);
    void *const fresh = take_any(r, bytes, align, cut);
    if (!fresh || !p)
        return fresh;
    const bool is_copied = copy(r, fresh, p, old_bytes < bytes ? old_bytes : bytes);
    give_any_back(r, is_copied ? p : fresh, is_copied ? old_bytes : bytes);
    return is_copied ? fresh : NULL;
}

static void *resize(void *cookie, void *p, size_t old_bytes, size_t bytes, size_t align)
{
    const size_t cut = judge_rival_asked(cookie, bytes, align);
    pthread_mutex_lock(&lending);
    void *const data = resize_any(cookie, p, old_bytes, bytes, align, cut);
    pthread_mutex_unlock(&lending);
    judge_rival_lent(cookie, is_lent(cookie, data) ? data : NULL, bytes, data ? p : NULL);
    return data;
}

void judge_lend(judge_run *r, ifn_backend *who)
{
    r->own = who->buffers;
    r->guarded = (ifn_allocator){take, resize, give_back, r};
    who->buffers = &r->guarded;
}

void judge_lend_end(judge_run *r, ifn_backend *who)
{
    who->buffers = r->own;
}

static int slack_changed(const judge_run *r, const guard_block *b, int64_t *offset)
{
    return r->judge->image.device
               ? device_blocks_slack_changed(&r->judge->there, b->data, b->bytes, offset)
               : guard_block_changed(b, offset);
}

/* Fails the case for each write beside a block. */
static void check_slack(judge_run *r, conform_run run)
{
    for (int i = 0; i < CONFORM_BLOCKS; i++) {
        const guard_block *b = &r->judge->blocks[i];
        int64_t offset = 0;
        const int n = b->data ? slack_changed(r, b, &offset) : 0;
        if (n)
            judge_fail_slack(r, run, n, offset, b->bytes, judge_block_name(i));
    }
}

/* Compares the blocks on a device with their copies, as no page protection notices an op that writes to a handle. */
static void check_blocks(judge_run *r)
{
    for (int i = 0; i < CONFORM_BLOCKS; i++) {
        const guard_block *b = &r->judge->blocks[i];
        int64_t offset = 0;
        const int n =
            b->data ? device_blocks_changed(&r->judge->there, b->data, b->bytes, &offset) : 0;
        if (n)
            conform_verdict_fail(r->verdict, CHECK_INPUT,
                                 "%s: %d bytes have changed since prepare, the first at %lld",
                                 judge_block_name(i), n, (long long)offset);
    }
}

static bool look(judge_run *r)
{
    const ifn_status status = device_blocks_look(&r->judge->there);
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_STATUS, "copy_out of the handles returned %s",
                             ifn_status_name(status));
    return status == IFN_OK;
}

/* True for the block of an image, which a host would have in a file: it stays read-only until it is freed. */
static bool is_image(const judge_run *r, const guard_block *b)
{
    for (int i = 0; i < IFN_LINEAR_MAX; i++)
        if (r->images[i].data == b->data)
            return true;
    return false;
}

static void protect(judge_run *r, guard_block *b, bool is_read_only)
{
    if (!guard_block_protect(b, is_read_only))
        conform_verdict_fail(r->verdict, CHECK_MEMORY, "not executed: no protection of %zu bytes",
                             b->bytes);
}

static void protect_pages(judge_run *r, bool is_read_only)
{
    for (int i = 0; i < CONFORM_BLOCKS; i++) {
        guard_block *b = &r->judge->blocks[i];
        if (b->data && !is_image(r, b))
            protect(r, b, is_read_only);
    }
}

void judge_lend_protect(judge_run *r)
{
    const bool is_device = r->judge->image.device != NULL;
    if (is_device && !look(r))
        return;
    check_slack(r, RUN_PREPARE);
    if (is_device)
        device_blocks_accept(&r->judge->there);
    else
        protect_pages(r, true);
}

void judge_lend_seal(judge_run *r, const void *data)
{
    for (int i = 0; i < CONFORM_BLOCKS; i++)
        if (r->judge->blocks[i].data == data)
            protect(r, &r->judge->blocks[i], true);
}

void judge_lend_unprotect(judge_run *r)
{
    if (!r->judge->image.device) {
        protect_pages(r, false);
        return;
    }
    if (!look(r))
        return;
    check_slack(r, RUN_HANDLES);
    check_blocks(r);
}

ifn_status judge_lend_open(judge_run *r, const ifn_backend *who, size_t bytes)
{
    enum { GROWN = 4, BLOCK = 8192 }; /* codes may become halves or floats; alignment and bands */
    device_blocks *const there = &r->judge->there;
    if (!r->judge->image.device || there->base)
        return IFN_OK;
    const ifn_status status = device_blocks_open(
        there, r->judge->image.device, who->buffers,
        bytes <= DEVICE_BLOCKS_MOST ? GROWN * bytes + CONFORM_BLOCKS * BLOCK : 0);
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_STATUS, "copy_in for the handles returned %s",
                             ifn_status_name(status));
    return status;
}

/* A block that release has kept stays mapped, as the backend may use it, but no later case counts it. */
void judge_lend_close(judge_run *r, const char *by)
{
    bool is_kept = r->n_others > 0;
    for (int i = 0; i < CONFORM_BLOCKS; i++) {
        guard_block *b = &r->judge->blocks[i];
        if (!b->data || r->n_others > 0)
            continue;
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "%s: %zu bytes are not given back by %s",
                             judge_block_name(i), b->bytes, by);
        *b = (guard_block){.data = NULL};
        judge_tell_block(r, i);
        is_kept = true;
    }
    if (!is_kept)
        device_blocks_close(&r->judge->there);
}
