#include "elf/relocations.h"

#include <elf.h>

#include "base/intervals.h"

/* What a type of relocation puts in its place, as far as that is an address. */
enum relocated { RELOCATED_OTHER, RELOCATED_ADDEND, RELOCATED_SYMBOL, RELOCATED_SUM };

/* A table while it is read. */
struct table {
    struct image *image;
    const struct interval_rows *loaded; /* sections by address */
    const struct section *section;
    struct bytes entries;
    struct slice symbols; /* of the table that it names; empty without one */
    struct relocations *out;
};

/* From the machines' ABIs. */
static enum relocated relocated_by(uint16_t machine, uint32_t type)
{
    static const struct {
        uint16_t machine;
        uint16_t type;
        enum relocated relocated;
    } known[] = {
        {EM_X86_64, R_X86_64_RELATIVE, RELOCATED_ADDEND},
        {EM_X86_64, R_X86_64_IRELATIVE, RELOCATED_ADDEND},
        {EM_X86_64, R_X86_64_64, RELOCATED_SUM},
        {EM_X86_64, R_X86_64_GLOB_DAT, RELOCATED_SYMBOL},
        {EM_X86_64, R_X86_64_JUMP_SLOT, RELOCATED_SYMBOL},
        {EM_AARCH64, R_AARCH64_RELATIVE, RELOCATED_ADDEND},
        {EM_AARCH64, R_AARCH64_IRELATIVE, RELOCATED_ADDEND},
        {EM_AARCH64, R_AARCH64_ABS64, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_GLOB_DAT, RELOCATED_SYMBOL},
        {EM_AARCH64, R_AARCH64_JUMP_SLOT, RELOCATED_SYMBOL},
        {EM_386, R_386_RELATIVE, RELOCATED_ADDEND},
        {EM_386, R_386_32, RELOCATED_SUM},
        {EM_386, R_386_GLOB_DAT, RELOCATED_SYMBOL},
        {EM_386, R_386_JMP_SLOT, RELOCATED_SYMBOL},
        {EM_ARM, R_ARM_RELATIVE, RELOCATED_ADDEND},
        {EM_ARM, R_ARM_ABS32, RELOCATED_SUM},
        {EM_ARM, R_ARM_GLOB_DAT, RELOCATED_SYMBOL},
        {EM_ARM, R_ARM_JUMP_SLOT, RELOCATED_SYMBOL},
        {EM_RISCV, R_RISCV_RELATIVE, RELOCATED_ADDEND},
        {EM_RISCV, R_RISCV_64, RELOCATED_SUM},
        {EM_RISCV, R_RISCV_JUMP_SLOT, RELOCATED_SYMBOL},
    };

    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (known[i].machine == machine && known[i].type == type)
            return known[i].relocated;
    return RELOCATED_OTHER;
}

/* Where sections are in memory; of those that overlap the one that starts last counts. */
static struct interval_rows map_sections(const struct image *image)
{
    VEC(struct interval) loaded = {0};
    struct interval_rows rows;

    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];
        bool is_template = section->flags & SHF_TLS && section->type == SHT_NOBITS;

        if (section->flags & SHF_ALLOC && !is_template)
            *vec_add(&loaded) = (struct interval){
                section->svma,
                section->memory_bytes < UINT32_MAX ? (uint32_t)section->memory_bytes : UINT32_MAX,
                section->index};
    }
    rows = intervals_flatten(loaded.items, loaded.count);
    vec_done(&loaded);
    return rows;
}

/* The loaded section that holds the address, or NULL. */
static const struct section *section_at(const struct table *table, uint64_t svma)
{
    uint32_t index = intervals_find(table->loaded, svma);

    return index == INTERVAL_NONE ? NULL : &table->image->sections.items[index];
}

/* The address of a symbol that the file defines; false for others. */
static bool find_symbol(const struct table *table, uint32_t number, uint64_t *svma)
{
    bool is_64 = table->image->address_bytes == 8;
    struct bytes cursor = image_cursor(table->image, table->symbols);
    uint16_t section = 0;

    if (number == 0 || number > table->symbols.length)
        return false;
    bytes_seek(&cursor, number * (is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)) + 4);
    if (is_64)
        bytes_u16(&cursor);
    else
        *svma = bytes_u32(&cursor);
    if (!is_64)
        bytes_take(&cursor, 6);
    section = bytes_u16(&cursor);
    if (is_64)
        *svma = bytes_u64(&cursor);
    return !cursor.failed && section != SHN_UNDEF && section < SHN_LORESERVE;
}

/* What stands in the place now: the addend of tables that have none. */
static uint64_t stored_at(const struct table *table, uint64_t svma)
{
    struct image *image = table->image;
    const struct section *section = section_at(table, svma);
    struct error ignored = {0};
    struct slice data;
    struct bytes cursor;

    if (!section || section->type == SHT_NOBITS || image_read_section(image, section, &data, &ignored) < 0)
        return 0;
    cursor = image_cursor(image, data);
    bytes_seek(&cursor, svma - section->svma);
    return image_read_address(image, &cursor);
}

