#include "dwarf/line_header.h"

#include <dwarf.h>
#include <stdlib.h>

#include "dwarf/initial_length.h"

/* What DWARF 5's descriptions of directories and files say of one entry. */
struct name_entry {
    struct slice path;
    uint64_t directory;
};

typedef VEC(struct slice) directories;

static struct line_file *add_file(struct line_table *table, struct slice name, const directories *known,
                                  uint64_t directory)
{
    struct line_file *file = vec_add(&table->files);

    file->name = name;
    file->directory = directory < known->count ? known->items[directory] : (struct slice){0};
    return file;
}

/* Up to DWARF 4: lists of strings, counted from 1; directory 0 is the unit's own. */
static void read_old_names(struct bytes *cursor, struct line_table *table, directories *known)
{
    *vec_add(known) = (struct slice){0};
    for (;;) {
        struct slice name = bytes_string(cursor);

        if (name.length == 0)
            break;
        *vec_add(known) = name;
    }
    add_file(table, (struct slice){0}, known, 0);
    for (;;) {
        struct slice name = bytes_string(cursor);

        if (name.length == 0)
            break;
        add_file(table, name, known, bytes_uleb128(cursor));
        bytes_uleb128(cursor); /* time */
        bytes_uleb128(cursor); /* length */
    }
}

/* One value of an entry. Strings that stand in the table itself are read here: attributes know .debug_info
 * alone. */
static void read_value(struct bytes *cursor, const struct debug_sections *sections,
                       const struct encoding *encoding, const struct abbreviation_attribute *kind,
                       struct name_entry *out)
{
    struct attribute value = {0};

    if (kind->form == DW_FORM_string && kind->name == DW_LNCT_path) {
        out->path = bytes_string(cursor);
        return;
    }
    value = attribute_read(cursor, encoding, kind);
    if (kind->name == DW_LNCT_path)
        out->path = attribute_string(&value, encoding, sections);
    else if (kind->name == DW_LNCT_directory_index && value.class == ATTRIBUTE_CONSTANT)
        out->directory = value.number;
}

typedef VEC(struct abbreviation_attribute) entry_format;

static void read_format(struct bytes *cursor, entry_format *format)
{
    unsigned count = bytes_u8(cursor);

    for (unsigned i = 0; i < count && !cursor->failed; i++) {
        struct abbreviation_attribute kind = {0};

        kind.name = (uint16_t)bytes_uleb128(cursor);
        kind.form = (uint16_t)bytes_uleb128(cursor);
        *vec_add(format) = kind;
    }
}

/* One list of DWARF 5; of files when `known` is their directories, else of directories. */
static void read_new_list(struct bytes *cursor, const struct debug_sections *sections,
                          const struct encoding *encoding, struct line_table *files, directories *known)
{
    entry_format format = {0};
    uint64_t count = 0;

    read_format(cursor, &format);
    count = bytes_uleb128(cursor);
    /* Each entry takes at least a byte. */
    if (count > bytes_left(cursor))
        cursor->failed = true;
    for (uint64_t i = 0; i < count && !cursor->failed; i++) {
        struct name_entry entry = {0};

        for (size_t k = 0; k < format.count; k++)
            read_value(cursor, sections, encoding, &format.items[k], &entry);
        if (files)
            add_file(files, entry.path, known, entry.directory);
        else
            *vec_add(known) = entry.path;
    }
    vec_done(&format);
}

/* Length and version; `cursor` then ends where the table does. */
static bool read_start(const struct debug_sections *sections, struct bytes *cursor, struct line_header *out)
{
    uint64_t length = 0;

    if (!initial_length_take(cursor, &length, &out->encoding.offset_bytes))
        return false;
    cursor->all.length = cursor->at;
    debug_sections_extend(sections, DEBUG_LINE, cursor, length);
    if (bytes_left(cursor) < length)
        return false;
    out->encoding.version = bytes_u16(cursor);
    return !cursor->failed && out->encoding.version >= 2 && out->encoding.version <= 5;
}

/* Special opcodes count lines first, from `line_base` on, and after each `line_range` of them an instruction
 * (DWARF 5, §6.2.5.1). */
static void find_advances(struct line_header *out, int8_t line_base, uint8_t line_range)
{
    uint16_t advance = 0;
    uint8_t lines = 0;

    for (unsigned opcode = out->opcode_base; opcode < ARRAY_COUNT(out->advances); opcode++) {
        out->advances[opcode] = advance;
        out->line_advances[opcode] = (int16_t)(line_base + lines);
        if (++lines == line_range) {
            lines = 0;
            advance += out->minimum_instruction_bytes;
        }
    }
}

static bool read_program_form(struct bytes *cursor, struct line_header *out)
{
    int8_t line_base = 0;
    uint8_t line_range = 0;

    out->minimum_instruction_bytes = bytes_u8(cursor);
    if (out->encoding.version >= 4)
        bytes_u8(cursor); /* operations of a VLIW instruction: Rust has no such target */
    bytes_u8(cursor);     /* default_is_stmt */
    line_base = (int8_t)bytes_u8(cursor);
    line_range = bytes_u8(cursor);
    out->opcode_base = bytes_u8(cursor);
    if (out->opcode_base > 0)
        out->opcode_lengths = bytes_take(cursor, out->opcode_base - 1U);
    if (cursor->failed || line_range == 0 || out->opcode_base == 0)
        return false;
    find_advances(out, line_base, line_range);
    return true;
}

static bool read_names(struct bytes *cursor, const struct debug_sections *sections, const struct unit *unit,
                       const struct line_header *header, struct line_table *table)
{
    directories known = {0};

    if (header->encoding.version < 5) {
        read_old_names(cursor, table, &known);
    } else {
        struct encoding encoding = header->encoding;

        encoding.str_offsets_base = unit->encoding.str_offsets_base;
        read_new_list(cursor, sections, &encoding, NULL, &known);
        read_new_list(cursor, sections, &encoding, table, &known);
    }
    vec_done(&known);
    return !cursor->failed;
}

bool line_header_read(const struct debug_sections *sections, const struct unit *unit,
                      struct line_table *table, struct line_header *out)
{
    struct bytes cursor =
        debug_sections_cursor(sections, DEBUG_LINE, unit->line_offset, INITIAL_LENGTH_MOST_BYTES);
    uint64_t header_bytes = 0;
    struct bytes names;

    *out = (struct line_header){.encoding.address_bytes = unit->encoding.address_bytes};
    if (!read_start(sections, &cursor, out))
        return false;
    if (out->encoding.version >= 5) {
        out->encoding.address_bytes = bytes_u8(&cursor);
        bytes_u8(&cursor); /* segment selectors, which no machine of ours has */
    }
    header_bytes = bytes_unsigned(&cursor, out->encoding.offset_bytes);
    if (cursor.failed || header_bytes > bytes_left(&cursor))
        return false;
    out->program = cursor;
    bytes_seek(&out->program, cursor.at + header_bytes);
    names = cursor;
    names.all = slice_range(names.all, 0, out->program.at);
    return read_program_form(&names, out) && read_names(&names, sections, unit, out, table);
}
