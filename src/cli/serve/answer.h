/* Answers in the form of OpenAI's API: whole, and as the pieces of a stream. */
#ifndef IFN_CLI_ANSWER_H
#define IFN_CLI_ANSWER_H

#include "job.h"

enum { ANSWER_ID_BYTES = 40 };

/* What every part of one answer says. */
typedef struct answer_head {
    const request *request;
    const char *model;
    char id[ANSWER_ID_BYTES];
    int64_t created; /* seconds since 1970 */
} answer_head;

/* With an id of its own. */
answer_head answer_head_of(const request *asked, const served *model);

/* The whole answer of a job that is done. */
void answer_json(const answer_head *head, const job *done, FILE *out);

/* Events of a stream: "data: {...}" and an empty line. */
void answer_event_begin(const answer_head *head, FILE *out);
void answer_event_text(const answer_head *head, const text *piece, FILE *out);
/* The reason, the counts where they are wanted, and [DONE]; or why it was refused. */
void answer_event_end(const answer_head *head, const job *done, FILE *out);

#endif
