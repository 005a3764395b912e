/* Prints what the parts of a case's id mean: spec/README.md, "The id of a case". */
#include "case_id.h"
#include "debug.h"
#include "module.h"

static void put_dims(const conform_case *c, FILE *out)
{
    const conform_module *const m = conform_module_of(c->op);
    fputs("dims      ", out);
    for (int d = 0; d < CONFORM_MAX_DIMS && m->dim_names[d]; d++)
        fprintf(out, "%s%s = %lld", d ? ", " : "", m->dim_names[d], (long long)c->dim[d]);
    fputc('\n', out);
}

static void put_dtypes(const conform_case *c, FILE *out)
{
    fprintf(out, "dtype     %s", ifn_dtype_name(c->dtype));
    for (int i = 0; i < c->n_more; i++)
        fprintf(out, ", %s", ifn_dtype_name(c->more[i]));
    fprintf(out, " of weights, cache or table; %s of the output\n", ifn_dtype_name(c->out_dtype));
}

static void put_setting(const conform_case *c, FILE *out)
{
    if (c->is_at)
        fprintf(out, "at        every tensor %d bytes after a multiple of 64\n", (int)c->at);
    if (c->is_cut)
        fprintf(out, "cut       the only cuts at %lld and %lld; 0: none along that axis\n",
                (long long)c->cut[0], (long long)c->cut[1]);
}

void debug_put_words(const conform_case *c, FILE *out)
{
    char id[CONFORM_ID_BYTES];
    const conform_module *const m = conform_module_of(c->op);
    conform_case_id(c, id);
    fprintf(out, "case      %s\nop        %s\n", id, ifn_op_name(c->op));
    put_dtypes(c, out);
    put_dims(c, out);
    fprintf(out, "tier      %s: %s\n", conform_tier_name(c->tier), conform_tier_words(c->tier));
    fprintf(out, "inputs    %s: %s\n", conform_family_name(c->family),
            conform_family_words(c->family));
    fprintf(out, "weights   %s\n", c->prepared ? "prepared by the backend" : "raw, as in a file");
    fprintf(out, "overlap   %s\n", c->alias ? m->aliases[c->alias - 1] : "none");
    if (c->tier == TIER_GOLDEN || c->tier == TIER_REFUSE)
        fprintf(out, "entry     %u of its kind in the spec, from 0 on\n", (unsigned)c->index);
    fprintf(out, "seed      0x%llx\n", (unsigned long long)c->seed);
    put_setting(c, out);
}
