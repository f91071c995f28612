#include <elf.h>

#include "account/table_claims.h"

/* One entry of a table of symbols. */
struct symbol_entry {
    uint64_t offset;
    uint64_t svma;
    uint32_t name_offset;
    uint16_t section;
    uint8_t type;
};

static uint32_t entry_bytes(const struct table_owners *tables)
{
    return tables->request->image->address_bytes == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

/* The next entry of the table; false at its end. */
static bool take_entry(const struct table_owners *tables, struct bytes *cursor, struct symbol_entry *out)
{
    bool is_64 = tables->request->image->address_bytes == 8;
    struct symbol_entry entry = {.offset = cursor->at};

    if (bytes_left(cursor) < entry_bytes(tables))
        return false;
    entry.name_offset = bytes_u32(cursor);
    if (!is_64) {
        entry.svma = bytes_u32(cursor);
        bytes_u32(cursor); /* size */
    }
    entry.type = ELF64_ST_TYPE(bytes_u8(cursor));
    bytes_u8(cursor);
    entry.section = bytes_u16(cursor);
    if (is_64) {
        entry.svma = bytes_u64(cursor);
        bytes_u64(cursor);
    }
    *out = entry;
    return true;
}

/* The name with its end; false when the table does not hold it. */
static bool take_name(struct slice names, uint32_t offset, struct slice *out)
{
    struct bytes cursor = bytes_of(names, false);

    bytes_seek(&cursor, offset);
    *out = bytes_string(&cursor);
    return !cursor.failed;
}

static uint32_t owner_of_unit(const struct table_owners *tables, struct slice name)
{
    const struct account_request *request = tables->request;

    return owner_of_group(request->space, request->group_of_unit(request->context, name));
}

/* Symbols of objects count from their section. */
static uint64_t svma_of(const struct table_owners *tables, const struct symbol_entry *entry)
{
    const struct image *image = tables->request->image;

    if (image->type != ET_REL || entry->section >= image->sections.count)
        return entry->svma;
    return image->sections.items[entry->section].svma + entry->svma;
}

static uint32_t owner_of(const struct table_owners *tables, const struct symbol_bytes *symbols,
                         const struct symbol_entry *entry)
{
    struct slice name;
    uint32_t import = INTERN_NONE;

    if (entry->type == STT_FILE)
        return take_name(symbols->names, entry->name_offset, &name) ? owner_of_unit(tables, name)
                                                                    : OWNER_NONE;
    if (entry->section == SHN_UNDEF) {
        if (take_name(symbols->names, entry->name_offset, &name))
            import = intern_find(&tables->imports, name);
        return import == INTERN_NONE ? OWNER_NONE : tables->import_owners.items[import];
    }
    if (entry->section == SHN_ABS || entry->section == SHN_COMMON || entry->type == STT_TLS)
        return OWNER_NONE;
    return table_owners_at(tables, svma_of(tables, entry));
}

static void add_import(struct table_owners *tables, struct slice name, uint32_t owner)
{
    uint32_t id = intern_add(&tables->imports, name);

    if (id == tables->import_owners.count)
        *vec_add(&tables->import_owners) = OWNER_NONE;
    tables->import_owners.items[id] =
        owner_join(tables->request->space, tables->import_owners.items[id], owner);
}

void table_owners_add_imports(struct table_owners *tables, const struct symbol_bytes *symbols)
{
    const struct relocations *relocations = &tables->request->references->relocations;
    const struct sections *sections = &tables->request->image->sections;

    for (size_t i = 0; i < relocations->items.count; i++) {
        const struct relocation *relocation = &relocations->items.items[i];
        struct bytes cursor = image_cursor(tables->request->image, symbols->entries);
        struct symbol_entry entry;
        struct slice name;

        if (relocation->symbol == 0 || sections->items[relocation->section].link != symbols->section->index)
            continue;
        bytes_seek(&cursor, (uint64_t)relocation->symbol * entry_bytes(tables));
        if (take_entry(tables, &cursor, &entry) && entry.section == SHN_UNDEF &&
            take_name(symbols->names, entry.name_offset, &name) && name.length > 0)
            add_import(tables, name, table_owners_at(tables, relocation->place_svma));
    }
}

void table_owners_of_symbols(const struct table_owners *tables, const struct symbol_bytes *symbols,
                             struct owned_bytes *out)
{
    struct bytes cursor = image_cursor(tables->request->image, symbols->entries);
    struct symbol_entry entry;

    while (take_entry(tables, &cursor, &entry))
        owned_bytes_add(out, entry.offset, entry_bytes(tables), owner_of(tables, symbols, &entry));
}

void table_owners_of_names(const struct table_owners *tables, const struct symbol_bytes *symbols,
                           struct owned_bytes *out)
{
    struct bytes cursor = image_cursor(tables->request->image, symbols->entries);
    struct claims claims = {0};
    struct symbol_entry entry;
    struct slice name;

    while (take_entry(tables, &cursor, &entry))
        if (entry.name_offset != 0 && take_name(symbols->names, entry.name_offset, &name))
            claims_add(&claims, entry.name_offset, 0, owner_of(tables, symbols, &entry));
    claims_take_strings(&claims, tables->request->space, symbols->names, out);
}
