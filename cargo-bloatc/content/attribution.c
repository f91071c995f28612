#include "content/attribution.h"

#include <elf.h>

#include "base/memory.h"
#include "content/line_attribution.h"
#include "content/versions.h"
#include "rust/crate_name.h"
#include "size/unit_crates.h"

enum crate_source attribution_source(enum used_source source)
{
    static const enum crate_source sources[] = {
        [USED_UNKNOWN] = CRATE_UNKNOWN,         [USED_FROM_UNIT] = CRATE_FROM_UNIT,
        [USED_FROM_SUFFIX] = CRATE_FROM_SYMBOL, [USED_FROM_FILE_SYMBOL] = CRATE_FROM_FILE_SYMBOL,
        [USED_FROM_RLIB] = CRATE_FROM_RLIB,     [USED_INFERRED] = CRATE_INFERRED,
    };

    return sources[source];
}

/* Whether another of the name and of an origin of that name has another version. */
static bool needs_version(const struct size_crates *crates, uint32_t crate, const bool *is_used)
{
    const struct size_crate *item = &crates->items.items[crate];

    for (size_t i = 0; i < crates->items.count; i++) {
        const struct size_crate *other = &crates->items.items[i];

        if (is_used[i] && slice_equal(other->name, item->name) && slice_equal(other->origin, item->origin) &&
            !slice_equal(other->version, item->version))
            return true;
    }
    return false;
}

/* Whether all crates of the name are of one version: then it is the package that is not known. */
static bool are_of_one_version(const struct size_crates *crates, struct slice name)
{
    const struct size_crate *first = NULL;

    for (size_t i = 0; i < crates->items.count; i++) {
        const struct size_crate *crate = &crates->items.items[i];

        if (crate->is_ambiguous || !slice_equal(crate->name, name))
            continue;
        if (crate->version.length == 0 || (first && !slice_equal(first->version, crate->version)))
            return false;
        first = crate;
    }
    return first != NULL;
}

/* Two crates of one name are told apart by their versions or packages, else by their hashes. */
static struct slice label_of(struct measurement *out, uint32_t crate, const bool *is_used)
{
    const struct size_crate *item = &out->crates.items.items[crate];
    SCOPED(text_done) struct text label = {0};

    if (!item->is_ambiguous && !size_crates_share_name(&out->crates, crate, is_used))
        return (struct slice){0};
    if (item->origin.length > 0) {
        text_add(&label, item->name);
        if (needs_version(&out->crates, crate, is_used))
            text_format(&label, "@%.*s", SLICE_ARGUMENTS(item->version));
        text_format(&label, " (%.*s)", SLICE_ARGUMENTS(item->origin));
    } else if (item->version.length == 0 && item->id != 0)
        text_format(&label, "%.*s[%llx]", SLICE_ARGUMENTS(item->name), (unsigned long long)item->id);
    else if (item->is_ambiguous && are_of_one_version(&out->crates, item->name))
        text_format(&label, "%.*s (package unknown)", SLICE_ARGUMENTS(item->name));
    else if (item->version.length > 0 || item->is_ambiguous)
        crate_name_add_versioned(&label, item->name, item->version);
    return slice_of(arena_copy(&out->arena, text_slice(&label)));
}

static bool has_definer(const struct measured *measured)
{
    return measured->kind == MEASURED_FUNCTION && measured->definer_index != SIZE_NO_CRATE;
}

static struct generic_definer definer_at(const struct measurement *out, uint32_t index, struct slice label)
{
    const struct size_crate *crate = &out->crates.items.items[index];
    bool is_shown = crate->kind != CRATE_KIND_STD || label.length > 0;

    return (struct generic_definer){
        .crate = crate->name,
        .version = is_shown ? crate->version : (struct slice){0},
        .label = label,
        .is_hash = crate->version.length == 0 && crate->origin.length == 0,
    };
}

/* The same of who defines functions: std's crates are there by their own names. */
static void give_definers(struct measurement *out)
{
    size_t count = out->crates.items.count;
    SCOPED(memory_free_at) bool *is_there = memory_new(count, sizeof(bool));
    SCOPED(memory_free_at) struct slice *labels = memory_new(count, sizeof(struct slice));

    for (size_t i = 0; i < out->items.count; i++)
        if (has_definer(&out->items.items[i]))
            is_there[out->items.items[i].definer_index] = true;
    for (uint32_t i = 0; i < count; i++)
        if (is_there[i] && !out->crates.items.items[i].is_ambiguous)
            labels[i] = label_of(out, i, is_there);
    for (size_t i = 0; i < out->items.count; i++)
        if (has_definer(&out->items.items[i])) {
            uint32_t index = out->items.items[i].definer_index;

            out->items.items[i].definer = definer_at(out, index, labels[index]);
        }
}

void attribution_give_labels(const struct measure_request *request, struct measurement *out)
{
    bool split_std = request->split_std;
    size_t count = out->crates.items.count;
    SCOPED(memory_free_at) bool *is_used = memory_new(count, sizeof(bool));
    SCOPED(memory_free_at) struct slice *labels = memory_new(count, sizeof(struct slice));

    for (size_t i = 0; i < out->items.count; i++)
        if (out->items.items[i].crate_index != SIZE_NO_CRATE && (split_std || !out->items.items[i].is_std))
            is_used[out->items.items[i].crate_index] = true;
    for (uint32_t i = 0; i < count; i++)
        if (is_used[i])
            labels[i] = label_of(out, i, is_used);
    for (size_t i = 0; i < out->items.count; i++)
        if (out->items.items[i].crate_index != SIZE_NO_CRATE)
            out->items.items[i].label = labels[out->items.items[i].crate_index];
    if (request->tells_definers)
        give_definers(out);
}

