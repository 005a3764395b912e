/* Lays out every buffer of a context: sizes follow from hyper-parameters, limits and graph. */
#ifndef IFN_PLAN_H
#define IFN_PLAN_H

#include <inferno/context.h>
#include <stdbool.h>

#include "arena.h"
#include "kv_cache.h"

/* Buffers of the backend. Pointers are addresses only: what they point at belongs to the ops. */
typedef struct ifn_buffers {
    /* both graphs; R = max_rows */
    int32_t *ids;        /* [R] */
    float *rope;         /* [R, head_dim] */
    float *x;            /* [R, n_embd]: the residual stream */
    float *normed;       /* [R, n_embd] */
    float *q, *k, *v;    /* [R, heads * head_dim] */
    float *attended;     /* [R, n_heads * head_dim] */
    float *delta;        /* [R, n_embd]: what a sublayer adds to the stream */
    float *gate, *up;    /* [R, n_ff] */
    float *last;         /* [n_embd]: the row whose logits are wanted */
    float *logits;       /* [logit_rows, n_vocab]: one kept for each sequence, then others */
    float *probs;        /* [n_vocab] */
    int32_t *best_index; /* [1] */
    float *best_value;   /* [1] */
    void *scratch;
    ifn_kv_cache kv;
    /* fused graph, q8 activations */
    ifn_block_q8_32f *normed_q8, *attended_q8, *gated_q8;
    /* primitive graph */
    float *row_a, *row_b;     /* [R, widest] */
    float *scalars;           /* [R * n_heads] */
    float *head_q, *head_out; /* [R, head_dim] */
    float *head_kv, *head_kt; /* [max_pos, head_dim], [head_dim, max_pos] */
    float *scores;            /* [R, max_pos] */
} ifn_buffers;

/* One of the n_sequences sequences that a context can hold. */
typedef struct ifn_sequence {
    int64_t position;
    int64_t logits_row; /* the row of b.logits with those of its last position; -1: none */
    bool is_used;
    bool is_in_batch; /* set only while a batch is checked: a sequence may occur in it once */
} ifn_sequence;

/* Memory of the host. */
typedef struct ifn_host_buffers {
    ifn_token *history;      /* [max_pos]: all ids so far, to recompute; NULL with a KV cache */
    ifn_span *spans;         /* [n_sequences]: of the current pass */
    ifn_sequence *sequences; /* [n_sequences] */
    int32_t *pages;          /* [n_sequences, slot / page_rows]: the block table; -1: no page */
    int32_t *page_users;     /* [n_pages]: how many sequences use each page */
    float *rope;             /* [R, head_dim] */
    float *logits;           /* [n_vocab] */
    int32_t *order;          /* [n_vocab]: ids of a sampler's candidates */
} ifn_host_buffers;

/* Parameters with every default filled in. */
typedef struct ifn_resolved {
    ifn_context_params params; /* max_pos, max_rows, n_sequences at least 1; not AUTO */
    int64_t logit_rows;
    ifn_dtype kv_dtype;
    size_t scratch_bytes;
    int32_t n_lanes; /* of the backend */
} ifn_resolved;

/* Fills in defaults and refuses combinations that no graph supports. */
ifn_status ifn_plan_resolve(const ifn_model *model, const ifn_backend *backend,
                            const ifn_context_params *params, ifn_resolved *out, ifn_error *err);

/* Lay the buffers out on an arena. On an arena without a block this only measures. */
void ifn_plan_buffers(const ifn_hparams *h, const ifn_resolved *r, ifn_arena *arena,
                      ifn_buffers *out);
void ifn_plan_host(const ifn_hparams *h, const ifn_resolved *r, ifn_arena *arena,
                   ifn_host_buffers *out);

/* Computes the bytes of everything; refuses a total above max_memory or beyond the address space. */
ifn_status ifn_plan_measure(const ifn_model *model, const ifn_resolved *r, ifn_plan *plan,
                            ifn_error *err);

#endif
