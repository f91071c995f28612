#include "graph/program.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/memory.h"
#include "counts/unit_crate.h"
#include "groups/group_labels.h"
#include "rust/drop_glue.h"
#include "rust/symbol_key.h"
#include "rust/symbol_path.h"

void program_done(struct program *program)
{
    vec_done(&program->nodes);
    vec_done(&program->uses);
    free(program->first_use);
    intern_done(&program->instances);
    arena_done(&program->arena);
    *program = (struct program){0};
}

const struct counted_node *program_counted(const struct program *program, uint32_t node)
{
    const struct program_node *at = &program->nodes.items[node];

    return &program->measurement->units.items[at->unit].counts.nodes.items[at->index];
}

struct slice program_symbol(const struct program *program, uint32_t node)
{
    const struct measured_unit *unit = &program->measurement->units.items[program->nodes.items[node].unit];

    return unit->counts.symbols.items[program_counted(program, node)->symbol];
}

uint64_t program_lines(const struct program *program, uint32_t node)
{
    const struct counted_node *counted = program_counted(program, node);

    return counted->lines - (program->measurement->groups.counts_instructions ? counted->switches : 0);
}

struct symbol_crate program_crate(const struct program *program, uint32_t node, struct symbol *symbol)
{
    const struct measured_unit *unit = &program->measurement->units.items[program->nodes.items[node].unit];

    if (!unit_crate_has_source_of(symbol))
        return symbol_defining_crate(symbol).crate;
    return unit->counts.crate_name.length > 0 ? unit->crate : (struct symbol_crate){0};
}

/* --- Nodes ----------------------------------------------------------------------------- */

static bool is_same_crate(const struct symbol_crate *a, const struct symbol_crate *b)
{
    return a->disambiguator == b->disambiguator && slice_equal(a->name, b->name);
}

/* Whose source a function is. */
static void note_crate(const struct program *program, struct symbol *symbol, struct program_node *node)
{
    struct symbol_crate crate = symbol_defining_crate(symbol).crate;
    const struct measured_unit *unit = &program->measurement->units.items[node->unit];
    bool is_of_unit = unit_crate_has_source_of(symbol);

    node->is_own = is_of_unit ? unit->is_own : own_crates_has(&program->measurement->own, &crate);
    node->is_home = is_of_unit || is_same_crate(&unit->crate, &crate);
}

static void add_nodes(struct program *program, struct symbol *symbol, uint32_t unit)
{
    const struct unit_counts *counts = &program->measurement->units.items[unit].counts;

    for (uint32_t i = 0; i < counts->nodes.count; i++) {
        struct slice name = counts->symbols.items[counts->nodes.items[i].symbol];
        struct program_node node = {.unit = unit, .index = i, .group = INTERN_NONE, .instance = INTERN_NONE};

        if (counts->nodes.items[i].kind != COUNTED_DATA) {
            symbol_parse(symbol, name);
            note_crate(program, symbol, &node);
        }
        if (counts->nodes.items[i].kind == COUNTED_FUNCTION) {
            node.group = groups_find(&program->measurement->groups, name);
            node.instance = intern_add(&program->instances, symbol_instance(symbol));
        }
        *vec_add(&program->nodes) = node;
    }
}

/* --- Uses ------------------------------------------------------------------------------ */

/* Where names are defined, for the units that only declare them. */
struct definitions {
    struct intern names;
    VEC(uint32_t) nodes; /* by name: the first that defines it */
};

static void definitions_done(struct definitions *definitions)
{
    intern_done(&definitions->names);
    vec_done(&definitions->nodes);
}

static void find_definitions(const struct program *program, struct definitions *definitions)
{
    for (uint32_t node = 0; node < program->nodes.count; node++) {
        uint32_t name = 0;

        if (program_counted(program, node)->kind == COUNTED_DATA)
            continue;
        name = intern_add(&definitions->names, program_symbol(program, node));
        if (name == definitions->nodes.count)
            *vec_add(&definitions->nodes) = node;
    }
}

static uint32_t find_elsewhere(const struct definitions *definitions, struct slice symbol)
{
    uint32_t name = intern_find(&definitions->names, symbol);

    return name < definitions->nodes.count ? definitions->nodes.items[name] : NO_NODE;
}

/* The node of each of a unit's symbols, NO_NODE for what no unit defines. `first` is the unit's first node.
 */
static uint32_t *resolve_symbols(const struct unit_counts *counts, const struct definitions *definitions,
                                 uint32_t first)
{
    uint32_t *nodes = memory_new(counts->symbols.count + 1, sizeof(*nodes));

    for (size_t i = 0; i < counts->symbols.count; i++)
        nodes[i] = NO_NODE;
    for (size_t i = 0; i < counts->nodes.count; i++)
        nodes[counts->nodes.items[i].symbol] = first + (uint32_t)i;
    for (size_t i = 0; i < counts->symbols.count; i++)
        if (nodes[i] == NO_NODE)
            nodes[i] = find_elsewhere(definitions, counts->symbols.items[i]);
    return nodes;
}

static void add_uses(struct program *program, const struct unit_counts *counts, const uint32_t *node_of,
                     uint32_t first)
{
    for (size_t i = 0; i < counts->nodes.count; i++) {
        const struct counted_node *node = &counts->nodes.items[i];

        program->first_use[first + i] = program->uses.count;
        for (size_t use = 0; use < node->use_count; use++) {
            uint32_t target = node_of[counts->uses.items[node->first_use + use]];

            if (target != NO_NODE)
                *vec_add(&program->uses) = target;
        }
    }
}

