/* The frame of a page of HTML that needs no other file. It is XML as well, so that tests can read
 * it; style and script stand in page/. */
#ifndef CONFORM_PAGE_H
#define CONFORM_PAGE_H

#include <stdio.h>

/* Up to and with <body>. */
void page_open(const char *title, FILE *out);
/* From the script on: after everything. */
void page_close(FILE *out);

/* A text between two pieces of markup. */
void page_put(const char *open, const char *text, const char *close, FILE *out);

/* A command that the script gives a button to copy it. */
void page_put_command(const char *command, FILE *out);

#endif
