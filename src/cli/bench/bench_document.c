#include "bench_document.h"

#include "bench_facts.h"

void bench_document_md(void)
{
    bench_fact facts[BENCH_N_FACTS];
    bench_facts(facts);
    for (int i = 0; i < BENCH_N_FACTS; i++)
        printf("%s: %s  \n", facts[i].name, facts[i].value);
    putchar('\n');
}

void bench_document_csv_head(void)
{
    bench_fact facts[BENCH_N_FACTS];
    bench_facts(facts);
    for (int i = 0; i < BENCH_N_FACTS; i++)
        printf("%s,", facts[i].name);
}

void bench_document_csv_row(void)
{
    bench_fact facts[BENCH_N_FACTS];
    bench_facts(facts);
    for (int i = 0; i < BENCH_N_FACTS; i++)
        bench_document_csv_field(facts[i].value);
}

void bench_document_csv_field(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
    putchar(',');
}

void bench_document_json(json_writer *json, const char *kind)
{
    bench_fact facts[BENCH_N_FACTS];
    bench_facts(facts);
    json_begin_object(json);
    json_member(json, "inferno", kind);
    json_key(json, "facts");
    json_begin_object(json);
    for (int i = 0; i < BENCH_N_FACTS; i++)
        json_member(json, facts[i].name, facts[i].value);
    json_end_object(json);
    json_key(json, "results");
    json_begin_array(json);
}

void bench_document_json_end(json_writer *json)
{
    json_end_array(json);
    json_end_object(json);
    json_finish(json);
}

void bench_document_text(json_writer *json, const char *key, const char *value)
{
    json_member(json, key, value);
}

void bench_document_int(json_writer *json, const char *key, int64_t value)
{
    json_key(json, key);
    json_put_int(json, value);
}

void bench_document_double(json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_put_double(json, value);
}
