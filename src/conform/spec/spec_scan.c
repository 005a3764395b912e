#include "spec_scan.h"

static ifn_status fail(spec_doc *doc, const yaml_token_t *at, const char *what)
{
    return spec_doc_fail_at(doc, (int)at->start_mark.line + 1, (int)at->start_mark.column + 1, "%s",
                            what);
}

static ifn_status look_at(spec_doc *doc, const yaml_token_t *token, int *depth)
{
    switch (token->type) {
    case YAML_BLOCK_SEQUENCE_START_TOKEN:
    case YAML_BLOCK_MAPPING_START_TOKEN:
    case YAML_FLOW_SEQUENCE_START_TOKEN:
    case YAML_FLOW_MAPPING_START_TOKEN:
        return ++*depth <= SPEC_MAX_NESTING
                   ? IFN_OK
                   : spec_doc_fail_at(doc, (int)token->start_mark.line + 1,
                                      (int)token->start_mark.column + 1,
                                      "lists and maps in one another, %d deep, expected at most %d",
                                      *depth, SPEC_MAX_NESTING);
    case YAML_BLOCK_END_TOKEN:
    case YAML_FLOW_SEQUENCE_END_TOKEN:
    case YAML_FLOW_MAPPING_END_TOKEN:
        --*depth;
        return IFN_OK;
    case YAML_ANCHOR_TOKEN:
    case YAML_ALIAS_TOKEN:
        return fail(doc, token, "an anchor or an alias, expected what is meant");
    case YAML_VERSION_DIRECTIVE_TOKEN:
    case YAML_TAG_DIRECTIVE_TOKEN:
    case YAML_TAG_TOKEN:
        return fail(doc, token, "a directive or a tag, expected YAML without them");
    default:
        return IFN_OK;
    }
}

ifn_status spec_scan(spec_doc *doc, FILE *file)
{
    yaml_parser_t parser;
    ifn_status status = IFN_OK;
    int depth = 0, is_end = 0;
    if (!yaml_parser_initialize(&parser))
        return ifn_fail(doc->err, IFN_ERR_NOMEM, "%s: out of memory", doc->path);
    yaml_parser_set_input_file(&parser, file);
    while (status == IFN_OK && !is_end) {
        yaml_token_t token;
        if (!yaml_parser_scan(&parser, &token))
            break;
        status = look_at(doc, &token, &depth);
        is_end = token.type == YAML_STREAM_END_TOKEN;
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return status;
}
