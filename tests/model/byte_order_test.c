/* A machine that would misread a model's floats says so, in one line; any other opens it. */
#include "open_model.h"

static void a_model_opens_on_a_little_endian_machine_alone(void **state)
{
    (void)state;
    const tiny_model m = tiny_default("qwen3");
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        opened o = open_model(&m);
        close_model(&o);
    } else {
        assert_refused(&m, IFN_ERR_UNSUPPORTED, "model.gguf",
                       ": found a big-endian machine, expected a little-endian one");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(a_model_opens_on_a_little_endian_machine_alone)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    temp_clean();
    return failed;
}
