/* Opens what a command needs in order, from file to context, and closes it in reverse order. */
#ifndef IFN_CLI_SESSION_H
#define IFN_CLI_SESSION_H

#include <inferno/inferno.h>

/* All zero: nothing is open. session_close also closes a half-opened session. */
typedef struct session {
    ifn_gguf *gguf;
    ifn_tokenizer *tokenizer;
    ifn_model *model;
    ifn_backend *backend;
    ifn_weights *weights;
    ifn_context *context;
    /* Set before session_open_context: */
    int no_prepare;      /* ops read weights as the file has them */
    const char *cache;   /* path of prepared weights; "": next to the model; NULL: no cache */
    const char *program; /* prefix of notes about a bad cache; NULL: no notes */
} session;

ifn_status session_open_tokenizer(session *self, const char *path, ifn_error *err);
/* Opens tokenizer and model. */
ifn_status session_open_model(session *self, const char *path, ifn_error *err);

/* Prints the warnings of the tokenizer in one line on standard error. */
void session_warn(const session *self, const char *program);
/* Prints a note if the backend has fewer threads than were asked for. */
void session_note_threads(const session *self, const char *program);
/* Adds to an out-of-memory error the options that need less memory: `options`. Other errors stay as they are. */
void session_say_what_helps(const session *self, const char *options, ifn_error *err);

/* expression NULL: the best backend. n_threads 0: not given; else it is refused if the chain does not use it. */
ifn_status session_open_backend(session *self, const char *expression, int64_t n_threads,
                                ifn_error *err);

/* Returns 1 if the chain uses a number of threads, as far as can be told from outside. */
int session_has_threads(const session *self);

/* Plans the memory first, so that too large a context is refused before anything is allocated. */
ifn_status session_open_context(session *self, const ifn_context_params *params,
                                const ifn_progress *progress, ifn_error *err);

/* Closes context and weights, so that others can be opened. */
void session_close_context(session *self);
void session_close(session *self);

/* Resolves IFN_ACTIVATIONS_AUTO for this model. */
ifn_activations session_activations(const session *self, const ifn_context_params *params);

/* Returns the bytes of keys and values of one position, over all heads and layers. */
uint64_t session_kv_row_bytes(const session *self, ifn_kv kv);

/* Returns the backend registered under this name, or NULL. */
const ifn_backend_desc *session_find_backend(const char *name);

#endif
