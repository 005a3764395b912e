/*
 * How a conversation is written for a model: the families of tokenizer.chat_template that are
 * known, told apart by marks in its text. What the template would render is rendered here; the
 * token that begins every text is left to the tokenizer (chat_ids.h).
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
    /* Texts of the template that are tokens. The first ends a turn, and a vocabulary must have it;
     * of the others, what it lacks is text. End with NULL. */
    const char *marks[CHAT_TEMPLATE_MARKS];
    const char *needs[3]; /* a template with all of these in its text is one of the family ... */
    const char *lacks;    /* ... unless this is there, too; NULL: nothing */
    /* CHAT_HOLE stands where the text goes. */
    const char *system, *user;
    const char *answer;      /* what an answer begins with, ... */
    const char *end;         /* ... and what ends it before the next turn: a mark first */
    const char *no_thoughts; /* follows `answer` where there are to be none; NULL: not known */
    int system_in_user;      /* 1: the system prompt begins the first message */
    int trims;               /* 1: no white space around a message */
} chat_template;

#define CHAT_HOLE "\1"

/* The names, for --chat-template; end with NULL. */
extern const char *const chat_template_words[];
enum { CHAT_TEMPLATE_OF_MODEL = -1 };
/* The template of the i-th name. */
const chat_template *chat_template_at(int i);

/* NULL: of no family that is known. */
const chat_template *chat_template_recognise(ifn_string source);

/**
 * The template that was asked for by its index, or CHAT_TEMPLATE_OF_MODEL.
 * Errors  IFN_ERR_UNSUPPORTED: the file has none, or one of no family that is known
 */
ifn_status chat_template_find(const ifn_gguf *gguf, int asked, const chat_template **out,
                              ifn_error *err);

typedef struct chat_turn {
    const char *system; /* of the first turn; NULL: none */
    const char *user;
    size_t user_bytes;
    bool is_first; /* 0: an answer is to be ended before it */
    int no_thoughts;
} chat_turn;

typedef struct chat_mark {
    size_t at;
    int which; /* of the template's marks */
} chat_mark;

enum { CHAT_MOST_MARKS = 16 };

/* A turn as the model is to see it. Marks are the template's: what a person spells is none. */
typedef struct chat_text {
    text text;
    chat_mark marks[CHAT_MOST_MARKS]; /* in order */
    size_t n_marks;
} chat_text;

/* From the end of the answer before to where the next one begins. `out` starts zeroed; the caller
 * releases out->text. */
ifn_status chat_render(const chat_template *self, const chat_turn *turn, chat_text *out,
                       ifn_error *err);

#endif
