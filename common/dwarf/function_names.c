#include "dwarf/function_names.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/scan.h"
#include "base/search.h"
#include "base/text.h"

/* From an entry to the one that it is an instance or the definition of. */
enum { MOST_STEPS = 8 };

void function_names_done(struct function_names *names)
{
    vec_done(&names->origins);
    vec_done(&names->scopes);
    vec_done(&names->declarations);
    vec_done(&names->unfinished);
    vec_done(&names->elsewhere);
    vec_done(&names->elsewhere_declarations);
    free(names->table);
    names->table = NULL;
    names->table_size = 0;
}

/* Where `origin` is in the table, or the free place where it belongs. */
static size_t find_place(const struct function_names *names, uint64_t origin)
{
    size_t place = origin * 0x9e3779b97f4a7c15U >> 32;

    for (;; place++) {
        uint32_t id = names->table[place & (names->table_size - 1)];

        if (id == 0 || names->origins.items[id - 1] == origin)
            return place & (names->table_size - 1);
    }
}

static void grow_table(struct function_names *names)
{
    enum { FIRST_SIZE = 64 };

    if ((names->origins.count + 1) * 2 <= names->table_size)
        return;
    free(names->table);
    names->table_size = names->table_size ? names->table_size * 2 : FIRST_SIZE;
    names->table = memory_new(names->table_size, sizeof(*names->table));
    for (size_t i = 0; i < names->origins.count; i++)
        names->table[find_place(names, names->origins.items[i])] = (uint32_t)i + 1;
}

uint32_t function_names_id(struct function_names *names, uint64_t origin)
{
    size_t place = 0;

    grow_table(names);
    place = find_place(names, origin);
    if (names->table[place] == 0) {
        *vec_add(&names->origins) = origin;
        names->table[place] = (uint32_t)names->origins.count;
    }
    return names->table[place] - 1;
}

uint32_t function_names_add_scope(struct function_names *names, uint64_t offset, uint32_t parent)
{
    *vec_add(&names->scopes) = (struct name_scope){.offset = offset, .parent = parent};
    return (uint32_t)(names->scopes.count - 1);
}

uint32_t function_names_add_unnamed_type(struct function_names *names, uint64_t offset, uint32_t parent)
{
    uint32_t scope = function_names_add_scope(names, offset, parent);
    uint32_t *count =
        parent == SCOPE_NONE ? &names->unnamed_type_count : &names->scopes.items[parent].unnamed_type_count;

    names->scopes.items[scope].unnamed_type = ++*count;
    return scope;
}

void function_names_declare(struct function_names *names, uint64_t offset, uint32_t scope)
{
    *vec_add(&names->declarations) = (struct name_declaration){offset, scope};
}

/* Whether an entry of this name is a closure's or what rustc makes of one: "{closure#0}",
 * "{async_fn#0}<u32>". */
static bool is_closure(struct slice name)
{
    return slice_starts_with(name, SLICE("{")) && !slice_starts_with(name, SLICE("{impl#"));
}

/* The scope of the declaration at `offset` among these, which are by offset; SCOPE_NONE when there is none.
 */
static uint32_t scope_among(const struct name_declaration *declarations, size_t count, uint64_t offset)
{
    size_t low = SEARCH_FROM(declarations, count, offset, offset);

    return low < count && declarations[low].offset == offset ? declarations[low].scope : SCOPE_NONE;
}

/* The scope that the entry at `offset` was declared in, or SCOPE_NONE. */
static uint32_t find_scope(const struct function_names *names, uint64_t offset)
{
    uint32_t scope = scope_among(names->declarations.items, names->declarations.count, offset);

    return scope != SCOPE_NONE ? scope
                               : scope_among(names->elsewhere_declarations.items,
                                             names->elsewhere_declarations.count, offset);
}

/* Reads the entry at `offset`, of whichever unit; returns that unit, or NULL when there is no such entry. */
static const struct unit *read_entry(const struct units *units, uint64_t offset, struct entry *out)
{
    uint32_t index = units_find_entry(units, offset);
    struct bytes cursor;
    const struct unit *unit = NULL;
    const struct abbreviations *table = NULL;
    const struct abbreviation *abbreviation = NULL;

    if (index == UNIT_NONE)
        return NULL;
    unit = &units->items.items[index];
    table = &units->tables.items[unit->table];
    cursor = debug_sections_cursor(units->sections, DEBUG_INFO, offset, unit->end_offset - offset);
    abbreviation = entry_begin(&cursor, table);
    if (!abbreviation)
        return NULL;
    entry_read(&cursor, &unit->encoding, table, abbreviation, offset, out);
    return cursor.failed ? NULL : unit;
}

