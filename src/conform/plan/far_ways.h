/* Which sizes and places of an op a far call makes large. */
#ifndef CONFORM_FAR_WAYS_H
#define CONFORM_FAR_WAYS_H

#include <inferno/ops.h>

/* How an argument of a far call differs from that of the call at home. */
typedef enum far_how {
    HOW_NONE,
    HOW_SHIFT, /* a size: what was all of it stands so much further back, and is a part */
    HOW_GROW,  /* a size or a stride: what lies after a row of it stands further back */
    HOW_PLACE, /* a place, or the numbers of a tensor: larger by so much */
    HOW_LESS,  /* a place: smaller by so much */
    HOW_FLAT   /* rows and columns: one run of elements, which is shifted */
} far_how;

enum { FAR_MOVES = 2 };

typedef struct far_move {
    far_how how;
    const char *arg;
} far_move;

typedef struct far_way {
    const char *name; /* what is large; NULL: there is no such way */
    far_move moves[FAR_MOVES];
} far_way;

/* The i-th way of an op. */
far_way far_way_of(ifn_op op, int i);

#endif
