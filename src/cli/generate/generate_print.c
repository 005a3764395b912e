/* Prints the results of a run of `generate` as JSON. */
#include "generate_run.h"
#include "ids.h"
#include "json_writer.h"
#include "machine.h"

static void print_steps(const generate_run *r, json_writer *json)
{
    json_key(json, "steps");
    json_begin_array(json);
    for (size_t i = 0; i < r->n_steps; i++) {
        json_begin_object(json);
        json_key(json, "id");
        json_put_int(json, r->steps[i].id);
        json_key(json, "prob");
        json_put_float(json, r->steps[i].prob);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_member(json_writer *json, const char *key, const char *value)
{
    json_key(json, key);
    json_put_string(json, value);
}

static void print_text(const generate_run *r, json_writer *json)
{
    json_key(json, "prompt_ids");
    ids_json(json, r->prompt.ids, r->prompt.n);
    json_key(json, "ids");
    json_begin_array(json);
    for (size_t i = 0; i < r->n_steps; i++)
        json_put_int(json, r->steps[i].id);
    json_end_array(json);
    json_key(json, "text");
    json_put_bytes(json, r->answer.text.data, r->answer.text.bytes);
    print_steps(r, json);
    put_member(json, "stop", generation_stop_name(r->stop));
}

void generate_print_json(const generate_run *r)
{
    json_writer json = {.out = stdout};
    json_begin_object(&json);
    put_member(&json, "model", r->model);
    put_member(&json, "backend", ifn_backend_expression(r->session.backend));
    put_member(&json, "graph", generate_graph_name((int)r->params.graph));
    put_member(&json, "activations",
               generate_activations_name((int)session_activations(&r->session, &r->params)));
    put_member(&json, "kv", generate_kv_name((int)r->params.kv));
    if (r->options->prompts)
        prompt_list_json(&r->prompts, &json);
    else
        print_text(r, &json);
    if (r->options->temp > 0) {
        json_key(&json, "seed");
        json_put_int(&json, r->options->seed);
    }
    json_key(&json, "metrics");
    json_begin_object(&json);
    if (!r->options->prompts)
        metrics_json(&r->times, &json);
    json_key(&json, "peak_rss_bytes");
    json_put_uint(&json, machine_peak_rss_bytes());
    json_end_object(&json);
    json_end_object(&json);
    json_finish(&json);
}
