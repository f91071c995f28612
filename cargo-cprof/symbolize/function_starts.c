#include "symbolize/function_starts.h"

/* The encodings of DWARF exception headers that are understood here. */
enum { ENCODING_UNSIGNED_4 = 0x03, ENCODING_SIGNED_4_FROM_SECTION = 0x3b, ENTRY_BYTES = 8 };

/* The bytes of the pointer to .eh_frame, or 0 when it is of a form that linkers do not write. */
static unsigned pointer_bytes(uint8_t encoding)
{
    switch (encoding & 0x0f) {
    case 0x03: /* unsigned and signed, four bytes */
    case 0x0b:
        return 4;
    case 0x04: /* eight bytes */
    case 0x0c:
        return 8;
    default:
        return 0;
    }
}

static void read_entries(struct bytes *table, uint64_t section_svma, uint64_t count,
                         struct function_starts *out)
{
    for (uint64_t i = 0; i < count && bytes_left(table) >= ENTRY_BYTES; i++) {
        uint64_t start = section_svma + (uint64_t)(int64_t)(int32_t)bytes_u32(table);

        bytes_u32(table); /* where its description is */
        if (out->items.count > 0 && start < out->items.items[out->items.count - 1])
            return;
        *vec_add(&out->items) = start;
    }
}

void function_starts_read(struct image *image, struct function_starts *out)
{
    const struct section *section = sections_find(&image->sections, SLICE(".eh_frame_hdr"));
    struct slice data = {0};
    struct error err = {0};
    struct bytes table = {0};
    unsigned skipped = 0;
    bool is_known = false;

    *out = (struct function_starts){0};
    if (!section || image_read_section(image, section, &data, &err) < 0)
        return;
    table = image_cursor(image, data);
    is_known = bytes_u8(&table) == 1;
    skipped = pointer_bytes(bytes_u8(&table));
    is_known = is_known && bytes_u8(&table) == ENCODING_UNSIGNED_4;
    is_known = is_known && bytes_u8(&table) == ENCODING_SIGNED_4_FROM_SECTION && skipped > 0;
    bytes_skip(&table, skipped);
    if (is_known)
        read_entries(&table, section->svma, bytes_u32(&table), out);
}

bool function_starts_find(const struct function_starts *starts, uint64_t svma, uint64_t *start)
{
    size_t low = 0;
    size_t high = starts->items.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (starts->items.items[middle] <= svma)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    *start = starts->items.items[low - 1];
    return true;
}
