#include "tables/sections.h"

#include <elf.h>

#include "account/file_map.h"
#include "base/intern.h"
#include "elf/archive_object.h"

enum { SHARE_COLUMN, SIZE_COLUMN, MEMORY_COLUMN, NAME_COLUMN, KIND_COLUMN, COUNT_COLUMN, OFFSET_COLUMN };

static void add_columns(struct rows *rows, uint64_t file_bytes, bool hide_shares)
{
    rows->list_key = "sections";
    rows->noun = "section";
    rows_add_column(
        rows, (struct column){COLUMN_SHARE, hide_shares ? NULL : "File", NULL, SIZE_COLUMN, file_bytes});
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Memory", "memory-size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Section", "name", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "kind", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_COUNT, NULL, "count", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "offset", 0, 0});
}

static const struct {
    struct slice name; /* empty: the section's own */
    struct slice kind;
} kinds[] = {
    [FILE_PART_HEADER] = {SLICE("[ELF header]"), SLICE("header")},
    [FILE_PART_PROGRAM_HEADERS] = {SLICE("[program headers]"), SLICE("header")},
    [FILE_PART_SECTION] = {SLICE(""), SLICE("section")},
    [FILE_PART_SECTION_HEADERS] = {SLICE("[section headers]"), SLICE("header")},
    [FILE_PART_GAPS] = {SLICE("[gaps]"), SLICE("gap")},
};

/* One row: parts that are shown together. */
struct part {
    struct slice name;
    struct slice kind;
    uint64_t size_bytes;
    uint64_t memory_bytes;
    uint64_t count;
    uint64_t offset; /* of a single one in the file */
    bool has_offset;
};

/* Zero-initialised is empty. */
struct parts {
    struct intern names; /* those of sections that are shown together */
    VEC(struct part) items;
    VEC(uint32_t) of_name; /* by the name: its part */
};

static void parts_done(struct parts *parts)
{
    intern_done(&parts->names);
    vec_done(&parts->items);
    vec_done(&parts->of_name);
}

/* A part to add to: a new one, or where parts of a name are shown together the one of that name. */
static struct part *part_for(struct parts *parts, struct slice name, struct slice kind, bool together)
{
    uint32_t id = intern_add(&parts->names, name);
    bool is_new = id == parts->of_name.count;

    if (is_new)
        *vec_add(&parts->of_name) = (uint32_t)parts->items.count;
    if (is_new || !together)
        *vec_add(&parts->items) = (struct part){.name = intern_text(&parts->names, id), .kind = kind};
    return together ? &parts->items.items[parts->of_name.items[id]]
                    : &parts->items.items[parts->items.count - 1];
}

/* With `together`, sections that an object has many of are one part. */
static void add_image(struct parts *parts, const struct image *image, bool together)
{
    SCOPED(file_map_done) struct file_map map = {0};

    file_map_build(image, &map);
    for (size_t i = 0; i < map.parts.count; i++) {
        const struct file_part *part = &map.parts.items[i];
        struct slice name = part->section ? part->section->name : kinds[part->kind].name;
        struct part *sum = NULL;

        if (name.length == 0)
            name = SLICE("[nameless]");
        sum = part_for(parts, together ? section_family(name) : name, kinds[part->kind].kind, together);
        sum->size_bytes += part->file_bytes;
        sum->memory_bytes += part->memory_bytes;
        sum->count++;
        sum->offset = part->offset;
        sum->has_offset = !together && part->kind != FILE_PART_GAPS;
    }
}

static void add_bytes(struct parts *parts, const char *name, const char *kind, uint64_t size_bytes)
{
    struct part *part = NULL;

    if (size_bytes == 0)
        return;
    part = part_for(parts, slice_of(name), slice_of(kind), true);
    part->size_bytes += size_bytes;
    part->count++;
}

static int add_member(struct parts *parts, const struct archive *archive, const struct archive_member *member,
                      struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct image image;
    bool is_object = false;

    if (archive_open_object(archive, member, &arena, &image, &is_object, err) < 0)
        return -1;
    if (!is_object) {
        add_bytes(parts, "[members of other formats]", "member", member->size_bytes);
        return 0;
    }
    add_image(parts, &image, true);
    image_close(&image);
    return 0;
}

static int add_archive(struct parts *parts, const struct archive *archive, struct error *err)
{
    uint64_t member_bytes = 0;

    for (size_t i = 0; i < archive->members.count; i++) {
        if (add_member(parts, archive, &archive->members.items[i], err) < 0)
            return -1;
        member_bytes += archive->members.items[i].size_bytes;
    }
    add_bytes(parts, "[archive headers and index]", "header", archive->size_bytes - member_bytes);
    return 0;
}

/* Adds all parts of the file and tells how large it is. */
static int read_parts(const char *path, struct parts *parts, uint64_t *file_bytes, struct error *err)
{
    struct archive archive;
    struct image image;
    int result = 0;

    if (archive_is_at(path)) {
        if (archive_open(path, &archive, err) < 0)
            return -1;
        *file_bytes = archive.size_bytes;
        result = add_archive(parts, &archive, err);
        archive_close(&archive);
        return result;
    }
    if (image_open(path, &image, err) < 0)
        return -1;
    *file_bytes = image.size_bytes;
    add_image(parts, &image, image.type == ET_REL);
    image_close(&image);
    return 0;
}

static void add_row(struct rows *rows, const struct part *part)
{
    union cell *cells = rows_add(rows);

    cells[SIZE_COLUMN].number = part->size_bytes;
    cells[MEMORY_COLUMN].number = part->memory_bytes;
    cells[NAME_COLUMN].text = arena_slice(&rows->arena, part->name);
    cells[KIND_COLUMN].text = part->kind;
    cells[COUNT_COLUMN].number = part->count;
    if (part->has_offset)
        cells[OFFSET_COLUMN].text =
            slice_of(arena_format(&rows->arena, "0x%llx", (unsigned long long)part->offset));
}

int sections_fill(const char *path, const struct bloatc_settings *settings, struct rows *rows,
                  struct error *err)
{
    SCOPED(parts_done) struct parts parts = {0};
    uint64_t file_bytes = 0;
    uint64_t memory_bytes = 0;

    if (path && read_parts(path, &parts, &file_bytes, err) < 0)
        return -1;
    add_columns(rows, file_bytes, settings->hide_shares);
    for (size_t i = 0; i < parts.items.count; i++) {
        add_row(rows, &parts.items.items[i]);
        memory_bytes += parts.items.items[i].memory_bytes;
    }
    rows_add_fact(rows, "file-size", file_bytes);
    rows_add_fact(rows, "memory-size", memory_bytes);
    rows->total_label = "the whole file";
    rows_sort(rows, settings->sort_by_name ? NAME_COLUMN : SIZE_COLUMN);
    return 0;
}
