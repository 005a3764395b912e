#include "judge_session.h"

#include <unistd.h>

#include "system.h"

static const struct {
    conform_check check;
    const char *name;
} more_runs[] = {
#define X(NAME, CHECK, text) {CHECK_##CHECK, text},
    CONFORM_MORE_RUNS(X)
#undef X
};

conform_check conform_run_check(conform_run run)
{
    return (int)run < CHECK_COUNT ? (conform_check)run : more_runs[(int)run - CHECK_COUNT].check;
}

const char *conform_run_name(conform_run run)
{
    const char *name = conform_check_run((conform_check)run);
    if ((int)run >= CHECK_COUNT && run < RUN_COUNT)
        name = more_runs[(int)run - CHECK_COUNT].name;
    return name ? name : "?";
}

void conform_judge_open(conform_judge *self, ifn_backend *backend, conform_site *site)
{
    *self = (conform_judge){.backend = backend,
                            .site = site,
                            .fixtures = process_fixtures_now(),
                            .held = process_holdings_hint(),
                            .process = getpid(),
                            .is_traced = system_is_traced()};
    conform_pool_init(&self->pool);
    conform_pool_init(&self->beside);
    device_image_open(&self->image, ifn_backend_is_device(backend) ? backend : NULL);
}

void conform_judge_close(conform_judge *self)
{
    guard_arena_close(&self->arena);
    device_image_close(&self->image);
    for (int i = 0; i < CONFORM_BLOCKS; i++)
        guard_block_give_back(&self->blocks[i]);
    device_blocks_close(&self->there);
    conform_pool_fini(&self->pool);
    conform_pool_fini(&self->beside);
}
