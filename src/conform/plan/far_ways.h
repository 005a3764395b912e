/* The sizes and positions of an op that a far call enlarges. */
#ifndef CONFORM_FAR_WAYS_H
#define CONFORM_FAR_WAYS_H

#include <inferno/ops.h>

/* How an argument of a far call differs from that of the call at home. `more` is far_run.more. */
typedef enum far_how {
    HOW_NONE,
    HOW_SHIFT, /* a size: grows by `more` in front; the call at home becomes the part after that */
    HOW_GROW,  /* a size or a stride: grows, so that the rows that follow move to higher offsets */
    HOW_PLACE, /* a position, or the indices in a tensor: increased by `more` */
    HOW_LESS,  /* a position: decreased by `more` */
    HOW_FLAT   /* rows and columns become one vector of elements, which is shifted */
} far_how;

enum { FAR_MOVES = 2 };

typedef struct far_move {
    far_how how;
    const char *arg;
} far_move;

typedef struct far_way {
    const char *name; /* the argument that is enlarged; NULL: there is no such way */
    far_move moves[FAR_MOVES];
} far_way;

/* The i-th way of an op. */
far_way far_way_of(ifn_op op, int i);

#endif
