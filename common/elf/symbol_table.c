#include "elf/symbol_table.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { WINDOW_ENTRIES = 1024 };

struct symbol_window {
    const struct section *section;
    size_t first;         /* entry; SIZE_MAX: none was read */
    struct error problem; /* why some could not be; kind ERROR_NONE: all could */
    char bytes[WINDOW_ENTRIES * sizeof(Elf64_Sym)];
};

/* Moves the window to begin there. What cannot be read is as empty entries, which are in no section. */
static void move_window(const struct symbol_table *table, size_t first)
{
    struct symbol_window *window = table->window;
    uint64_t start = (uint64_t)first * table->entry_bytes;
    uint64_t left = window->section->file_bytes - start;
    uint64_t length = left < sizeof(window->bytes) ? left : sizeof(window->bytes);

    window->first = first;
    if (image_read_at(table->image, window->section->file_offset + start, window->bytes, length,
                      &window->problem) < 0)
        memset(window->bytes, 0, sizeof(window->bytes));
}

/* Which entry `entries` begin with, this one among them. */
static size_t first_in_reach(const struct symbol_table *table, size_t index)
{
    const size_t first = table->window ? index / WINDOW_ENTRIES * WINDOW_ENTRIES : 0;

    if (table->window && table->window->first != first)
        move_window(table, first);
    return first;
}

static struct symbol_entry parse_entry(const struct symbol_table *table, size_t index)
{
    struct symbol_entry entry = {.symbol.unit = SYMBOL_NO_UNIT};
    struct bytes cursor = image_cursor(table->image, table->entries);
    bool is_wide = table->image->address_bytes == 8;
    uint8_t info = 0;

    bytes_seek(&cursor, (index - first_in_reach(table, index)) * table->entry_bytes);
    entry.name_offset = bytes_u32(&cursor);
    if (!is_wide) {
        entry.symbol.svma = bytes_u32(&cursor);
        entry.symbol.size_bytes = bytes_u32(&cursor);
    }
    info = bytes_u8(&cursor);
    entry.symbol.visibility = ELF64_ST_VISIBILITY(bytes_u8(&cursor));
    entry.symbol.section = bytes_u16(&cursor);
    if (is_wide) {
        entry.symbol.svma = bytes_u64(&cursor);
        entry.symbol.size_bytes = bytes_u64(&cursor);
    }
    entry.symbol.type = ELF64_ST_TYPE(info);
    entry.symbol.binding = ELF64_ST_BIND(info);
    return entry;
}

/* The section a symbol is defined in; SHN_UNDEF for none, which undefined and special ones have. */
static uint32_t section_of(const struct symbol_table *table, size_t index, uint32_t field)
{
    struct bytes cursor = image_cursor(table->image, table->wide_indexes);

    if (field < SHN_LORESERVE)
        return field;
    if (field != SHN_XINDEX)
        return SHN_UNDEF;
    bytes_seek(&cursor, index * sizeof(uint32_t));
    return bytes_u32(&cursor);
}

/* Moves a function from its descriptor in .opd to the code that the descriptor's first word names. */
static void follow_descriptor(const struct symbol_table *table, struct elf_symbol *symbol)
{
    const struct image *image = table->image;
    struct bytes cursor = image_cursor(image, table->descriptors);
    const struct section *section = NULL;
    uint64_t svma = 0;

    if (symbol->section != table->descriptors_index || symbol->svma < table->descriptors_svma)
        return;
    bytes_seek(&cursor, symbol->svma - table->descriptors_svma);
    svma = bytes_u64(&cursor);
    section = cursor.failed ? NULL : sections_code_at(&image->sections, svma);
    if (!section)
        return;
    symbol->section = section->index;
    symbol->svma = svma;
}

