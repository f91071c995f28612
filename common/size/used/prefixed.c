#include "size/used/prefixed.h"

#include <elf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "rust/package_prefix.h"

#define SEVERAL_CRATES (SIZE_NO_CRATE - 1)

/* The work on one file. */
struct search {
    const struct used_request *request;
    struct size_crates *crates;
    struct used *out;
    uint32_t *named;     /* by function: the crate that its own name tells; SIZE_NO_CRATE: it tells none */
    uint32_t *of_unit;   /* by STT_FILE symbol, likewise; SEVERAL_CRATES: it cannot be told */
    struct text version; /* scratch */
};

static uint32_t crate_of_name(struct search *search, const struct code_function *function)
{
    struct crate_fact fact = {.kind = CRATE_KIND_DEPENDENCY};

    text_clear(&search->version);
    for (size_t i = 0; i < function->name_count; i++) {
        if (!package_prefix_read(function->names[i]->name, &fact.name, &search->version))
            continue;
        fact.version = text_slice(&search->version);
        return size_crates_add(search->crates, &fact);
    }
    return SIZE_NO_CRATE;
}

static bool read_names(struct search *search)
{
    const struct code_map *map = search->request->map;
    bool is_any = false;

    for (size_t i = 0; i < map->functions.count; i++) {
        search->named[i] = SIZE_NO_CRATE;
        if (search->out[i].source != USED_UNKNOWN)
            continue;
        search->named[i] = crate_of_name(search, &map->functions.items[i]);
        if (search->named[i] == SIZE_NO_CRATE)
            continue;
        search->out[i] = (struct used){search->named[i], USED_FROM_SUFFIX};
        is_any = true;
    }
    return is_any;
}

/*
 * The STT_FILE symbol of the source that has the static function; SYMBOL_NO_UNIT for any other function. What
 * linkers made local, as it is hidden, stands under one of another source as well.
 */
static uint32_t source_of(const struct search *search, size_t function)
{
    const struct elf_symbol *symbol = search->request->map->functions.items[function].names[0];

    return search->out[function].source == USED_UNKNOWN && symbol->unit != SYMBOL_NO_UNIT &&
                   symbol->type == STT_FUNC && symbol->binding == STB_LOCAL &&
                   symbol->visibility == STV_DEFAULT &&
                   search->request->symbols->units[symbol->unit].length > 0
               ? symbol->unit
               : SYMBOL_NO_UNIT;
}

/* Labels inside another function. */
static bool has_no_code(const struct search *search, size_t function)
{
    return search->request->map->functions.items[function].size_bytes == 0;
}

static uint32_t join(uint32_t crate, uint32_t other)
{
    return crate == SIZE_NO_CRATE || crate == other ? other : SEVERAL_CRATES;
}

/* Finds the sources that have functions of a package, and of nobody else, between two of their own. */
static void find_sources(struct search *search)
{
    uint32_t last = SYMBOL_NO_UNIT;
    uint32_t between = SIZE_NO_CRATE;

    for (size_t i = 0; i < search->request->symbols->unit_count; i++)
        search->of_unit[i] = SIZE_NO_CRATE;
    for (size_t i = 0; i < search->request->map->functions.count; i++) {
        uint32_t source = source_of(search, i);

        if (has_no_code(search, i))
            continue;
        if (search->named[i] != SIZE_NO_CRATE) {
            between = join(between, search->named[i]);
            continue;
        }
        if (source != SYMBOL_NO_UNIT && source == last && between != SIZE_NO_CRATE)
            search->of_unit[source] = join(search->of_unit[source], between);
        last = source;
        between = SIZE_NO_CRATE;
    }
}

static void give(struct search *search, size_t start, size_t end, uint32_t crate)
{
    for (size_t i = start; i < end; i++)
        if (!has_no_code(search, i))
            search->out[i] = (struct used){crate, USED_INFERRED};
}

static void give_between(struct search *search)
{
    uint32_t crate = SIZE_NO_CRATE; /* of the function before `start`, if nothing else came since */
    size_t start = 0;

    for (size_t i = 0; i < search->request->map->functions.count; i++) {
        uint32_t source = SYMBOL_NO_UNIT;

        if (has_no_code(search, i))
            continue;
        if (search->named[i] != SIZE_NO_CRATE) {
            if (search->named[i] == crate)
                give(search, start, i, crate);
            crate = search->named[i];
            start = i + 1;
            continue;
        }
        source = source_of(search, i);
        if (source == SYMBOL_NO_UNIT || search->of_unit[source] != crate)
            crate = SIZE_NO_CRATE;
    }
}

void used_prefixed_find(const struct used_request *request, struct size_crates *crates, struct used *out)
{
    struct search search = {.request = request, .crates = crates, .out = out};

    search.named = memory_new(request->map->functions.count, sizeof(*search.named));
    if (read_names(&search)) {
        search.of_unit = memory_new(request->symbols->unit_count, sizeof(*search.of_unit));
        find_sources(&search);
        give_between(&search);
    }
    free(search.named);
    free(search.of_unit);
    text_done(&search.version);
}