/* The reference to the entry that this one is an instance or the definition of; NULL when there is none. */
static const struct attribute *reference_of(const struct entry *entry)
{
    const struct attribute *origin = &entry->attributes[ENTRY_ABSTRACT_ORIGIN];
    const struct attribute *declared = &entry->attributes[ENTRY_SPECIFICATION];

    if (origin->class == ATTRIBUTE_REFERENCE)
        return origin;
    return declared->class == ATTRIBUTE_REFERENCE ? declared : NULL;
}

/* The scope's name, empty when it has none. `outer` gets the one around it: that of its declaration where the
 * name stands there. */
static struct slice scope_name(const struct function_names *names, uint32_t scope, uint32_t *outer)
{
    uint64_t offset = names->scopes.items[scope].offset;

    *outer = names->scopes.items[scope].parent;
    for (int step = 0; step < MOST_STEPS; step++) {
        struct entry entry;
        const struct unit *unit = read_entry(names->units, offset, &entry);
        const struct attribute *next = unit ? reference_of(&entry) : NULL;
        struct slice name = {0};

        if (!unit)
            break;
        name = attribute_string(&entry.attributes[ENTRY_NAME], &unit->encoding, names->units->sections);
        if (name.length > 0 && step > 0)
            *outer = find_scope(names, offset);
        if (name.length == 0 && entry.abbreviation->tag == DW_TAG_namespace)
            name = SLICE("(anonymous namespace)");
        if (name.length > 0 || !next)
            return name;
        offset = next->number;
    }
    return (struct slice){0};
}

/*
 * What a path calls the scope around `inner`: its name, or "{lambda#2}", the second type without a name
 * there, as gcc gives neither a lambda's type a name nor its code a linkage name. Empty for other types
 * without one.
 */
static struct slice path_part(const struct function_names *names, uint32_t scope, struct slice inner,
                              struct arena *arena, uint32_t *outer)
{
    uint32_t unnamed_type = names->scopes.items[scope].unnamed_type;
    struct slice name = scope_name(names, scope, outer);
    SCOPED(text_done) struct text lambda = {0};

    if (name.length > 0 || unnamed_type == 0 || !slice_starts_with(inner, SLICE("operator()")))
        return name;
    text_format(&lambda, "{lambda#%u}", unnamed_type);
    return arena_slice(arena, text_slice(&lambda));
}

/* "module::Type::name"; hostile nesting is cut to its innermost scopes. */
static struct slice join_path(const struct function_names *names, uint32_t scope, struct slice name,
                              struct arena *arena)
{
    enum { MOST_SCOPES = 32, MOST_BYTES = 4096 };
    struct slice parts[MOST_SCOPES];
    SCOPED(text_done) struct text path = {0};
    size_t count = 0;

    while (scope != SCOPE_NONE && count < MOST_SCOPES) {
        parts[count] = path_part(names, scope, count > 0 ? parts[count - 1] : name, arena, &scope);
        count += parts[count].length > 0;
    }
    if (count == 0)
        return name;
    while (count-- > 0 && path.length < MOST_BYTES) {
        text_add(&path, slice_range(parts[count], 0, MOST_BYTES));
        text_add(&path, SLICE("::"));
    }
    text_add(&path, slice_range(name, 0, MOST_BYTES));
    return arena_slice(arena, text_slice(&path));
}

/*
 * The name for good. Short ones often stand in .debug_info itself; those are copied, so that it can be given
 * back. A long one may be the name of very many entries in a hostile file: it stays where it is.
 */
static struct slice keep_name(struct slice name, enum attribute_class class, struct functions *functions)
{
    enum { SHORT_BYTES = 32 };

    if (class != ATTRIBUTE_STRING || name.length == 0)
        return name;
    if (name.length > SHORT_BYTES) {
        functions->needs_entries = true;
        return name;
    }
    return arena_slice(&functions->arena, name);
}

/* The number of "{closure#12}<u32>" and 1; 0 where it has none that fits. */
static uint32_t closure_number(struct slice name)
{
    struct scan scan = scan_of(name);
    struct slice kind;
    uint64_t number = 0;

    return scan_until(&scan, '#', &kind) && scan_decimal(&scan, &number) && scan_byte(&scan, '}') &&
                   number < UINT32_MAX
               ? (uint32_t)number + 1
               : 0;
}

/*
 * Tells what the closures are that the path of the entry ends in, by the names that rustc gives their entries
 * and the scopes around them: "{async_fn#0}", "{async_block#0}", "{async_closure#0}", "{closure#0}"
 * (compiler/rustc_codegen_ssa/src/debuginfo/type_names.rs, since Rust 1.59).
 */
static void tell_closures(const struct function_names *names, uint64_t offset, struct slice name,
                          struct function_name *out)
{
    enum { MOST_CLOSURES = 32 };
    const struct slice async_fn = SLICE("{async_fn#");
    uint32_t scope = SCOPE_NONE;

