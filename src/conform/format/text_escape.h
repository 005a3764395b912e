/* Text inside documents of other grammars, which are UTF-8: a byte that belongs to no character, as
 * in a path or where a text was cut, becomes U+FFFD. */
#ifndef CONFORM_TEXT_ESCAPE_H
#define CONFORM_TEXT_ESCAPE_H

#include <stdio.h>

/* A JSON string, quotes included. */
void conform_put_json(const char *text, FILE *out);
/* Text between the tags, or inside the double quotes, of XML and HTML. */
void conform_put_markup(const char *text, FILE *out);

/* A word of a shell's command line, in quotes where it needs them. */
void conform_put_word(const char *text, FILE *out);

#endif
