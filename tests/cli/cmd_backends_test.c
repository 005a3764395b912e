#include <inferno/backend.h>

#include <string.h>

#include "program.h"
#include "test.h"

static const json *find_named(const json *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(json_get(&list->items[i], "name")->string, name) == 0)
            return &list->items[i];
    return NULL;
}

TEST(every_registered_backend_is_listed)
{
    size_t n;
    const ifn_backend_desc *const *list = ifn_backend_list(&n);
    json *d = assert_json("inferno", "backends", "--json");
    assert_int_equal(json_get(d, "backends")->n, n);
    for (size_t i = 0; i < n; i++)
        assert_non_null(find_named(json_get(d, "backends"), list[i]->name));
    json_free(d);
}

TEST(scalar_implements_every_op)
{
    json *d = assert_json("inferno", "backends", "--json");
    const json *scalar = find_named(json_get(d, "backends"), "scalar");
    assert_int_equal(json_get(scalar, "implements")->n, json_get(d, "ops")->n);
    assert_int_equal(json_get(scalar, "wrapper")->type, JSON_FALSE);
    assert_int_equal(json_get(scalar, "problem")->type, JSON_NULL);
    json_free(d);
}

TEST(levels_tell_what_this_processor_lacks)
{
    json *d = assert_json("inferno", "backends", "--json");
    const json *levels = json_get(d, "levels");
    const uint64_t cpu = ifn_cpu_detect();
    for (size_t i = 0; i < levels->n; i++) {
        uint64_t mask;
        assert_true(ifn_cpu_level_mask(json_get(&levels->items[i], "name")->string, &mask));
        const int runs = json_get(&levels->items[i], "runs")->type == JSON_TRUE;
        assert_int_equal(runs, ifn_cpu_has(cpu, mask));
        assert_int_equal(runs, json_get(&levels->items[i], "missing")->n == 0);
    }
    json_free(d);
}

TEST(the_table_names_backends_levels_and_ops)
{
    program p = assert_runs("inferno", "backends");
    static const char *const parts[] = {"default: ", "\n  scalar ", "\n  avx2 ", "\n  rms_norm "};
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(p.out, parts[i]) != NULL, "no '%s' in: %s", parts[i], p.out);
    assert_null(strstr(p.out, " \n"));
    program_free(&p);
}

TEST(a_backend_that_there_is_not_is_refused)
{
    assert_refused(2, "backend 'x'", "inferno", "backends", "x");
}

/* The list says how many ops a device implements itself, and that the others are staged. */
TEST(a_backend_that_is_named_stands_beside_the_others)
{
    program p = assert_runs("inferno", "backends", FENCED "=add,rms_norm");
    static const char *const parts[] = {"\n  fenced     device: ", " 4 of ",
                                        " ops of its own, the others are staged", " fenced\n",
                                        " staged\n"};
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(p.out, parts[i]) != NULL, "no '%s' in: %s", parts[i], p.out);
    program_free(&p);
    json *d = assert_json("inferno", "backends", "--json", FENCED);
    const json *fenced = find_named(json_get(d, "backends"), "fenced");
    assert_int_equal(json_get(fenced, "implements")->n, json_get(d, "ops")->n);
    assert_int_equal(json_get(fenced, "device")->type, JSON_TRUE);
    json_free(d);
}

/* The devices that a backend can be opened on are listed; a backend without devices lists none. */
TEST(devices_are_listed_with_their_memory)
{
    size_t n;
    const ifn_backend_desc *const *list = ifn_backend_list(&n);
    json *d = assert_json("inferno", "backends", "--json");
    for (size_t i = 0; i < n; i++) {
        ifn_backend_device device = {"", "", 0};
        const json *const devices =
            json_get(find_named(json_get(d, "backends"), list[i]->name), "devices");
        size_t n_devices = 0;
        while (list[i]->device && list[i]->device((int)n_devices, &device))
            n_devices++;
        assert_int_equal(devices->n, n_devices);
        if (n_devices == 0)
            continue;
        const json *const last = &devices->items[n_devices - 1];
        assert_string_equal(json_get(last, "name")->string, device.name);
        assert_string_equal(json_get(last, "options")->string, device.options);
        assert_true(device.bytes > 0 && json_int(json_get(last, "bytes")) == (int64_t)device.bytes);
    }
    json_free(d);
}
