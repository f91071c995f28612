#include "elf/link_alone.h"

#include <elf.h>

#include "elf/compression.h"
#include "elf/relocation_table.h"

/* What a type of relocation does with the number in its place. S: the symbol, A: the addend, P: the place. */
enum patch {
    PATCH_UNKNOWN,
    PATCH_NOTHING,
    PATCH_SET,      /* S + A */
    PATCH_RELATIVE, /* S + A - P */
    PATCH_ADD,      /* what is there + S + A */
    PATCH_SUBTRACT, /* what is there - S - A */
};

struct patch_kind {
    uint16_t machine;
    uint16_t type;
    enum patch patch;
    uint8_t width; /* in bytes */
};

/* From the machines' ABIs. Those of a global offset table go to the symbol, as linkers relax them. */
static const struct patch_kind kinds[] = {
    {EM_X86_64, R_X86_64_NONE, PATCH_NOTHING, 0},
    {EM_X86_64, R_X86_64_64, PATCH_SET, 8},
    {EM_X86_64, R_X86_64_32, PATCH_SET, 4},
    {EM_X86_64, R_X86_64_32S, PATCH_SET, 4},
    {EM_X86_64, R_X86_64_PC32, PATCH_RELATIVE, 4},
    {EM_X86_64, R_X86_64_PC64, PATCH_RELATIVE, 8},
    {EM_X86_64, R_X86_64_PLT32, PATCH_RELATIVE, 4},
    {EM_X86_64, R_X86_64_GOTPCREL, PATCH_RELATIVE, 4},
    {EM_X86_64, R_X86_64_GOTPCRELX, PATCH_RELATIVE, 4},
    {EM_X86_64, R_X86_64_REX_GOTPCRELX, PATCH_RELATIVE, 4},
    {EM_X86_64, R_X86_64_DTPOFF32, PATCH_NOTHING, 0},
    {EM_X86_64, R_X86_64_DTPOFF64, PATCH_NOTHING, 0},
    {EM_AARCH64, R_AARCH64_NONE, PATCH_NOTHING, 0},
    {EM_AARCH64, R_AARCH64_ABS64, PATCH_SET, 8},
    {EM_AARCH64, R_AARCH64_ABS32, PATCH_SET, 4},
    {EM_AARCH64, R_AARCH64_PREL64, PATCH_RELATIVE, 8},
    {EM_AARCH64, R_AARCH64_PREL32, PATCH_RELATIVE, 4},
    {EM_386, R_386_NONE, PATCH_NOTHING, 0},
    {EM_386, R_386_32, PATCH_SET, 4},
    {EM_386, R_386_PC32, PATCH_RELATIVE, 4},
    {EM_386, R_386_TLS_LDO_32, PATCH_NOTHING, 0},
    {EM_ARM, R_ARM_NONE, PATCH_NOTHING, 0},
    {EM_ARM, R_ARM_ABS32, PATCH_SET, 4},
    {EM_ARM, R_ARM_REL32, PATCH_RELATIVE, 4},
    {EM_RISCV, R_RISCV_NONE, PATCH_NOTHING, 0},
    {EM_RISCV, R_RISCV_32, PATCH_SET, 4},
    {EM_RISCV, R_RISCV_64, PATCH_SET, 8},
    {EM_RISCV, R_RISCV_32_PCREL, PATCH_RELATIVE, 4},
    {EM_RISCV, R_RISCV_ADD8, PATCH_ADD, 1},
    {EM_RISCV, R_RISCV_ADD16, PATCH_ADD, 2},
    {EM_RISCV, R_RISCV_ADD32, PATCH_ADD, 4},
    {EM_RISCV, R_RISCV_ADD64, PATCH_ADD, 8},
    {EM_RISCV, R_RISCV_SUB8, PATCH_SUBTRACT, 1},
    {EM_RISCV, R_RISCV_SUB16, PATCH_SUBTRACT, 2},
    {EM_RISCV, R_RISCV_SUB32, PATCH_SUBTRACT, 4},
    {EM_RISCV, R_RISCV_SUB64, PATCH_SUBTRACT, 8},
};

static struct patch_kind kind_of(uint16_t machine, uint32_t type)
{
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (kinds[i].machine == machine && kinds[i].type == type)
            return kinds[i];
    return (struct patch_kind){0};
}

