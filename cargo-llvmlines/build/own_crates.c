#include "build/own_crates.h"

void own_crates_done(struct own_crates *own)
{
    vec_done(&own->items);
}

void own_crates_add(struct own_crates *own, struct symbol_crate crate)
{
    if (crate.name.length > 0)
        *vec_add(&own->items) = crate;
}

bool own_crates_has(const struct own_crates *own, const struct symbol_crate *crate)
{
    for (size_t i = 0; i < own->items.count; i++) {
        const struct symbol_crate *item = &own->items.items[i];

        if (slice_equal(item->name, crate->name) &&
            (item->disambiguator == 0 || item->disambiguator == crate->disambiguator))
            return true;
    }
    return false;
}

bool own_crates_has_path(const struct own_crates *own, struct slice path)
{
    while (slice_skip(&path, SLICE("<")) || slice_skip(&path, SLICE("&")) || slice_skip(&path, SLICE("mut ")))
        ;
    for (size_t i = 0; i < own->items.count; i++) {
        struct slice name = own->items.items[i].name;

        if (slice_starts_with(path, name) &&
            slice_starts_with(slice_range(path, name.length, path.length), SLICE("::")))
            return true;
    }
    return false;
}
