/*
 * Any calls and spans through a `trace`, then everything that it writes: the trace event file is one JSON document,
 * each folded stack ends in a number, totals add up, and lines fit their room.
 *
 * Input: how many calls are kept, then steps: a span opens, a span closes, a call of an op.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "json.h"
#include "trace_record.h"

enum { MAX_STEPS = 64, MAX_NAME = 300, WRITTEN = 1 << 20 };

typedef struct run {
    fuzz_bytes in;
    ifn_backend *chain;
    trace_state *state;
    char *names[2 * MAX_STEPS]; /* borrowed by the trace until the end */
    int n_names;
} run;

static const char *take_name(run *r)
{
    size_t bytes = fuzz_u8(&r->in);
    bytes = bytes == 255 ? MAX_NAME : bytes % 16;
    const uint8_t *data = fuzz_take(&r->in, &bytes);
    char *name = malloc(bytes + 1);
    if (!name)
        abort();
    if (bytes)
        memcpy(name, data, bytes);
    name[bytes] = '\0';
    return r->names[r->n_names++] = name;
}

static void expect_line(const ifn_trace_call *call, size_t room)
{
    char *line = malloc(room);
    if (!line)
        abort();
    const size_t length = ifn_trace_line(call, line, room);
    FUZZ_EXPECT(room == 0 || (length < room && line[length] == '\0'));
    free(line);
}

static void hear(void *cookie, const ifn_trace_call *call)
{
    expect_line(call, 1 + *(const uint8_t *)cookie);
}

static void add_call(run *r)
{
    float x[3] = {1, 2, 3}, data[6] = {0}, out[2] = {0};
    const ifn_tensor w = {take_name(r), data, IFN_DTYPE_F32, 2, {2, 3}};
    ifn_linear_args a = IFN_ARGS(linear, .x = x, .rows = 1, .k = 3, .x_stride = 3, .n_w = 1,
                                 .w = {&w}, .out = {out}, .out_stride = {2});
    a.call.lane = (int8_t)fuzz_u8(&r->in);
    const uint64_t start = fuzz_u64(&r->in, 8), took = fuzz_u64(&r->in, fuzz_below(&r->in, 9));
    ifn_trace_state_add(r->state, &(ifn_trace_call){.inner = r->chain->inner,
                                                    .op = IFN_OP_LINEAR,
                                                    .args = &a.call,
                                                    .name = ifn_op_name(IFN_OP_LINEAR),
                                                    .status = (ifn_status)fuzz_u8(&r->in),
                                                    .start_ns = start,
                                                    .end_ns = start + took});
}

static void run_steps(run *r)
{
    for (int i = 0; i < MAX_STEPS && r->in.left > 0; i++) {
        const uint32_t step = fuzz_below(&r->in, 4);
        if (step == 0)
            ifn_trace_begin(r->chain, take_name(r));
        else if (step == 1)
            ifn_trace_end(r->chain);
        else
            add_call(r);
    }
}

typedef struct written {
    char text[WRITTEN];
    size_t bytes;
} written;

static ifn_status keep(void *cookie, const char *data, size_t bytes)
{
    written *w = cookie;
    FUZZ_EXPECT(w->bytes + bytes < sizeof w->text);
    memcpy(w->text + w->bytes, data, bytes);
    w->bytes += bytes;
    w->text[w->bytes] = '\0';
    return IFN_OK;
}

static ifn_status refuse(void *cookie, const char *data, size_t bytes)
{
    (void)cookie, (void)data, (void)bytes;
    return IFN_ERR_IO;
}

static void expect_stacks(const char *text)
{
    while (*text) {
        const char *end = strchr(text, '\n');
        FUZZ_EXPECT(end && end > text && end[-1] >= '0' && end[-1] <= '9');
        const char *space = end;
        while (space > text && space[-1] != ' ')
            space--;
        FUZZ_EXPECT(space > text && strspn(space, "0123456789") == (size_t)(end - space));
        text = end + 1;
    }
}

static void expect_documents(const ifn_backend *chain)
{
    static written w;
    const char *end;
    ifn_error err = {.status = IFN_OK, .text = ""};
    w.bytes = 0;
    FUZZ_EXPECT(ifn_trace_write_chrome(chain, keep, &w, &err) == IFN_OK);
    json *document = json_parse(w.text, &end);
    FUZZ_EXPECT(document && strspn(end, "\n ") == strlen(end));
    json_free(document);
    w.bytes = 0;
    w.text[0] = '\0';
    FUZZ_EXPECT(ifn_trace_write_folded(chain, keep, &w, &err) == IFN_OK);
    expect_stacks(w.text);
    const ifn_trace_ceilings ceilings =
        IFN_SIZED(ifn_trace_ceilings, .bytes_per_s = 1e10, .flops_per_s = 1e11);
    w.bytes = 0;
    FUZZ_EXPECT(ifn_trace_write_summary(chain, &ceilings, keep, &w, &err) == IFN_OK && w.bytes > 0);
    FUZZ_EXPECT(ifn_trace_write_summary(chain, NULL, refuse, NULL, &err) == IFN_ERR_IO);
}

static void expect_totals(const run *r)
{
    ifn_trace_total all = IFN_TRACE_TOTAL_INIT, linear = IFN_TRACE_TOTAL_INIT;
    FUZZ_EXPECT(ifn_trace_totals(r->chain, IFN_OP_COUNT, &all));
    FUZZ_EXPECT(ifn_trace_totals(r->chain, IFN_OP_LINEAR, &linear));
    FUZZ_EXPECT(all.calls == linear.calls && all.failed <= all.calls);
    FUZZ_EXPECT(all.calls == 0 || all.min_ns <= all.max_ns);
    for (int i = 0; i < r->n_names; i++)
        (void)ifn_trace_span_totals(r->chain, r->names[i], &all);
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    run r = {.in = {data, bytes}};
    char expression[32];
    ifn_error err = {.status = IFN_OK, .text = ""};
    uint8_t room = fuzz_u8(&r.in);
    snprintf(expression, sizeof expression, "trace=%u:scalar", room % 40u);
    if (ifn_backend_open(expression, NULL, &r.chain, &err) != IFN_OK)
        abort();
    r.state = trace_state_of(ifn_trace_find(r.chain));
    FUZZ_EXPECT(ifn_trace_listen(r.chain, hear, &room) == 1);
    run_steps(&r);
    expect_documents(r.chain);
    expect_totals(&r);
    ifn_backend_close(r.chain);
    for (int i = 0; i < r.n_names; i++)
        free(r.names[i]);
    return 1;
}
