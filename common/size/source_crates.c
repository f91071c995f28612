#include "size/source_crates.h"

#include "dwarf/source_path.h"

void source_crates_add_units(struct source_crates *sources, const struct units *units,
                             const struct unit_crates *unit_crates)
{
    for (size_t i = 0; i < units->items.count; i++)
        if (unit_crates->of_unit[i] != SIZE_NO_CRATE)
            crate_folders_add(&sources->folders, &units->items.items[i], unit_crates->of_unit[i]);
}

/* The package whose folder holds the path most closely; NULL for none. */
static const struct build_package *package_of(const struct source_crates *sources, struct slice path)
{
    const struct build_package *found = NULL;

    for (size_t i = 0; i < sources->package_count; i++) {
        const struct build_package *package = &sources->packages[i];

        if (source_path_is_below(path, package->root) &&
            (!found || package->root.length > found->root.length))
            found = package;
    }
    return found;
}

uint32_t source_crates_find(const struct source_crates *sources, struct slice path,
                            struct size_crates *crates)
{
    struct crate_fact fact = crate_fact_of_path((struct slice){0}, path);
    const struct build_package *package = package_of(sources, path);
    uint32_t crate = CRATE_FOLDERS_NONE;

    /* A path shows name and version of a package, which then are not its alone. */
    if (package && (fact.name.length == 0 || package->origin.length > 0))
        fact = build_package_crate(package);
    if (fact.name.length > 0)
        return size_crates_add(crates, &fact);
    crate = crate_folders_of_rust(&sources->folders, path);
    return crate == CRATE_FOLDERS_NONE ? SIZE_NO_CRATE : crate;
}

void source_crates_done(struct source_crates *sources)
{
    crate_folders_done(&sources->folders);
}
