/* Prints the finding as a block of text. */
#include <math.h>
#include <string.h>

#include "first_bad.h"

static void put_where(const first_bad_finding *r, FILE *out)
{
    if (r->layer >= 0)
        fprintf(out, "layer %lld, ", (long long)r->layer);
    fputs(r->point, out);
}

static void put_coverage(const first_bad_finding *r, FILE *out)
{
    fprintf(out, "  looked at    %lld calls, %lld of %lld elements judged", (long long)r->n_calls,
            (long long)r->n_judged, (long long)r->n_total);
    if (r->n_unjudged > 0)
        fprintf(out, "; %lld calls have no case", (long long)r->n_unjudged);
    fprintf(out, "; largest error of the accepted ones %.3g of its bound\n", r->largest_ratio);
}

static void put_call(const first_bad_finding *r, FILE *out)
{
    fprintf(out, "  op           %s, call %lld", ifn_op_name(r->op), (long long)r->call);
    if (r->pass >= 0)
        fprintf(out, " in pass %lld, positions %lld..%lld", (long long)r->pass,
                (long long)r->first_pos, (long long)(r->first_pos + r->n_pos - 1));
    else
        fputs(", while the weights were made", out);
    fputc('\n', out);
    if (r->weight[0])
        fprintf(out, "  weight       %s\n", r->weight);
    if (r->shapes[0])
        fprintf(out, "  shapes       %s\n", r->shapes);
}

static void put_element(const first_bad_finding *r, FILE *out)
{
    fprintf(out, "  worst        %s[%lld,%lld] at position %lld\n", r->tensor, (long long)r->row,
            (long long)r->col, (long long)r->position);
    fprintf(out, "  got          %.9g (%a)\n", r->got, r->got);
    fprintf(out, "  want         %.17g (%a)\n", r->want, r->want);
    fprintf(out, "  bound        %.3g, exceeded %.3g times", r->bound, r->ratio);
    if (r->ulp >= 0)
        fprintf(out, ", %lld ulp", (long long)r->ulp);
    fprintf(out, "\n  pattern      %s\n", r->pattern);
    if (r->n_looked > 0)
        fprintf(out, "  wrong        %lld of %lld elements\n", (long long)r->n_wrong,
                (long long)r->n_looked);
    if (r->scalar_is_fine >= 0)
        fprintf(out, "  scalar       %s on the same inputs: %.3g of its bound\n",
                r->scalar_is_fine ? "is right" : "is wrong, too,", r->scalar_ratio);
}

static void put_drift(const first_bad_finding *r, FILE *out)
{
    fprintf(out, "  worst        position %lld, column %lld\n", (long long)r->position,
            (long long)r->col);
    fprintf(out, "  got          %.9g (%a)\n", r->got, r->got);
    fprintf(out, "  want         %.17g (%a)\n", r->want, r->want);
    fprintf(out, "  honest       within %.3g, exceeded %.3g times\n", r->bound, r->ratio);
    fputs("  so           ops are put together wrongly (order, positions, weights), or this op is "
          "off by less than its bound proves\n",
          out);
}

static void put_file(const first_bad_finding *r, FILE *out)
{
    if (r->no_yaml[0])
        fprintf(out, "  alone        no file: %s\n", r->no_yaml);
    if (!r->yaml[0])
        return;
    fprintf(out, "  alone        %s (%lld bytes): %s\n", r->yaml, (long long)r->yaml_bytes,
            r->is_repeated ? "fails here, passes on scalar"
                           : "passes: the failure depends on more than the inputs of the call");
    fprintf(out, "  repeat       inferno conform --backend '%s' --case '%s'\n", r->backend,
            r->yaml);
}

void conform_first_bad_put(const first_bad_finding *r, FILE *out)
{
    fprintf(out, "first bad op on %s: ", r->backend);
    switch (r->kind) {
    case FIRST_BAD_NONE:
        fputs("none, every op keeps its contract\n", out);
        break;
    case FIRST_BAD_OP:
        put_where(r, out);
        fputs(r->status == IFN_OK ? "\n" : ": the call failed\n", out);
        put_call(r, out);
        if (r->status == IFN_OK)
            put_element(r, out);
        else
            fprintf(out, "  returned     %s\n", ifn_status_text(r->status));
        put_file(r, out);
        break;
    case FIRST_BAD_STATE:
        put_where(r, out);
        fputs(": its input has changed since it was written\n", out);
        put_call(r, out);
        fprintf(out, "  input        %s: %s\n", r->tensor, r->pattern);
        break;
    case FIRST_BAD_GRAPH:
        put_where(r, out);
        fputs(" is the first point far from truth, though every op keeps its contract\n", out);
        put_call(r, out);
        put_drift(r, out);
        break;
    }
    put_coverage(r, out);
}
