#include "dwarf/functions.h"

#include <dwarf.h>
#include <stdlib.h>

#include "dwarf/function_names.h"
#include "dwarf/ranges.h"

/* What entries at one depth of the unit are inside of, and at depths below it that change nothing of that. */
struct level {
    uint32_t frame;
    uint32_t scope;
    uint32_t plain_depth;
};

struct walk {
    const struct unit *unit;
    const struct abbreviations *table;
    const struct debug_sections *sections;
    struct functions *out;
    struct function_names names;
    struct range_sink sink;
    VEC(struct level) levels;
    struct bytes cursor;
    bool is_elsewhere; /* in another unit than the one whose functions are read: only for names */
};

static struct level innermost(const struct walk *walk)
{
    const struct level outside = {FRAME_NONE, SCOPE_NONE, 0};

    return walk->levels.count > 0 ? walk->levels.items[walk->levels.count - 1] : outside;
}

/* The entry that the function's name is found from: all calls of it share that. */
static uint64_t origin_of(const struct entry *entry)
{
    const struct attribute *origin = &entry->attributes[ENTRY_ABSTRACT_ORIGIN];

    return origin->class == ATTRIBUTE_REFERENCE ? origin->number : entry->offset;
}

/* Adds a frame if the entry covers code. Returns its index or FRAME_NONE. */
static uint32_t add_frame(struct walk *walk, const struct entry *entry, uint32_t parent)
{
    const uint32_t id = (uint32_t)walk->out->frames.count;
    const size_t before = walk->sink.intervals.count;

    if (!ranges_add(&walk->sink, entry, &walk->unit->encoding, walk->sections, id))
        walk->out->is_damaged = true;
    if (walk->sink.intervals.count == before)
        return FRAME_NONE;
    *vec_add(&walk->out->frames) = (struct function_frame){
        .parent = parent,
        .name = function_names_id(&walk->names, origin_of(entry)),
        .call_file = (uint32_t)entry_number(entry, ENTRY_CALL_FILE, 0),
        .call_line = (uint32_t)entry_number(entry, ENTRY_CALL_LINE, 0),
    };
    return id;
}

static void declare(struct walk *walk, uint64_t offset, uint32_t scope)
{
    if (walk->is_elsewhere)
        function_names_declare_elsewhere(&walk->names, offset, scope);
    else
        function_names_declare(&walk->names, offset, scope);
}

/* A function, compiled by itself, or only declared or inlined elsewhere: then it has no code. */
static struct level enter_function(struct walk *walk, const struct abbreviation *abbreviation,
                                   uint64_t offset)
{
    struct level level = innermost(walk);

    /* A linkage name has the path in it, but for what the path's closures are: that takes a look at the name,
     * which only those are worth that are asked for. */
    if (level.scope != SCOPE_NONE && abbreviation->has_name)
        declare(walk, offset, level.scope);
    level.frame = FRAME_NONE;
    if (abbreviation->has_code && !walk->is_elsewhere) {
        struct entry entry;

        entry_read(&walk->cursor, &walk->unit->encoding, walk->table, abbreviation, offset, &entry);
        level.frame = add_frame(walk, &entry, FRAME_NONE);
    } else {
        entry_skip(&walk->cursor, &walk->unit->encoding, walk->table, abbreviation);
    }
    if (abbreviation->has_children)
        level.scope = function_names_add_scope(&walk->names, offset, level.scope);
    return level;
}

static struct level enter_inlined_call(struct walk *walk, const struct abbreviation *abbreviation,
                                       uint64_t offset)
{
    struct level level = innermost(walk);
    struct entry entry;
    uint32_t frame = FRAME_NONE;

    if (level.frame == FRAME_NONE) {
        entry_skip(&walk->cursor, &walk->unit->encoding, walk->table, abbreviation);
        return level;
    }
    entry_read(&walk->cursor, &walk->unit->encoding, walk->table, abbreviation, offset, &entry);
    frame = add_frame(walk, &entry, level.frame);
    /* What is inlined into a call lies within its code (DWARF 5, §3.3.8): of no use where that is not. */
    if (frame != FRAME_NONE || (walk->sink.wanted && abbreviation->has_code))
        level.frame = frame;
    return level;
}

/* Reads the entry of a type or module, in which others are declared. */
static struct level enter_scope(struct walk *walk, const struct abbreviation *abbreviation, uint64_t offset)
{
    struct level level = innermost(walk);
    bool is_named = abbreviation->has_name || abbreviation->tag == DW_TAG_namespace;

    if (abbreviation->has_children)
        level.scope = is_named ? function_names_add_scope(&walk->names, offset, level.scope)
                               : function_names_add_unnamed_type(&walk->names, offset, level.scope);
    entry_skip(&walk->cursor, &walk->unit->encoding, walk->table, abbreviation);
    return level;
}

