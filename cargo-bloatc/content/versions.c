#include "content/versions.h"

#include "base/memory.h"
#include "content/attribution.h"
#include "rust/std_crates.h"
#include "size/source_crates.h"

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

/* What tells of them. */
struct search {
    struct debug_info *debug; /* NULL: there is none */
    struct measurement *out;
    struct source_crates sources;
    struct text path; /* scratch */
};

static void doubts_done(struct doubts *doubts)
{
    vec_done(&doubts->items);
    vec_done(&doubts->svmas);
}

static void search_done(struct search *search)
{
    source_crates_done(&search->sources);
    text_done(&search->path);
}

/* Whether the crate's name is that of one that std was built with, and names do not tell whose copy it is. */
static bool may_be_stds(const struct measured *measured)
{
    return measured->crate_source == CRATE_INFERRED && std_crates_depend_on(measured->crate);
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
        fact = (struct crate_fact){
            .name = measured->crate, .id = measured->crate_hash, .kind = measured->crate_kind};
        if (may_be_stds(measured) ||
            (fact.name.length > 0 && fact.id == 0 && size_crates_leave_doubt(&out->crates, &fact))) {
            *vec_add(&doubts->items) = (struct doubtful){at, used[i]};
            *vec_add(&doubts->svmas) = starts[i];
        }
        at++;
    }
}

/* Of the file where the function calls what was inlined first, or that has its first line. */
static uint32_t crate_of_lines(struct search *search, uint64_t svma)
{
    struct source_frame frames[SOURCE_FRAMES_MOST];
    size_t count = debug_info_find(search->debug, svma, frames);

    text_clear(&search->path);
    if (count == 0 || !debug_info_add_path(search->debug, &frames[count - 1], &search->path))
        return SIZE_NO_CRATE;
    return source_crates_find(&search->sources, text_slice(&search->path), &search->out->crates);
}

/* Of two crates of one name one may be std's, as of hashbrown, whatever the name's mangling. */
static bool give_std(struct measured *measured)
{
    if (!std_crates_depend_on(measured->crate))
        return false;
    measured->version = (struct slice){0};
    measured->crate_kind = CRATE_KIND_STD;
    measured->is_std = true;
    return true;
}

/* Whether the crate is one that may be meant: then the item has what tells it from others of its name. */
static bool give_crate(struct measurement *out, uint32_t index, struct measured *measured)
{
    const struct size_crate *crate = NULL;

    if (index == SIZE_NO_CRATE)
        return false;
    crate = &out->crates.items.items[index];
    if (crate->is_ambiguous || !slice_equal(crate->name, measured->crate))
        return false;
    if (crate->kind == CRATE_KIND_STD)
        return give_std(measured);
    measured->crate_kind = crate->kind;
    measured->is_std = false;
    measured->version = crate->version;
    measured->crate_origin = crate->origin;
    if (crate->id != 0)
        measured->crate_hash = crate->id;
    return crate->version.length > 0 || crate->id != 0;
}

static void settle(struct search *search, const struct doubtful *doubtful, uint64_t svma)
{
    struct measured *measured = &search->out->items.items[doubtful->item];
    /* By its name, which is the program's crate's whichever of the two it is. */
    bool is_guess = measured->may_be_stds && doubtful->used.source == USED_INFERRED;

    if (search->debug && give_crate(search->out, crate_of_lines(search, svma), measured))
        measured->crate_source = CRATE_FROM_LINE;
    else if (!is_guess && give_crate(search->out, doubtful->used.crate, measured))
        measured->crate_source = attribution_source(doubtful->used.source);
    else
        return;
    measured->may_be_stds = false;
}

void versions_find(const struct measure_request *request, struct source *source, const struct used *used,
                   size_t first, struct measurement *out)
{
    SCOPED(doubts_done) struct doubts doubts = {0};
    SCOPED(search_done)
    struct search search = {
        .out = out,
        .sources = {.packages = request->packages, .package_count = request->package_count},
    };

    find_doubts(&source->map, used, first, out, &doubts);
    if (source->has_debug && doubts.svmas.count > 0) {
        search.debug = &source->debug;
        source_crates_add_units(&search.sources, &source->debug.units, source->unit_crates);
        debug_info_read_places(&source->debug, doubts.svmas.items, doubts.svmas.count, 0);
    }
    for (size_t i = 0; i < doubts.items.count; i++)
        settle(&search, &doubts.items.items[i], doubts.svmas.items[i]);
}
