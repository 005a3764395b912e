/* Escapes text from a model or a file before it is shown. */
#ifndef IFN_PROGRAM_ESCAPE_H
#define IFN_PROGRAM_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Escapes " \ and \n \t \r as C does; every other byte goes out as it is. */
void escape_c(FILE *out, const char *data, size_t bytes);

/* The same, and what ifn_text_printable escapes becomes \xNN, so that text from a file cannot move the
 * cursor, change colours, retitle the window or reverse the direction of writing. */
void escape_terminal(FILE *out, const char *data, size_t bytes);

/* Escapes text for use between tags or inside double quotes of XML and HTML. A byte that belongs to no
 * character, as in a path or a truncated text, becomes U+FFFD. */
void escape_markup(const char *text, FILE *out);

/* Writes a word for a shell's command line, in quotes if it needs them. */
void escape_shell(const char *text, FILE *out);

#endif
