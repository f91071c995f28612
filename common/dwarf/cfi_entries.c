#include "dwarf/cfi_entries.h"

#include <dwarf.h>

#include "dwarf/initial_length.h"
#include "elf/compression.h"
#include "elf/constants.h"

/* From the machines' ABIs. */
uint32_t cfi_frame_register(uint16_t machine)
{
    switch (machine) {
    case EM_X86_64:
        return 6;
    case EM_386:
        return 5;
    case EM_AARCH64:
        return 29;
    case EM_ARM:
        return 11;
    case EM_RISCV:
        return 8;
    case EM_PPC64:
    case EM_PPC:
        return 31;
    case EM_S390:
        return 11;
    case EM_LOONGARCH:
        return 22;
    case EM_MIPS:
        return 30;
    default:
        return UINT32_MAX;
    }
}

/*
 * The register that compilers address a frame by where the stack pointer cannot and the frame pointer does
 * otherwise; UINT32_MAX for none or not known. LLVM's X86RegisterInfo and AArch64RegisterInfo, "base
 * pointer": rbx, esi, x19.
 */
static uint32_t base_register_of(uint16_t machine)
{
    switch (machine) {
    case EM_X86_64:
        return 3;
    case EM_386:
        return 6;
    case EM_AARCH64:
        return 19;
    default:
        return UINT32_MAX;
    }
}

/* A value in one of the encodings of LSB Core, "DWARF Exception Header Encoding"; the base is not added yet.
 */
static uint64_t take_encoded(struct bytes *cursor, uint8_t format, unsigned address_bytes)
{
    switch (format & 0x0f) {
    case DW_EH_PE_absptr:
        return bytes_unsigned(cursor, address_bytes);
    case DW_EH_PE_uleb128:
        return bytes_uleb128(cursor);
    case DW_EH_PE_sleb128:
        return (uint64_t)bytes_sleb128(cursor);
    case DW_EH_PE_udata2:
        return bytes_u16(cursor);
    case DW_EH_PE_sdata2:
        return (uint64_t)(int16_t)bytes_u16(cursor);
    case DW_EH_PE_udata4:
        return bytes_u32(cursor);
    case DW_EH_PE_sdata4:
        return (uint64_t)(int32_t)bytes_u32(cursor);
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        return bytes_u64(cursor);
    default:
        cursor->failed = true;
        return 0;
    }
}

static uint64_t cut_to_address(uint64_t value, unsigned address_bytes)
{
    return address_bytes == 8 ? value : value & (((uint64_t)1 << 8 * address_bytes) - 1);
}

/* An address; only absolute ones and those relative to themselves are used for code. */
static uint64_t take_pointer(const struct cfi_reader *reader, struct bytes *cursor, uint8_t encoding)
{
    uint64_t here = reader->svma + cursor->at;
    uint64_t value = take_encoded(cursor, encoding, reader->common.address_bytes);

    if ((encoding & 0x70) == DW_EH_PE_pcrel)
        value += here;
    else if ((encoding & 0xf0) != DW_EH_PE_absptr)
        cursor->failed = true;
    return cut_to_address(value, reader->common.address_bytes);
}

/* Where the LSDA is: an entry without one has 0 in its place. An encoding that is not known tells none. */
static uint64_t take_table(const struct cfi_reader *reader, struct slice data, uint64_t data_offset)
{
    struct bytes cursor = image_cursor(reader->image, reader->content);
    struct bytes raw = bytes_of(data, cursor.big_endian);
    uint8_t encoding = reader->common.table_encoding;
    uint64_t svma = 0;

    if (encoding == DW_EH_PE_omit || encoding & DW_EH_PE_indirect ||
        take_encoded(&raw, encoding, reader->common.address_bytes) == 0 || raw.failed)
        return 0;
    bytes_seek(&cursor, data_offset);
    svma = take_pointer(reader, &cursor, encoding);
    return cursor.failed ? 0 : svma;
}

/*
 * The letters behind "z", each with its data. Two of AArch64's have none (DWARF for the Arm 64-bit
 * architecture): B, return addresses are signed with the other key, and G, stacks are tagged. Unknown
 * ones end the reading: the data's length is known. */
static void take_augmentation(struct bytes *cursor, struct slice letters, struct cfi_common *common)
{
    for (size_t i = 0; i < letters.length && !cursor->failed; i++) {
        uint8_t encoding = 0;

        switch (letters.data[i]) {
        case 'R':
            common->pointer_encoding = bytes_u8(cursor);
            break;
        case 'L':
            common->table_encoding = bytes_u8(cursor);
            break;
        case 'P':
            encoding = bytes_u8(cursor);
            if (encoding != DW_EH_PE_omit)
                take_encoded(cursor, encoding, common->address_bytes);
            break;
        case 'S':
            common->initial.is_signal_frame = 1;
            break;
        case 'B':
        case 'G':
            break;
        default:
            return;
        }
    }
}

/* The CIE's fields; the cursor then stands at its instructions. */
static bool read_common_fields(struct bytes *cursor, struct cfi_common *common)
{
    uint8_t version = bytes_u8(cursor);
    struct slice augmentation = bytes_string(cursor);

    if (version != 1 && version != 3 && version != 4)
        return false;
    if (version == 4) {
        common->address_bytes = bytes_u8(cursor);
        bytes_u8(cursor); /* segment selectors */
    }
    common->code_alignment = bytes_uleb128(cursor);
    common->data_alignment = bytes_sleb128(cursor);
    common->return_register = version == 1 ? bytes_u8(cursor) : (uint32_t)bytes_uleb128(cursor);
    if (slice_starts_with(augmentation, SLICE("z"))) {
        struct slice data = bytes_take(cursor, bytes_uleb128(cursor));
        struct bytes letters_data = bytes_of(data, cursor->big_endian);

        common->has_augmentation_data = true;
        take_augmentation(&letters_data, slice_range(augmentation, 1, augmentation.length), common);
        return !cursor->failed && !letters_data.failed;
    }
    /* Without "z" an augmentation that is not known makes all that follows unreadable. */
    return augmentation.length == 0 && !cursor->failed;
}

