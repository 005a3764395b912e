/* Writes to shared memory what the worker is doing and where its tensors are, for the parent that finds it dead. */
#include "judge_run.h"

void judge_tell_run(judge_run *r, conform_run run)
{
    if (r->judge->site)
        r->judge->site->run = (int32_t)run;
}

void judge_tell_step(judge_run *r)
{
    if (r->judge->site)
        atomic_fetch_add(&r->judge->site->step, 1);
}

/* `data` NULL: nothing is at this place. */
static void tell(judge_run *r, int place, const char *name, const void *data, size_t bytes,
                 const guard_region *region)
{
    conform_site *site = r->judge->site;
    if (!site)
        return;
    site->places[place] = (struct conform_site_place){.name = NULL};
    if (data)
        site->places[place] = (struct conform_site_place){
            .name = name,
            .begin = (uintptr_t)data,
            .bytes = bytes,
            .first = (uintptr_t)region->map,
            .last = (uintptr_t)region->map + region->map_bytes,
        };
}

void judge_tell_tensors(judge_run *r)
{
    const conform_layout *l = &r->slot->layout;
    for (int i = 0; i < CONFORM_MAX_TENSORS; i++)
        tell(r, i, l->t[i].name, i < l->n ? r->data[i] : NULL, l->t[i].bytes, r->tensors[i].region);
}

void judge_tell_no_places(judge_run *r)
{
    for (int i = 0; i < CONFORM_PLACES; i++)
        tell(r, i, NULL, NULL, 0, NULL);
}

void judge_tell_far(judge_run *r, int i, const void *data, size_t bytes, const guard_region *region)
{
    tell(r, i, r->slot->layout.t[i].name, data, bytes, region);
}

void judge_tell_scratch(judge_run *r)
{
    tell(r, CONFORM_SCRATCH_PLACE, "scratch", r->scratch.at[PLACE_END], r->scratch.bytes,
         r->scratch.region);
}

/* The bands around data on a device. */
static guard_region bands_around(unsigned char *data, size_t bytes)
{
    return (guard_region){.map = data ? data - GUARD_SLACK : NULL,
                          .map_bytes = bytes + 2 * GUARD_SLACK};
}

static void tell_range(judge_run *r, int place, const char *name, const void *host, size_t bytes)
{
    const device_image *const image = &r->judge->image;
    unsigned char *const there = host ? device_image_address(image, host) : NULL;
    if (!there)
        return;
    const guard_region own = bands_around(there, bytes);
    tell(r, place, name, there, bytes, &own);
}

void judge_tell_device(judge_run *r)
{
    const conform_layout *const l = &r->slot->layout;
    for (int i = 0; i < l->n; i++)
        tell_range(r, i, l->t[i].name, r->data[i], l->t[i].bytes);
    tell_range(r, CONFORM_SCRATCH_PLACE, "scratch", r->call.args.call.scratch, r->scratch.bytes);
}

void judge_tell_unused(judge_run *r)
{
    tell(r, CONFORM_UNUSED_PLACE, "n_w", r->unused.at[PLACE_END], 0, r->unused.region);
}

void judge_tell_pages(judge_run *r, const guard_block *table)
{
    tell(r, CONFORM_PAGES_PLACE, "pages", table ? table->data : NULL, table ? table->bytes : 0,
         table ? &table->region : NULL);
}

const char *judge_block_name(int i)
{
    static const char *const names[CONFORM_BLOCKS] = {
        "packed_0",  "packed_1",  "packed_2",  "packed_3", "packed_4",  "packed_5",
        "packed_6",  "packed_7",  "packed_8",  "packed_9", "packed_10", "packed_11",
        "packed_12", "packed_13", "packed_14", "packed_15"};
    return names[i];
}

void judge_tell_block(judge_run *r, int i)
{
    const guard_block *b = &r->judge->blocks[i];
    const guard_region own = bands_around(b->data, b->bytes);
    tell(r, CONFORM_FIRST_BLOCK + i, judge_block_name(i), b->data, b->bytes,
         r->judge->image.device ? &own : &b->region);
}
