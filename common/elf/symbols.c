#include "elf/symbols.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"

/* One table of symbols and what it refers to. */
struct symbol_table {
    struct slice entries;
    struct slice names;
    struct slice wide_indexes;  /* SHT_SYMTAB_SHNDX: a section index a symbol, where 16 bits do not do */
    struct slice descriptors;   /* .opd of 64-bit PowerPC; empty elsewhere */
    uint32_t descriptors_index; /* of that section; 0 when there is none */
    uint64_t descriptors_svma;
    uint32_t entry_bytes;
};

/* An entry as it stands in the table. */
struct raw_symbol {
    struct elf_symbol symbol;
    uint32_t name_offset;
};

static struct raw_symbol parse_entry(const struct image *image, struct bytes *cursor)
{
    struct raw_symbol raw = {.symbol.unit = SYMBOL_NO_UNIT};
    uint8_t info = 0;

    raw.name_offset = bytes_u32(cursor);
    if (image->address_bytes == 4) {
        raw.symbol.svma = bytes_u32(cursor);
        raw.symbol.size_bytes = bytes_u32(cursor);
    }
    info = bytes_u8(cursor);
    raw.symbol.visibility = ELF64_ST_VISIBILITY(bytes_u8(cursor));
    raw.symbol.section = bytes_u16(cursor);
    if (image->address_bytes == 8) {
        raw.symbol.svma = bytes_u64(cursor);
        raw.symbol.size_bytes = bytes_u64(cursor);
    }
    raw.symbol.type = ELF64_ST_TYPE(info);
    raw.symbol.binding = ELF64_ST_BIND(info);
    return raw;
}

/* The section a symbol is defined in; SHN_UNDEF for none, which undefined and special ones have. */
static uint32_t section_of(const struct image *image, const struct symbol_table *table, size_t entry,
                           uint32_t field)
{
    struct bytes cursor = image_cursor(image, table->wide_indexes);

    if (field < SHN_LORESERVE)
        return field;
    if (field != SHN_XINDEX)
        return SHN_UNDEF;
    bytes_seek(&cursor, entry * sizeof(uint32_t));
    return bytes_u32(&cursor);
}

/* Moves a function from its descriptor in .opd to the code that the descriptor's first word names. */
static void follow_descriptor(const struct image *image, const struct symbol_table *table,
                              struct elf_symbol *symbol)
{
    struct bytes cursor = image_cursor(image, table->descriptors);
    uint64_t svma = 0;

    if (symbol->section != table->descriptors_index || symbol->svma < table->descriptors_svma)
        return;
    bytes_seek(&cursor, symbol->svma - table->descriptors_svma);
    svma = bytes_u64(&cursor);
    for (size_t i = 0; !cursor.failed && i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (section_is_code(section) && svma >= section->svma &&
            svma - section->svma < section->memory_bytes) {
            symbol->section = section->index;
            symbol->svma = svma;
            return;
        }
    }
}

static void settle_address(const struct image *image, const struct symbol_table *table,
                           struct elf_symbol *symbol)
{
    if (symbol->type != STT_FUNC)
        return;
    if (image->machine == EM_ARM)
        symbol->svma &= ~(uint64_t)1;
    if (table->descriptors_index != 0)
        follow_descriptor(image, table, symbol);
}

static void add_symbol(const struct image *image, const struct symbol_table *table, size_t entry,
                       struct raw_symbol raw, struct symbols *symbols)
{
    struct bytes names = bytes_of(table->names, false);
    uint32_t section = section_of(image, table, entry, raw.symbol.section);