static void settle_address(const struct symbol_table *table, struct elf_symbol *symbol)
{
    const struct image *image = table->image;

    if (image->type == ET_REL)
        symbol->svma += image->sections.items[symbol->section].svma;
    if (symbol->type != STT_FUNC)
        return;
    if (image->machine == EM_ARM)
        symbol->svma &= ~(uint64_t)1;
    if (table->descriptors_index != 0)
        follow_descriptor(table, symbol);
}

struct symbol_entry symbol_table_entry(const struct symbol_table *table, size_t index)
{
    struct symbol_entry entry = parse_entry(table, index);

    entry.symbol.section = section_of(table, index, entry.symbol.section);
    if (entry.symbol.section != SHN_UNDEF && entry.symbol.section < table->image->sections.count)
        settle_address(table, &entry.symbol);
    return entry;
}

int symbol_table_check(const struct symbol_table *table, struct error *err)
{
    if (!table->window || table->window->problem.kind == ERROR_NONE)
        return 0;
    *err = table->window->problem;
    return -1;
}

bool symbol_table_name(const struct symbol_table *table, uint32_t name_offset, struct slice *out)
{
    struct bytes names = bytes_of(table->names, false);

    *out = (struct slice){0};
    if (table->name_parts)
        return section_parts_copy_string(table->name_parts, name_offset, out);
    bytes_seek(&names, name_offset);
    *out = bytes_string(&names);
    return !names.failed;
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

/* Whether the section has entries as the image's class has them, and names. */
static int check_table(const struct image *image, const struct section *symtab, struct error *err)
{
    const struct sections *sections = &image->sections;
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
    return 0;
}

static int read_names(struct image *image, const struct section *section, enum symbols_reading reading,
                      struct symbol_table *table, struct error *err)
{
    if (reading == SYMBOLS_AT_ONCE || !section_parts_can_be(image, section))
        return image_read_section(image, section, &table->names, err);
    table->name_parts = section_parts_open(image, section);
    return 0;
}

static int read_entries(struct image *image, const struct section *symtab, enum symbols_reading reading,
                        struct symbol_table *table, struct error *err)
{
    table->entry_bytes = (uint32_t)symtab->entry_bytes;
    table->count = symtab->file_bytes / table->entry_bytes;
    if (reading == SYMBOLS_AT_ONCE || symtab->file_bytes <= sizeof(table->window->bytes) ||
        !section_parts_can_be(image, symtab))
        return image_read_section(image, symtab, &table->entries, err);
    table->window = memory_new_unset(sizeof(*table->window));
    table->window->section = symtab;
    table->window->first = SIZE_MAX;
    table->window->problem = (struct error){0};
    table->entries = (struct slice){table->window->bytes, sizeof(table->window->bytes)};
    return 0;
}

static int read_table(struct image *image, const struct section *symtab, enum symbols_reading reading,
                      struct symbol_table *table, struct error *err)
{
    const struct section *wide = find_wide_indexes(image, symtab);

    if (check_table(image, symtab, err) < 0 ||
        (wide && image_read_section(image, wide, &table->wide_indexes, err) < 0) ||
        read_descriptors(image, table, err) < 0 ||
        read_names(image, &image->sections.items[symtab->link], reading, table, err) < 0)
        return -1;
    return read_entries(image, symtab, reading, table, err);
}

int symbol_table_open(struct image *image, enum symbols_reading reading, struct symbol_table *out,
                      struct error *err)
{
    const struct section *symtab = sections_find_type(&image->sections, SHT_SYMTAB);
    struct symbol_table table = {.image = image, .source = SYMBOLS_FULL};

    if (!symtab) {
        symtab = sections_find_type(&image->sections, SHT_DYNSYM);
        table.source = symtab ? SYMBOLS_DYNAMIC : SYMBOLS_NONE;
    }
    if (symtab && read_table(image, symtab, reading, &table, err) < 0) {
        symbol_table_close(&table);
        return -1;
    }
    *out = table;
    return 0;
}

void symbol_table_close(struct symbol_table *table)
{
    section_parts_close(table->name_parts);
    free(table->window);
    *table = (struct symbol_table){0};
}
