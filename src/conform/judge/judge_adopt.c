/* Replaces handles by adopted images, as a host does that keeps prepared weights in a file: in every other case of a
 * backend that names layouts. Adopted handles owe what prepared ones owe, and an image owes the same bytes for all uses
 * whose layout has the same name. */
#include <stdbool.h>
#include <string.h>

#include "gen.h"
#include "judge_lend.h"
#include "judge_uses.h"

/* The alignment of images, that of buffers. */
enum { IMAGE_ALIGN = 64 };

/* Returns false if the layout has no name. */
static bool name_layout(judge_run *r, const ifn_tensor *w, uint32_t uses,
                        char name[IFN_LAYOUT_BYTES])
{
    memset(name, 0, IFN_LAYOUT_BYTES);
    r->packer->desc->layout(r->packer, w, uses, name);
    if (name[IFN_LAYOUT_BYTES - 1])
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "layout: a name without an end");
    name[IFN_LAYOUT_BYTES - 1] = '\0';
    return *name != '\0';
}

static bool is_made(judge_run *r, const ifn_packed *packed, const char *name)
{
    if (!packed->data)
        conform_verdict_fail(r->verdict, CHECK_PREPARE,
                             "layout: names '%s' where prepare makes no handle", name);
    return packed->data != NULL;
}

/* Copies the image to a read-only block of its own, as the next process would find it. */
static bool keep_image(judge_run *r, int i)
{
    size_t bytes = 0;
    const void *const image = r->packer->desc->image(r->packer, &r->packed[i], &bytes);
    if (!image || bytes == 0) {
        conform_verdict_fail(r->verdict, CHECK_PREPARE,
                             "image: no bytes of a weight that has a layout");
        return false;
    }
    unsigned char *const copy = r->guarded.alloc(r, bytes, IMAGE_ALIGN);
    if (!copy) {
        conform_verdict_fail(r->verdict, CHECK_MEMORY, "not executed: no memory for an image");
        return false;
    }
    memcpy(copy, image, bytes);
    r->images[i] = (ifn_packed){.data = copy, .bytes = bytes};
    judge_lend_seal(r, copy);
    return true;
}

/* A wrong size for an image of `bytes` bytes: nothing, most of it, more than it, one row less or more. */
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

/* Expects adopt to refuse an image of `size` bytes. The memory is that large, and begins with the right image. */
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

/* Expects the image of `other`, prepared for the uses `beside`, to equal that of weight i byte for byte. */
static void expect_same_image(judge_run *r, int i, const ifn_packed *other, uint32_t beside,
                              const char *name)
{
    const unsigned char *const kept = r->images[i].data;
    size_t bytes = 0, at = 0;
    const unsigned char *const image = r->packer->desc->image(r->packer, other, &bytes);
    const size_t both = image && bytes < r->images[i].bytes ? bytes : r->images[i].bytes;
    if (image && bytes == both && both == r->images[i].bytes && memcmp(image, kept, both) == 0)
        return;
    while (image && at < both && image[at] == kept[at])
        at++;
    conform_verdict_fail(r->verdict, CHECK_PREPARE,
                         "image: differs at byte %zu of %zu, prepared for the uses %#x and %#x, "
                         "though both are named '%s'",
                         at, r->images[i].bytes, (unsigned)r->uses_packed, (unsigned)beside, name);
}

static void prepare_moved(judge_run *r, int i, const ifn_tensor *moved, uint32_t beside,
                          const char *name)
{
    ifn_backend *const who = r->packer;
    ifn_packed other = {.data = NULL};
    ifn_error err = {0};
    r->lent_poison = 1;
    const ifn_status status = judge_prepare_shown(who, &moved, 1, beside, &other, &err);
    r->lent_poison = 0;
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "prepare: %s", err.text);
    else if (is_made(r, &other, name))
        expect_same_image(r, i, &other, beside, name);
    if (other.data)
        who->desc->release(who, &other);
}

/* Prepares the same weight at another address for other uses: an image may depend on the weight and the name of its
 * layout alone, and not on where the weight lies or what the image's memory held before. */
static void prepare_beside(judge_run *r, int i, const ifn_tensor *w, const char *name)
{
    const uint32_t beside = judge_uses_beside(r, r->packer, r->uses_packed, "image");
    const size_t bytes = ifn_matrix_bytes(w);
    char layout[IFN_LAYOUT_BYTES];
    if (!name_layout(r, w, beside, layout) || strcmp(layout, name) != 0)
        return;
    void *const data = r->guarded.alloc(r, bytes, IMAGE_ALIGN);
    if (!data) {
        conform_verdict_fail(r->verdict, CHECK_MEMORY, "not executed: no memory for a weight");
        return;
    }
    ifn_tensor moved = *w;
    moved.data = memcpy(data, w->data, bytes);
    prepare_moved(r, i, &moved, beside, name);
    r->guarded.free(r, data, bytes);
}

static void adopt_image(judge_run *r, int i, const ifn_tensor *w, uint32_t uses)
{
    ifn_backend *const who = r->packer;
    const ifn_packed image = r->images[i];
    const uint32_t ops = r->packed[i].ops;
    ifn_error err = {0};
    who->desc->release(who, &r->packed[i]);
    r->packed[i] = (ifn_packed){.data = NULL};
    expect_refused(r, i, w, uses,
                   other_size(image.bytes, w, conform_hash(r->slot->c.seed, "size", (uint64_t)i)));
    if (who->desc->adopt(who, w, uses, image.data, image.bytes, &r->packed[i], &err) != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "adopt: %s", err.text);
    else if (r->packed[i].ops != ops)
        conform_verdict_fail(r->verdict, CHECK_PREPARE,
                             "adopt: a handle for the ops %#x, expected %#x as prepare has it",
                             (unsigned)r->packed[i].ops, (unsigned)ops);
}

static void adopt_one(judge_run *r, int i, const ifn_tensor *w, uint32_t uses)
{
    const ifn_tensor same = *w; /* the weight in a struct of another call */
    char name[IFN_LAYOUT_BYTES], again[IFN_LAYOUT_BYTES];
    if (ifn_matrix_bytes(w) == 0) /* an empty weight has no image */
        return;
    if (!name_layout(r, w, uses, name) || !is_made(r, &r->packed[i], name) || !keep_image(r, i))
        return;
    if (conform_hash(r->slot->c.seed, "beside", 0) % (uint64_t)(2 * r->n_packed) == (uint64_t)i)
        prepare_beside(r, i, w, name);
    adopt_image(r, i, w, uses);
    name_layout(r, &same, uses, again);
    if (strcmp(again, name) != 0)
        conform_verdict_fail(r->verdict, CHECK_PREPARE,
                             "layout: names '%s' when asked again, '%s' before", again, name);
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
