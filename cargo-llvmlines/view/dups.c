#include "view/dups.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"
#include "view/tables.h"

void dups_done(struct dups *dups)
{
    rows_done(&dups->groups);
    rows_done(&dups->crates);
}

/* --- Which unit depends on which ------------------------------------------------------- */

/* knows[a * count + b]: unit a is b or depends on it, directly or not. */
struct dependencies {
    size_t count;
    bool *knows;
    size_t *known_count; /* by unit */
};

static void dependencies_done(struct dependencies *dependencies)
{
    free(dependencies->knows);
    free(dependencies->known_count);
}

static bool knows(const struct dependencies *dependencies, uint32_t unit, uint32_t other)
{
    return dependencies->knows[unit * dependencies->count + other];
}

static void note_direct(const struct measurement *measurement, struct dependencies *dependencies, size_t unit)
{
    const struct unit_counts *counts = &measurement->units.items[unit].counts;

    dependencies->knows[unit * dependencies->count + unit] = true;
    for (size_t i = 0; i < counts->dependencies.count; i++)
        for (size_t other = 0; other < dependencies->count; other++)
            if (slice_equal(measurement->units.items[other].stem, counts->dependencies.items[i]))
                dependencies->knows[unit * dependencies->count + other] = true;
}

/* Warshall's closure. */
static void close_over(struct dependencies *dependencies)
{
    size_t count = dependencies->count;

    for (size_t middle = 0; middle < count; middle++)
        for (size_t unit = 0; unit < count; unit++)
            for (size_t other = 0; dependencies->knows[unit * count + middle] && other < count; other++)
                dependencies->knows[unit * count + other] |= dependencies->knows[middle * count + other];
    for (size_t unit = 0; unit < count; unit++)
        for (size_t other = 0; other < count; other++)
            dependencies->known_count[unit] += dependencies->knows[unit * count + other];
}

static void dependencies_read(const struct measurement *measurement, struct dependencies *out)
{
    size_t count = measurement->units.count;

    out->count = count;
    out->knows = memory_new(count * count + 1, sizeof(bool));
    out->known_count = memory_new(count + 1, sizeof(size_t));
    for (size_t unit = 0; unit < count; unit++)
        note_direct(measurement, out, unit);
    close_over(out);
}

/* --- Owners ---------------------------------------------------------------------------- */

/* The copies of one instance: nodes, one after another. */
struct copies {
    const uint32_t *nodes;
    size_t count;
};

/* The units of the crates that a name shows, as far as they were counted. */
struct named_units {
    VEC(uint32_t) items;
};

struct search {
    const struct program *program;
    struct dependencies dependencies;
    struct named_units named; /* of the instance that is looked at */
    struct symbol symbol;     /* scratch */
};

static void search_done(struct search *search)
{
    dependencies_done(&search->dependencies);
    vec_done(&search->named.items);
    symbol_done(&search->symbol);
}

static uint32_t unit_of(const struct search *search, uint32_t node)
{
    return search->program->nodes.items[node].unit;
}

static void find_named(struct search *search, struct slice name)
{
    const struct measurement *measurement = search->program->measurement;
    struct symbol_crate crate;
    uint32_t at = 0;

    search->named.items.count = 0;
    symbol_parse(&search->symbol, name);
    while (symbol_next_crate(&search->symbol, &at, &crate))
        for (uint32_t unit = 0; unit < measurement->units.count; unit++)
            if (measurement->units.items[unit].crate.disambiguator == crate.disambiguator &&
                slice_equal(measurement->units.items[unit].crate.name, crate.name))
                *vec_add(&search->named.items) = unit;
}

static bool could_own(const struct search *search, struct copies copies, uint32_t candidate)
{
    for (size_t i = 0; i < copies.count; i++)
        if (!knows(&search->dependencies, unit_of(search, copies.nodes[i]), candidate))
            return false;
    for (size_t i = 0; i < search->named.items.count; i++)
        if (!knows(&search->dependencies, candidate, search->named.items.items[i]))
            return false;
    return true;
}

