#include "account/file_map.h"

#include <elf.h>

static void add_part(struct file_map *map, enum file_part_kind kind, uint64_t offset, uint64_t file_bytes)
{
    if (file_bytes > 0)
        *vec_add(&map->parts) = (struct file_part){.kind = kind, .offset = offset, .file_bytes = file_bytes};
}

static void add_sections(const struct image *image, struct file_map *map)
{
    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (section->type == SHT_NULL)
            continue;
        *vec_add(&map->parts) = (struct file_part){
            .section = section,
            .offset = section->file_offset,
            .file_bytes = section->file_bytes,
            .memory_bytes = section->memory_bytes,
            .kind = FILE_PART_SECTION,
        };
    }
}

/* By place; of those at one place the longest first, so that it is the one that owns the bytes. */
static int compare_parts(const void *left, const void *right)
{
    const struct file_part *a = left;
    const struct file_part *b = right;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->file_bytes != b->file_bytes)
        return a->file_bytes > b->file_bytes ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->section < b->section ? -1 : a->section > b->section;
}

/* Takes from each part what an earlier one has or the file does not hold, and adds up what is nobody's. */
static void settle(struct file_map *map, uint64_t size_bytes)
{
    uint64_t at = 0;

    for (size_t i = 0; i < map->parts.count; i++) {
        struct file_part *part = &map->parts.items[i];
        uint64_t start = part->offset < size_bytes ? part->offset : size_bytes;
        uint64_t room = size_bytes - start;
        uint64_t end = start + (part->file_bytes < room ? part->file_bytes : room);

        if (end == start || end <= at) {
            part->file_bytes = 0;
            continue;
        }
        if (start > at)
            map->gap_bytes += start - at;
        part->file_bytes = end - (start > at ? start : at);
        at = end;
    }
    map->gap_bytes += size_bytes - at;
}

void file_map_build(const struct image *image, struct file_map *out)
{
    struct file_map map = {0};

    add_part(&map, FILE_PART_HEADER, 0, image->header_bytes);
    add_part(&map, FILE_PART_PROGRAM_HEADERS, image->program_offset,
             (uint64_t)image->program_count * image->program_entry_bytes);
    add_part(&map, FILE_PART_SECTION_HEADERS, image->section_table_offset, image->section_table_bytes);
    add_sections(image, &map);
    vec_sort(&map.parts, compare_parts);
    settle(&map, image->size_bytes);
    add_part(&map, FILE_PART_GAPS, 0, map.gap_bytes);
    *out = map;
}

void file_map_done(struct file_map *map)
{
    vec_done(&map->parts);
    *map = (struct file_map){0};
}
