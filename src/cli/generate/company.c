#include "company.h"

#include <stdlib.h>
#include <string.h>

#include "progression.h"

struct company_seat {
    progression text;
    size_t n_in_pass; /* ids that the pass evaluates */
    ifn_status status;
    ifn_error why; /* if status is not IFN_OK */
};

ifn_status company_open(company *self, const session *opened, const ifn_context_params *context,
                        company_end end, ifn_error *err)
{
    const int32_t most = context->n_sequences;
    *self = (company){
        .session = opened, .context = context, .end = end, .room = most > 1 ? (size_t)most : 1};
    self->seats = calloc(self->room, sizeof *self->seats);
    self->parts = calloc(self->room, sizeof *self->parts);
    if (!self->seats || !self->parts)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu texts at a time", self->room);
    return ifn_context_sequence_drop(opened->context, 0, err);
}

void company_close(company *self)
{
    for (size_t i = 0; i < self->n; i++)
        progression_close(&self->seats[i].text);
    free(self->seats);
    free(self->parts);
    *self = (company){0};
}

bool company_has_room(const company *self)
{
    return self->n < self->room;
}

ifn_status company_join(company *self, const generation_params *params, ifn_error *err)
{
    ifn_context *const context = self->session->context;
    int32_t sequence;
    ifn_error unused;
    IFN_TRY(ifn_context_sequence_add(context, &sequence, err));
    company_seat *const seat = &self->seats[self->n];
    *seat = (company_seat){.status = IFN_OK};
    const ifn_status status = progression_open(&seat->text, params, sequence, err);
    if (status == IFN_OK) {
        self->n++;
        return IFN_OK;
    }
    progression_close(&seat->text);
    const ifn_status dropped = ifn_context_sequence_drop(context, sequence, &unused);
    return dropped == IFN_OK ? status : dropped;
}

static bool has_whole_prompt(const progression *p)
{
    return p->n_chosen > 0;
}

/* Calls is_over for texts between two chunks of their prompt. */
static void ask_newcomers(company *self)
{
    for (size_t i = 0; i < self->n; i++) {
        progression *const p = &self->seats[i].text;
        if (p->is_over || has_whole_prompt(p) || !p->params->is_over)
            continue;
        p->is_over = p->params->is_over(p->params->cookie);
        p->stop = p->is_over ? STOP_TEXT : p->stop;
    }
}

/* Removes text i, and calls its `end` once its seat and its sequence are free. */
static ifn_status leave(company *self, size_t i, ifn_error *err)
{
    company_seat gone = self->seats[i];
    self->n--;
    memmove(&self->seats[i], &self->seats[i + 1], (self->n - i) * sizeof *self->seats);
    ifn_status status = ifn_context_sequence_drop(self->session->context, gone.text.sequence, err);
    if (status == IFN_OK && gone.status != IFN_OK)
        *err = gone.why;
    if (status == IFN_OK)
        status = self->end(gone.text.params->cookie, gone.status, gone.text.stop, err);
    progression_close(&gone.text);
    return status;
}

static ifn_status leave_all(company *self, ifn_error *err)
{
    for (size_t i = 0; i < self->n;) {
        if (self->seats[i].text.is_over)
            IFN_TRY(leave(self, i, err));
        else
            i++;
    }
    return IFN_OK;
}

/* Returns how many ids of prompts a step may evaluate. No limit without a KV cache: each chunk of a prompt would
 * compute all chunks before it again. */
static size_t prompt_room(const company *self)
{
    if (self->context->kv == IFN_KV_OFF)
        return SIZE_MAX;
    for (size_t i = 0; i < self->n; i++)
        if (has_whole_prompt(&self->seats[i].text))
            return COMPANY_PROMPT_BESIDE;
    return COMPANY_PROMPT_ALONE;
}

/* --- prompts that begin alike, in pages --- */

/* Returns the length of the common prefix, at most all ids of b but the last, whose logits b needs. */
static size_t common_ids(const progression *a, const progression *b)
{
    const size_t most = a->n < b->n - 1 ? a->n : b->n - 1;
    size_t n = 0;
    while (n < most && a->ids[n] == b->ids[n])
        n++;
    return n;
}

