/*
 * Splits backend expressions into stages.
 *
 *     expression = stage { ":" stage }        outermost first
 *     stage      = name [ "=" options ]       options run to the next ":"
 *
 * Spaces and tabs around names and options do not matter.
 */
#ifndef IFN_EXPRESSION_H
#define IFN_EXPRESSION_H

#include <stddef.h>

#include <inferno/status.h>

/* Most stages of one expression; sensible ones have far fewer. */
#define IFN_EXPRESSION_MAX 8

typedef struct ifn_expression {
    size_t n;
    struct {
        const char *name, *options; /* options "" if there are none */
    } stages[IFN_EXPRESSION_MAX];
} ifn_expression;

/*
 * Splits `text` in place: separators become terminators, and *out points into it. Fails with
 * IFN_ERR_ARGUMENT if a name is missing or there are too many stages.
 */
IFN_NODISCARD ifn_status ifn_expression_split(char *text, ifn_expression *out, ifn_error *err);

#endif
