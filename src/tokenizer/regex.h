/*
 * Runs the regular expressions that tokenizers publish with PCRE2, with UTF and Unicode properties,
 * compiled to machine code if the system allows it.
 */
#ifndef IFN_REGEX_H
#define IFN_REGEX_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/status.h>

/* The settings that compiling and matching share; immutable once open. */
typedef struct ifn_regex_context {
    const ifn_allocator *alloc;
    pcre2_general_context *memory; /* makes PCRE2 allocate through `alloc` */
    pcre2_match_context *limits;
} ifn_regex_context;

ifn_status ifn_regex_context_open(ifn_regex_context *self, const ifn_allocator *alloc,
                                  ifn_error *err);
void ifn_regex_context_close(ifn_regex_context *self);

/*
 * Compiles `pattern`. `\s` means [\p{Z}\t-\r\x{85}] and `\S` its complement, in a class and
 * outside: that is Unicode's White_Space. PCRE2's own `\s` also matches U+180E. Release with
 * pcre2_code_free.
 */
ifn_status ifn_regex_compile(const ifn_regex_context *self, const char *pattern, pcre2_code **out,
                             ifn_error *err);

/* Scratch for ifn_regex_find. Each caller needs its own. Release with pcre2_match_data_free. */
ifn_status ifn_regex_scratch(const ifn_regex_context *self, pcre2_match_data **out, ifn_error *err);

/*
 * Finds the first match at or after text[from]. *found says whether there is one; then it is
 * [*begin, *end). `text` must be well-formed UTF-8 and `from` the start of a character.
 */
ifn_status ifn_regex_find(const ifn_regex_context *self, const pcre2_code *code,
                          pcre2_match_data *scratch, const uint8_t *text, size_t bytes, size_t from,
                          bool *found, size_t *begin, size_t *end, ifn_error *err);

/* Copies `pattern` with `\s` and `\S` written out; returns the length. `out` may be NULL: measures only.
 */
size_t ifn_regex_expand(const char *pattern, char *out);

#endif
