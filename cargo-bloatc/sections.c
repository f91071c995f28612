#include "sections.h"

#include "base/units.h"
#include "size/file_map.h"

enum { SHARE_COLUMN, SIZE_COLUMN, MEMORY_COLUMN, NAME_COLUMN, KIND_COLUMN, OFFSET_COLUMN };

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

static void add_part(struct rows *rows, const struct file_part *part)
{
    union cell *cells = rows_add(rows);
    struct slice name = part->section ? part->section->name : kinds[part->kind].name;

    if (name.length == 0)
        name = SLICE("[nameless]");
    cells[SIZE_COLUMN].number = part->file_bytes;
    cells[MEMORY_COLUMN].number = part->memory_bytes;
    cells[NAME_COLUMN].text = (struct slice){arena_copy(&rows->arena, name), name.length};
    cells[KIND_COLUMN].text = kinds[part->kind].kind;
    if (part->kind != FILE_PART_GAPS)
        cells[OFFSET_COLUMN].text =
            slice_of(arena_format(&rows->arena, "0x%llx", (unsigned long long)part->offset));
}

static uint64_t memory_total(const struct file_map *map)
{
    uint64_t total = 0;

    for (size_t i = 0; i < map->parts.count; i++)
        total += map->parts.items[i].memory_bytes;
    return total;
}

static void fill(const struct image *image, const struct bloatc_settings *settings, struct rows *rows)
{
    SCOPED(file_map_done) struct file_map map = {0};

    file_map_build(image, &map);
    add_columns(rows, image->size_bytes, settings->hide_shares);
    for (size_t i = 0; i < map.parts.count; i++)
        add_part(rows, &map.parts.items[i]);
    rows_add_fact(rows, "file-size", image->size_bytes);
    rows_add_fact(rows, "memory-size", memory_total(&map));
    rows->total_label = "the whole file";
    rows_sort(rows, settings->sort_by_name ? NAME_COLUMN : SIZE_COLUMN);
}

int sections_fill(const char *path, const struct bloatc_settings *settings, struct rows *rows,
                  struct error *err)
{
    struct image image;

    if (image_open(path, &image, err) < 0)
        return -1;
    fill(&image, settings, rows);
    image_close(&image);
    return 0;
}
