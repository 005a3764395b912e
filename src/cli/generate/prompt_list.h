/* Prompts of a file, a line each, and what becomes of them: continued some at a time, told in the
 * order of the file. */
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
    int64_t most_pages; /* of the KV cache that were in use at once */
    prompt_line *lines;
    ifn_text_sink show; /* is told of a whole continuation, and a newline where it ends in none */
    void *cookie;
} prompt_list;

/* Reads a file ("-": standard input) and tokenizes its lines.
 * Errors  as text_read; IFN_ERR_ARGUMENT: no line */
ifn_status prompt_list_read(prompt_list *self, const char *path, const ifn_tokenizer *tokenizer,
                            ifn_error *err);

/* generation_fit of each line; `largest` has room for any of them. Errors name the line. */
ifn_status prompt_list_fit(prompt_list *self, int64_t trained, int64_t asked, int64_t n,
                           generation_size *largest, ifn_error *err);

/* Continues all lines as `how` says, whose prompt, size, listener and cookie are the list's own; as
 * many at a time as the context has sequences. */
ifn_status prompt_list_generate(prompt_list *self, const generation_params *how,
                                const arg_list *stop, ifn_error *err);
/* Says on standard error how many pages of the context's cache were in use at once, and how many
 * bytes that is; nothing where it has no pages. */
void prompt_list_note_pages(const prompt_list *self, const session *opened,
                            const ifn_context_params *how);
/* Of an object that the caller has begun: "prompts", a list with an object for each line. */
void prompt_list_json(const prompt_list *self, json_writer *out);
void prompt_list_free(prompt_list *self);

#endif