static void give_crate(struct measurement *out, struct measured *measured, uint32_t index)
{
    const struct size_crate *crate = &out->crates.items.items[index];

    measured->crate_index = index;
    measured->crate = crate->name;
    measured->version = crate->version;
    measured->is_own = crate->kind == CRATE_KIND_OWN;
}

static void give_used(struct measurement *out, struct measured *measured, struct used used)
{
    measured->crate = measured->version = (struct slice){0};
    measured->is_std = false;
    measured->crate_source = attribution_source(used.source);
    if (used.crate == SIZE_NO_CRATE)
        return;
    give_crate(out, measured, used.crate);
    measured->is_std = out->crates.items.items[used.crate].kind == CRATE_KIND_STD;
}

/* The crate that is meant by what is known of who defines the function. */
static uint32_t definer_of(struct measurement *out, const struct measured *measured)
{
    struct crate_fact fact = {.name = measured->crate,
                              .version = measured->version,
                              .id = measured->crate_hash,
                              .kind = measured->crate_kind,
                              .origin = measured->crate_origin};

    if (measured->crate.length == 0)
        return SIZE_NO_CRATE;
    return measured->may_be_stds ? size_crates_add_doubtful(&out->crates, measured->crate)
                                 : size_crates_add(&out->crates, &fact);
}

/* Who defines a function stays; what is said of the crate is made complete. */
static void give_defined(struct measurement *out, struct measured *measured, struct used used)
{
    bool is_known = used.crate != SIZE_NO_CRATE;
    bool is_paid_by_std = is_known && out->crates.items.items[used.crate].kind == CRATE_KIND_STD;
    bool is_named = false; /* the name tells who defines it */

    measured->is_instantiated = measured->is_std && is_known && !is_paid_by_std;
    is_named = measured->crate.length > 0 && !slice_is(measured->crate, "__rustc");
    if (!is_named && is_known) {
        /* C has no generics, nor has what only the compiler knows the name of: who built it has defined it.
         */
        give_crate(out, measured, used.crate);
        measured->is_std = is_paid_by_std;
        measured->is_instantiated = false;
        measured->crate_source = attribution_source(used.source);
    } else if (measured->crate.length > 0) {
        give_crate(out, measured, definer_of(out, measured));
    }
}

/* The functions of the map as they are, for code whose source is not known. */
static struct function_source *gather(const struct code_map *map, const struct used *used,
                                      const struct measured *measured)
{
    struct function_source *sources = memory_new(map->functions.count, sizeof(*sources));

    for (size_t i = 0; i < map->functions.count; i++) {
        sources[i].used = used[i];
        if (map->functions.items[i].size_bytes > 0)
            sources[i].measured = *measured++;
    }
    return sources;
}

/* Gives each function its crate; names_add leaves out what takes no space. */
static void give_crates(const struct measure_request *request, const struct code_map *map,
                        const struct used *used, size_t first, struct measurement *out)
{
    size_t at = first;

    for (size_t i = 0; i < map->functions.count; i++) {
        struct measured *measured = NULL;

        if (map->functions.items[i].size_bytes == 0)
            continue;
        measured = &out->items.items[at++];
        measured->crate_index = SIZE_NO_CRATE;
        if (request->tells_definers)
            measured->definer_index = definer_of(out, measured);
        if (request->attribute == ATTRIBUTE_USED)
            give_used(out, measured, used[i]);
        else
            give_defined(out, measured, used[i]);
    }
}

/* What debug information tells of the file, whichever attribution makes use of it. */
static void note_units(const struct code_map *map, const struct used *used, struct measurement *out)
{
    for (size_t i = 0; i < map->functions.count; i++) {
        if (used[i].source != USED_FROM_UNIT || used[i].crate == SIZE_NO_CRATE)
            continue;
        out->unit_bytes += map->functions.items[i].size_bytes;
        out->has_program_units |= out->crates.items.items[used[i].crate].kind != CRATE_KIND_STD;
    }
}

static struct used_request what_is_known(const struct measure_request *request, struct source *source)
{
    return (struct used_request){
        .map = &source->map,
        .symbols = &source->symbols,
        .debug = source->has_debug ? &source->debug : NULL,
        .packages = request->packages,
        .package_count = request->package_count,
        .is_other_build = request->is_other_build,
        .unit_crates = source->unit_crates,
        .std = source->std,
        .is_object = source->image.type == ET_REL,
        .is_merged = source->is_merged,
        .is_beside_builtins = source->is_beside_builtins,
        .library = source->library,
    };
}

void attribution_find_units(const struct measure_request *request, struct source *source,
                            struct measurement *out, struct unit_crates *units)
{
    struct used_request wanted = what_is_known(request, source);

    unit_crates_find(&wanted, &out->crates, units);
}

void attribution_apply(const struct measure_request *request, struct source *source, size_t first,
                       struct measurement *out)
{
    const struct code_map *map = &source->map;
    struct used_request wanted = what_is_known(request, source);
    SCOPED(memory_free_at) struct used *used = memory_new(map->functions.count, sizeof(*used));
    SCOPED(memory_free_at) struct function_source *sources = NULL;

    used_find(&wanted, &out->crates, used);
    note_units(map, used, out);
    if (request->attribute != ATTRIBUTE_USED || request->tells_definers)
        versions_find(request, source, used, first, out);
    give_crates(request, map, used, first, out);
    if (request->attribute != ATTRIBUTE_LINE || !source->has_debug)
        return;
    sources = gather(map, used, out->items.items + first);
    out->items.count = first;
    line_attribution_apply(request, source, sources, out);
}
