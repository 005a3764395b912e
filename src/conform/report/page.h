/* Writes the frame of a self-contained HTML page, which is also well-formed XML, so that tests can parse it. Style and
 * script are the files in page/. */
#ifndef CONFORM_PAGE_H
#define CONFORM_PAGE_H

#include <stdio.h>

/* Writes everything up to and including <body>. */
void page_open(const char *title, FILE *out);
/* Writes the script and closes the page. To be called last. */
void page_close(FILE *out);

/* Writes `text`, escaped, between two pieces of markup. */
void page_put(const char *open, const char *text, const char *close, FILE *out);

/* Writes a command line; the page's script adds a copy button to it. */
void page_put_command(const char *command, FILE *out);

#endif
