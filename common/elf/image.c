#include "elf/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "elf/foreign.h"
#include "elf/notes.h"

/* What the ELF header says of the section table; counts already follow the escapes of section 0. */
struct table_place {
    uint64_t offset;
    uint64_t count;
    uint32_t entry_bytes;
    uint32_t names_index;
};

/* Reads exactly these bytes of the file, whose end was checked against its size. */
static int read_at(const struct image *image, uint64_t offset, char *into, uint64_t length, struct error *err)
{
    if (image->descriptor < 0) {
        if (length > 0)
            memcpy(into, image->bytes.data + offset, length);
        return 0;
    }
    return file_read_at(image->descriptor, image->name, offset, into, length, err);
}

static bool is_within_file(const struct image *image, uint64_t offset, uint64_t length)
{
    return offset <= image->size_bytes && length <= image->size_bytes - offset;
}

static int refuse_truncated(const struct image *image, const char *what, struct error *err)
{
    error_hint(err, "the file is cut short: copy or build it again");
    return error_set(err, ERROR_FORMAT, "%s: truncated: %s past the end of the file (%" PRIu64 " bytes)",
                     image->name, what, image->size_bytes);
}

int image_read_at(const struct image *image, uint64_t offset, char *into, uint64_t length, struct error *err)
{
    if (!is_within_file(image, offset, length))
        return refuse_truncated(image, "bytes asked for lie", err);
    return read_at(image, offset, into, length, err);
}

static int refuse_foreign(const struct image *image, struct slice start, struct error *err)
{
    const char *remedy = foreign_remedy(start);

    if (remedy)
        error_hint(err, "%s", remedy);
    return error_set(err, ERROR_FORMAT, "%s: not an ELF file: it is %s", image->name,
                     foreign_describe(start));
}

/* The first sixteen bytes: e_ident of the gABI. */
static int read_identification(struct image *image, struct slice start, struct error *err)
{
    if (!slice_starts_with(start, SLICE(ELFMAG)))
        return refuse_foreign(image, start, err);
    if (start.length < EI_NIDENT)
        return refuse_truncated(image, "the ELF header goes", err);
    if (start.data[EI_CLASS] != ELFCLASS32 && start.data[EI_CLASS] != ELFCLASS64)
        return error_set(err, ERROR_FORMAT, "%s: damaged ELF file: class %u is neither 32 nor 64 bit",
                         image->name, (uint8_t)start.data[EI_CLASS]);
    if (start.data[EI_DATA] != ELFDATA2LSB && start.data[EI_DATA] != ELFDATA2MSB)
        return error_set(err, ERROR_FORMAT, "%s: damaged ELF file: unknown byte order %u", image->name,
                         (uint8_t)start.data[EI_DATA]);
    image->address_bytes = start.data[EI_CLASS] == ELFCLASS64 ? 8 : 4;
    image->big_endian = start.data[EI_DATA] == ELFDATA2MSB;
    return 0;
}

static int read_header(struct image *image, struct table_place *place, struct error *err)
{
    char raw[sizeof(Elf64_Ehdr)] = {0};
    uint64_t raw_bytes = image->size_bytes < sizeof(raw) ? image->size_bytes : sizeof(raw);
    struct bytes cursor;

    if (read_at(image, 0, raw, raw_bytes, err) < 0 ||
        read_identification(image, (struct slice){raw, raw_bytes}, err) < 0)
        return -1;
    cursor = image_cursor(image, (struct slice){raw, raw_bytes});
    bytes_seek(&cursor, EI_NIDENT);
    image->type = bytes_u16(&cursor);
    image->machine = bytes_u16(&cursor);
    bytes_u32(&cursor); /* e_version */
    image->entry_svma = image_read_address(image, &cursor);
    image->program_offset = image_read_address(image, &cursor);
    place->offset = image_read_address(image, &cursor);
    image->flags = bytes_u32(&cursor);
    bytes_u16(&cursor); /* e_ehsize */
    image->program_entry_bytes = bytes_u16(&cursor);
    image->program_count = bytes_u16(&cursor);
    place->entry_bytes = bytes_u16(&cursor);
    place->count = bytes_u16(&cursor);
    place->names_index = bytes_u16(&cursor);
    if (cursor.failed)
        return refuse_truncated(image, "the ELF header goes", err);
    image->header_bytes = (uint32_t)cursor.at;
    return 0;
}

