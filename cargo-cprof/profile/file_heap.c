#include "profile/file_columns.h"
#include "profile/file_tables.h"

void file_write_heap(const struct profile *profile, struct text *out)
{
    const struct heap_lacks *lacks = &profile->heap_lacks;

    if (!lacks->is_known)
        return;
    text_add_uleb128(out, lacks->allocator);
    text_add_uleb128(out, lacks->own_malloc);
    text_add_uleb128(out, lacks->elsewhere);
    text_add_uleb128(out, lacks->elsewhere_bytes);
    text_add_uleb128(out, lacks->told_count);
    text_add_uleb128(out, lacks->foreign_count);
    text_add_uleb128(out, lacks->silent_count);
    text_add_uleb128(out, lacks->silent_of_count);
    for (size_t i = 0; i < HEAP_SILENT_NAMES; i++)
        text_add_uleb128(out, lacks->silent_names[i]);
    text_add_uleb128(out, lacks->has_more_silent);
    text_add_uleb128(out, lacks->missed_count);
    text_add_uleb128(out, lacks->damaged_count);
    text_add_uleb128(out, lacks->lacks_slots);
    text_add_uleb128(out, lacks->is_followed);
}

bool file_read_heap(struct bytes *bytes, struct profile *profile)
{
    const size_t count_limit = (size_t)UINT32_MAX + 1;
    struct heap_lacks lacks = {.is_known = true, .allocator = file_read_string(bytes, profile)};

    lacks.own_malloc = file_read_string(bytes, profile);
    lacks.elsewhere = file_read_string(bytes, profile);
    lacks.elsewhere_bytes = bytes_uleb128(bytes);
    lacks.told_count = file_read_below(bytes, count_limit);
    lacks.foreign_count = file_read_below(bytes, count_limit);
    lacks.silent_count = file_read_below(bytes, count_limit);
    lacks.silent_of_count = file_read_below(bytes, count_limit);
    for (size_t i = 0; i < HEAP_SILENT_NAMES; i++)
        lacks.silent_names[i] = file_read_string(bytes, profile);
    lacks.has_more_silent = bytes_uleb128(bytes) != 0;
    lacks.missed_count = bytes_uleb128(bytes);
    lacks.damaged_count = bytes_uleb128(bytes);
    lacks.lacks_slots = bytes_uleb128(bytes) != 0;
    lacks.is_followed = bytes_left(bytes) > 0 && bytes_uleb128(bytes) != 0;
    profile->heap_lacks = lacks;
    /* A later writer of this version may know more of it. */
    return !bytes->failed;
}
