#include "elf/relocations.h"

#include <elf.h>

#include "base/intervals.h"
#include "elf/relocation_table.h"

/* What a type of relocation puts in its place, as far as that is an address. */
enum relocated { RELOCATED_OTHER, RELOCATED_ADDEND, RELOCATED_SYMBOL, RELOCATED_SUM };

/* The tables while they are read. */
struct reading {
    struct image *image;
    struct interval_rows loaded; /* sections by address */
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
        {EM_X86_64, R_X86_64_32, RELOCATED_SUM},
        {EM_X86_64, R_X86_64_32S, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_RELATIVE, RELOCATED_ADDEND},
        {EM_AARCH64, R_AARCH64_IRELATIVE, RELOCATED_ADDEND},
        {EM_AARCH64, R_AARCH64_ABS64, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_GLOB_DAT, RELOCATED_SYMBOL},
        {EM_AARCH64, R_AARCH64_JUMP_SLOT, RELOCATED_SYMBOL},
        {EM_AARCH64, R_AARCH64_ADR_PREL_LO21, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_ADD_ABS_LO12_NC, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_LDST8_ABS_LO12_NC, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_LDST16_ABS_LO12_NC, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_LDST32_ABS_LO12_NC, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_LDST64_ABS_LO12_NC, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, RELOCATED_SUM},
        {EM_AARCH64, R_AARCH64_ADR_GOT_PAGE, RELOCATED_SYMBOL},
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
        {EM_RISCV, R_RISCV_HI20, RELOCATED_SUM},
        {EM_RISCV, R_RISCV_PCREL_HI20, RELOCATED_SUM},
        {EM_RISCV, R_RISCV_GOT_HI20, RELOCATED_SYMBOL},
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
            *vec_add(&loaded) = interval_of(section->svma, section->memory_bytes, section->index);
    }
    rows = intervals_flatten(loaded.items, loaded.count);
    vec_done(&loaded);
    return rows;
}

/* The loaded section that holds the address, or NULL. */
static const struct section *section_at(const struct reading *reading, uint64_t svma)
{
    uint32_t index = intervals_find(&reading->loaded, svma);

    return index == INTERVAL_NONE ? NULL : &reading->image->sections.items[index];
}

/* What stands in the place now: the addend of tables that have none. */
static uint64_t stored_at(const struct reading *reading, uint64_t svma)
{
    struct image *image = reading->image;
    const struct section *section = section_at(reading, svma);
    struct error ignored = {0};
    struct slice data;
    struct bytes cursor;

    if (!section || section->type == SHT_NOBITS || image_read_section(image, section, &data, &ignored) < 0)
        return 0;
    cursor = image_cursor(image, data);
    bytes_seek(&cursor, svma - section->svma);
    return image_read_address(image, &cursor);
}

static void settle_target(const struct relocation_table *table, const struct relocation_entry *entry,
                          uint64_t addend, struct relocation *relocation)
{
    enum relocated relocated = relocated_by(table->image->machine, entry->type);
    uint64_t svma = 0;

    if (relocated == RELOCATED_OTHER ||
        (relocated != RELOCATED_ADDEND && !relocation_table_find_symbol(table, entry->symbol, &svma)))
        return;
    relocation->target_svma = svma + (relocated == RELOCATED_SYMBOL ? 0 : addend);
    relocation->has_target = true;
}

static struct relocation relocation_of(const struct relocation_table *table,
                                       const struct relocation_entry *entry)
{
    return (struct relocation){
        .entry_offset = entry->offset,
        .section = table->section->index,
        .entry_bytes = table->entry_bytes,
        .symbol = entry->symbol,
    };
}

/* Where there are no addends in the table, they are in the place; what linkers leave is settled already. */
static uint64_t addend_of(const struct reading *reading, const struct relocation_table *table,
                          const struct relocation_entry *entry, uint64_t place_svma)
{
    bool is_settled = !(table->section->flags & SHF_ALLOC);
    uint64_t svma = 0;

    if (table->has_addend)
        return entry->addend;
    if (is_settled)
        relocation_table_find_symbol(table, entry->symbol, &svma);
    return stored_at(reading, place_svma) - svma;
}

