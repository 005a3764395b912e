/* Writes answers in the format of OpenAI's API: whole, or as pieces of a stream. */
#ifndef IFN_CLI_ANSWER_H
#define IFN_CLI_ANSWER_H

#include "job.h"

enum { ANSWER_ID_BYTES = 40 };

/* Fields that every part of an answer contains. */
typedef struct answer_head {
    const request *request;
    const char *model;
    char id[ANSWER_ID_BYTES];
    int64_t created; /* seconds since 1970 */
} answer_head;

/* Makes the head of an answer, with a new id. */
answer_head answer_head_of(const request *asked, const served *model);

/* Writes the whole answer of a job that is done. */
void answer_json(const answer_head *head, const job *done, FILE *out);

/* Write events of a stream: "data: {...}" and an empty line. */
void answer_event_begin(const answer_head *head, FILE *out);
void answer_event_text(const answer_head *head, const text *piece, FILE *out);
/* Writes the finish reason, the token counts if they are wanted, and [DONE]; or why the job was refused. */
void answer_event_end(const answer_head *head, const job *done, FILE *out);

#endif