static void consider(const struct search *search, struct copies copies, uint32_t candidate, uint32_t *best)
{
    const size_t *known = search->dependencies.known_count;

    if ((*best == NO_OWNER || known[candidate] < known[*best]) && could_own(search, copies, candidate))
        *best = candidate;
}

static uint32_t owner_of(struct search *search, struct copies copies)
{
    uint32_t best = NO_OWNER;

    find_named(search, program_symbol(search->program, copies.nodes[0]));
    for (size_t i = 0; i < copies.count; i++)
        consider(search, copies, unit_of(search, copies.nodes[i]), &best);
    for (size_t i = 0; i < search->named.items.count; i++)
        consider(search, copies, search->named.items.items[i], &best);
    return best;
}

/* The copy that stays. */
static uint32_t kept_of(const struct search *search, struct copies copies, uint32_t owner)
{
    uint32_t kept = copies.nodes[0];

    for (size_t i = 0; i < copies.count; i++) {
        if (unit_of(search, copies.nodes[i]) == owner)
            return copies.nodes[i];
        if (program_lines(search->program, copies.nodes[i]) > program_lines(search->program, kept))
            kept = copies.nodes[i];
    }
    return kept;
}

/* --- Sums ------------------------------------------------------------------------------ */

void excesses_done(struct excesses *excesses)
{
    vec_done(&excesses->items);
    free(excesses->by_unit);
}

static void add_instance(struct search *search, struct copies copies, struct excesses *excesses)
{
    uint32_t owner = owner_of(search, copies);
    uint32_t kept = kept_of(search, copies, owner);
    struct excess excess = {.group = search->program->nodes.items[copies.nodes[0]].group, .owner = owner};

    for (size_t i = 0; i < copies.count; i++) {
        struct excess *unit = &excesses->by_unit[unit_of(search, copies.nodes[i])];
        uint64_t lines = program_lines(search->program, copies.nodes[i]);

        if (copies.nodes[i] == kept)
            continue;
        excess.lines += lines;
        excess.copies++;
        unit->lines += lines;
        unit->copies++;
    }
    *vec_add(&excesses->items) = excess;
}

static int compare_excesses(const void *left, const void *right)
{
    const struct excess *a = left;
    const struct excess *b = right;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return (a->owner > b->owner) - (a->owner < b->owner);
}

/* Puts those of one group and owner together. */
static void merge(struct excesses *excesses)
{
    size_t kept = 0;

    vec_sort(&excesses->items, compare_excesses);
    for (size_t i = 1; i < excesses->items.count; i++) {
        struct excess *last = &excesses->items.items[kept];
        const struct excess *next = &excesses->items.items[i];

        if (compare_excesses(last, next) == 0) {
            last->lines += next->lines;
            last->copies += next->copies;
        } else {
            excesses->items.items[++kept] = *next;
        }
    }
    excesses->items.count = excesses->items.count ? kept + 1 : 0;
}

/* The nodes with functions, those of one instance together. */
static uint32_t *sort_by_instance(const struct program *program, size_t *starts)
{
    uint32_t *nodes = memory_new(program->nodes.count + 1, sizeof(*nodes));

    for (size_t i = 0; i < program->nodes.count; i++)
        if (program->nodes.items[i].instance != INTERN_NONE)
            starts[program->nodes.items[i].instance + 1]++;
    for (size_t i = 0; i < program->instances.entries.count; i++)
        starts[i + 1] += starts[i];
    for (uint32_t i = 0; i < program->nodes.count; i++)
        if (program->nodes.items[i].instance != INTERN_NONE)
            nodes[starts[program->nodes.items[i].instance]++] = i;
    return nodes;
}

/* Copies in one unit are functions of the same name in different modules: none is too many. */
static bool is_in_several_units(const struct search *search, struct copies copies)
{
    for (size_t i = 1; i < copies.count; i++)
        if (unit_of(search, copies.nodes[i]) == unit_of(search, copies.nodes[0]))
            return false;
    return copies.count > 1;
}