static uint64_t svma_of_place(const struct image *image, const struct section *base, uint64_t place)
{
    if (!base)
        return image->type == ET_REL ? RELOCATION_NOT_LOADED : place;
    return base->flags & SHF_ALLOC && place < base->memory_bytes ? base->svma + place : RELOCATION_NOT_LOADED;
}

static void read_entries(struct reading *reading, struct relocation_table *table)
{
    const struct section *base = relocation_table_base(table->image, table->section);
    struct relocation_entry entry;

    while (relocation_table_take(table, &entry)) {
        struct relocation relocation = relocation_of(table, &entry);

        relocation.place_svma = svma_of_place(table->image, base, entry.place);
        relocation.place_offset = base ? entry.place : 0;
        if (relocation.place_svma != RELOCATION_NOT_LOADED)
            settle_target(table, &entry, addend_of(reading, table, &entry, relocation.place_svma),
                          &relocation);
        *vec_add(&reading->out->items) = relocation;
    }
}

static void add_relative(struct reading *reading, const struct section *section, uint64_t place,
                         uint64_t entry_offset)
{
    if (!section_at(reading, place)) {
        reading->out->damaged_count++;
        return;
    }
    *vec_add(&reading->out->items) = (struct relocation){
        .place_svma = place,
        .target_svma = stored_at(reading, place),
        .entry_offset = entry_offset,
        .section = section->index,
        .entry_bytes = reading->image->address_bytes,
        .has_target = true,
    };
}

/* An even entry is a place, an odd one a map of the words behind the last place: bit 1 for the first. */
static int read_relative(struct reading *reading, const struct section *section, struct error *err)
{
    unsigned word = reading->image->address_bytes;
    uint64_t next = 0;
    struct slice data;
    struct bytes entries;

    if (image_read_section(reading->image, section, &data, err) < 0)
        return -1;
    entries = image_cursor(reading->image, data);
    while (bytes_left(&entries) >= word) {
        uint64_t at = entries.at;
        uint64_t entry = image_read_address(reading->image, &entries);

        if (!(entry & 1)) {
            add_relative(reading, section, entry, at);
            next = entry + word;
            continue;
        }
        for (unsigned bit = 1; bit < word * 8; bit++)
            if (entry >> bit & 1)
                add_relative(reading, section, next + (uint64_t)(bit - 1) * word, at);
        next += (uint64_t)(word * 8 - 1) * word;
    }
    return 0;
}

static int read_table(struct reading *reading, const struct section *section, struct error *err)
{
    struct relocation_table table;

    if (section_is_relative_table(section))
        return read_relative(reading, section, err);
    if (relocation_table_open(reading->image, section, &table, err) < 0)
        return -1;
    read_entries(reading, &table);
    return 0;
}

static bool claims_to_be_table(const struct section *section)
{
    return section->type == SHT_RELA || section->type == SHT_REL || section_is_relative_table(section);
}

/* Whether the section's entries are as long as its type says. */
static bool is_table(const struct image *image, const struct section *section)
{
    return relocation_table_is(image, section) ||
           (section_is_relative_table(section) && section->entry_bytes == image->address_bytes);
}

static int read_tables(struct reading *reading, struct error *err)
{
    const struct image *image = reading->image;

    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        reading->out->damaged_count += claims_to_be_table(section) && !is_table(image, section);
        if (is_table(image, section) && read_table(reading, section, err) < 0)
            return -1;
    }
    return 0;
}

int relocations_read(struct image *image, struct relocations *out, struct error *err)
{
    struct relocations read = {0};
    struct reading reading = {.image = image, .out = &read};
    int result = 0;

    if (image->type != ET_REL || image->is_linked_alone) {
        reading.loaded = map_sections(image);
        result = read_tables(&reading, err);
        intervals_done(&reading.loaded);
    }
    if (result < 0)
        relocations_done(&read);
    else
        *out = read;
    return result;
}

void relocations_done(struct relocations *relocations)
{
    vec_done(&relocations->items);
    *relocations = (struct relocations){0};
}
