#include "base/bytes.h"

#include <endian.h>
#include <string.h>

struct bytes bytes_of(struct slice data, bool big_endian)
{
    return (struct bytes){.all = data, .big_endian = big_endian};
}

struct bytes bytes_of_ours(struct slice data)
{
    return bytes_of(data, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

size_t bytes_left(const struct bytes *bytes)
{
    return bytes->failed ? 0 : bytes->all.length - bytes->at;
}

void bytes_seek(struct bytes *bytes, uint64_t offset)
{
    if (offset > bytes->all.length)
        bytes->failed = true;
    else
        bytes->at = (size_t)offset;
}

struct slice bytes_take(struct bytes *bytes, uint64_t length)
{
    struct slice taken = {0};

    if (length > bytes_left(bytes)) {
        bytes->failed = true;
        return taken;
    }
    taken = slice_range(bytes->all, bytes->at, bytes->at + (size_t)length);
    bytes->at += (size_t)length;
    return taken;
}

/*
 * Takes `width` bytes, or says why not. Tables are read number by number, so this has to be short: where the
 * width is known it is one instruction that loads.
 */
__attribute__((always_inline)) static inline bool take_number(struct bytes *bytes, void *out, size_t width)
{
    if (bytes->failed || width > bytes->all.length - bytes->at) {
        bytes->failed = true;
        return false;
    }
    memcpy(out, bytes->all.data + bytes->at, width);
    bytes->at += width;
    return true;
}

uint16_t bytes_u16(struct bytes *bytes)
{
    uint16_t value = 0;

    if (!take_number(bytes, &value, sizeof(value)))
        return 0;
    return bytes->big_endian ? be16toh(value) : le16toh(value);
}

uint32_t bytes_u32(struct bytes *bytes)
{
    uint32_t value = 0;

    if (!take_number(bytes, &value, sizeof(value)))
        return 0;
    return bytes->big_endian ? be32toh(value) : le32toh(value);
}

uint64_t bytes_u64(struct bytes *bytes)
{
    uint64_t value = 0;

    if (!take_number(bytes, &value, sizeof(value)))
        return 0;
    return bytes->big_endian ? be64toh(value) : le64toh(value);
}

uint64_t bytes_unsigned(struct bytes *bytes, unsigned width)
{
    switch (width) {
    case 1:
        return bytes_u8(bytes);
    case 2:
        return bytes_u16(bytes);
    case 4:
        return bytes_u32(bytes);
    case 8:
        return bytes_u64(bytes);
    default:
        bytes->failed = true;
        return 0;
    }
}

/*
 * The groups of seven bits, lowest first, with how many bits they are and the last byte. Bits past
 * the 64th must repeat the sign or be zeros; `*spilled` collects them.
 */
static uint64_t take_leb128(struct bytes *bytes, unsigned *bits, uint8_t *spilled)
{
    enum { LAST_GROUP = 63, MORE = 0x80 };
    const char *data = bytes->all.data;
    uint64_t value = 0;
    unsigned shift = 0;

    for (size_t at = bytes->at; !bytes->failed && at < bytes->all.length && shift <= LAST_GROUP; shift += 7) {
        uint8_t byte = (uint8_t)data[at++];

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (shift == LAST_GROUP)
            *spilled = (byte & 0x7f) >> 1;
        if ((byte & MORE) == 0) {
            bytes->at = at;
            *bits = shift + 7;
            return value;
        }
    }
    bytes->failed = true;
    return 0;
}

uint64_t bytes_long_uleb128(struct bytes *bytes)
{
    unsigned bits = 0;
    uint8_t spilled = 0;
    uint64_t value = take_leb128(bytes, &bits, &spilled);

    if (spilled == 0)
        return value;
    bytes->failed = true;
    return 0;
}

int64_t bytes_long_sleb128(struct bytes *bytes)
{
    unsigned bits = 0;
    uint8_t spilled = 0;
    uint64_t value = take_leb128(bytes, &bits, &spilled);

    if (bits < 64 && bits > 0 && (value >> (bits - 1) & 1) != 0)
        value |= UINT64_MAX << bits;
    if (spilled == 0 || spilled == 0x3f)
        return (int64_t)value;
    bytes->failed = true;
    return 0;
}

struct slice bytes_string(struct bytes *bytes)
{
    struct slice rest = slice_range(bytes->all, bytes->at, bytes->all.length);
    size_t length = slice_find_byte(rest, '\0');

    if (bytes->failed || length == rest.length) {
        bytes->failed = true;
        return (struct slice){0};
    }
    bytes->at += length + 1;
    return slice_range(rest, 0, length);
}