/* --- Addresses -------------------------------------------------------------------------- */

/* Between sections, so that the end of one is not the start of the next. */
enum { FIRST_SVMA = 0x10000, BETWEEN = 64, LARGEST_ALIGNMENT = 1 << 16 };

static uint64_t room_of(const struct section *section)
{
    const uint64_t most = UINT32_MAX;
    uint64_t bytes =
        section->memory_bytes > section->file_bytes ? section->memory_bytes : section->file_bytes;

    return bytes < most ? bytes : most;
}

static void lay_out(struct image *image)
{
    struct section *sections = image_edit_sections(image);
    uint64_t next = FIRST_SVMA;

    for (size_t i = 0; i < image->sections.count; i++) {
        struct section *section = &sections[i];
        uint64_t alignment = section->alignment;

        section->svma = 0;
        if (!(section->flags & SHF_ALLOC))
            continue;
        if (alignment == 0 || alignment > LARGEST_ALIGNMENT || (alignment & (alignment - 1)) != 0)
            alignment = 1;
        section->svma = (next + alignment - 1) & ~(alignment - 1);
        next = section->svma + room_of(section) + BETWEEN;
    }
}

/* --- Places ----------------------------------------------------------------------------- */

static void put_number(char *bytes, unsigned width, bool big_endian, uint64_t number)
{
    for (unsigned i = 0; i < width; i++)
        bytes[big_endian ? width - 1 - i : i] = (char)(number >> 8 * i);
}

/* What a section is while its places are settled. */
struct target {
    const struct image *image;
    const struct section *section;
    char *bytes;
};

static void patch(const struct target *target, const struct patch_kind *kind,
                  const struct relocation_entry *entry, uint64_t symbol_svma, bool has_addend)
{
    struct bytes cursor =
        image_cursor(target->image, (struct slice){target->bytes, target->section->file_bytes});
    uint64_t place_svma = target->section->svma + entry->place;
    uint64_t number = symbol_svma + entry->addend;
    uint64_t stored = 0;

    bytes_seek(&cursor, entry->place);
    stored = bytes_unsigned(&cursor, kind->width);
    if (cursor.failed)
        return;
    if (kind->patch == PATCH_SUBTRACT)
        number = stored - number;
    else if (kind->patch == PATCH_ADD || !has_addend)
        number += stored;
    if (kind->patch == PATCH_RELATIVE)
        number -= place_svma;
    put_number(target->bytes + entry->place, kind->width, target->image->big_endian, number);
}

/* Instructions may have relocations of any kind; what is not known of them is left as it is. */
static void settle_entries(struct relocation_table *table, const struct target *target)
{
    struct image *image = table->image;
    struct relocation_entry entry;

    while (relocation_table_take(table, &entry)) {
        struct patch_kind kind = kind_of(image->machine, entry.type);
        uint64_t symbol_svma = 0;

        if (kind.patch == PATCH_UNKNOWN && !(target->section->flags & SHF_EXECINSTR))
            image_mark_unsettled(image, target->section);
        if (kind.patch == PATCH_UNKNOWN || kind.patch == PATCH_NOTHING)
            continue;
        if (entry.symbol == 0 || relocation_table_find_symbol(table, entry.symbol, &symbol_svma))
            patch(target, &kind, &entry, symbol_svma, table->has_addend);
    }
}

static int settle_table(struct image *image, const struct section *section, struct error *err)
{
    struct target target = {.image = image, .section = relocation_table_base(image, section)};
    struct relocation_table table;

    if (!target.section || target.section->file_bytes == 0)
        return 0;
    if (compression_is_used(target.section) || relocation_table_is(image, target.section)) {
        image_mark_unsettled(image, target.section);
        return 0;
    }
    if (image_edit_bytes(image, target.section, &target.bytes, err) < 0 ||
        relocation_table_open(image, section, &table, err) < 0)
        return -1;
    settle_entries(&table, &target);
    return 0;
}

int link_alone(struct image *image, struct error *err)
{
    if (image->type != ET_REL || image->is_linked_alone)
        return 0;
    lay_out(image);
    image->is_linked_alone = true;
    for (size_t i = 0; i < image->sections.count; i++)
        if (relocation_table_is(image, &image->sections.items[i]) &&
            settle_table(image, &image->sections.items[i], err) < 0)
            return -1;
    return 0;
}
