/* From a path to a context: opens what a command needs, in order, and closes it backwards. */
#ifndef IFN_CLI_SESSION_H
#define IFN_CLI_SESSION_H

#include <inferno/inferno.h>

/* All zero is nothing open; session_close takes a half-opened one. */
typedef struct session {
    ifn_gguf *gguf;
    ifn_tokenizer *tokenizer;
    ifn_model *model;
    ifn_backend *backend;
    ifn_weights *weights;
    ifn_context *context;
    /* Said before session_open_context: */
    int no_prepare;      /* ops read weights as the file has them */
    const char *cache;   /* where prepared weights are kept; "": beside the model; NULL: nowhere */
    const char *program; /* who notes what is wrong with it; NULL: nobody */
} session;

ifn_status session_open_tokenizer(session *self, const char *path, ifn_error *err);
/* Tokenizer and model. */
ifn_status session_open_model(session *self, const char *path, ifn_error *err);

/* What the tokenizer warns of, in one line on standard error. */
void session_warn(const session *self, const char *program);
/* That the backend has fewer threads than it was to have, if so. */
void session_note_threads(const session *self, const char *program);
/* Adds to an error for want of memory, and to no other, what needs less of it: `options`. */
void session_say_what_helps(const session *self, const char *options, ifn_error *err);

/* expression NULL: the best there is. n_threads 0: not said; else refused where it makes no
 * difference. */
ifn_status session_open_backend(session *self, const char *expression, int64_t n_threads,
                                ifn_error *err);

/* 1: a number of threads makes a difference to the chain, as far as one can tell from outside. */
int session_has_threads(const session *self);

/* Plans first, so that too large a plan is refused before anything is allocated. */
ifn_status session_open_context(session *self, const ifn_context_params *params,
                                const ifn_progress *progress, ifn_error *err);

/* Context and weights, so that others may be opened. */
void session_close_context(session *self);
void session_close(session *self);

/* What IFN_ACTIVATIONS_AUTO means here. */
ifn_activations session_activations(const session *self, const ifn_context_params *params);

/* Bytes of the keys and values of one position, of all heads of all layers. */
uint64_t session_kv_row_bytes(const session *self, ifn_kv kv);

/* The backend registered under this name, or NULL. */
const ifn_backend_desc *session_find_backend(const char *name);

#endif
