#include "versions.h"

#include "attribution.h"
#include "base/memory.h"
#include "rust/crate_name.h"

/* A function of which several crates may be meant. */
struct doubtful {
    size_t item;
    struct used used;
};

/* In the order of the map; `svmas` are where they begin. */
struct doubts {
    VEC(struct doubtful) items;
    VEC(uint64_t) svmas;
};

static void doubts_done(struct doubts *doubts)
{
    vec_done(&doubts->items);
    vec_done(&doubts->svmas);
}

static void find_doubts(const struct code_map *map, const struct used *used, size_t first,
                        const struct measurement *out, struct doubts *doubts)
{
    SCOPED(memory_free_at) uint64_t *starts = code_map_starts(map);
    size_t at = first;

    for (size_t i = 0; i < map->functions.count; i++) {
        const struct measured *measured = &out->items.items[at];
        struct crate_fact fact = {0};

        if (map->functions.items[i].size_bytes == 0)
            continue;
        fact = (struct crate_fact){measured->crate, {0}, measured->crate_hash, measured->crate_kind};
        if (fact.name.length > 0 && fact.id == 0 && size_crates_leave_doubt(&out->crates, &fact)) {
            *vec_add(&doubts->items) = (struct doubtful){at, used[i]};
            *vec_add(&doubts->svmas) = starts[i];
        }
        at++;
    }
}

/* Of the file where the function calls what was inlined first, or that has its first line. */
static bool version_of_lines(struct debug_info *debug, uint64_t svma, const struct measured *measured,
                             struct text *path, struct slice *version)
{
    struct source_frame frames[SOURCE_FRAMES_MOST];
    size_t count = debug_info_find(debug, svma, frames);
    struct crate_fact fact;

    text_clear(path);
    if (count == 0 || !debug_info_add_path(debug, &frames[count - 1], path))
        return false;
    fact = crate_fact_of_path((struct slice){0}, text_slice(path));
    if (fact.version.length == 0 || fact.kind == CRATE_KIND_STD || !crate_name_is(measured->crate, fact.name))
        return false;
    *version = fact.version;
    return true;
}

static bool version_of_used(const struct measurement *out, struct used used, const struct measured *measured,
                            struct slice *version)
{
    const struct size_crate *crate = NULL;

    if (used.crate == SIZE_NO_CRATE)
        return false;
    crate = &out->crates.items.items[used.crate];
    if (crate->version.length == 0 || !slice_equal(crate->name, measured->crate))
        return false;
    *version = crate->version;
    return true;
}

void versions_find(struct source *source, const struct used *used, size_t first, struct measurement *out)
{
    SCOPED(doubts_done) struct doubts doubts = {0};
    SCOPED(text_done) struct text path = {0};

    find_doubts(&source->map, used, first, out, &doubts);
    if (source->has_debug && doubts.svmas.count > 0)
        debug_info_read_places(&source->debug, doubts.svmas.items, doubts.svmas.count, 0);
    for (size_t i = 0; i < doubts.items.count; i++) {
        struct used by = doubts.items.items[i].used;
        struct measured *measured = &out->items.items[doubts.items.items[i].item];
        struct slice version = {0};

        if (source->has_debug &&
            version_of_lines(&source->debug, doubts.svmas.items[i], measured, &path, &version))
            measured->crate_source = CRATE_FROM_LINE;
        else if (version_of_used(out, by, measured, &version))
            measured->crate_source = attribution_source(by.source);
        if (version.length > 0)
            measured->version = (struct slice){arena_copy(&out->arena, version), version.length};
    }
}