static struct section parse_section(const struct image *image, struct bytes *cursor, uint32_t *name_offset)
{
    struct section section = {0};
    uint64_t size = 0;

    *name_offset = bytes_u32(cursor);
    section.type = bytes_u32(cursor);
    section.flags = image_read_address(image, cursor);
    section.svma = image_read_address(image, cursor);
    section.file_offset = image_read_address(image, cursor);
    size = image_read_address(image, cursor);
    section.link = bytes_u32(cursor);
    section.info = bytes_u32(cursor);
    section.alignment = image_read_address(image, cursor);
    section.entry_bytes = image_read_address(image, cursor);
    if (section.alignment == 0)
        section.alignment = 1;
    section.memory_bytes = section.flags & SHF_ALLOC ? size : 0;
    section.file_bytes = section.type == SHT_NOBITS || section.type == SHT_NULL ? 0 : size;
    return section;
}

/*
 * More than 65,279 sections: the header holds 0 and SHN_XINDEX, and the numbers stand in
 * section 0's size and link (gABI, "ELF Header", e_shnum and e_shstrndx).
 */
static int follow_escapes(struct image *image, struct table_place *place, struct error *err)
{
    char raw[sizeof(Elf64_Shdr)];
    struct bytes cursor = image_cursor(image, (struct slice){raw, place->entry_bytes});
    uint32_t name_offset = 0;

    if (place->count != 0 && place->names_index != SHN_XINDEX)
        return 0;
    if (read_at(image, place->offset, raw, place->entry_bytes, err) < 0)
        return -1;
    if (place->count == 0) {
        bytes_seek(&cursor,
                   image->address_bytes == 8 ? offsetof(Elf64_Shdr, sh_size) : offsetof(Elf32_Shdr, sh_size));
        place->count = image_read_address(image, &cursor);
    }
    bytes_seek(&cursor, 0);
    if (place->names_index == SHN_XINDEX)
        place->names_index = parse_section(image, &cursor, &name_offset).link;
    return 0;
}

/* Whether the table of sections is there at all, and lies within the file. */
static int check_table(struct image *image, struct table_place *place, struct error *err)
{
    uint64_t expected = image->address_bytes == 8 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

    if (place->offset == 0) {
        *place = (struct table_place){0};
        return 0;
    }
    if (place->entry_bytes != expected)
        return error_set(err, ERROR_FORMAT,
                         "%s: damaged ELF file: section headers of %" PRIu32 " bytes instead of %" PRIu64,
                         image->name, place->entry_bytes, expected);
    if (!is_within_file(image, place->offset, expected))
        return refuse_truncated(image, "the section table lies", err);
    if (follow_escapes(image, place, err) < 0)
        return -1;
    if (place->count > (image->size_bytes - place->offset) / expected)
        return refuse_truncated(image, "the section table goes", err);
    return 0;
}

static int check_section(const struct image *image, const struct section *section, struct error *err)
{
    char what[160];

    if (is_within_file(image, section->file_offset, section->file_bytes))
        return 0;
    if (section->file_bytes == 0)
        return 0;
    snprintf(what, sizeof(what), "section %" PRIu32 " (%.*s, %" PRIu64 " bytes at offset %" PRIu64 ") goes",
             section->index, (int)(section->name.length < 60 ? section->name.length : 60),
             section->name.data ? section->name.data : "", section->file_bytes, section->file_offset);
    return refuse_truncated(image, what, err);
}

/* The string at `offset` of a table; empty when it does not end within it. */
static struct slice string_at(struct slice table, uint64_t offset)
{
    struct bytes cursor = bytes_of(table, false);

    bytes_seek(&cursor, offset);
    return bytes_string(&cursor);
}

