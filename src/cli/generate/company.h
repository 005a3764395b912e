/*
 * Continuous batching: one pass advances several texts by one step. A text may join before any pass and leave after any
 * pass. Each gets the same ids as alone, if the backend holds R10.
 */
#ifndef IFN_CLI_COMPANY_H
#define IFN_CLI_COMPANY_H

#include "generation.h"

/*
 * The most ids of prompts that one step evaluates, first come first served: few while answers are being generated, as
 * these wait for the pass; more if there are none.
 */
enum { COMPANY_PROMPT_BESIDE = 64, COMPANY_PROMPT_ALONE = 512 };

/*
 * Called when a text ends, with the cookie of its params. If it failed, `status` is not IFN_OK and `err` says why. A
 * return value other than IFN_OK ends all texts.
 */
typedef ifn_status (*company_end)(void *cookie, ifn_status status, generation_stop stop,
                                  ifn_error *err);

typedef struct company_seat company_seat;

typedef struct company {
    const session *session;
    const ifn_context_params *context; /* what the context of the session was opened with */
    company_end end;
    company_seat *seats; /* [room]; the first n are taken, in the order of arrival */
    ifn_batch_part *parts;
    size_t room, n;
    int64_t most_pages; /* the most pages of the KV cache in use at once */
} company;

/* Takes over all sequences of the session's context. company_close also closes a half-opened company. */
ifn_status company_open(company *self, const session *opened, const ifn_context_params *context,
                        company_end end, ifn_error *err);
/* Does not call `end` for texts that are not finished. */
void company_close(company *self);

bool company_has_room(const company *self);

/* Adds a text. Borrows `params` until `end` is called for it; it is not called if this fails.
 * Errors  IFN_ERR_ARGUMENT: there is no room */
ifn_status company_join(company *self, const generation_params *params, ifn_error *err);

/**
 * Makes one pass: chooses an id for each text whose prompt is evaluated, and evaluates a chunk of the prompts of the
 * others. Calls `end` for texts that are over and frees their sequences. A failure of one text ends that text; a pass
 * that fails ends all present texts, and new ones may join.
 * Errors  those that `end` returns
 */
ifn_status company_step(company *self, ifn_error *err);

/* Runs all texts of a list, each as soon as there is room. All have the same session. *most_pages is set as above, even
 * after a failure. */
ifn_status company_run(const generation_params *params, size_t n, company_end end,
                       int64_t *most_pages, ifn_error *err);

#endif
