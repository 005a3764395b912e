/*
 * Renders a conversation for a model. The template language of tokenizer.chat_template is not interpreted: known
 * families of templates are recognised by marks in their text, and code here renders what they would. The token that
 * begins every text is left to the tokenizer (chat_ids.h).
 */
#ifndef IFN_CLI_CHAT_TEMPLATE_H
#define IFN_CLI_CHAT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include <inferno/gguf.h>
#include <inferno/status.h>

#include "text.h"

enum { CHAT_TEMPLATE_MARKS = 6 };

typedef struct chat_template {
    const char *name;
    /* Special tokens of the template, ended by NULL. The first ends a turn, and the vocabulary must have it; others
     * that it lacks are tokenized as text. */
    const char *marks[CHAT_TEMPLATE_MARKS];
    const char *needs[3]; /* a template is of the family if its text contains all of these ... */
    const char *lacks;    /* ... and not this; NULL: no condition */
    /* CHAT_HOLE marks where the message goes. */
    const char *system, *user;
    const char *answer;      /* the beginning of an answer */
    const char *end;         /* the end of an answer before the next turn; begins with a mark */
    const char *no_thoughts; /* follows `answer` to suppress thoughts; NULL: not supported */
    int system_in_user;      /* 1: the system prompt is put at the start of the first message */
    int trims;               /* 1: white space around a message is removed */
} chat_template;

#define CHAT_HOLE "\1"

/* The names for --chat-template; ended by NULL. */
extern const char *const chat_template_words[];
enum { CHAT_TEMPLATE_OF_MODEL = -1 };
/* Returns the template of the i-th name. */
const chat_template *chat_template_at(int i);

/* Returns the family that a template text belongs to; NULL: none that is known. */
const chat_template *chat_template_recognise(ifn_string source);

/**
 * Finds the template with index `asked`; for CHAT_TEMPLATE_OF_MODEL the one in the file.
 * Errors  IFN_ERR_UNSUPPORTED: the file has none, or one of no family that is known
 */
ifn_status chat_template_find(const ifn_gguf *gguf, int asked, const chat_template **out,
                              ifn_error *err);

typedef struct chat_turn {
    const char *system; /* of the first turn; NULL: none */
    const char *user;
    size_t user_bytes;
    bool is_first; /* false: the answer before it must be ended first */
    int no_thoughts;
} chat_turn;

typedef struct chat_mark {
    size_t at;
    int which; /* index in chat_template.marks */
} chat_mark;

enum { CHAT_MOST_MARKS = 16 };

/* A rendered turn. `marks` are the places of the template's special tokens; text of the user contains none. */
typedef struct chat_text {
    text text;
    chat_mark marks[CHAT_MOST_MARKS]; /* in order */
    size_t n_marks;
} chat_text;

/* Renders a turn, from the end of the previous answer up to the beginning of the next one. `out` starts zeroed; the
 * caller releases out->text. */
ifn_status chat_render(const chat_template *self, const chat_turn *turn, chat_text *out,
                       ifn_error *err);

#endif
