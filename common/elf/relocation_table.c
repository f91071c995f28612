#include "elf/relocation_table.h"

#include <elf.h>

bool relocation_table_is(const struct image *image, const struct section *section)
{
    uint64_t word = image->address_bytes;

    return (section->type == SHT_RELA && section->entry_bytes == 3 * word) ||
           (section->type == SHT_REL && section->entry_bytes == 2 * word);
}

int relocation_table_open(struct image *image, const struct section *section, struct relocation_table *out,
                          struct error *err)
{
    struct relocation_table table = {.image = image, .section = section};
    const struct sections *sections = &image->sections;
    struct slice entries;

    if (image_read_section(image, section, &entries, err) < 0)
        return -1;
    if (section->link < sections->count &&
        (sections->items[section->link].type == SHT_DYNSYM ||
         sections->items[section->link].type == SHT_SYMTAB) &&
        image_read_section(image, &sections->items[section->link], &table.symbols, err) < 0)
        return -1;
    table.entries = image_cursor(image, entries);
    table.has_addend = section->type == SHT_RELA;
    table.entry_bytes = (uint32_t)(image->address_bytes * (table.has_addend ? 3 : 2));
    *out = table;
    return 0;
}

bool relocation_table_take(struct relocation_table *table, struct relocation_entry *out)
{
    const struct image *image = table->image;
    bool is_64 = image->address_bytes == 8;
    struct relocation_entry entry = {.offset = table->entries.at};
    uint64_t info = 0;

    if (bytes_left(&table->entries) < table->entry_bytes)
        return false;
    entry.place = image_read_address(image, &table->entries);
    info = image_read_address(image, &table->entries);
    if (table->has_addend)
        entry.addend = image_read_address(image, &table->entries);
    entry.symbol = (uint32_t)(is_64 ? ELF64_R_SYM(info) : ELF32_R_SYM(info));
    entry.type = (uint32_t)(is_64 ? ELF64_R_TYPE(info) : ELF32_R_TYPE(info));
    *out = entry;
    return true;
}

/* The symbol's section, and its value in `value`; SHN_UNDEF when there is no such symbol. */
static uint16_t read_symbol(const struct relocation_table *table, uint32_t number, uint64_t *value)
{
    bool is_64 = table->image->address_bytes == 8;
    struct bytes cursor = image_cursor(table->image, table->symbols);
    uint16_t section = SHN_UNDEF;

    if (number == 0 || number > table->symbols.length)
        return SHN_UNDEF;
    bytes_seek(&cursor, number * (is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)) + 4);
    if (is_64)
        bytes_u16(&cursor);
    else
        *value = bytes_u32(&cursor);
    if (!is_64)
        bytes_skip(&cursor, 6);
    section = bytes_u16(&cursor);
    if (is_64)
        *value = bytes_u64(&cursor);
    return cursor.failed ? SHN_UNDEF : section;
}

bool relocation_table_find_symbol(const struct relocation_table *table, uint32_t number, uint64_t *svma)
{
    const struct sections *sections = &table->image->sections;
    uint64_t value = 0;
    uint16_t section = read_symbol(table, number, &value);

    if (section == SHN_UNDEF || section >= SHN_LORESERVE)
        return false;
    if (table->image->type == ET_REL && section >= sections->count)
        return false;
    *svma = value + (table->image->type == ET_REL ? sections->items[section].svma : 0);
    return true;
}

const struct section *relocation_table_base(const struct image *image, const struct section *table)
{
    const struct section *changed = NULL;

    if (table->info > 0 && table->info < image->sections.count)
        changed = &image->sections.items[table->info];
    if (!changed || image->type == ET_REL)
        return changed;
    return (table->flags | changed->flags) & SHF_ALLOC ? NULL : changed;
}

bool relocation_table_symbol_name(const struct relocation_table *table, uint32_t number, struct slice *out)
{
    const struct sections *sections = &table->image->sections;
    const struct section *symbols = NULL;
    struct error unread = {0};
    struct slice names = {0};
    struct bytes cursor = image_cursor(table->image, table->symbols);
    uint32_t offset = 0;

    if (number == 0 || table->symbols.length == 0)
        return false;
    symbols = &sections->items[table->section->link];
    bytes_seek(&cursor, (uint64_t)number * symbols->entry_bytes);
    offset = bytes_u32(&cursor); /* st_name, which comes first in both classes */
    if (cursor.failed || offset == 0 || symbols->link >= sections->count ||
        image_read_section(table->image, &sections->items[symbols->link], &names, &unread) < 0)
        return false;
    cursor = bytes_of(names, false);
    bytes_seek(&cursor, offset);
    *out = bytes_string(&cursor);
    return !cursor.failed && out->length > 0;
}