/* Finds the earlier text that shares the longest prefix with text i, of a page at least; NULL: none. *n: its length. */
static const progression *shares_most(const company *self, size_t i, size_t *n)
{
    const progression *const p = &self->seats[i].text, *most = NULL;
    *n = (size_t)self->context->page_rows - 1;
    for (size_t k = 0; self->context->page_rows > 0 && p->n_new == p->n && p->n > 0 && k < i; k++) {
        const size_t common = common_ids(&self->seats[k].text, p);
        if (common <= *n)
            continue;
        *n = common;
        most = &self->seats[k].text;
    }
    return most;
}

/* Starts a text from the pages of another with the same prefix. Returns false if it must wait until that one has
 * evaluated them. */
static bool begin_shared(const company *self, size_t i)
{
    progression *const p = &self->seats[i].text;
    size_t n;
    ifn_error unused;
    const progression *const other = shares_most(self, i, &n);
    if (other && other->n - other->n_new < n)
        return false;
    if (other && ifn_context_sequence_copy(self->session->context, other->sequence, p->sequence,
                                           (int64_t)n, &unused) == IFN_OK)
        p->n_new = p->n - n;
    return true;
}

/* Makes the parts of the next pass. Logits are wanted of a text if the pass evaluates the last of its ids. */
static size_t next_parts(company *self)
{
    size_t n = 0, left = prompt_room(self);
    for (size_t i = 0; i < self->n; i++) {
        company_seat *const seat = &self->seats[i];
        const progression *const p = &seat->text;
        const bool is_new = !has_whole_prompt(p);
        seat->n_in_pass = 0;
        if (!begin_shared(self, i))
            continue;
        seat->n_in_pass = is_new && p->n_new > left ? left : p->n_new;
        left -= is_new ? seat->n_in_pass : 0;
        if (seat->n_in_pass == 0)
            continue;
        self->parts[n] = (ifn_batch_part){.sequence = p->sequence,
                                          .n = seat->n_in_pass,
                                          .ids = p->ids + p->n - p->n_new,
                                          .n_logits = seat->n_in_pass == p->n_new};
        n++;
    }
    return n;
}

static ifn_status choose(progression *p, ifn_error *err)
{
    ifn_token id;
    float prob;
    IFN_TRY(progression_choose(p, &id, &prob, err));
    return progression_accept(p, id, prob, err);
}

/* Handles the result of a pass for one text. */
static void accept(company_seat *seat, ifn_status status, const ifn_error *why)
{
    progression *const p = &seat->text;
    seat->status = status;
    if (status != IFN_OK)
        seat->why = *why;
    else if (seat->n_in_pass > 0 && (p->n_new -= seat->n_in_pass) == 0)
        seat->status = choose(p, &seat->why);
    p->is_over = p->is_over || seat->status != IFN_OK;
}

static void run_pass(company *self)
{
    ifn_backend *const backend = self->session->backend;
    const ifn_batch batch = {next_parts(self), self->parts};
    ifn_error why;
    ifn_trace_begin(backend, "batch");
    const ifn_status status = ifn_context_eval_batch(self->session->context, &batch, &why);
    int64_t in_use;
    (void)ifn_context_pages(self->session->context, &in_use);
    if (in_use > self->most_pages)
        self->most_pages = in_use;
    for (size_t i = 0; i < self->n; i++)
        accept(&self->seats[i], status, &why);
    ifn_trace_end(backend);
}

ifn_status company_step(company *self, ifn_error *err)
{
    ask_newcomers(self);
    IFN_TRY(leave_all(self, err)); /* with nothing to generate */
    if (self->n > 0)
        run_pass(self);
    return leave_all(self, err);
}

static ifn_status run_together(company *c, const generation_params *params, size_t n,
                               ifn_error *err)
{
    size_t next = 0;
    while (next < n || c->n > 0) {
        while (next < n && company_has_room(c))
            IFN_TRY(company_join(c, &params[next++], err));
        IFN_TRY(company_step(c, err));
    }
    return IFN_OK;
}

ifn_status company_run(const generation_params *params, size_t n, company_end end,
                       int64_t *most_pages, ifn_error *err)
{
    company c;
    ifn_status status = company_open(&c, params->session, params->context, end, err);
    if (status == IFN_OK)
        status = run_together(&c, params, n, err);
    *most_pages = c.most_pages;
    company_close(&c);
    return status;
}
