#include "content/data_costs.h"

#include <elf.h>

#include "base/intern.h"
#include "base/memory.h"
#include "content/attribution.h"
#include "content/data_names.h"
#include "content/names.h"
#include "size/unit_crates.h"

#define NO_ITEM SIZE_MAX

/* The costs of one file while they are found. */
struct costs {
    const struct measure_request *request;
    struct source *source;
    struct measurement *out;
    struct cost_items *items;
    size_t first; /* item of the file */
    struct references references;
    struct data_map data;
    struct account account;
    uint32_t *group_of;        /* by function; one more at the end: code without a name */
    size_t *item_of;           /* by function; likewise */
    uint32_t *group_of_symbol; /* by symbol of data: OWNER_NONE when its crate is not known */
    struct measured *symbols;  /* by symbol of data */
    uint32_t *group_of_index;  /* by index of a crate of the functions, or OWNER_NONE */
    size_t crate_count;
    uint32_t *group_of_unit; /* by unit of the debug information: OWNER_NONE when its crate is not known */
};

static void costs_done(struct costs *costs)
{
    references_done(&costs->references);
    data_map_done(&costs->data);
    account_done(&costs->account);
    free(costs->group_of);
    free(costs->item_of);
    free(costs->group_of_symbol);
    free(costs->symbols);
    free(costs->group_of_index);
    free(costs->group_of_unit);
}

/* --- Groups ------------------------------------------------------------------------------ */

static const struct measured unnamed_code = {
    .name = SLICE("[unnamed]"), .kind = MEASURED_UNNAMED, .crate_index = SIZE_NO_CRATE};

/* names_add left out functions that take no space. */
static void group_functions(struct costs *costs)
{
    const struct code_map *map = &costs->source->map;
    size_t count = map->functions.count;
    size_t item = costs->first;

    costs->group_of = memory_new(count + 1, sizeof(uint32_t));
    costs->item_of = memory_new(count + 1, sizeof(size_t));
    costs->crate_count = costs->out->crates.items.count;
    costs->group_of_index = memory_new(costs->crate_count, sizeof(uint32_t));
    for (size_t i = 0; i < costs->crate_count; i++)
        costs->group_of_index[i] = OWNER_NONE;
    for (size_t i = 0; i < count; i++) {
        const struct measured *measured = &costs->out->items.items[item];

        costs->item_of[i] = NO_ITEM;
        if (map->functions.items[i].size_bytes == 0)
            continue;
        costs->item_of[i] = item++;
        costs->group_of[i] = cost_items_group(costs->items, measured);
        if (measured->crate_index != SIZE_NO_CRATE)
            costs->group_of_index[measured->crate_index] = costs->group_of[i];
    }
    costs->group_of[count] = cost_items_group(costs->items, &unnamed_code);
    costs->item_of[count] = NO_ITEM;
}

/* Symbols of data get names and crates as those of functions do; they do not stay among the items. */
static void group_symbols(struct costs *costs)
{
    struct measurement *out = costs->out;
    struct code_map functions = costs->source->map;
    size_t count = costs->data.symbols.functions.count;
    size_t first = out->items.count;
    size_t item = first;

    costs->group_of_symbol = memory_new(count, sizeof(uint32_t));
    costs->symbols = memory_new(count, sizeof(struct measured));
    costs->source->map = costs->data.symbols;
    names_add(&costs->data.symbols, costs->source->std, out);
    attribution_apply(costs->request, costs->source, first, out);
    costs->source->map = functions;
    for (size_t i = 0; i < count; i++) {
        costs->group_of_symbol[i] = OWNER_NONE;
        if (costs->data.symbols.functions.items[i].size_bytes == 0)
            continue;
        costs->symbols[i] = out->items.items[item++];
        if (costs->symbols[i].crate.length > 0)
            costs->group_of_symbol[i] = cost_items_group(costs->items, &costs->symbols[i]);
    }
    out->items.count = first;
}

/* Crates may have debug information and no function that is left. */
static uint32_t group_of_crate(struct costs *costs, uint32_t crate)
{
    if (crate < costs->crate_count && costs->group_of_index[crate] != OWNER_NONE)
        return costs->group_of_index[crate];
    return cost_items_group_of_crate(costs->items, crate);
}

/* The units of debug information that is in the file itself; NULL without. */
static const struct units *group_units(struct costs *costs)
{
    struct source *source = costs->source;
    const struct units *units = &source->debug.units;

    if (!source->has_debug || source->has_debug_image)
        return NULL;
    costs->group_of_unit = memory_new(units->items.count, sizeof(uint32_t));
    for (size_t i = 0; i < units->items.count; i++) {
        uint32_t crate = source->unit_crates->of_unit[i];

        costs->group_of_unit[i] = crate == SIZE_NO_CRATE ? OWNER_NONE : group_of_crate(costs, crate);
    }
    return units;
}

static uint32_t group_of_unit(void *context, struct slice unit)
{
    struct costs *costs = context;
    struct crate_fact fact;
    uint32_t crate = unit_crates_of_hashed(costs->source->unit_crates, unit);

    if (crate_fact_of_codegen_unit(unit, &fact))
        crate = size_crates_add(&costs->out->crates, &fact);
    return crate < costs->crate_count ? costs->group_of_index[crate] : OWNER_NONE;
}

/* --- Items ------------------------------------------------------------------------------- */

