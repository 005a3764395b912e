/*
 * Offsets past 2^31 and 2^32, at the price of a small call: the same call with one of its sizes or
 * places so large that what it touches lies after such a border, in bytes or in elements. What was
 * all of the op is a part of it then, what was a window another one, and the rest of each tensor is
 * address space that costs nothing (far_map.h).
 */
#ifndef CONFORM_FAR_H
#define CONFORM_FAR_H

#include <stdbool.h>

#include <inferno/signature.h>

#include "far_whole.h"
#include "module.h"
#include "stream.h"

/* Which offset passes what a 32-bit number of it can hold: the last, what a float can, and calls of
 * whole tensors alone (far_whole.h). X(NAME, text, bits, of elements) */
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

/* Ways of one op to be far; a class of the certificate is way * FAR_BORDERS + border. */
enum { FAR_WAYS = 4, FAR_PART_BORDERS = FAR_ELEMENTS_24, FAR_RUNS = 64, FAR_TENSORS = 16 };

/* The name of a way: what is large in it, as "max_pos"; NULL: the op has no such way. */
const char *conform_far_way_name(ifn_op op, int way);

/* Whether a call, as it is bound, has the way at all. */
bool conform_far_has_way(ifn_op op, const conform_call *home, int way);

/* One far call: by so much is the size or the place of the way larger. */
typedef struct far_run {
    int way;
    far_border border;
    int64_t more;
    const char *tensor; /* of which an offset passes the border */
    bool is_last;       /* nothing comes after the part that is looked at */
} far_run;

/* Which axis of parts the call is a part of; -1: it is whole. */
int conform_far_axis(ifn_op op, const conform_call *home, const far_run *run);
/* The same run, a little farther, so that its part begins at a multiple of `granule` and ends at one, or with all there is. */
far_run conform_far_aligned(ifn_op op, const conform_call *home, const far_run *run,
                            int64_t granule);

/* The far calls that belong to a call as it is bound; at most FAR_RUNS. */
int conform_far_runs(ifn_op op, const conform_call *home, far_run *out);
/* Which calls are due: those of parts, and one of whole tensors of each size. */
enum { FAR_CALL_OF_PARTS = 1, FAR_CALL_OF_WHOLES = 2 /* << size */ };

/* A bit for each class that cases of such sizes can have. */
uint32_t conform_far_classes(const conform_case *c);
/* Those of a call of whole tensors; 0: the op has none of that size. */
uint32_t conform_far_whole_classes(ifn_op op, far_size size);
/* The calls of a case: of one of some, of those that are small enough to be written a dozen times. */
unsigned conform_far_calls(const conform_case *c);
/* Gives the case the first seed of a stream, from *next on, with which it has the class. False: it is
 * none of those, or chance is against it. */
bool conform_far_make_due(conform_case *c, int class, conform_stream seeds, uint64_t *next);
/* The classes of its calls. */
uint32_t conform_far_due(const conform_case *c);

/* Makes the arguments of a copied call point to the weights of the copy. */
void conform_far_point_to_weights(ifn_op op, conform_call *call);
/* The far call: arguments and weights; the tensors are still those of `home`. */
void conform_far_move(ifn_op op, const conform_call *home, const far_run *run, conform_call *out);

/* A tensor of a call whose rows lie elsewhere in the far one: n[0] times n[1] runs of bytes. */
typedef struct far_tensor {
    const ifn_op_arg *arg;
    int entry; /* of an array of tensors */
    bool is_weight, is_written;
    int64_t n[2];
    size_t run_bytes;
    size_t home_step[2], far_step[2], far_begin;
    size_t far_bytes; /* of all of it */
    int64_t ids_more; /* what is added to the numbers in it */
} far_tensor;

/* Those tensors. Returns how many. */
int conform_far_tensors(ifn_op op, const conform_call *home, const conform_call *far,
                        const far_run *run, far_tensor *out);
void *conform_far_address(const far_tensor *t, const conform_call *call);
void conform_far_set_address(const far_tensor *t, conform_call *call, void *data);

#endif
