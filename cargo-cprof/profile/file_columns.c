#include "profile/file_columns.h"

bool file_read_count(struct bytes *bytes, size_t *count)
{
    uint64_t number = bytes_uleb128(bytes);

    *count = (size_t)number;
    return !bytes->failed && number <= bytes_left(bytes) && number < PROFILE_NONE;
}

uint32_t file_read_below(struct bytes *bytes, size_t limit)
{
    uint64_t number = bytes_uleb128(bytes);

    if (number < limit && number <= UINT32_MAX)
        return (uint32_t)number;
    bytes->failed = true;
    return 0;
}

uint32_t file_read_string(struct bytes *bytes, const struct profile *profile)
{
    return file_read_below(bytes, profile->strings.entries.count);
}

uint32_t file_read_optional(struct bytes *bytes, size_t limit)
{
    return file_read_below(bytes, limit + 1) - 1;
}

void file_add_signed(struct text *out, uint64_t now, uint64_t before)
{
    bool is_back = now < before;

    /* The sign takes a bit: the step is cut to 63, which is exact for what differs by less than 2^63. */
    text_add_uleb128(out, (is_back ? before - now : now - before) << 1 | is_back);
}

uint64_t file_read_signed(struct bytes *bytes, uint64_t before)
{
    uint64_t step = bytes_uleb128(bytes);

    return step & 1 ? before - (step >> 1) : before + (step >> 1);
}

bool file_is_at_end(const struct bytes *bytes)
{
    return !bytes->failed && bytes->at == bytes->all.length;
}
