#include "elf/symbols.h"

#include <elf.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
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

int symbols_read(struct image *image, struct symbols *out, struct error *err)
{
    struct symbol_table table;

    if (symbol_table_open(image, SYMBOL_NAMES_ALL, &table, err) < 0)
        return -1;
    *out = (struct symbols){.source = table.source};
    if (table.source != SYMBOLS_NONE)
        read_all(&table, out);
    symbol_table_close(&table);
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
    SCOPED(around_done)
    struct around around = {
        .table = &table,
        .wanted = wanted,
    };

    if (symbol_table_open(image, SYMBOL_NAMES_IN_PARTS, &table, err) < 0)
        return -1;
    around.last_code = memory_new(wanted->count, sizeof(*around.last_code));
    around.last_function = memory_new(wanted->count, sizeof(*around.last_function));
    *out = (struct symbols){.source = table.source};
    find_starts(&around);
    find_enclosing(&around);
    keep_those_at_starts(&around, out);
    out->name_parts = table.name_parts;
    table.name_parts = NULL;
    symbol_table_close(&table);
    return 0;
}

void symbols_done(struct symbols *symbols)
{
    section_parts_close(symbols->name_parts);
    free(symbols->items);
    free(symbols->units);
    *symbols = (struct symbols){0};
}
