#include "elf/symbols.h"

#include <elf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "elf/mini_debug.h"
#include "elf/symbol_table.h"

static void add_symbol(const struct symbol_table *table, const struct symbol_entry *entry,
                       struct symbols *symbols)
{
    struct elf_symbol symbol = entry->symbol;
    bool is_named = symbol_table_name(table, entry->name_offset, &symbol.name);
    size_t section_count = table->image->sections.count;

    if (symbol.type == STT_FILE) {
        symbols->units[symbols->unit_count++] = symbol.name;
        return;
    }
    if (symbol.section == SHN_UNDEF)
        return;
    symbols->damaged_count += !is_named || symbol.section >= section_count;
    if (symbol.section >= section_count)
        return;
    if (symbol.binding == STB_LOCAL && symbols->unit_count > 0)
        symbol.unit = (uint32_t)(symbols->unit_count - 1);
    symbols->items[symbols->count++] = symbol;
}

static int compare_places(const void *left, const void *right)
{
    const struct elf_symbol *a = left;
    const struct elf_symbol *b = right;

    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    if (a->svma != b->svma)
        return a->svma < b->svma ? -1 : 1;
    if (a->size_bytes != b->size_bytes)
        return a->size_bytes < b->size_bytes ? -1 : 1;
    return slice_compare(a->name, b->name);
}

/* What the symbols of one file call a section, as the index that another has for it; UINT32_MAX for none. */
static uint32_t same_section(const struct image *image, const struct section *section)
{
    for (uint32_t i = 0; i < image->sections.count; i++)
        if (slice_equal(image->sections.items[i].name, section->name) &&
            image->sections.items[i].svma == section->svma)
            return i;
    return UINT32_MAX;
}

void symbols_move(struct symbols *symbols, const struct image *from, const struct image *to)
{
    SCOPED(memory_free_at) uint32_t *sections = memory_new(from->sections.count, sizeof(*sections));
    size_t kept = 0;

    for (size_t i = 0; i < from->sections.count; i++)
        sections[i] = same_section(to, &from->sections.items[i]);
    for (size_t i = 0; i < symbols->count; i++) {
        uint32_t section = sections[symbols->items[i].section];

        if (section == UINT32_MAX)
            continue;
        symbols->items[kept] = symbols->items[i];
        symbols->items[kept++].section = section;
    }
    symbols->count = kept;
    if (kept > 1)
        qsort(symbols->items, kept, sizeof(*symbols->items), compare_places);
}

static void read_all(const struct symbol_table *table, struct symbols *out)
{
    out->items = memory_new(table->count, sizeof(*out->items));
    out->units = memory_new(table->count, sizeof(*out->units));
    for (size_t i = 0; i < table->count; i++) {
        struct symbol_entry entry = symbol_table_entry(table, i);

        add_symbol(table, &entry, out);
    }
    out->units = memory_resize(out->units, out->unit_count, sizeof(*out->units));
    qsort(out->items, out->count, sizeof(*out->items), compare_places);
}

static bool is_code(const struct image *image, const struct elf_symbol *symbol)
{
    return section_is_code(&image->sections.items[symbol->section]);
}

/* Adds what the table of .gnu_debugdata has. It lacks what .dynsym has: a name is in one of them. */
static void add_mini_debug(struct image *image, struct symbols *out)
{
    SCOPED(symbols_done) struct symbols more = {0};
    struct symbol_table table;

    if (mini_debug_open(image, &out->mini, &out->mini_problem) < 0 || !out->mini ||
        symbol_table_open(&out->mini->image, SYMBOLS_AT_ONCE, &table, &out->mini_problem) < 0)
        return;
    if (table.source == SYMBOLS_FULL) {
        read_all(&table, &more);
        symbols_move(&more, &out->mini->image, image);
        out->items = memory_resize(out->items, out->count + more.count, sizeof(*out->items));
        for (size_t i = 0; i < more.count; i++) {
            if (!is_code(image, &more.items[i]))
                continue;
            more.items[i].unit = SYMBOL_NO_UNIT;
            out->items[out->count++] = more.items[i];
        }
        qsort(out->items, out->count, sizeof(*out->items), compare_places);
        out->damaged_count += more.damaged_count;
        out->source = SYMBOLS_FUNCTIONS;
    }
    symbol_table_close(&table);
}

int symbols_read(struct image *image, struct symbols *out, struct error *err)
{
    struct symbol_table table;

    if (symbol_table_open(image, SYMBOLS_AT_ONCE, &table, err) < 0)
        return -1;
    *out = (struct symbols){.source = table.source};
    if (table.source != SYMBOLS_NONE)
        read_all(&table, out);
    symbol_table_close(&table);
    if (out->source != SYMBOLS_FULL)
        add_mini_debug(image, out);
    return 0;
}

/* --- Around places -------------------------------------------------------------------------------------- */

/* Addresses, and what of a table tells of them. */
struct around {
    const struct symbol_table *table;
    const struct places *wanted;
    uint64_t *last_code;      /* by place: where the last function or object before it starts; 0: none */
    uint64_t *last_function;  /* and the last function */
    VEC(uint64_t) starts;     /* of the symbols to be kept, */
    VEC(uint64_t) questioned; /* and addresses whose enclosing functions are to be kept */
};

static void around_done(struct around *around)
{
    free(around->last_code);
    free(around->last_function);
    vec_done(&around->starts);
    vec_done(&around->questioned);
}

static bool is_function(const struct elf_symbol *symbol)
{
    return symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC;
}

