#include "symbolize/hashed_units.h"

#include "base/memory.h"

void hashed_units_read(struct hashed_units *hashed, struct debug_info *debug, const struct code_map *map)
{
    enum { IS_TOLD = 0 };
    struct units *units = &debug->units;
    SCOPED(memory_free_at) uint32_t *of_unit = memory_new(units->items.count, sizeof(*of_unit));

    hashed->is_read = true;
    for (uint32_t i = 0; i < units->items.count; i++) {
        const struct unit *unit = &units->items.items[i];

        if (unit->language == UNIT_LANGUAGE_RUST)
            units_read_names(units, i);
        of_unit[i] = codegen_unit_is_hashed(unit_codegen_unit(unit)) ? SIZE_NO_CRATE : IS_TOLD;
    }
    root_crates_find(debug, map, of_unit, &hashed->roots);
}

struct slice hashed_units_crate(const struct hashed_units *hashed, const struct unit *unit)
{
    struct crate_fact fact;

    return root_crates_get(&hashed->roots, unit, &fact) ? fact.name : (struct slice){0};
}

void hashed_units_done(struct hashed_units *hashed)
{
    root_crates_done(&hashed->roots);
    *hashed = (struct hashed_units){0};
}