static bool is_there(const struct cfi_reader *reader, uint64_t at, uint64_t length)
{
    return !reader->parts || section_parts_read(reader->parts, at, length);
}

bool cfi_take_entry(const struct cfi_reader *reader, uint64_t at, struct cfi_entry *out)
{
    struct bytes cursor = image_cursor(reader->image, reader->content);
    uint64_t length = 0;

    bytes_seek(&cursor, at);
    if (!is_there(reader, at, INITIAL_LENGTH_MOST_BYTES) ||
        !initial_length_read(&cursor, &length, &out->offset_bytes) || !is_there(reader, cursor.at, length))
        return false;
    cursor.all = slice_range(cursor.all, 0, cursor.at + length);
    out->id_offset = cursor.at;
    /* In .eh_frame this field is of 4 bytes whatever the length's. */
    out->id = length == 0 ? 0 : bytes_unsigned(&cursor, reader->is_eh_frame ? 4 : out->offset_bytes);
    out->cursor = cursor;
    return true;
}

bool cfi_is_common(const struct cfi_reader *reader, const struct cfi_entry *entry)
{
    if (reader->is_eh_frame)
        return entry->id == 0;
    return entry->id == (entry->offset_bytes == 8 ? UINT64_MAX : UINT32_MAX);
}

static bool parse_common(struct cfi_reader *reader, uint64_t offset)
{
    struct cfi_common *common = &reader->common;
    struct cfi_entry entry;

    *common = (struct cfi_common){
        .machine = reader->image->machine,
        .address_bytes = reader->image->address_bytes,
        .frame_register = cfi_frame_register(reader->image->machine),
        .base_register = base_register_of(reader->image->machine),
        .table_encoding = DW_EH_PE_omit,
        .initial.is_debug_frame = !reader->is_eh_frame,
    };
    if (!cfi_take_entry(reader, offset, &entry) || !cfi_is_common(reader, &entry))
        return false;
    if (entry.cursor.all.length - offset > reader->common_bytes_left)
        return false;
    reader->common_bytes_left -= entry.cursor.all.length - offset;
    if (!read_common_fields(&entry.cursor, common) ||
        (common->address_bytes != 4 && common->address_bytes != 8))
        return false;
    return cfi_program_run_common(entry.cursor, common);
}

/* Makes `common` that of the CIE at `offset`; false when it cannot be read. */
static bool find_common(struct cfi_reader *reader, uint64_t offset)
{
    if (reader->common_offset != offset) {
        reader->common_offset = offset;
        reader->common_is_whole = parse_common(reader, offset);
    }
    return reader->common_is_whole;
}

bool cfi_take_description(struct cfi_reader *reader, struct cfi_entry *entry, struct cfi_description *out)
{
    struct cfi_description taken = {0};
    const struct cfi_common *common = &reader->common;

    if (!find_common(reader, reader->is_eh_frame ? entry->id_offset - entry->id : entry->id))
        return false;
    taken.start = take_pointer(reader, &entry->cursor, common->pointer_encoding);
    taken.end = taken.start + take_encoded(&entry->cursor, common->pointer_encoding, common->address_bytes);
    if (common->has_augmentation_data) {
        struct slice data = bytes_take(&entry->cursor, bytes_uleb128(&entry->cursor));

        taken.table_svma = take_table(reader, data, entry->cursor.at - data.length);
    }
    if (entry->cursor.failed)
        return false;
    *out = taken;
    return true;
}

bool cfi_has_code(const struct cfi_reader *reader, const struct cfi_description *description)
{
    return code_bounds_hold(&reader->code, description->start, description->end);
}

bool cfi_read_rows(struct cfi_reader *reader, const struct cfi_entry *entry,
                   const struct cfi_description *description)
{
    struct cfi_sink sink = {.cfi = reader->cfi, .start = description->start, .end = description->end};
    size_t first_row = reader->cfi->rows.count;
    bool is_whole = cfi_program_run(entry->cursor, &reader->common, &sink);

    *vec_add(&reader->runs) =
        (struct cfi_run){sink.start, sink.end, first_row, reader->cfi->rows.count - first_row};
    reader->cfi->return_register = reader->common.return_register;
    return is_whole;
}

bool cfi_read_description(struct cfi_reader *reader, struct cfi_entry *entry)
{
    struct cfi_description description;

    return cfi_take_description(reader, entry, &description) &&
           (!cfi_has_code(reader, &description) || cfi_read_rows(reader, entry, &description));
}

void cfi_set_section(struct cfi_reader *reader, const struct section *section, struct slice content)
{
    reader->content = content;
    reader->svma = section->svma;
    reader->is_eh_frame = slice_is(section->name, ".eh_frame");
    reader->common_bytes_left = content.length * CFI_COMMON_OVERLAPS;
    reader->common_offset = UINT64_MAX;
}

int cfi_open_section(struct image *image, struct slice name, struct cfi_reader *reader, char **owned,
                     struct error *err)
{
    const struct section *section = sections_find(&image->sections, name);
    struct slice content = {0};

    if (!section)
        return 0;
    if (compression_read(image, section, &content, owned, err) < 0)
        return -1;
    cfi_set_section(reader, section, content);
    return 0;
}
