/* Text inside documents of other grammars. */
#ifndef CONFORM_TEXT_ESCAPE_H
#define CONFORM_TEXT_ESCAPE_H

#include <stdio.h>

/* A JSON string, quotes included. */
void conform_put_json(const char *text, FILE *out);
/* Text between the tags, or inside the double quotes, of XML and HTML. */
void conform_put_markup(const char *text, FILE *out);

#endif
