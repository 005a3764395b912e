/* Weights prepared by two threads at once. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "copied_leaf.h"
#include "leaves.h"
#include "test.h"

static unsigned char row[4096];

/* Copies weights byte by byte through the byte at `by`. */
static ifn_status copy_through(ifn_backend *self, const ifn_tensor *const *w, int n,
                               ifn_packed *out, volatile unsigned char *by)
{
    for (int i = 0; i < n; i++) {
        copied_handle *const h = copied_take(self, w[i]);
        if (!h)
            return IFN_ERR_NOMEM;
        const unsigned char *const from = w[i]->data;
        for (size_t at = 0; at < h->bytes; at++)
            by[at] = from[at];
        for (size_t at = 0; at < h->bytes; at++)
            copied_data(h)[at] = by[at];
        out[i] = copied_packed(h);
    }
    return IFN_OK;
}

static ifn_status through_a_static_row(ifn_backend *self, const ifn_tensor *const *w, int n,
                                       uint32_t uses, ifn_packed *out, ifn_error *err)
{
    (void)uses, (void)err;
    return copy_through(self, w, n, out, row);
}

static ifn_status through_the_stack(ifn_backend *self, const ifn_tensor *const *w, int n,
                                    uint32_t uses, ifn_packed *out, ifn_error *err)
{
    unsigned char own[sizeof row];
    (void)uses, (void)err;
    return copy_through(self, w, n, out, own);
}

/* Copies under a lock: the second thread waits for the first, which is allowed. */
static ifn_status through_a_locked_row(ifn_backend *self, const ifn_tensor *const *w, int n,
                                       uint32_t uses, ifn_packed *out, ifn_error *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    (void)uses, (void)err;
    pthread_mutex_lock(&lock);
    const ifn_status status = copy_through(self, w, n, out, row);
    pthread_mutex_unlock(&lock);
    return status;
}

/* Copies a weight of at most a pipe's capacity through a pipe. */
static ifn_status copy_by_the_system(const ifn_tensor *w, copied_handle *h)
{
    int ends[2];
    if (pipe(ends) != 0)
        return IFN_ERR_IO;
    const bool is_read = write(ends[1], w->data, h->bytes) == (ssize_t)h->bytes &&
                         read(ends[0], copied_data(h), h->bytes) == (ssize_t)h->bytes;
    close(ends[0]);
    close(ends[1]);
    return is_read ? IFN_OK : IFN_ERR_IO;
}

static ifn_status through_a_pipe(ifn_backend *self, const ifn_tensor *const *w, int n,
                                 uint32_t uses, ifn_packed *out, ifn_error *err)
{
    (void)uses, (void)err;
    for (int i = 0; i < n; i++) {
        copied_handle *const h = copied_take(self, w[i]);
        if (!h)
            return IFN_ERR_NOMEM;
        const ifn_status status = copy_by_the_system(w[i], h);
        out[i] = copied_packed(h);
        if (status != IFN_OK) {
            copied_release(self, &out[i]);
            return status;
        }
    }
    return IFN_OK;
}

/* Takes more blocks than the judge has guards for; the last of them share their pages with others. */
static int n_unread;

static ifn_status beside_many_blocks(ifn_backend *self, const ifn_tensor *const *w, int n,
                                     uint32_t uses, ifn_packed *out, ifn_error *err)
{
    enum { BLOCKS = 3 * CONFORM_BLOCKS, BYTES = 64 };
    const ifn_allocator *const from = self->buffers;
    void *blocks[BLOCKS];
    int ends[2];
    if (pipe(ends) != 0)
        return IFN_ERR_IO;
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = from->alloc(from->cookie, BYTES, BYTES);
        if (i >= CONFORM_BLOCKS && blocks[i])
            n_unread += write(ends[1], "x", 1) != 1 || read(ends[0], blocks[i], 1) != 1;
    }
    close(ends[0]);
    close(ends[1]);
    for (int i = 0; i < BLOCKS; i++)
        from->free(from->cookie, blocks[i], BYTES);
    return through_the_stack(self, w, n, uses, out, err);
}

/* Keeps the address of the weight that is being copied in a static variable: all threads use that of the latest
 * call. */
static ifn_status of_the_latest_call(ifn_backend *self, const ifn_tensor *const *w, int n,
                                     uint32_t uses, ifn_packed *out, ifn_error *err)
{
    static const unsigned char *volatile from;
    (void)uses, (void)err;
    for (int i = 0; i < n; i++) {
        copied_handle *const h = copied_take(self, w[i]);
        if (!h)
            return IFN_ERR_NOMEM;
        from = w[i]->data;
        for (size_t at = 0; at < h->bytes; at++)
            copied_data(h)[at] = from[at];
        out[i] = copied_packed(h);
    }
    return IFN_OK;
}

#define PREPARED(word)                                                                             \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word,                 \
                                                 .summary = "",     .fill = copied_fill,           \
                                                 .prepare = word,   .release = copied_release};    \
    static const conform_tested tested_##word = {#word, leaf_open, &desc_##word};
PREPARED(through_a_static_row)
PREPARED(through_the_stack)
PREPARED(through_a_locked_row)
PREPARED(of_the_latest_call)
PREPARED(through_a_pipe)
PREPARED(beside_many_blocks)

static leaf_statistics judged(const conform_tested *tested)
{
    return leaf_judge(tested, copied_case(0), CHECK_PREPARE);
}

TEST(what_threads_in_prepare_share_shows)
{
    const leaf_statistics a = judged(&tested_through_a_static_row),
                          b = judged(&tested_of_the_latest_call);
    assert_that(a.n_check > 0 && a.n_other == 0, "%d, %d: %s", a.n_check, a.n_other, a.first);
    assert_that(b.n_check > 0 && b.n_other == 0, "%d, %d: %s", b.n_check, b.n_other, b.first);
}

TEST(memory_of_its_own_and_locks_are_no_fault)
{
    const leaf_statistics a = judged(&tested_through_the_stack),
                          b = judged(&tested_through_a_locked_row),
                          c = judged(&tested_through_a_pipe);
    assert_that(a.n_check + a.n_other == 0, "%s", a.first);
    assert_that(b.n_check + b.n_other == 0, "%s", b.first);
    assert_that(c.n_check + c.n_other == 0, "%s", c.first);
}

TEST(pages_that_are_shared_with_others_are_not_watched)
{
    const leaf_statistics a = judged(&tested_beside_many_blocks);
    assert_that(a.n_check + a.n_other == 0, "%s", a.first);
    assert_int_equal(n_unread, 0);
}
