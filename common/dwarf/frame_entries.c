#include "dwarf/frame_entries.h"

#include <elf.h>

#include "base/memory.h"
#include "dwarf/cfi_entries.h"

static void read_entry(struct cfi_reader *reader, struct cfi_entry *entry, struct frame_entry *out)
{
    struct cfi_description description;

    out->size_bytes = entry->cursor.all.length - out->offset;
    if (bytes_left(&entry->cursor) == 0 || cfi_is_common(reader, entry) ||
        !cfi_take_description(reader, entry, &description))
        return;
    out->is_description = true;
    out->code_svma = description.start;
    out->table_svma = description.table_svma;
    out->common = entry->id_offset - entry->id;
}

/* Of an object entries say whose they are only where it was linked alone. */
static bool has_addresses(const struct image *image, const struct section *section)
{
    return image->type != ET_REL || (image->is_linked_alone && section && image_is_settled(image, section));
}

int frame_entries_read(struct image *image, struct frame_entries *out, struct error *err)
{
    SCOPED(memory_free_at) char *owned = NULL;
    struct cfi cfi = {0};
    struct cfi_reader reader = {.image = image, .cfi = &cfi};
    struct frame_entries entries = {.section = sections_find(&image->sections, SLICE(".eh_frame"))};
    struct cfi_entry entry;
    uint64_t at = 0;

    if (has_addresses(image, entries.section) &&
        cfi_open_section(image, SLICE(".eh_frame"), &reader, &owned, err) < 0)
        return -1;
    while (at < reader.content.length && cfi_take_entry(&reader, at, &entry)) {
        struct frame_entry taken = {.offset = at};

        read_entry(&reader, &entry, &taken);
        at += taken.size_bytes;
        *vec_add(&entries.items) = taken;
    }
    *out = entries;
    return 0;
}

void frame_entries_done(struct frame_entries *entries)
{
    vec_done(&entries->items);
    *entries = (struct frame_entries){0};
}
