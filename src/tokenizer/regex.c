#include "regex.h"

#include <string.h>

#include "alloc_priv.h"
#include "message.h"

#define SPACE_MEMBERS "\\p{Z}\\t-\\r\\x{85}"

/* The allocator hook needs the size of a block to free it; PCRE2 does not pass one, so each block stores its own. */
typedef union block_header {
    size_t bytes;
    max_align_t align;
} block_header;

static void *hook_malloc(size_t bytes, void *cookie)
{
    const ifn_allocator *a = cookie;
    if (bytes > SIZE_MAX - sizeof(block_header))
        return NULL;
    const size_t total = bytes + sizeof(block_header);
    block_header *block = a->alloc(a->cookie, total, _Alignof(max_align_t));
    if (!block)
        return NULL;
    block->bytes = total;
    return block + 1;
}

static void hook_free(void *p, void *cookie)
{
    const ifn_allocator *a = cookie;
    if (!p)
        return;
    block_header *block = (block_header *)p - 1;
    a->free(a->cookie, block, block->bytes);
}

ifn_status ifn_regex_context_open(ifn_regex_context *self, const ifn_allocator *alloc,
                                  ifn_error *err)
{
    *self = (ifn_regex_context){.alloc = alloc};
    self->memory = pcre2_general_context_create(hook_malloc, hook_free, (void *)(uintptr_t)alloc);
    if (self->memory)
        self->limits = pcre2_match_context_create(self->memory);
    if (!self->limits) {
        ifn_regex_context_close(self);
        return ifn_tokenizer_nomem(err);
    }
    /* No limits: a megabyte of spaces legitimately takes a backtracking step for each space, and runaway
     * backtracking cannot happen, as the patterns are fixed and none of them nests repeats. */
    pcre2_set_match_limit(self->limits, UINT32_MAX);
    pcre2_set_depth_limit(self->limits, UINT32_MAX);
    return IFN_OK;
}

void ifn_regex_context_close(ifn_regex_context *self)
{
    pcre2_match_context_free(self->limits);
    pcre2_general_context_free(self->memory);
    *self = (ifn_regex_context){.alloc = self->alloc};
}

static size_t append(char *out, size_t n, const char *text)
{
    const size_t bytes = strlen(text);
    if (out)
        memcpy(out + n, text, bytes); /* NOLINT(bugprone-not-null-terminated-result): no end */
    return n + bytes;
}

/* The text that replaces `\s` or `\S`. `\S` inside a class cannot be written as a list; no published pattern
 * has it. */
static const char *space_text(char letter, bool in_class)
{
    if (letter == 's')
        return in_class ? SPACE_MEMBERS : "[" SPACE_MEMBERS "]";
    return letter == 'S' && !in_class ? "[^" SPACE_MEMBERS "]" : NULL;
}

size_t ifn_regex_expand(const char *pattern, char *out)
{
    size_t n = 0;
    bool in_class = false;
    for (const char *p = pattern; *p; p++) {
        char literal[3] = {*p, '\0', '\0'};
        const char *text = literal;
        if (*p == '\\' && p[1]) {
            literal[1] = *++p;
            const char *space = space_text(*p, in_class);
            text = space ? space : literal;
        } else if (*p == '[' || *p == ']') {
            in_class = *p == '[';
        }
        n = append(out, n, text);
    }
    return n;
}

static ifn_status compile_expanded(const ifn_regex_context *self, const char *pattern, size_t bytes,
                                   pcre2_code **out, ifn_error *err)
{
    pcre2_compile_context *context = pcre2_compile_context_create(self->memory);
    if (!context)
        return ifn_tokenizer_nomem(err);
    int code;
    PCRE2_SIZE offset;
    *out =
        pcre2_compile((PCRE2_SPTR)pattern, bytes, PCRE2_UTF | PCRE2_UCP, &code, &offset, context);
    pcre2_compile_context_free(context);
    if (*out)
        return IFN_OK;
    if (code == PCRE2_ERROR_HEAP_FAILED)
        return ifn_tokenizer_nomem(err);
    return ifn_fail(err, IFN_ERR_ARGUMENT, "regular expression '%.*s': PCRE2 error %d at byte %zu",
                    (int)bytes, pattern, code, (size_t)offset);
}

/* Compiles with the JIT. Where there is none (unsupported machine, executable pages forbidden), PCRE2's
 * interpreter gives the same matches. */
static ifn_status compile_to_machine_code(pcre2_code **code, ifn_error *err)
{
    if (pcre2_jit_compile(*code, PCRE2_JIT_COMPLETE) != PCRE2_ERROR_NOMEMORY)
        return IFN_OK;
    pcre2_code_free(*code);
    *code = NULL;
    return ifn_tokenizer_nomem(err);
}

ifn_status ifn_regex_compile(const ifn_regex_context *self, const char *pattern, pcre2_code **out,
                             ifn_error *err)
{
    *out = NULL;
    const size_t bytes = ifn_regex_expand(pattern, NULL);
    char *expanded = ifn_alloc_array(self->alloc, bytes, 1);
    if (!expanded)
        return ifn_tokenizer_nomem(err);
    ifn_regex_expand(pattern, expanded);
    const ifn_status status = compile_expanded(self, expanded, bytes, out, err);
    ifn_free_array(self->alloc, expanded, bytes, 1);
    return status == IFN_OK ? compile_to_machine_code(out, err) : status;
}

ifn_status ifn_regex_scratch(const ifn_regex_context *self, pcre2_match_data **out, ifn_error *err)
{
    *out = pcre2_match_data_create(1, self->memory);
    return *out ? IFN_OK : ifn_tokenizer_nomem(err);
}

static ifn_status match_failed(int code, ifn_error *err)
{
    PCRE2_UCHAR text[120];
    if (code == PCRE2_ERROR_NOMEMORY || code == PCRE2_ERROR_HEAPLIMIT)
        return ifn_tokenizer_nomem(err);
    if (pcre2_get_error_message(code, text, sizeof text) < 0)
        text[0] = '\0';
    return ifn_fail(err, IFN_ERR_UNSUPPORTED, "tokenizer: PCRE2 gave up on this text: error %d: %s",
                    code, (const char *)text);
}

ifn_status ifn_regex_find(const ifn_regex_context *self, const pcre2_code *code,
                          pcre2_match_data *scratch, const uint8_t *text, size_t bytes, size_t from,
                          bool *found, size_t *begin, size_t *end, ifn_error *err)
{
    const uint32_t options = PCRE2_NO_UTF_CHECK;
    int n = pcre2_match(code, text, bytes, from, options, scratch, self->limits);
    if (n == PCRE2_ERROR_JIT_STACKLIMIT) /* the interpreter uses the heap instead */
        n = pcre2_match(code, text, bytes, from, options | PCRE2_NO_JIT, scratch, self->limits);
    *found = n != PCRE2_ERROR_NOMATCH;
    if (!*found)
        return IFN_OK;
    if (n < 0)
        return match_failed(n, err);
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(scratch);
    *begin = ends[0];
    *end = ends[1];
    return IFN_OK;
}
