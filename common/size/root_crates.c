#include "size/root_crates.h"

#include <stdlib.h>

#include "base/memory.h"
#include "rust/symbol_path.h"

/* A function and the unit that it is to be looked up in. */
struct member {
    uint32_t unit;
    uint32_t function;
    uint64_t svma;
};

struct reader {
    const struct units *units;
    const struct code_map *map;
    struct root_crates *out;
    VEC(struct member) members;
    struct symbol symbol;   /* scratch */
    struct text root, path; /* scratch */
};

static int compare_members(const void *left, const void *right)
{
    const struct member *a = left;
    const struct member *b = right;

    if (a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    return (a->function > b->function) - (a->function < b->function);
}

static void collect_members(struct reader *reader, const uint32_t *of_unit)
{
    SCOPED(memory_free_at) uint64_t *starts = code_map_starts(reader->map);

    for (uint32_t i = 0; i < reader->map->functions.count; i++) {
        uint32_t unit = units_find(reader->units, starts[i]);

        if (unit != UNIT_NONE && of_unit[unit] == SIZE_NO_CRATE)
            *vec_add(&reader->members) = (struct member){unit, i, starts[i]};
    }
    if (reader->members.count > 1)
        qsort(reader->members.items, reader->members.count, sizeof(struct member), compare_members);
}

static void note(struct root_crates *roots, struct slice path, struct symbol_crate crate)
{
    uint32_t id = intern_add(&roots->paths, path);
    struct crate_fact *known = NULL;

    if (id == roots->facts.count) {
        struct slice name = intern_text(&roots->names, intern_add(&roots->names, crate.name));

        *vec_add(&roots->facts) = (struct crate_fact){.name = name, .id = crate.disambiguator};
        *vec_add(&roots->is_disputed) = false;
    }
    known = &roots->facts.items[id];
    if (!slice_equal(known->name, crate.name) || known->id != crate.disambiguator)
        roots->is_disputed.items[id] = true;
}

/* A crate that the function's symbol names for sure, if the function begins in the root file. */
static void ask_function(struct reader *reader, const struct line_table *lines, const struct member *member)
{
    const struct line_row *row = line_table_find(lines, member->svma);
    struct symbol_owner owner;

    text_clear(&reader->path);
    if (!row || !line_table_add_path(lines, row->file, &reader->path) ||
        !slice_equal(text_slice(&reader->path), text_slice(&reader->root)))
        return;
    symbol_parse(&reader->symbol, reader->map->functions.items[member->function].names[0]->name);
    owner = symbol_defining_crate(&reader->symbol);
    if (owner.certainty == SYMBOL_EXACT && owner.crate.name.length > 0 &&
        !symbol_crate_is_std(owner.crate.name))
        note(reader->out, text_slice(&reader->root), owner.crate);
}

/* Asks the functions of one unit, which stand one behind the other; returns where the next one's begin. */
static size_t ask_unit(struct reader *reader, size_t first)
{
    const struct unit *unit = &reader->units->items.items[reader->members.items[first].unit];
    struct line_table lines;
    size_t at = first;

    text_clear(&reader->root);
    unit_add_root_path(unit, &reader->root);
    line_table_read(reader->units->sections, unit, NULL, &lines);
    for (; at < reader->members.count && reader->members.items[at].unit == reader->members.items[first].unit;
         at++)
        ask_function(reader, &lines, &reader->members.items[at]);
    line_table_done(&lines);
    return at;
}

void root_crates_find(struct debug_info *debug, const struct code_map *map, const uint32_t *of_unit,
                      struct root_crates *out)
{
    struct reader reader = {.units = &debug->units, .map = map, .out = out};
    struct error ignored = {0};

    collect_members(&reader, of_unit);
    if (reader.members.count > 0 && debug_sections_read_lines(&debug->sections, &ignored) < 0)
        reader.members.count = 0;
    for (size_t at = 0; at < reader.members.count;)
        at = ask_unit(&reader, at);
    vec_done(&reader.members);
    symbol_done(&reader.symbol);
    text_done(&reader.root);
    text_done(&reader.path);
}

bool root_crates_get(const struct root_crates *roots, const struct unit *unit, struct crate_fact *out)
{
    SCOPED(text_done) struct text path = {0};
    uint32_t id = INTERN_NONE;

    unit_add_root_path(unit, &path);
    id = intern_find(&roots->paths, text_slice(&path));
    if (id == INTERN_NONE || roots->is_disputed.items[id])
        return false;
    *out = roots->facts.items[id];
    return true;
}

void root_crates_done(struct root_crates *roots)
{
    intern_done(&roots->paths);
    intern_done(&roots->names);
    vec_done(&roots->facts);
    vec_done(&roots->is_disputed);
}