    bytes_seek(&names, raw.name_offset);
    raw.symbol.name = bytes_string(&names);
    if (raw.symbol.type == STT_FILE) {
        symbols->units[symbols->unit_count++] = raw.symbol.name;
        return;
    }
    if (section == SHN_UNDEF)
        return;
    symbols->damaged_count += names.failed || section >= image->sections.count;
    if (section >= image->sections.count)
        return;
    raw.symbol.section = section;
    if (image->type == ET_REL)
        raw.symbol.svma += image->sections.items[section].svma;
    if (raw.symbol.binding == STB_LOCAL && symbols->unit_count > 0)
        raw.symbol.unit = (uint32_t)(symbols->unit_count - 1);
    settle_address(image, table, &raw.symbol);
    symbols->items[symbols->count++] = raw.symbol;
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

static void parse_table(const struct image *image, const struct symbol_table *table, struct symbols *out)
{
    size_t entries = table->entries.length / table->entry_bytes;
    struct bytes cursor = image_cursor(image, table->entries);

    out->items = memory_new(entries, sizeof(*out->items));
    out->units = memory_new(entries, sizeof(*out->units));
    for (size_t i = 0; i < entries; i++)
        add_symbol(image, table, i, parse_entry(image, &cursor), out);
    out->units = memory_resize(out->units, out->unit_count, sizeof(*out->units));
    qsort(out->items, out->count, sizeof(*out->items), compare_places);
}

/* The companion of `symtab` for files with more than 65,279 sections, or NULL. */
static const struct section *find_wide_indexes(const struct image *image, const struct section *symtab)
{
    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (section->type == SHT_SYMTAB_SHNDX && section->link == symtab->index)
            return section;
    }
    return NULL;
}

static int read_descriptors(struct image *image, struct symbol_table *table, struct error *err)
{
    const struct section *opd = sections_find(&image->sections, SLICE(".opd"));

    if (image->machine != EM_PPC64 || image->type == ET_REL || !opd)
        return 0;
    table->descriptors_index = opd->index;
    table->descriptors_svma = opd->svma;
    return image_read_section(image, opd, &table->descriptors, err);
}

static int read_table(struct image *image, const struct section *symtab, struct symbol_table *table,
                      struct error *err)
{
    const struct sections *sections = &image->sections;
    const struct section *wide = find_wide_indexes(image, symtab);
    uint64_t expected = image->address_bytes == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

    if (symtab->entry_bytes != expected)
        return error_set(err, ERROR_FORMAT,
                         "%s: damaged symbol table %.*s: entries of %" PRIu64 " bytes instead of %" PRIu64,
                         image->name, SLICE_ARGUMENTS(symtab->name), symtab->entry_bytes, expected);
    if (symtab->link >= sections->count || sections->items[symtab->link].type != SHT_STRTAB)
        return error_set(err, ERROR_FORMAT,
                         "%s: damaged symbol table %.*s: section %" PRIu32
                         " should hold its names and does not",
                         image->name, SLICE_ARGUMENTS(symtab->name), symtab->link);
    table->entry_bytes = (uint32_t)expected;
    if (wide && image_read_section(image, wide, &table->wide_indexes, err) < 0)
        return -1;
    if (read_descriptors(image, table, err) < 0)
        return -1;
    if (image_read_section(image, &sections->items[symtab->link], &table->names, err) < 0)
        return -1;
    return image_read_section(image, symtab, &table->entries, err);
}

int symbols_read(struct image *image, struct symbols *out, struct error *err)
{
    const struct section *symtab = sections_find_type(&image->sections, SHT_SYMTAB);
    struct symbols symbols = {.source = SYMBOLS_FULL};
    struct symbol_table table = {0};

    if (!symtab) {
        symtab = sections_find_type(&image->sections, SHT_DYNSYM);
        symbols.source = symtab ? SYMBOLS_DYNAMIC : SYMBOLS_NONE;
    }
    if (symtab && read_table(image, symtab, &table, err) < 0)
        return -1;
    if (symtab)
        parse_table(image, &table, &symbols);
    *out = symbols;
    return 0;
}

void symbols_done(struct symbols *symbols)
{
    free(symbols->items);
    free(symbols->units);
    *symbols = (struct symbols){0};
}