static void settle_target(const struct table *table, uint32_t type, uint64_t addend,
                          struct relocation *relocation)
{
    enum relocated relocated = relocated_by(table->image->machine, type);
    uint64_t svma = 0;

    if (relocated == RELOCATED_OTHER ||
        (relocated != RELOCATED_ADDEND && !find_symbol(table, relocation->symbol, &svma)))
        return;
    relocation->target_svma = svma + (relocated == RELOCATED_SYMBOL ? 0 : addend);
    relocation->has_target = true;
}

static void read_entries(struct table *table)
{
    const struct image *image = table->image;
    bool is_64 = image->address_bytes == 8;
    bool has_addend = table->section->type == SHT_RELA;
    uint32_t entry_bytes = (uint32_t)(image->address_bytes * (has_addend ? 3 : 2));

    while (bytes_left(&table->entries) >= entry_bytes) {
        struct relocation relocation = {
            .entry_offset = table->entries.at, .section = table->section->index, .entry_bytes = entry_bytes};
        uint64_t info = 0;
        uint64_t addend = 0;

        relocation.place_svma = image_read_address(image, &table->entries);
        info = image_read_address(image, &table->entries);
        addend =
            has_addend ? image_read_address(image, &table->entries) : stored_at(table, relocation.place_svma);
        relocation.symbol = (uint32_t)(is_64 ? ELF64_R_SYM(info) : ELF32_R_SYM(info));
        settle_target(table, (uint32_t)(is_64 ? ELF64_R_TYPE(info) : ELF32_R_TYPE(info)), addend,
                      &relocation);
        *vec_add(&table->out->items) = relocation;
    }
}

static void add_relative(const struct table *table, uint64_t place, uint64_t entry_offset)
{
    if (!section_at(table, place)) {
        table->out->damaged_count++;
        return;
    }
    *vec_add(&table->out->items) = (struct relocation){
        .place_svma = place,
        .target_svma = stored_at(table, place),
        .entry_offset = entry_offset,
        .section = table->section->index,
        .entry_bytes = table->image->address_bytes,
        .has_target = true,
    };
}

/* An even entry is a place, an odd one a map of the words behind the last place: bit 1 for the first. */
static void read_relative(struct table *table)
{
    unsigned word = table->image->address_bytes;
    uint64_t next = 0;

    while (bytes_left(&table->entries) >= word) {
        uint64_t at = table->entries.at;
        uint64_t entry = image_read_address(table->image, &table->entries);

        if (!(entry & 1)) {
            add_relative(table, entry, at);
            next = entry + word;
            continue;
        }
        for (unsigned bit = 1; bit < word * 8; bit++)
            if (entry >> bit & 1)
                add_relative(table, next + (uint64_t)(bit - 1) * word, at);
        next += (uint64_t)(word * 8 - 1) * word;
    }
}

static int read_table(struct image *image, const struct section *section, const struct interval_rows *loaded,
                      struct relocations *out, struct error *err)
{
    struct table table = {.image = image, .loaded = loaded, .section = section, .out = out};
    const struct sections *sections = &image->sections;
    struct slice entries;

    if (image_read_section(image, section, &entries, err) < 0)
        return -1;
    table.entries = image_cursor(image, entries);
    if (section->type == SHT_RELR) {
        read_relative(&table);
        return 0;
    }
    if (section->link < sections->count &&
        (sections->items[section->link].type == SHT_DYNSYM ||
         sections->items[section->link].type == SHT_SYMTAB) &&
        image_read_section(image, &sections->items[section->link], &table.symbols, err) < 0)
        return -1;
    read_entries(&table);
    return 0;
}

/* Whether the section's entries are as long as its type says. */
static bool is_table(const struct image *image, const struct section *section)
{
    uint64_t word = image->address_bytes;

    switch (section->type) {
    case SHT_RELA:
        return section->entry_bytes == 3 * word;
    case SHT_REL:
        return section->entry_bytes == 2 * word;
    case SHT_RELR:
        return section->entry_bytes == word;
    default:
        return false;
    }
}

static bool claims_to_be_table(const struct section *section)
{
    return section->type == SHT_RELA || section->type == SHT_REL || section->type == SHT_RELR;
}

static int read_tables(struct image *image, const struct interval_rows *loaded, struct relocations *out,
                       struct error *err)
{
    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        out->damaged_count += claims_to_be_table(section) && !is_table(image, section);
        if (is_table(image, section) && read_table(image, section, loaded, out, err) < 0)
            return -1;
    }
    return 0;
}

int relocations_read(struct image *image, struct relocations *out, struct error *err)
{
    SCOPED(intervals_done) struct interval_rows loaded = {0};
    struct relocations read = {0};

    if (image->type != ET_REL) {
        loaded = map_sections(image);
        if (read_tables(image, &loaded, &read, err) < 0) {
            relocations_done(&read);
            return -1;
        }
    }
    *out = read;
    return 0;
}

void relocations_done(struct relocations *relocations)
{
    vec_done(&relocations->items);
    *relocations = (struct relocations){0};
}
