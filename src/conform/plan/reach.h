/*
 * The certificate of a run: a count of what was tried for one op on one backend. Judged cases are counted by class -
 * regime, octave of each dimension, residues of two dimensions, relation, overlap, address, parts, threads, far
 * offsets - for each dtype, form of weights and dtype of the output. The counts that the profile promises stand next
 * to them, so that a reader of the report sees what is missing.
 */
#ifndef CONFORM_REACH_H
#define CONFORM_REACH_H

#include <stdbool.h>
#include <stdio.h>

#include "far.h"
#include "module.h"
#include "profile.h"
#include "spec.h"
#include "verdict.h"

/* Octave 0 holds 0, octave i the sizes from 2^(i-1) to 2^i - 1. */
enum { REACH_N_OCTAVES = 42 };
/* Classes of a size modulo vector widths: a multiple, one more, one less, any other. */
enum { REACH_N_RESIDUES = 4 };
/* A dimension of this size or more is large. */
enum { REACH_LARGE_SIZE = 4096 };

/* X(KIND, name in reports, lists, classes in a list) */
/* clang-format off */
#define REACH_KINDS(X)                                                                           \
    X(REGIMES,   "regimes",   TIER_COUNT * FAMILY_COUNT, 1)                                      \
    X(OCTAVES,   "octaves",   CONFORM_MAX_DIMS, REACH_N_OCTAVES)                                   \
    X(RESIDUES,  "residues",  CONFORM_MAX_DIMS * (CONFORM_MAX_DIMS - 1) / 2,                     \
      REACH_N_RESIDUES * REACH_N_RESIDUES)                                                           \
    X(RELATIONS, "relations", CONFORM_INVARIANCES, 1)                                            \
    X(OVERLAPS,  "overlaps",  CONFORM_MAX_ALIASES, 1)                                            \
    X(ADDRESSES, "addresses", 1, 16) /* modulo 64, in steps of 4 */                              \
    X(PARTS,     "pieces",    1, 17) /* how many parts a call was cut into */                    \
    X(THREADS,   "lanes",     1, 9)  /* how many threads ran parts of it at once */              \
    X(LARGE,     "large",     TIER_COUNT * FAMILY_COUNT, 1) /* regimes of cases with a large size */ \
    X(FAR,       "far",       FAR_WAYS, FAR_BORDERS) /* offsets past 2^31 and 2^32, 2^24 elements */
/* clang-format on */

typedef enum reach_kind {
#define X(kind, name, lists, length) REACH_##kind,
    REACH_KINDS(X)
#undef X
        REACH_KIND_COUNT
} reach_kind;

/* The first class of each kind, and how many classes there are. */
enum {
#define X(kind, name, lists, length)                                                               \
    REACH_FIRST_##kind, REACH_LAST_##kind = REACH_FIRST_##kind + (lists) * (length)-1,
    REACH_KINDS(X)
#undef X
        REACH_CLASSES
};

enum { REACH_ANY_FORM = 2, REACH_ANY_DTYPE = IFN_DTYPE_COUNT };

/* The cases that a row counts: their dtype, raw (0) or prepared (1) weights, output dtype; each may be REACH_ANY_*. */
typedef struct reach_key {
    int32_t dtype, form, out;
} reach_key;

typedef struct reach_row {
    reach_key key;
    int64_t at[REACH_CLASSES];
} reach_row;

typedef struct reach_table {
    int n;
    reach_row *rows; /* owned */
} reach_table;

typedef struct conform_reach {
    reach_table reached, refused; /* cases that were judged; that were refused as declared */
    reach_table needed;           /* counts that the profile promises; keys may hold REACH_ANY_* */
} conform_reach;

void conform_reach_close(conform_reach *self);

/* Counts a case that was run. A case that died, or was refused without a declaration, is not counted. */
void conform_reach_count(conform_reach *self, const conform_case *c, const conform_verdict *v);
/* Adds the counts of `from`; of each promise the larger one stays. */
void conform_reach_merge(conform_reach *self, const conform_reach *from);

/* The row of a key, which is created if it is missing. */
reach_row *reach_row_of(reach_table *table, reach_key key);
/* True if `any`, which may hold REACH_ANY_*, covers the key `one`. */
bool reach_stands_for(reach_key any, reach_key one);
/* The sum of a class over all rows that the key covers. */
int64_t reach_sum(const reach_table *table, reach_key key, int class);

int reach_class(reach_kind kind, int list, int at);
reach_kind reach_kind_of(int class, int *list, int *at);
const char *reach_kind_name(reach_kind kind);
int reach_lists_of(reach_kind kind);
int reach_length_of(reach_kind kind);
/* The name of a list, as in JSON: a regime, a dimension, two of them, ...; NULL: the op has none.
 */
const char *reach_list_name(ifn_op op, reach_kind kind, int list, char *out, size_t bytes);

int reach_octave(int64_t size);
int reach_residue(int64_t size);
int reach_pair(int first, int second); /* the list of two dimensions, first < second */

/* --- what is promised --- */

/* Fills in the counts that the spec demands of a run of this profile. The run's filters do not change them. */
void conform_reach_need(conform_reach *self, const spec_op *spec, conform_profile profile);

/* --- what is missing --- */

typedef struct reach_hole {
    reach_key key;
    int class;
    int64_t n, needed;
    bool is_left_out; /* the backend declares this as not supported: not counted as a hole */
} reach_hole;

typedef void (*reach_visitor)(void *cookie, const reach_hole *hole);
/* Visits every class in which fewer cases were judged than promised. */
void conform_reach_missing(const conform_reach *self, reach_visitor visit, void *cookie);
int64_t conform_reach_count_holes(const conform_reach *self);
/* "linear Q4_K prepared: no case with k in [8192, 16384)" */
void conform_reach_say(ifn_op op, const reach_hole *hole, char *out, size_t bytes);
/* "linear Q4_K prepared" */
void conform_reach_say_key(ifn_op op, reach_key key, char *out, size_t bytes);

/* The certificates of a whole report: report_reach.c. */
typedef struct conform_report conform_report;

/* 1 if no op has a hole. Else `lacks` receives the first hole and the number of holes. */
int conform_reach_is_whole(const conform_report *r, int tested, char *lacks, size_t bytes);
/* Prints one line for each backend and its first holes; with `all` every hole, and what is left out. */
void conform_report_reach(const conform_report *r, bool all, FILE *out);
/* Prints the same as HTML maps, with their style. */
void conform_report_reach_html(const conform_report *r, FILE *out);

#endif
