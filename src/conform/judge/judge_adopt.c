/* Handles of images, as a host has them that keeps what was prepared in a file: in every other case of a
 * backend that names layouts. What they owe is what prepared ones owe. */
#include <stdbool.h>
#include <string.h>

#include "gen.h"
#include "judge_lend.h"

/* As buffers are. */
enum { IMAGE_ALIGN = 64 };

/* The image where the next process would find it: in a block of its own, which is read only while ops run. */
static const void *keep_image(judge_run *r, int i, size_t *bytes)
{
    *bytes = 0;
    const void *const image = r->packer->desc->image(r->packer, &r->packed[i], bytes);
    if (!image || *bytes == 0) {
        conform_verdict_fail(r->verdict, CHECK_PREPARE,
                             "image: no bytes of a weight that has a layout");
        return NULL;
    }
    unsigned char *const copy = r->guarded.alloc(r, *bytes, IMAGE_ALIGN);
    if (!copy) {
        conform_verdict_fail(r->verdict, CHECK_MEMORY, "not executed: no memory for an image");
        return NULL;
    }
    memcpy(copy, image, *bytes);
    r->images[i] = (ifn_packed){.data = copy, .bytes = *bytes};
    return copy;
}

/* Sizes that an image of `bytes` bytes of `w` has not: nothing, most of it, more than it, one row less or more. */
static size_t other_size(size_t bytes, const ifn_tensor *w, uint64_t which)
{
    const size_t rows = w->shape[0] > 0 ? (size_t)w->shape[0] : 1;
    const size_t row = bytes / rows ? bytes / rows : 1;
    const size_t sizes[] = {0,
                            bytes - 1,
                            bytes + 1,
                            bytes / 2,
                            2 * bytes,
                            bytes + row,
                            bytes - bytes / rows,
                            bytes + IMAGE_ALIGN};
    const size_t size = sizes[which % (sizeof sizes / sizeof *sizes)];
    return size == bytes ? bytes + 1 : size;
}

/* Such an image is there, as far as it goes, and what prepare has made stands at its beginning. */
static void expect_refused(judge_run *r, int i, const ifn_tensor *w, uint32_t uses, size_t size)
{
    ifn_backend *const who = r->packer;
    ifn_packed taken = {.data = NULL};
    ifn_error err = {0};
    unsigned char *const image = r->guarded.alloc(r, size ? size : 1, IMAGE_ALIGN);
    const size_t bytes = r->images[i].bytes;
    if (!image) {
        conform_verdict_fail(r->verdict, CHECK_MEMORY, "not executed: no memory for an image");
        return;
    }
    memset(image, 0, size ? size : 1);
    memcpy(image, r->images[i].data, size < bytes ? size : bytes);
    const ifn_status status = who->desc->adopt(who, w, uses, image, size, &taken, &err);
    if (status != IFN_ERR_SHAPE)
        conform_verdict_fail(
            r->verdict, CHECK_PREPARE,
            "adopt: returned %s for an image of %zu bytes where it has %zu, expected %s",
            ifn_status_name(status), size, bytes, ifn_status_name(IFN_ERR_SHAPE));
    if (status == IFN_OK && taken.data)
        who->desc->release(who, &taken);
    r->guarded.free(r, image, size ? size : 1);
}

static void adopt_one(judge_run *r, int i, const ifn_tensor *w, uint32_t uses)
{
    ifn_backend *const who = r->packer;
    char layout[IFN_LAYOUT_BYTES] = "";
    ifn_error err = {0};
    size_t bytes;
    who->desc->layout(who, w, uses, layout);
    if (!*layout || !r->packed[i].data || ifn_matrix_bytes(w) == 0) /* nothing is nothing's image */
        return;
    const void *const image = keep_image(r, i, &bytes);
    if (!image)
        return;
    const uint32_t ops = r->packed[i].ops;
    who->desc->release(who, &r->packed[i]);
    r->packed[i] = (ifn_packed){.data = NULL};
    expect_refused(r, i, w, uses,
                   other_size(bytes, w, conform_hash(r->slot->c.seed, "size", (uint64_t)i)));
    if (who->desc->adopt(who, w, uses, image, bytes, &r->packed[i], &err) != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "adopt: %s", err.text);
    else if (r->packed[i].ops != ops)
        conform_verdict_fail(r->verdict, CHECK_PREPARE,
                             "adopt: a handle for the ops %#x, expected %#x as prepare has it",
                             (unsigned)r->packed[i].ops, (unsigned)ops);
}

void judge_adopt(judge_run *r, const ifn_tensor *const *w, uint32_t uses)
{
    const bool is_device = r->judge->image.device != NULL;
    if (!r->packer->desc->layout || is_device || conform_hash(r->slot->c.seed, "adopt", 0) % 2)
        return;
    for (int i = 0; i < r->n_packed && !judge_failed(r); i++)
        adopt_one(r, i, w[i], uses);
}

void judge_adopt_end(judge_run *r)
{
    for (int i = 0; i < IFN_LINEAR_MAX; i++)
        if (r->images[i].data)
            r->guarded.free(r, r->images[i].data, r->images[i].bytes);
    memset(r->images, 0, sizeof r->images);
}
