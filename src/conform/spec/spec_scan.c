#include "spec_scan.h"

#include <yaml.h>

#define TEXT(x)    TEXT_OF(x)
#define TEXT_OF(x) #x
#define TOO_DEEP   "lists and maps in one another, expected at most " TEXT(SPEC_MAX_NESTING) " deep"

static ifn_status fail(spec_scan_refusal *out, const yaml_token_t *at, const char *what)
{
    *out = (spec_scan_refusal){(int)at->start_mark.line + 1, (int)at->start_mark.column + 1, what};
    return IFN_ERR_FORMAT;
}

static ifn_status look_at(spec_scan_refusal *out, const yaml_token_t *token, int *depth)
{
    switch (token->type) {
    case YAML_BLOCK_SEQUENCE_START_TOKEN:
    case YAML_BLOCK_MAPPING_START_TOKEN:
    case YAML_FLOW_SEQUENCE_START_TOKEN:
    case YAML_FLOW_MAPPING_START_TOKEN:
        return ++*depth <= SPEC_MAX_NESTING ? IFN_OK : fail(out, token, TOO_DEEP);
    case YAML_BLOCK_END_TOKEN:
    case YAML_FLOW_SEQUENCE_END_TOKEN:
    case YAML_FLOW_MAPPING_END_TOKEN:
        --*depth;
        return IFN_OK;
    case YAML_ANCHOR_TOKEN:
    case YAML_ALIAS_TOKEN:
        return fail(out, token, "an anchor or an alias, expected what is meant");
    case YAML_VERSION_DIRECTIVE_TOKEN:
    case YAML_TAG_DIRECTIVE_TOKEN:
    case YAML_TAG_TOKEN:
        return fail(out, token, "a directive or a tag, expected YAML without them");
    default:
        return IFN_OK;
    }
}

ifn_status spec_scan(FILE *file, spec_scan_refusal *out)
{
    yaml_parser_t parser;
    ifn_status status = IFN_OK;
    int depth = 0, is_end = 0;
    if (!yaml_parser_initialize(&parser))
        return IFN_ERR_NOMEM;
    yaml_parser_set_input_file(&parser, file);
    while (status == IFN_OK && !is_end) {
        yaml_token_t token;
        if (!yaml_parser_scan(&parser, &token))
            break;
        status = look_at(out, &token, &depth);
        is_end = token.type == YAML_STREAM_END_TOKEN;
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return status;
}
