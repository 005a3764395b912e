#include "e2e_explain.h"

#include <stdio.h>
#include <string.h>

/* Writes the line: "layer 1, up, op linear blk.1.ffn_up.weight: out is 1.5, expected 1.25 within 0.125". */
static void put_line(const first_bad_finding *r, char *out, size_t bytes)
{
    char at[32] = "outside the layers";
    if (r->layer >= 0)
        snprintf(at, sizeof at, "layer %lld", (long long)r->layer);
    switch (r->kind) {
    case FIRST_BAD_NONE:
        snprintf(out, bytes, "none: every op keeps its contract and every point is near truth");
        break;
    case FIRST_BAD_OP:
        snprintf(out, bytes, "%s, %s, op %s %s: %s is %.9g, expected %.9g within %.3g", at,
                 r->point, ifn_op_name(r->op), r->weight, r->tensor, r->got, r->want, r->bound);
        break;
    case FIRST_BAD_STATE:
        snprintf(out, bytes, "%s, %s, op %s %s: its inputs have changed since they were written",
                 at, r->point, ifn_op_name(r->op), r->weight);
        break;
    case FIRST_BAD_GRAPH:
        snprintf(out, bytes,
                 "%s, %s: every op keeps its contract, and yet it is %.9g, expected "
                 "%.9g: the graph",
                 at, r->point, r->got, r->want);
        break;
    }
}

static void put_text(const first_bad_finding *r, char *out, size_t bytes)
{
    FILE *const f = fmemopen(out, bytes, "w");
    if (!f)
        return;
    conform_first_bad_put(r, f);
    fclose(f);
    out[bytes - 1] = '\0';
}

/* Lists the chunks of the run. If there are more than `most`, the last one takes all ids that are left. */
static int64_t spell_chunks(const e2e_again *again, int64_t n, int64_t *out, int64_t most)
{
    const e2e_chunks chunks = {again->chunks, again->n_chunks};
    int64_t n_out = 0;
    for (int64_t left = n; left > 0 && n_out < most; n_out++) {
        out[n_out] = n_out + 1 < most ? e2e_chunk_size(&chunks, n_out, left) : left;
        left -= out[n_out];
    }
    return n_out;
}

void e2e_explain_run(const e2e_explain *self, e2e_results *results)
{
    enum { MOST = 512 };
    const e2e_truth *const truth = self->trial->truth;
    int64_t chunks[MOST];
    const e2e_way *const way = &self->again.way;
    const first_bad_mode mode = {.graph = way->graph,
                                 .activations = way->activations,
                                 .kv = way->kv,
                                 .last_logits = way->is_long,
                                 .chunks = chunks,
                                 .n_chunks = spell_chunks(&self->again, truth->n, chunks, MOST)};
    first_bad_finding finding;
    ifn_backend *backend = NULL;
    ifn_error err = {0};
    ifn_status status =
        self->trial->open(self->trial->backend, self->again.n_threads, &backend, &err);
    if (status == IFN_OK)
        status = conform_first_bad(truth->model, backend, &mode, truth->ids, truth->n,
                                   &(first_bad_options){.yaml = self->yaml}, &finding, &err);
    if (status == IFN_OK)
        put_text(&finding, results->text, sizeof results->text);
    else
        snprintf(results->text, sizeof results->text, "first bad op: not looked for: %s\n",
                 err.text);
    if (status == IFN_OK && self->row >= 0) {
        e2e_row *const row = &results->all_statistics[self->row].row;
        put_line(&finding, row->first_bad, sizeof row->first_bad);
    }
    results->has_file = status == IFN_OK && finding.yaml[0];
    ifn_backend_close(backend);
}