void excesses_find(const struct program *program, struct excesses *excesses)
{
    SCOPED(search_done) struct search search = {.program = program};
    size_t count = program->instances.entries.count;
    SCOPED(memory_free_at) size_t *starts = memory_new(count + 1, sizeof(*starts));
    SCOPED(memory_free_at) uint32_t *nodes = sort_by_instance(program, starts);
    size_t first = 0;

    dependencies_read(program->measurement, &search.dependencies);
    excesses->unit_count = program->measurement->units.count;
    excesses->by_unit = memory_new(excesses->unit_count + 1, sizeof(*excesses->by_unit));
    /* Filling has moved each start to the end of its own, which is where the next begins. */
    for (size_t i = 0; i < count; i++) {
        struct copies copies = {nodes + first, starts[i] - first};

        first = starts[i];
        if (is_in_several_units(&search, copies))
            add_instance(&search, copies, excesses);
    }
    merge(excesses);
}

/* --- Tables ---------------------------------------------------------------------------- */

static void add_number_columns(struct rows *rows, uint64_t lines)
{
    rows_add_column(rows, (struct column){COLUMN_COUNT, "Extra lines", "extra-lines", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_SHARE, "% of all", NULL, 0, lines});
    rows_add_column(rows, (struct column){COLUMN_COUNT, "Extra copies", "extra-copies", 0, 0});
    rows->total_label = "(TOTAL)";
}

static void note_owned(struct rows *rows, uint64_t owned, uint64_t lines)
{
    SCOPED(text_done) struct text note = {0};

    rows_add_fact(rows, "owned-lines", owned);
    if (lines == 0)
        return;
    units_add_count(&note, owned);
    text_add_string(&note, " of ");
    units_add_count(&note, lines);
    text_add_string(&note, " extra lines could be in one crate for all; the others are of crates that do not "
                           "know each other");
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}

static void fill_groups(const struct program *program, const struct excesses *excesses, struct rows *out)
{
    const struct measurement *measurement = program->measurement;
    uint64_t lines = 0;
    uint64_t copies = 0;
    uint64_t owned = 0;
    const struct row_words *words = tables_row_words(measurement->groups.by);

    out->list_key = words->list_key;
    out->noun = words->noun;
    add_number_columns(out, measurement->groups.lines);
    rows_add_column(out, (struct column){COLUMN_TEXT, "Could be in", "owner", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, words->title, "name", 0, 0});
    for (size_t i = 0; i < excesses->items.count; i++) {
        const struct excess *excess = &excesses->items.items[i];
        union cell *row = rows_add(out);

        row[0].number = excess->lines;
        row[2].number = excess->copies;
        if (excess->owner != NO_OWNER) {
            row[3].text = slice_of(measurement->units.items[excess->owner].label);
            owned += excess->lines;
        }
        row[4].text = program->labels[excess->group];
        lines += excess->lines;
        copies += excess->copies;
    }
    rows_sort(out, 0);
    rows_add_fact(out, groups_lines_key(&measurement->groups), measurement->groups.lines);
    rows_add_fact(out, "copies", measurement->groups.copies);
    rows_add_fact(out, "extra-lines", lines);
    rows_add_fact(out, "extra-copies", copies);
    note_owned(out, owned, lines);
}

static void fill_crates(const struct program *program, const struct excesses *excesses, struct rows *out)
{
    const struct measurement *measurement = program->measurement;

    out->list_key = "targets";
    out->noun = "target";
    add_number_columns(out, measurement->groups.lines);
    rows_add_column(out, (struct column){COLUMN_TEXT, "Compiled in", "target", 0, 0});
    for (size_t unit = 0; unit < excesses->unit_count; unit++) {
        const struct excess *excess = &excesses->by_unit[unit];
        union cell *row = NULL;

        if (excess->copies == 0)
            continue;
        row = rows_add(out);
        row[0].number = excess->lines;
        row[2].number = excess->copies;
        row[3].text = slice_of(measurement->units.items[unit].label);
    }
    rows_sort(out, 0);
}

void dups_fill(const struct program *program, struct dups *out)
{
    SCOPED(excesses_done) struct excesses excesses = {0};

    excesses_find(program, &excesses);
    fill_groups(program, &excesses, &out->groups);
    fill_crates(program, &excesses, &out->crates);
    out->groups.beside = &out->crates;
}
