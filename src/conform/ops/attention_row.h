/*
 * The attention oracle for one query row and head: scores and weights, the bounds on their errors (numerics 7.7), and
 * how far declared arithmetic moves them.
 */
#ifndef CONFORM_OPS_ATTENTION_ROW_H
#define CONFORM_OPS_ATTENTION_ROW_H

#include <math.h>
#include <stdbool.h>

#include "arithmetic.h"
#include "attention_dims.h"
#include "bounds.h"

/* One decoded KV head, and buffers for the keys of one row. */
typedef struct conform_head {
    const conform_case *c;
    const conform_declared *declared;
    int64_t head_dim;
    double scale, unit;
    double *k; /* [visible, head_dim] */
    double *v; /* [head_dim, visible]: the values of one component are contiguous */
    int64_t visible;
    double *score, *error, *p, *r; /* [visible]: s_t, D_t, p_t, r_t */
    double *rescales;              /* [visible]: n_t */
    /* For declared arithmetic (numerics 9.2): NULL and zeros if factors are not rounded. */
    const conform_format *format;
    double *q_moved, *k_moved, *v_moved; /* e(q_c), e(k_tc), e(v_tc), laid out as q, k, v */
    double *p_moved;                     /* [visible]: w_t */
} conform_head;

/* The quantities that all elements of one row and head share. */
typedef struct conform_query {
    int64_t n;                /* visible keys */
    double max, max_error;    /* of the scores */
    double share, g;          /* P, G */
    double most;              /* the largest p_t */
    double depth, n_rescales; /* h_T, n */
    double moved;             /* the most that rounded factors move a score by */
    double p_moved;           /* W */
    bool is_nan, is_unknown;
    bool is_equal;  /* T0: all weights are the same */
    int64_t winner; /* T0: the one key that counts, or -1 */
} conform_query;

/* Sets moved[i] to the bound on rounding the decoded factor x[i], for n elements (h->v_moved, h->k_moved). Factors of
 * scores may be rounded after multiplication by the scale. */
void conform_head_move(const conform_head *h, const double *x, int64_t n, bool is_of_score,
                       double *moved);

/* Computes scores and weights of a query and all fields of r; r->n is given. If r->is_nan or r->is_unknown there are no
 * weights. */
void conform_weigh_query(conform_head *h, conform_query *r, const float *q);

/* The bound of a result that is one key's value: it is computed as weight * value / weight, with a weight of about
 * 1. */
static inline double conform_bound_of_winner(double value)
{
    return 4 * U * fabs(value) * CONFORM_WIDEN;
}

/* u and eta of the declared format; 0 if factors are not rounded. */
static inline double conform_head_unit(const conform_head *h)
{
    return h->format ? h->format->u : 0;
}

static inline double conform_head_tiny(const conform_head *h)
{
    return h->format ? h->format->tiny : 0;
}

#endif