    if (!is_closure(name))
        return;
    out->is_future = slice_starts_with(name, async_fn) || slice_starts_with(name, SLICE("{async_block#")) ||
                     slice_starts_with(name, SLICE("{async_closure#"));
    scope = find_scope(names, offset);
    for (unsigned i = 0; i < MOST_CLOSURES && is_closure(name); i++) {
        out->async_fns |= (uint32_t)slice_starts_with(name, async_fn) << i;
        if (i < FUNCTION_CLOSURES)
            out->closures.items[i] = closure_number(name);
        if (scope == SCOPE_NONE)
            return;
        name = scope_name(names, scope, &scope);
    }
}

/* The entry's linkage name; none for one that Rust source sets (#[export_name]), which the path stands for.
 */
static struct slice linkage_name(const struct function_names *names, const struct unit *unit,
                                 const struct entry *entry, struct functions *functions)
{
    const struct attribute *linkage = &entry->attributes[ENTRY_LINKAGE_NAME];
    struct slice name = attribute_string(linkage, &unit->encoding, names->units->sections);

    if (unit->language == UNIT_LANGUAGE_RUST && !slice_starts_with(name, SLICE("_R")) &&
        !slice_starts_with(name, SLICE("_ZN")))
        return (struct slice){0};
    return keep_name(name, linkage->class, functions);
}

static bool is_in_unit(const struct function_names *names, uint64_t offset)
{
    const struct unit *walked = &names->units->items.items[names->unit];

    return offset >= walked->entries_offset && offset < walked->end_offset;
}

/* Follows the entry to the ones that it is an instance or the definition of, until one has a name. */
static struct function_name find_name(const struct function_names *names, uint64_t offset,
                                      struct functions *functions, struct name_in_scopes *plain)
{
    struct function_name found = {.file = FUNCTION_NO_FILE};

    for (int step = 0; step < MOST_STEPS && found.text.length == 0; step++) {
        struct entry entry;
        const struct unit *unit = read_entry(names->units, offset, &entry);
        const struct attribute *next = unit ? reference_of(&entry) : NULL;

        if (!unit)
            break;
        found.text = linkage_name(names, unit, &entry, functions);
        /* Other units count their files otherwise. */
        if (found.file == FUNCTION_NO_FILE && is_in_unit(names, offset))
            found.file = (uint32_t)entry_number(&entry, ENTRY_DECLARED_FILE, FUNCTION_NO_FILE);
        if (plain->name.length == 0) {
            plain->name =
                attribute_string(&entry.attributes[ENTRY_NAME], &unit->encoding, names->units->sections);
            plain->class = entry.attributes[ENTRY_NAME].class;
            plain->offset = offset;
        }
        if (!next)
            break;
        offset = next->number;
    }
    found.is_mangled = found.text.length > 0;
    return found;
}

static int compare_offsets(const void *left, const void *right)
{
    const uint64_t *a = left;
    const uint64_t *b = right;

    return (*a > *b) - (*a < *b);
}

/* Sorted, each once. */
static void order_elsewhere(struct function_names *names)
{
    size_t kept = 0;

    vec_sort(&names->elsewhere, compare_offsets);
    for (size_t i = 0; i < names->elsewhere.count; i++)
        if (kept == 0 || names->elsewhere.items[kept - 1] != names->elsewhere.items[i])
            names->elsewhere.items[kept++] = names->elsewhere.items[i];
    names->elsewhere.count = kept;
}

void function_names_find(struct function_names *names, struct functions *functions)
{
    for (size_t i = 0; i < names->origins.count; i++) {
        struct name_in_scopes plain = {.id = (uint32_t)i};
        struct function_name found = find_name(names, names->origins.items[i], functions, &plain);

        *vec_add(&functions->names) = found;
        if (plain.name.length == 0 || (found.is_mangled && !is_closure(plain.name)))
            continue;
        *vec_add(&names->unfinished) = plain;
        if (!is_in_unit(names, plain.offset))
            *vec_add(&names->elsewhere) = plain.offset;
    }
    order_elsewhere(names);
}

void function_names_declare_elsewhere(struct function_names *names, uint64_t offset, uint32_t scope)
{
    if (names->elsewhere.count > 0 &&
        bsearch(&offset, names->elsewhere.items, names->elsewhere.count, sizeof(offset), compare_offsets))
        *vec_add(&names->elsewhere_declarations) = (struct name_declaration){offset, scope};
}

void function_names_finish(const struct function_names *names, struct functions *functions)
{
    for (size_t i = 0; i < names->unfinished.count; i++) {
        const struct name_in_scopes *plain = &names->unfinished.items[i];
        struct function_name *name = &functions->names.items[plain->id];

        tell_closures(names, plain->offset, plain->name, name);
        if (!name->is_mangled)
            name->text = join_path(names, find_scope(names, plain->offset),
                                   keep_name(plain->name, plain->class, functions), &functions->arena);
    }
}
