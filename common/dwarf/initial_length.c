#include "dwarf/initial_length.h"

bool initial_length_take(struct bytes *cursor, uint64_t *length, uint8_t *offset_bytes)
{
    *offset_bytes = 4;
    *length = bytes_u32(cursor);
    if (*length == UINT32_MAX) {
        *offset_bytes = 8;
        *length = bytes_u64(cursor);
    }
    return !cursor->failed;
}

bool initial_length_read(struct bytes *cursor, uint64_t *length, uint8_t *offset_bytes)
{
    return initial_length_take(cursor, length, offset_bytes) && *length <= bytes_left(cursor);
}
