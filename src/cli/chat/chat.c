#include "chat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "chat_ids.h"
#include "messages.h"

static bool is_at_terminal(void)
{
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* Reads a line without its newline. *is_end: the input has ended and there is no line. */
static ifn_status read_line(text *line, bool *is_end, ifn_error *err)
{
    int c;
    line->bytes = 0;
    errno = 0;
    while ((c = getchar()) != EOF && c != '\n') {
        if (line->bytes == TEXT_MOST_BYTES)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "standard input: a line of more than %zu bytes",
                            TEXT_MOST_BYTES);
        IFN_TRY(text_append(line, &(char){(char)c}, 1, err));
    }
    if (c == EOF && ferror(stdin))
        return ifn_fail_errno(err, "standard input", errno);
    line->bytes -= line->bytes > 0 && line->data[line->bytes - 1] == '\r';
    *is_end = c == EOF && line->bytes == 0;
    return IFN_OK;
}

/* Reads a message; prints a prompt first if standard input is a terminal. */
static ifn_status ask(text *line, bool *is_end, ifn_error *err)
{
    if (is_at_terminal())
        fputs("> ", stderr);
    IFN_TRY(read_line(line, is_end, err));
    if (*is_end && is_at_terminal())
        fputc('\n', stderr);
    return IFN_OK;
}

static ifn_status add_turn(const chat_params *p, const text *line, ifn_error *err)
{
    chat_text turn = {0};
    const chat_turn said = {.system = p->system,
                            .user = line->data,
                            .user_bytes = line->bytes,
                            .is_first = p->ids->n == 0,
                            .no_thoughts = p->no_thoughts};
    ifn_status status = said.is_first ? chat_ids_begin(p->tokenizer, p->ids, err) : IFN_OK;
    if (status == IFN_OK)
        status = chat_render(p->how, &said, &turn, err);
    if (status == IFN_OK)
        status = chat_ids_add(p->tokenizer, p->how, &turn, p->ids, err);
    text_free(&turn.text);
    return status;
}

/* Adds a turn and gets its answer. Removes the turn again if it leaves no room for an answer. */
static ifn_status take_turn(const chat_params *p, const text *line, bool *is_over, ifn_error *err)
{
    const size_t before = p->ids->n;
    IFN_TRY(add_turn(p, line, err));
    if ((int64_t)p->ids->n < p->max_pos) {
        IFN_TRY(p->answer(p->cookie, is_over, err));
        if (*is_over)
            message_note(INFERNO,
                         "the context of %" PRId64
                         " tokens is full, and the conversation over; --ctx gives it more",
                         p->max_pos);
        return IFN_OK;
    }
    message_note(INFERNO,
                 "the message takes %zu tokens, of %" PRId64
                 " in the context %zu are taken: it was left out",
                 p->ids->n - before, p->max_pos, before);
    p->ids->n = before;
    return IFN_OK;
}

ifn_status chat_run(const chat_params *params, ifn_error *err)
{
    text line = {0};
    bool is_over = false;
    ifn_status status = IFN_OK;
    while (status == IFN_OK && !is_over) {
        status = ask(&line, &is_over, err);
        if (status == IFN_OK && line.bytes > 0)
            status = take_turn(params, &line, &is_over, err);
    }
    text_free(&line);
    return status;
}
