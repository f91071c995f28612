#include "size/unit_crates.h"

#include <stdlib.h>

#include "base/memory.h"
#include "elf/archive.h"
#include "size/rlibs.h"
#include "size/root_crates.h"

/* The work on one file. */
struct search {
    const struct used_request *request;
    struct size_crates *crates;
    struct unit_crates *out;
};

/* cargo tells versions, a library the hash that its units and v0 names have: together they tell more. */
static void add_packages(const struct used_request *request, struct size_crates *crates)
{
    for (size_t i = 0; i < request->package_count; i++) {
        const struct build_package *package = &request->packages[i];
        struct crate_fact fact = build_package_crate(package);

        size_crates_add(crates, &fact);
        if (build_package_has_namesakes(request->packages, request->package_count, i))
            rlib_add_crate(package->rlib, &fact, crates);
    }
}

/* The crate that the unit's own name or path tells. */
static uint32_t crate_of_name(const struct unit *unit, struct size_crates *crates)
{
    struct crate_fact fact;

    if (!crate_fact_of_unit(unit, &fact))
        fact = crate_fact_of_path(unit->directory, unit->name);
    return fact.name.length > 0 ? size_crates_add(crates, &fact) : SIZE_NO_CRATE;
}

static void add_hashed(struct unit_crates *units, struct slice codegen_unit)
{
    if (codegen_unit_is_hashed(codegen_unit) &&
        intern_add(&units->hashed, codegen_unit) == units->of_hashed.count)
        *vec_add(&units->of_hashed) = SIZE_NO_CRATE;
}

static void read_names(struct search *search)
{
    const struct units *units = used_units(search->request);
    const struct symbols *symbols = search->request->symbols;
    size_t count = units ? units->items.count : 0;

    search->out->of_unit = memory_new(count, sizeof(uint32_t));
    for (size_t i = 0; i < count; i++) {
        search->out->of_unit[i] = crate_of_name(&units->items.items[i], search->crates);
        add_hashed(search->out, unit_codegen_unit(&units->items.items[i]));
    }
    for (size_t i = 0; i < symbols->unit_count; i++)
        add_hashed(search->out, symbols->units[i]);
}

/* The units whose objects are in the library. */
static void read_library(struct search *search, const char *path, uint32_t crate)
{
    struct archive archive;
    struct error ignored = {0};

    if (archive_open(path, &archive, &ignored) < 0)
        return;
    for (size_t i = 0; i < archive.members.count; i++) {
        uint32_t id =
            intern_find(&search->out->hashed, codegen_unit_of_object(archive.members.items[i].name));

        if (id != INTERN_NONE)
            search->out->of_hashed.items[id] = crate;
    }
    archive_close(&archive);
}

/* The linker had objects of the libraries and of what was built, no others of rustc's. */
static void ask_build(struct search *search)
{
    uint32_t built = SIZE_NO_CRATE;

    for (size_t i = 0; i < search->request->package_count; i++) {
        const struct build_package *package = &search->request->packages[i];
        struct crate_fact fact = build_package_crate(package);
        uint32_t crate = size_crates_add(search->crates, &fact);

        if (package->is_program || package->is_exporting)
            built = crate;
        else if (package->rlib)
            read_library(search, package->rlib, crate);
    }
    for (size_t i = 0; i < search->out->of_hashed.count; i++)
        if (search->out->of_hashed.items[i] == SIZE_NO_CRATE)
            search->out->of_hashed.items[i] = built;
}

/* A path in debug information tells of a unit what its name does not, and so of others of the name. */
static void ask_paths(struct search *search)
{
    const struct units *units = used_units(search->request);

    for (size_t i = 0; units && i < units->items.count; i++) {
        uint32_t id = intern_find(&search->out->hashed, unit_codegen_unit(&units->items.items[i]));

        if (id != INTERN_NONE && search->out->of_hashed.items[id] == SIZE_NO_CRATE)
            search->out->of_hashed.items[id] = search->out->of_unit[i];
    }
}

static void ask_root_files(struct search *search)
{
    const struct units *units = used_units(search->request);
    SCOPED(root_crates_done) struct root_crates roots = {0};

    if (!units)
        return;
    root_crates_find(search->request->debug, search->request->map, search->out->of_unit, &roots);
    for (size_t i = 0; i < units->items.count; i++) {
        const struct unit *unit = &units->items.items[i];
        uint32_t id = intern_find(&search->out->hashed, unit_codegen_unit(unit));
        struct crate_fact fact;

        if (id == INTERN_NONE || search->out->of_hashed.items[id] != SIZE_NO_CRATE ||
            !root_crates_get(&roots, unit, &fact))
            continue;
        crate_fact_locate(unit, &fact);
        search->out->of_hashed.items[id] = size_crates_add(search->crates, &fact);
    }
}

static void settle_hashed(struct search *search)
{
    const struct units *units = used_units(search->request);

    for (size_t i = 0; units && i < units->items.count; i++) {
        uint32_t crate = unit_crates_of_hashed(search->out, unit_codegen_unit(&units->items.items[i]));

        if (crate != SIZE_NO_CRATE)
            search->out->of_unit[i] = crate;
    }
}

void unit_crates_find(const struct used_request *request, struct size_crates *crates, struct unit_crates *out)
{
    struct search search = {request, crates, out};

    add_packages(request, crates);
    read_names(&search);
    if (out->of_hashed.count == 0)
        return;
    ask_build(&search);
    ask_paths(&search);
    ask_root_files(&search);
    settle_hashed(&search);
}

uint32_t unit_crates_of_hashed(const struct unit_crates *units, struct slice codegen_unit)
{
    uint32_t id = intern_find(&units->hashed, codegen_unit);

    return id == INTERN_NONE ? SIZE_NO_CRATE : units->of_hashed.items[id];
}

void unit_crates_done(struct unit_crates *units)
{
    free(units->of_unit);
    intern_done(&units->hashed);
    vec_done(&units->of_hashed);
    *units = (struct unit_crates){0};
}
