#include "content/cost_items.h"

#include <string.h>

#include "content/filter.h"

#define NO_ITEM SIZE_MAX

void cost_items_done(struct cost_items *items)
{
    intern_done(&items->groups);
    vec_done(&items->examples);
    vec_done(&items->of_crate);
    intern_done(&items->rest);
    vec_done(&items->rest_item);
}

/* What crates of one name are called is only known when all files were measured; their numbers stay. */
static uint32_t key_of(struct cost_items *items, const struct measured *measured)
{
    SCOPED(text_done) struct text key = {0};
    bool is_of_crate = measured->kind == MEASURED_FUNCTION || measured->kind == MEASURED_OF_CRATE;

    if (is_of_crate && measured->crate_index != SIZE_NO_CRATE && (!measured->is_std || items->split_std))
        text_format(&key, "#%u", measured->crate_index);
    else
        text_add(&key, filter_crate_row(measured, items->split_std));
    return intern_add(&items->groups, text_slice(&key));
}

uint32_t cost_items_group(struct cost_items *items, const struct measured *measured)
{
    uint32_t group = key_of(items, measured);

    if (group == items->examples.count) {
        *vec_add(&items->examples) = *measured;
        *vec_add(&items->of_crate) = NO_ITEM;
    }
    return group;
}

uint32_t cost_items_group_of_crate(struct cost_items *items, uint32_t crate)
{
    const struct size_crate *item = &items->out->crates.items.items[crate];

    return cost_items_group(items, &(struct measured){
                                       .crate = item->name,
                                       .version = item->version,
                                       .crate_index = crate,
                                       .is_std = item->kind == CRATE_KIND_STD,
                                       .is_own = item->kind == CRATE_KIND_OWN,
                                       .kind = MEASURED_OF_CRATE,
                                   });
}

/* Something of the crate without what is that thing's own. */
static struct measured of_crate(const struct cost_items *items, uint32_t group)
{
    struct measured measured = items->examples.items[group];

    measured.name = SLICE("[used by several functions]");
    measured.symbol = measured.aliases = (struct slice){0};
    measured.size_bytes = 0;
    memset(measured.cost, 0, sizeof(measured.cost));
    measured.kind = MEASURED_OF_CRATE;
    measured.crate_source = CRATE_UNKNOWN;
    return measured;
}

size_t cost_items_of_group(struct cost_items *items, uint32_t group)
{
    if (items->of_crate.items[group] == NO_ITEM) {
        struct measured measured = of_crate(items, group);

        items->of_crate.items[group] = items->out->items.count;
        *vec_add(&items->out->items) = measured;
    }
    return items->of_crate.items[group];
}

size_t cost_items_rest(struct cost_items *items, struct slice name, enum measured_kind kind)
{
    uint32_t id = intern_add(&items->rest, name);

    if (id == items->rest_item.count) {
        *vec_add(&items->rest_item) = items->out->items.count;
        *vec_add(&items->out->items) = (struct measured){
            .name = arena_slice(&items->out->arena, name),
            .kind = kind,
            .crate_index = SIZE_NO_CRATE,
        };
    }
    return items->rest_item.items[id];
}
