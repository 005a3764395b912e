/* Text from a model or a file, made fit for a person's eyes. */
#ifndef IFN_PROGRAM_ESCAPE_H
#define IFN_PROGRAM_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Escapes " \ and \n \t \r as C does; every other byte goes out as it is. */
void escape_c(FILE *out, const char *data, size_t bytes);

/* The same, and what ifn_text_printable escapes becomes \xNN: nothing a file says can move the
 * cursor, change colours, retitle the window or turn the direction of writing. */
void escape_terminal(FILE *out, const char *data, size_t bytes);

/* Text between the tags, or inside the double quotes, of XML and HTML; a byte that belongs to no
 * character, as in a path or where a text was cut, becomes U+FFFD. */
void escape_markup(const char *text, FILE *out);

/* A word of a shell's command line, in quotes where it needs them. */
void escape_shell(const char *text, FILE *out);

#endif