/* Fills the names once the table that holds them is known to be readable. */
static int name_sections(struct image *image, struct section *sections, const uint32_t *name_offsets,
                         uint32_t names_index, struct error *err)
{
    struct slice table = {0};

    if (names_index == SHN_UNDEF)
        return 0;
    if (names_index >= image->sections.count)
        return error_set(err, ERROR_FORMAT,
                         "%s: damaged ELF file: section %" PRIu32 " should hold the names of %zu sections",
                         image->name, names_index, image->sections.count);
    if (check_section(image, &sections[names_index], err) < 0 ||
        image_read_section(image, &sections[names_index], &table, err) < 0)
        return -1;
    for (size_t i = 0; i < image->sections.count; i++)
        sections[i].name = string_at(table, name_offsets[i]);
    return 0;
}

static int parse_table(struct image *image, const struct table_place *place, struct slice raw,
                       struct error *err)
{
    struct section *sections = ARENA_ARRAY(&image->arena, place->count, struct section);
    SCOPED(memory_free_at) uint32_t *name_offsets = memory_new(place->count, sizeof(*name_offsets));
    struct bytes cursor = image_cursor(image, raw);

    for (uint32_t i = 0; i < place->count; i++) {
        sections[i] = parse_section(image, &cursor, &name_offsets[i]);
        sections[i].index = i;
    }
    image->sections = (struct sections){sections, place->count};
    image->section_data = memory_new(place->count, sizeof(*image->section_data));
    if (name_sections(image, sections, name_offsets, place->names_index, err) < 0)
        return -1;
    for (size_t i = 0; i < place->count; i++)
        if (check_section(image, &sections[i], err) < 0)
            return -1;
    return 0;
}

static int read_table(struct image *image, struct table_place *place, struct error *err)
{
    SCOPED(memory_free_at) char *raw = NULL;
    uint64_t length = 0;

    if (check_table(image, place, err) < 0)
        return -1;
    if (place->count == 0)
        return 0;
    length = place->count * place->entry_bytes;
    image->section_table_offset = place->offset;
    image->section_table_bytes = length;
    raw = memory_new(length, 1);
    if (read_at(image, place->offset, raw, length, err) < 0)
        return -1;
    return parse_table(image, place, (struct slice){raw, length}, err);
}

/*
 * The table of program headers lies within the file, too. More than 65,534 of them: the header holds PN_XNUM,
 * and the number stands in section 0's info (gABI, "ELF Header", e_phnum).
 */
static int check_programs(struct image *image, struct error *err)
{
    if (image->program_count == PN_XNUM && image->sections.count > 0 && image->sections.items[0].info != 0)
        image->program_count = image->sections.items[0].info;
    if (image->program_count > 0 &&
        !is_within_file(image, image->program_offset,
                        (uint64_t)image->program_count * image->program_entry_bytes))
        return refuse_truncated(image, "the table of program headers goes", err);
    return 0;
}

static int read_build_id(struct image *image, struct error *err)
{
    for (size_t i = 0; i < image->sections.count && image->build_id.length == 0; i++) {
        const struct section *section = &image->sections.items[i];
        struct slice notes = {0};

        if (section->type != SHT_NOTE)
            continue;
        if (image_read_section(image, section, &notes, err) < 0)
            return -1;
        image->build_id = notes_build_id(image_cursor(image, notes), section->alignment);
    }
    return 0;
}

/* The common end of opening: takes over what `image` owns, or releases it. */
static int finish_open(struct image *image, struct image *out, struct error *err)
{
    struct table_place place = {0};

    if (read_header(image, &place, err) < 0 || read_table(image, &place, err) < 0 ||
        check_programs(image, err) < 0 || read_build_id(image, err) < 0) {
        image_close(image);
        return -1;
    }
    *out = *image;
    return 0;
}

