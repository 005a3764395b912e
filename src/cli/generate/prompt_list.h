/* Prompts of a file, one per line, and their continuations: several are generated at once, and shown in the order of
 * the file. */
#ifndef IFN_CLI_PROMPT_LIST_H
#define IFN_CLI_PROMPT_LIST_H

#include <stdbool.h>

#include "continuation.h"
#include "generation.h"
#include "json_writer.h"

typedef struct prompt_line {
    struct prompt_list *list;
    ifn_tokens prompt, ids; /* ids: of the continuation */
    generation_size size;
    continuation answer;
    generation_stop stop;
    bool is_done;
} prompt_line;

/* All zero is empty. `show` is set before prompt_list_generate. */
typedef struct prompt_list {
    size_t n, n_shown;  /* lines that have been shown */
    int64_t most_pages; /* the most pages of the KV cache in use at once */
    prompt_line *lines;
    ifn_text_sink show; /* receives each whole continuation, with a newline at its end */
    void *cookie;
} prompt_list;

/* Reads a file ("-": standard input) and tokenizes its lines.
 * Errors  as text_read; IFN_ERR_ARGUMENT: no line */
ifn_status prompt_list_read(prompt_list *self, const char *path, const ifn_tokenizer *tokenizer,
                            ifn_error *err);

/* Calls generation_fit for each line. `largest` is large enough for any of them. Errors name the line. */
ifn_status prompt_list_fit(prompt_list *self, int64_t trained, int64_t asked, int64_t n,
                           generation_size *largest, ifn_error *err);

/* Continues all lines as `how` says, except prompt, size, listener and cookie, which the list sets itself. Runs as many
 * lines at a time as the context has sequences. */
ifn_status prompt_list_generate(prompt_list *self, const generation_params *how,
                                const arg_list *stop, ifn_error *err);
/* Prints on standard error how many pages of the context's cache were in use at once, and their bytes; nothing if it
 * has no pages. */
void prompt_list_note_pages(const prompt_list *self, const session *opened,
                            const ifn_context_params *how);
/* Writes the member "prompts", a list with an object for each line, into an object that the caller has begun. */
void prompt_list_json(const prompt_list *self, json_writer *out);
void prompt_list_free(prompt_list *self);

#endif