static struct slice name_of_part(const struct file_part *part)
{
    switch (part->kind) {
    case FILE_PART_HEADER:
        return SLICE("[ELF header]");
    case FILE_PART_PROGRAM_HEADERS:
        return SLICE("[program headers]");
    case FILE_PART_SECTION_HEADERS:
        return SLICE("[section headers]");
    case FILE_PART_GAPS:
        return SLICE("[gaps]");
    case FILE_PART_SECTION:
        break;
    }
    return part->section->name.length > 0 ? section_family(part->section->name) : SLICE("[nameless]");
}

/* Bytes that nothing is known to need, by where they are. */
static size_t unowned_item(struct costs *costs, const struct account_entry *entry)
{
    SCOPED(text_done) struct text name = {0};
    struct slice part = name_of_part(entry->part);

    if (entry->part->kind != FILE_PART_SECTION)
        return cost_items_rest(costs->items, part, MEASURED_REST);
    if (entry->kind == ACCOUNT_DATA)
        text_format(&name, "[%.*s: no reference found]", SLICE_ARGUMENTS(part));
    else
        text_format(&name, "[%.*s]", SLICE_ARGUMENTS(part));
    return cost_items_rest(costs->items, text_slice(&name), MEASURED_REST);
}

static size_t item_of_owner(struct costs *costs, uint32_t owner, const struct account_entry *entry)
{
    size_t functions = costs->source->map.functions.count;

    if (owner == OWNER_SHARED)
        return cost_items_rest(costs->items, SLICE(DATA_SHARED_NAME), MEASURED_REST);
    if (owner == OWNER_PADDING)
        return cost_items_rest(costs->items, SLICE("[padding]"), MEASURED_PADDING);
    if (owner == OWNER_NONE)
        return unowned_item(costs, entry);
    if (owner < functions && costs->item_of[owner] != NO_ITEM)
        return costs->item_of[owner];
    if (owner <= functions)
        return cost_items_rest(costs->items, SLICE("[unnamed]"), MEASURED_UNNAMED);
    return cost_items_of_group(costs->items, owner - (uint32_t)functions - 1);
}

static void add_costs(struct costs *costs)
{
    for (size_t i = 0; i < costs->source->map.functions.count; i++)
        if (costs->item_of[i] != NO_ITEM)
            costs->out->items.items[costs->item_of[i]].size_bytes = 0;
    for (size_t i = 0; i < costs->account.entries.count; i++) {
        const struct account_entry *entry = &costs->account.entries.items[i];
        size_t at = item_of_owner(costs, entry->owner, entry);
        struct measured *item = &costs->out->items.items[at];

        item->cost[entry->kind] += entry->size_bytes;
        item->size_bytes += entry->size_bytes;
    }
}

static void add_pieces(struct costs *costs)
{
    SCOPED(data_names_done) struct data_names names = {0};

    data_names_init(&names, costs->source, &costs->data, &costs->references);
    for (size_t i = 0; i < costs->account.entries.count; i++) {
        const struct account_entry *entry = &costs->account.entries.items[i];
        const struct data_piece *piece = NULL;
        struct measured_data data = {.size_bytes = entry->size_bytes};

        if (entry->kind != ACCOUNT_DATA || entry->piece == UINT32_MAX)
            continue;
        piece = &costs->data.items.items[entry->piece];
        data.owner = item_of_owner(costs, entry->owner, entry);
        data.section = arena_slice(&costs->out->arena, entry->part->section->name);
        data.svma = costs->source->image.type == ET_REL ? 0 : piece->svma;
        data.known = piece->known;
        if (piece->symbol != DATA_NO_SYMBOL)
            data.symbol = costs->symbols[piece->symbol].symbol;
        data.name = data_names_find(&names, piece,
                                    piece->symbol == DATA_NO_SYMBOL ? NULL : &costs->symbols[piece->symbol],
                                    &costs->out->arena);
        *vec_add(&costs->out->data) = data;
    }
}

static int find_owners(struct costs *costs, struct error *err)
{
    struct image *image = &costs->source->image;
    struct data_groups groups = {
        .space = {costs->group_of, (uint32_t)costs->source->map.functions.count + 1}};
    struct account_request request = {
        .image = image,
        .code = &costs->source->map,
        .data = &costs->data,
        .references = &costs->references,
        .space = &groups.space,
        .units = group_units(costs),
        .group_of_unit = group_of_unit,
        .context = costs,
    };

    request.group_of_unit_number = costs->group_of_unit;
    if (references_find(image, &costs->source->symbols, &costs->source->map, &costs->references, err) < 0 ||
        data_map_build(image, &costs->source->symbols, &costs->source->map, &costs->references, &costs->data,
                       err) < 0)
        return -1;
    group_symbols(costs);
    groups.of_symbol = costs->group_of_symbol;
    if (data_map_find_owners(&costs->data, image, &costs->references, &groups, err) < 0)
        return -1;
    return account_build(&request, &costs->account, err);
}

int data_costs_apply(const struct measure_request *request, struct source *source, size_t first,
                     struct cost_items *items, struct error *err)
{
    struct measurement *out = items->out;
    SCOPED(costs_done)
    struct costs costs = {.request = request, .source = source, .out = out, .items = items, .first = first};

    group_functions(&costs);
    if (find_owners(&costs, err) < 0)
        return -1;
    out->damaged_count += costs.references.relocations.damaged_count;
    out->lacks_references |= !costs.references.knows_machine && source->map.total_bytes > 0;
    add_costs(&costs);
    add_pieces(&costs);
    return 0;
}