/* O_NONBLOCK: opening a pipe that nobody writes to must not wait. */
static int open_regular(const char *path, struct image *image, struct error *err)
{
    struct stat status;

    image->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (image->descriptor < 0 || fstat(image->descriptor, &status) < 0)
        return error_set(err, ERROR_IO, "open %s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return error_set(err, ERROR_IO, "%s: is a folder, not an ELF file", path);
    if (!S_ISREG(status.st_mode))
        return error_set(err, ERROR_IO, "%s: not a regular file", path);
    image->size_bytes = (uint64_t)status.st_size;
    return 0;
}

int image_open(const char *path, struct image *out, struct error *err)
{
    struct image image = {.descriptor = -1};

    if (open_regular(path, &image, err) < 0) {
        file_close_descriptor(&image.descriptor);
        return -1;
    }
    image.name = image.place = arena_copy(&image.arena, slice_of(path));
    return finish_open(&image, out, err);
}

int image_open_bytes(struct slice bytes, const char *name, struct image *out, struct error *err)
{
    struct image image = {.descriptor = -1, .bytes = bytes, .size_bytes = bytes.length};

    image.name = image.place = arena_copy(&image.arena, slice_of(name));
    return finish_open(&image, out, err);
}

void image_set_place(struct image *image, struct slice root, struct slice path)
{
    image->place = arena_format(&image->arena, "%.*s%.*s", SLICE_ARGUMENTS(root), SLICE_ARGUMENTS(path));
    image->root_length = root.length;
}

struct file_place image_file_place(const struct image *image)
{
    return (struct file_place){image->name, image->place, image->root_length};
}

struct slice file_place_root(const struct file_place *file)
{
    return (struct slice){file->place, file->root_length};
}

void image_close(struct image *image)
{
    if (!image->name)
        return;
    for (size_t i = 0; image->section_data && i < image->sections.count; i++)
        free(image->section_data[i]);
    free(image->section_data);
    file_close_descriptor(&image->descriptor);
    arena_done(&image->arena);
    *image = (struct image){.descriptor = -1};
}

int image_read_section(struct image *image, const struct section *section, struct slice *out,
                       struct error *err)
{
    char **data = &image->section_data[section->index];
    SCOPED(memory_free_at) char *fresh = NULL;

    if (!*data && section->file_bytes > 0 && image->descriptor < 0) {
        *out = slice_range(image->bytes, section->file_offset, section->file_offset + section->file_bytes);
        return 0;
    }
    if (!*data && section->file_bytes > 0) {
        fresh = memory_new_unset(section->file_bytes);
        if (read_at(image, section->file_offset, fresh, section->file_bytes, err) < 0)
            return error_wrap(err, "section %.*s", SLICE_ARGUMENTS(section->name));
        *data = fresh;
        fresh = NULL;
    }
    *out = (struct slice){*data, section->file_bytes};
    return 0;
}

void image_release_section(struct image *image, const struct section *section)
{
    if (image->is_linked_alone)
        return;
    free(image->section_data[section->index]);
    image->section_data[section->index] = NULL;
}

struct section *image_edit_sections(struct image *image)
{
    struct section *copy = ARENA_ARRAY(&image->arena, image->sections.count, struct section);

    for (size_t i = 0; i < image->sections.count; i++)
        copy[i] = image->sections.items[i];
    image->sections.items = copy;
    return copy;
}

int image_edit_bytes(struct image *image, const struct section *section, char **out, struct error *err)
{
    char **data = &image->section_data[section->index];
    struct slice bytes;

    if (image_read_section(image, section, &bytes, err) < 0)
        return -1;
    if (!*data) {
        *data = memory_new(bytes.length, 1);
        if (bytes.data)
            memcpy(*data, bytes.data, bytes.length);
    }
    *out = *data;
    return 0;
}

void image_mark_unsettled(struct image *image, const struct section *section)
{
    if (!image->unsettled)
        image->unsettled = ARENA_ARRAY(&image->arena, image->sections.count, bool);
    image->unsettled[section->index] = true;
}

bool image_is_settled(const struct image *image, const struct section *section)
{
    return !image->unsettled || !image->unsettled[section->index];
}

struct bytes image_cursor(const struct image *image, struct slice data)
{
    return bytes_of(data, image->big_endian);
}

uint64_t image_read_address(const struct image *image, struct bytes *cursor)
{
    return bytes_unsigned(cursor, image->address_bytes);
}