/* Whether it may be what is at some address of code. Separate debug files have code sections without bytes.
 */
static bool is_in_code(const struct symbol_table *table, const struct symbol_entry *entry)
{
    const struct sections *sections = &table->image->sections;
    const struct elf_symbol *symbol = &entry->symbol;
    const struct section *section = NULL;

    if (symbol->section == SHN_UNDEF || symbol->section >= sections->count || entry->name_offset == 0)
        return false;
    section = &sections->items[symbol->section];
    return section->flags & SHF_EXECINSTR && symbol->svma >= section->svma &&
           symbol->svma - section->svma < section->memory_bytes &&
           (is_function(symbol) || symbol->type == STT_NOTYPE ||
            (symbol->type == STT_OBJECT && symbol->size_bytes > 0));
}

/* Notes the last starts before each place. Labels are all kept: few, and only their names tell what they are.
 */
static void find_starts(struct around *around)
{
    const struct places *wanted = around->wanted;

    for (size_t i = 0; i < around->table->count; i++) {
        struct symbol_entry entry = symbol_table_entry(around->table, i);
        const struct elf_symbol *symbol = &entry.symbol;
        size_t place = 0;

        if (!is_in_code(around->table, &entry))
            continue;
        place = places_from(wanted, symbol->svma);
        if (symbol->type == STT_NOTYPE)
            *vec_add(&around->starts) = symbol->svma;
        else if (place < wanted->count && symbol->svma > around->last_code[place])
            around->last_code[place] = symbol->svma;
        if (is_function(symbol) && place < wanted->count && symbol->svma > around->last_function[place])
            around->last_function[place] = symbol->svma;
    }
    for (size_t i = 0; i < wanted->count; i++) {
        if (i > 0 && around->last_code[i] < around->last_code[i - 1])
            around->last_code[i] = around->last_code[i - 1];
        if (i > 0 && around->last_function[i] < around->last_function[i - 1])
            around->last_function[i] = around->last_function[i - 1];
        *vec_add(&around->starts) = around->last_code[i];
        *vec_add(&around->starts) = around->last_function[i];
    }
}

/* What encloses a place, or the start of a label that may reach to it. */
static void find_enclosing(struct around *around)
{
    struct places questioned = {0};

    for (size_t i = 0; i < around->starts.count; i++)
        *vec_add(&around->questioned) = around->starts.items[i];
    for (size_t i = 0; i < around->wanted->count; i++)
        *vec_add(&around->questioned) = around->wanted->svmas[i];
    places_sort(around->questioned.items, around->questioned.count);
    questioned = (struct places){around->questioned.items, around->questioned.count};
    for (size_t i = 0; i < around->table->count; i++) {
        struct symbol_entry entry = symbol_table_entry(around->table, i);
        uint64_t start = entry.symbol.svma;
        uint64_t room = UINT64_MAX - start;
        uint64_t size_bytes = entry.symbol.size_bytes < room ? entry.symbol.size_bytes : room;

        if (is_in_code(around->table, &entry) && places_are_within(&questioned, start, start + size_bytes))
            *vec_add(&around->starts) = start;
    }
}

static void keep_those_at_starts(struct around *around, struct symbols *out)
{
    VEC(struct elf_symbol) kept = {0};
    struct places starts = {0};

    places_sort(around->starts.items, around->starts.count);
    starts = (struct places){around->starts.items, around->starts.count};
    for (size_t i = 0; i < around->table->count; i++) {
        struct symbol_entry entry = symbol_table_entry(around->table, i);

        if (!is_in_code(around->table, &entry) || !places_hold(&starts, entry.symbol.svma))
            continue;
        out->damaged_count += !symbol_table_name(around->table, entry.name_offset, &entry.symbol.name);
        *vec_add(&kept) = entry.symbol;
    }
    vec_sort(&kept, compare_places);
    out->items = kept.items;
    out->count = kept.count;
}

int symbols_read_around(struct image *image, const struct places *wanted, struct symbols *out,
                        struct error *err)
{
    struct symbol_table table;
    struct symbols found = {0};
    int result = 0;
    SCOPED(around_done)
    struct around around = {
        .table = &table,
        .wanted = wanted,
    };

    if (symbol_table_open(image, SYMBOLS_IN_PARTS, &table, err) < 0)
        return -1;
    around.last_code = memory_new(wanted->count, sizeof(*around.last_code));
    around.last_function = memory_new(wanted->count, sizeof(*around.last_function));
    find_starts(&around);
    find_enclosing(&around);
    keep_those_at_starts(&around, &found);
    found.name_parts = table.name_parts;
    table.name_parts = NULL;
    found.source = table.source;
    result = symbol_table_check(&table, err);
    symbol_table_close(&table);
    if (result < 0) {
        symbols_done(&found);
        return -1;
    }
    *out = found;
    if (out->source != SYMBOLS_FULL)
        add_mini_debug(image, out);
    return 0;
}

struct slice symbols_without_version(struct slice name)
{
    size_t at = slice_find_byte(name, '@');

    return at > 0 ? slice_range(name, 0, at) : name;
}

bool symbols_name_all_functions(const struct symbols *symbols)
{
    return symbols->source == SYMBOLS_FULL || symbols->source == SYMBOLS_FUNCTIONS;
}

void symbols_done(struct symbols *symbols)
{
    section_parts_close(symbols->name_parts);
    mini_debug_close(symbols->mini);
    free(symbols->items);
    free(symbols->units);
    *symbols = (struct symbols){0};
}
