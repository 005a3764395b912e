#include "export_index.h"

#include <stdio.h>
#include <string.h>

#include "paths.h"
#include "test.h"

/* Opens an index file with this text. */
static ifn_status open_text(export_index *out, const char *text, ifn_error *err)
{
    char dir[256];
    write_file(temp_path("index.yaml"), text, strlen(text));
    snprintf(dir, sizeof dir, "%s", temp_path("."));
    return export_index_open(out, dir, err);
}

TEST(words_and_cases_come_in_order)
{
    export_index index;
    ifn_error err = {0};
    assert_ok(open_text(&index,
                        "inferno: export/2\nplan: [--op, add]\ncases:\n"
                        "  - {id: first, folder: \"0000\", op: add, dims: {n: 3}}\n"
                        "  - {folder: \"0001\", id: second}\n",
                        &err),
              err);
    static const char *const words[] = {"conform", "export", "DIR", "--op", "add"};
    assert_int_equal(index.n_words, N_OF(words));
    for (size_t i = 0; i < N_OF(words); i++)
        assert_string_equal(index.words[i], words[i]);
    assert_int_equal(index.n, 2);
    assert_string_equal(index.cases[0].id, "first");
    assert_string_equal(index.cases[1].id, "second");
    assert_string_equal(index.cases[1].folder, "0001");
    export_index_close(&index);
    assert_null(index.cases);
    temp_clean();
}

TEST(what_is_no_index_is_refused_where_it_stands)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"inferno: export/1\nplan: []\ncases: []\n", "1:10: 'export/1', expected export/2"},
        {"inferno: export/2\ncases: []\n", "no key 'plan', expected one"},
        {"inferno: export/2\nplan: []\ncases:\n  - {id: a, folder: \"../x\"}\n",
         "4:21: folder '../x', expected a number as 0000"},
        {"inferno: export/2\nplan: []\ncases:\n  - {id: a, folder: \"\"}\n",
         "4:21: empty, expected text"},
        {"inferno: export/2\nplan: []\ncases:\n  - {id: a, folder: \"0\", size: 1}\n",
         "4:26: unknown key 'size'"},
        {"inferno: export/2\nplan: [[x]]\ncases: []\n", "2:8: "},
        {"{", "index.yaml:"},
    };
    for (size_t i = 0; i < N_OF(bad); i++) {
        export_index index;
        ifn_error err = {0};
        assert_int_equal(open_text(&index, bad[i].text, &err), IFN_ERR_FORMAT);
        assert_that(strstr(err.text, bad[i].message), "'%s', expected '%s'", err.text,
                    bad[i].message);
        export_index_close(&index);
    }
    temp_clean();
}

TEST(an_index_that_is_not_there_is_an_error_of_reading)
{
    export_index index;
    ifn_error err = {0};
    assert_int_equal(export_index_open(&index, temp_path("nowhere"), &err), IFN_ERR_IO);
    export_index_close(&index);
    temp_clean();
}
