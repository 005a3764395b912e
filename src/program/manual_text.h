/* Text that help, man pages and completions have in common. */
#ifndef IFN_PROGRAM_MANUAL_TEXT_H
#define IFN_PROGRAM_MANUAL_TEXT_H

#include <stddef.h>

struct manual_option;

/* Joins words with `between`: "off|basic|f16". Returns the length. */
size_t manual_join(const char *const *words, const char *between, char *out, size_t bytes);

/* "-t, --threads": how an option is shown. */
void manual_names(const struct manual_option *option, char *out, size_t bytes);

/* The text after the name of an option: "N", "off|basic", "[basic]", "[=PATH]", or nothing; and what separates
 * it from the name. */
void manual_value(const struct manual_option *option, char *out, size_t bytes);
const char *manual_space(const char *value);

/* Sets *n to the length of the first line, without its newline. Returns the next line, or NULL if there is none. */
const char *manual_next_line(const char *text, size_t *n);

#endif
