/*
 * Far calls: calls that touch offsets past 2^31 or 2^32, in bytes or in elements, at the price of a small call.
 * A far call is made from an ordinary call, the call at home: one of its sizes or positions is enlarged until the
 * elements it touches lie past the border. The whole op at home becomes a part, or a window elsewhere, of the far
 * call; the rest of each tensor is reserved address space that costs nothing (far_map.h).
 */
#ifndef CONFORM_FAR_H
#define CONFORM_FAR_H

#include <stdbool.h>

#include <inferno/signature.h>

#include "far_whole.h"
#include "module.h"
#include "stream.h"

/* The border that an offset passes: the range of a signed or unsigned 32-bit integer, in bytes or in elements. The last
 * one is where a float stops counting exactly; only calls of whole tensors pass it (far_whole.h).
 * X(NAME, text, bits, of elements) */
/* clang-format off */
#define CONFORM_FAR_BORDERS(X)                       \
    X(BYTES_31, "2^31 bytes", 31, false)             \
    X(BYTES_32, "2^32 bytes", 32, false)             \
    X(ELEMENTS_31, "2^31 elements", 31, true)        \
    X(ELEMENTS_32, "2^32 elements", 32, true)        \
    X(ELEMENTS_24, "2^24 elements", 24, true)
/* clang-format on */

typedef enum far_border {
#define X(NAME, text, bits, of_elements) FAR_##NAME,
    CONFORM_FAR_BORDERS(X)
#undef X
        FAR_BORDERS
} far_border;

const char *conform_far_border_name(far_border border);

/* An op has several ways to be far: the size or position that is enlarged. A class of the certificate is
 * way * FAR_BORDERS + border. */
enum { FAR_WAYS = 4, FAR_PART_BORDERS = FAR_ELEMENTS_24, FAR_RUNS = 64, FAR_TENSORS = 16 };

/* The name of a way, after the argument that it enlarges, such as "max_pos"; NULL: the op has no such way. */
const char *conform_far_way_name(ifn_op op, int way);

/* True if the way applies to a call with these arguments. */
bool conform_far_has_way(ifn_op op, const conform_call *home, int way);

/* One far call. */
typedef struct far_run {
    int way;
    far_border border;
    int64_t more;       /* what is added to the size or position of the way */
    const char *tensor; /* the tensor whose offset passes the border */
    bool is_last;       /* the judged part is the last one of the call */
} far_run;

/* The axis along which the far call is a part; -1: the far call is whole. */
int conform_far_axis(ifn_op op, const conform_call *home, const far_run *run);
/* The largest granule whose multiples are near every border. */
enum { FAR_GRANULE = 1 << 20 };
/* Increases `more` until the part of the run begins at a multiple of `granule`. A part that does not end at a multiple
 * becomes the last one (is_last). Returns false, and leaves the run alone, if the granule is above FAR_GRANULE: no part
 * near a border is legal. */
bool conform_far_aligned(ifn_op op, const conform_call *home, int64_t granule, far_run *run);

/* Lists the far calls that can be made from a call with these arguments; at most FAR_RUNS. Returns their number. */
int conform_far_runs(ifn_op op, const conform_call *home, far_run *out);
/* Bits for the far calls that a case makes: those of parts, and one of whole tensors for each far_size. */
enum { FAR_CALL_OF_PARTS = 1, FAR_CALL_OF_WHOLES = 2 /* << size */ };

/* A bit for each class that a case of these sizes can reach. */
uint32_t conform_far_classes(const conform_case *c);
/* The classes of a call of whole tensors; 0: the op has no such call of that size. */
uint32_t conform_far_whole_classes(ifn_op op, far_size size);
/* The far calls (FAR_CALL_*) that a case makes. Its seed gives far calls to few cases, and only to small ones, as a far
 * call is run about a dozen times. */
unsigned conform_far_calls(const conform_case *c);
/* Draws seeds from the stream, from *next on, until the case makes the far call that has the class. False: no case of
 * these sizes makes it, or none of the seeds that were tried does. */
bool conform_far_make_due(conform_case *c, int class, conform_stream seeds, uint64_t *next);
/* The classes of the far calls that a case makes. */
uint32_t conform_far_due(const conform_case *c);

/* Redirects the weight arguments of a copied call to the copy's own weights. */
void conform_far_point_to_weights(ifn_op op, conform_call *call);
/* Makes the arguments and weights of the far call; its pointers are still those of `home`. */
void conform_far_move(ifn_op op, const conform_call *home, const far_run *run, conform_call *out);

/* A tensor whose bytes lie at other offsets in the far call: n[0] times n[1] runs of bytes. */
typedef struct far_tensor {
    const ifn_op_arg *arg;
    int entry; /* of an array of tensors */
    bool is_weight, is_written;
    int64_t n[2];
    size_t run_bytes;
    size_t home_step[2], far_step[2], far_begin;
    size_t far_bytes; /* of the whole tensor in the far call */
    int64_t ids_more; /* what is added to the indices that the tensor holds */
} far_tensor;

/* Lists those tensors. Returns their number. */
int conform_far_tensors(ifn_op op, const conform_call *home, const conform_call *far,
                        const far_run *run, far_tensor *out);
void *conform_far_address(const far_tensor *t, const conform_call *call);
void conform_far_set_address(const far_tensor *t, conform_call *call, void *data);

#endif