static void connect(struct program *program)
{
    SCOPED(definitions_done) struct definitions definitions = {0};
    uint32_t first = 0;

    find_definitions(program, &definitions);
    program->first_use = memory_new(program->nodes.count + 1, sizeof(*program->first_use));
    for (size_t unit = 0; unit < program->measurement->units.count; unit++) {
        const struct unit_counts *counts = &program->measurement->units.items[unit].counts;
        SCOPED(memory_free_at) uint32_t *node_of = resolve_symbols(counts, &definitions, first);

        add_uses(program, counts, node_of, first);
        first += (uint32_t)counts->nodes.count;
    }
    program->first_use[program->nodes.count] = program->uses.count;
}

void program_build(struct measurement *measurement, struct program *out)
{
    SCOPED(symbol_done) struct symbol symbol = {0};

    out->measurement = measurement;
    for (uint32_t unit = 0; unit < measurement->units.count; unit++)
        add_nodes(out, &symbol, unit);
    connect(out);
    out->labels = group_labels(&measurement->groups, &measurement->crates, &out->arena);
}

/* --- Names ----------------------------------------------------------------------------- */

static bool ends_in(struct slice label, struct slice name)
{
    struct slice before = slice_range(label, 0, label.length - name.length);

    return label.length > name.length && slice_ends_with(label, name) &&
           (slice_ends_with(before, SLICE("::")) || slice_ends_with(before, SLICE("<")));
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || byte == '_';
}

/* Without the " (impl#3 for &_)" at the end, which group_labels adds to names that several groups have. */
static struct slice without_numbers(struct slice label)
{
    size_t at = slice_ends_with(label, SLICE(")")) ? slice_find(label, SLICE(" (")) : label.length;
    size_t word = at + 2;

    while (word < label.length && is_letter(label.data[word]))
        word++;
    return word < label.length && label.data[word] == '#' ? slice_range(label, 0, at) : label;
}

/* Whether the path begins with a crate as this one or another version: "hashbrown@std::f", "syn@2.0.90::f".
 */
static bool is_path_of_version(struct slice path, struct slice name)
{
    size_t at = slice_find_byte(path, '@');
    struct slice version = slice_range(path, at, path.length);
    size_t end = slice_find(version, SLICE("::"));

    return at < path.length && slice_starts_with(name, slice_range(path, 0, at)) &&
           slice_equal(slice_range(name, at, name.length), slice_range(version, end, version.length));
}

static bool is_meant_by(struct slice label, struct slice name)
{
    struct slice path = without_numbers(label);

    return slice_equal(path, name) || ends_in(path, name) || ends_in(label, name) ||
           is_path_of_version(path, name);
}

/* Whether the angle bracket there begins arguments: "Vec<T>", "f::<T>", not "<T as U>" or "::<impl T>". */
static bool begins_arguments(struct slice name, size_t at)
{
    struct slice before = slice_range(name, 0, at);

    if (slice_ends_with(before, SLICE("::")))
        return !slice_starts_with(slice_range(name, at, name.length), SLICE("<impl "));
    return at > 0 && ascii_is_name(name.data[at - 1]);
}

/*
 * Whether arguments of the name are types rather than parameters, "Vec<u8>" and not "Vec<T,A>": one copy is
 * meant then.
 */
static bool has_types(struct slice name)
{
    for (size_t at = 0; at < name.length; at++) {
        if (name.data[at] != '<' || !begins_arguments(name, at))
            continue;
        for (; at < name.length && name.data[at] != '>'; at++)
            if (name.data[at] >= 'a' && name.data[at] <= 'z')
                return true;
    }
    return false;
}

/* Those of that very name, or of that as a part; false when there are none. */
static bool find_named(const struct program *program, struct slice name, bool *meant)
{
    size_t count = program->measurement->groups.items.count;
    bool found = false;

    for (size_t i = 0; i < count; i++)
        found |= meant[i] = slice_equal(program->labels[i], name);
    if (found)
        return true;
    for (size_t i = 0; i < count; i++)
        found |= meant[i] = is_meant_by(program->labels[i], name);
    return found;
}

/*
 * The name as cargo-llvm-lines writes it: "alloc::vec::Vec<T,A>::push". None where it tells more than names
 * here do: types, or the self type of one impl of several.
 */
static bool find_as_peer(const struct program *program, struct slice name, bool *meant)
{
    SCOPED(text_done) struct text key = {0};

    if (has_types(name))
        return false;
    symbol_add_key_of_demangled(&key, name);
    return !slice_starts_with(text_slice(&key), SLICE("<_ ")) && find_named(program, text_slice(&key), meant);
}

int program_find_groups(struct program *program, const char *name, const bool **is_meant, struct error *err)
{
    bool *meant = ARENA_ARRAY(&program->arena, program->measurement->groups.items.count, bool);

    *is_meant = meant;
    if (find_named(program, drop_glue_as_key(slice_of(name)), meant) ||
        find_as_peer(program, slice_of(name), meant))
        return 0;
    error_hint(err, "a name of the table or its last parts, without types, like Vec::push, is meant; -n 0 "
                    "alone shows all names");
    return error_set(err, ERROR_MISSING, "no function is called \"%s\"", name);
}
