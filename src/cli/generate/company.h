/*
 * Texts that are made together: one pass advances all of them, whoever comes joins at the next pass
 * and leaves after any. Each gets the ids that it gets alone, where the backend holds R10.
 */
#ifndef IFN_CLI_COMPANY_H
#define IFN_CLI_COMPANY_H

#include "generation.h"

/*
 * Ids of prompts that one step evaluates, those of whoever came first before the next's: few while
 * answers are being made, which all wait for it; more where there are none.
 */
enum { COMPANY_PROMPT_BESIDE = 64, COMPANY_PROMPT_ALONE = 512 };

/*
 * Hears of the end of one; the cookie is that of its params. Where it went wrong, `status` is not
 * IFN_OK and `err` says how. What this returns, if not IFN_OK, ends them all.
 */
typedef ifn_status (*company_end)(void *cookie, ifn_status status, generation_stop stop,
                                  ifn_error *err);

typedef struct company_seat company_seat;

typedef struct company {
    const session *session;
    const ifn_context_params *context; /* what the context of the session was opened with */
    company_end end;
    company_seat *seats; /* [room], of which n are taken, in the order in which they came */
    ifn_batch_part *parts;
    size_t room, n;
    int64_t most_pages; /* of the KV cache that were in use at once */
} company;

/* Takes all sequences of the session's context. company_close takes a half-opened one. */
ifn_status company_open(company *self, const session *opened, const ifn_context_params *context,
                        company_end end, ifn_error *err);
/* Ends nobody: who is still there is not told. */
void company_close(company *self);

bool company_has_room(const company *self);

/* Borrows `params` until their `end`, which is not called if this fails.
 * Errors  IFN_ERR_ARGUMENT: there is no room */
ifn_status company_join(company *self, const generation_params *params, ifn_error *err);

/**
 * Advances all: an id for each whose prompt is evaluated, a chunk of the prompts of the others. Those
 * that are over are told, and their sequences are free. What goes wrong with one ends that one; a
 * pass that fails ends all that are there, and others may come.
 * Errors  what the `end` of one returns
 */
ifn_status company_step(company *self, ifn_error *err);

/* A company of all of a list, the next as soon as there is room; of one session, all of them.
 * *most_pages: as above, whatever this returns. */
ifn_status company_run(const generation_params *params, size_t n, company_end end,
                       int64_t *most_pages, ifn_error *err);

#endif