/* What is neither a function nor has any in it, as most entries: its children are where it is. */
static void pass_over(struct walk *walk, const struct abbreviation *abbreviation)
{
    const struct level level = innermost(walk);

    entry_skip(&walk->cursor, &walk->unit->encoding, walk->table, abbreviation);
    if (!abbreviation->has_children)
        return;
    if (walk->levels.count == 0)
        *vec_add(&walk->levels) = level;
    else
        walk->levels.items[walk->levels.count - 1].plain_depth++;
}

/* Reads the entry and notes what its children are inside of. */
static void enter(struct walk *walk, const struct abbreviation *abbreviation, uint64_t offset)
{
    struct level level;

    switch (abbreviation->tag) {
    case DW_TAG_subprogram:
        level = enter_function(walk, abbreviation, offset);
        break;
    case DW_TAG_inlined_subroutine:
        level = enter_inlined_call(walk, abbreviation, offset);
        break;
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_interface_type:
        level = enter_scope(walk, abbreviation, offset);
        break;
    default:
        pass_over(walk, abbreviation);
        return;
    }
    level.plain_depth = 0;
    if (abbreviation->has_children)
        *vec_add(&walk->levels) = level;
}

/* The end of a list of children. */
static void leave(struct walk *walk)
{
    struct level *level = walk->levels.count > 0 ? &walk->levels.items[walk->levels.count - 1] : NULL;

    if (level && level->plain_depth > 0)
        level->plain_depth--;
    else if (level)
        walk->levels.count--;
}

/* Up to the entry at `last`, or to the unit's end. */
static void walk_entries(struct walk *walk, uint64_t last)
{
    while (bytes_left(&walk->cursor) > 0 && walk->cursor.at <= last) {
        uint64_t offset = walk->cursor.at;
        const struct abbreviation *abbreviation = entry_begin(&walk->cursor, walk->table);

        if (abbreviation)
            enter(walk, abbreviation, offset);
        else
            leave(walk);
    }
    if (walk->cursor.failed)
        walk->out->is_damaged = true;
}

static void set_unit(struct walk *walk, const struct units *units, uint32_t unit)
{
    const struct unit *of = &units->items.items[unit];

    walk->unit = of;
    walk->table = &units->tables.items[of->table];
    walk->cursor = debug_sections_cursor(units->sections, DEBUG_INFO, of->entries_offset,
                                         of->end_offset - of->entries_offset);
    walk->levels.count = 0;
    walk->names.unnamed_type_count = 0;
}

/* Finds the scopes of entries in other units, as where functions of theirs were inlined when the program was
 * linked. */
static void walk_elsewhere(struct walk *walk, const struct units *units)
{
    /* So that units of a hostile file that all name each other do not take time by their square. */
    enum { TIMES_ITS_OWN = 64, AT_LEAST = 8 << 20 };
    const struct function_names *names = &walk->names;
    uint64_t room_bytes = (walk->unit->end_offset - walk->unit->entries_offset) * TIMES_ITS_OWN + AT_LEAST;
    size_t i = 0;

    walk->is_elsewhere = true;
    while (i < names->elsewhere.count) {
        uint32_t unit = units_find_entry(units, names->elsewhere.items[i]);
        size_t end = i + 1;

        while (end < names->elsewhere.count && unit != UNIT_NONE &&
               names->elsewhere.items[end] < units->items.items[unit].end_offset)
            end++;
        if (unit != UNIT_NONE) {
            uint64_t last = names->elsewhere.items[end - 1];

            set_unit(walk, units, unit);
            if (last - walk->unit->entries_offset > room_bytes)
                return;
            room_bytes -= last - walk->unit->entries_offset;
            walk_entries(walk, last);
        }
        i = end;
    }
}

void functions_read(const struct units *units, uint32_t unit, const struct places *wanted,
                    struct functions *out)
{
    /* Honest units have far fewer range list entries than bytes. */
    enum { STEPS_PER_BYTE = 4, STEPS_AT_LEAST = 4096 };
    const struct unit *of = &units->items.items[unit];
    struct walk walk = {
        .sections = units->sections,
        .out = out,
        .names = {.units = units, .unit = unit},
        .sink = {.wanted = wanted,
                 .steps_left = (of->end_offset - of->entries_offset) * STEPS_PER_BYTE + STEPS_AT_LEAST},
    };

    *out = (struct functions){0};
    set_unit(&walk, units, unit);
    walk_entries(&walk, of->end_offset);
    function_names_find(&walk.names, out);
    walk_elsewhere(&walk, units);
    function_names_finish(&walk.names, out);
    function_names_done(&walk.names);
    vec_done(&walk.levels);
    out->rows = intervals_flatten(walk.sink.intervals.items, walk.sink.intervals.count);
    vec_trim(&out->frames);
    vec_trim(&out->names);
    vec_done(&walk.sink.intervals);
}

void functions_done(struct functions *functions)
{
    vec_done(&functions->frames);
    vec_done(&functions->names);
    intervals_done(&functions->rows);
    arena_done(&functions->arena);
}

uint32_t functions_find(const struct functions *functions, uint64_t svma)
{
    return intervals_find(&functions->rows, svma);
}
