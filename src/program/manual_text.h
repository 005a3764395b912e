/* What the several forms of a manual share. */
#ifndef IFN_PROGRAM_MANUAL_TEXT_H
#define IFN_PROGRAM_MANUAL_TEXT_H

#include <stddef.h>

struct manual_option;

/* "off|basic|f16". Returns the length. */
size_t manual_join(const char *const *words, const char *between, char *out, size_t bytes);

/* "-t, --threads": how an option is shown. */
void manual_names(const struct manual_option *option, char *out, size_t bytes);

/* What follows the name of an option: "N", "off|basic", "[basic]", "[=PATH]", or nothing; and what is
 * between. */
void manual_value(const struct manual_option *option, char *out, size_t bytes);
const char *manual_space(const char *value);

/* The length of a line without its end, and the line after it; NULL: there is none. */
const char *manual_next_line(const char *text, size_t *n);

#endif
