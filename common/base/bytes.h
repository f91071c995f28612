/*
 * A cursor over untrusted binary data. A read past the end gives 0, takes nothing and
 * marks the cursor `failed`, which stays: a whole record is read first and checked once.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

struct bytes {
    struct slice all;
    size_t at;       /* offset of the next read; at most all.length */
    bool big_endian; /* order of the numbers in the data */
    bool failed;     /* a read or a seek went past the end */
};

struct bytes bytes_of(struct slice data, bool big_endian);

/* The same of what this machine, or its kernel, has written. */
struct bytes bytes_of_ours(struct slice data);

/* How many bytes are left; 0 after a failure. */
size_t bytes_left(const struct bytes *bytes);

/* Moves to `offset` from the start. */
void bytes_seek(struct bytes *bytes, uint64_t offset);

/* `length` bytes as they are; the empty slice after a failure. */
struct slice bytes_take(struct bytes *bytes, uint64_t length);

/* Debug information is read byte by byte, millions of them: what is done most has to be short. */
static inline uint8_t bytes_u8(struct bytes *bytes)
{
    if (bytes->failed || bytes->at >= bytes->all.length) {
        bytes->failed = true;
        return 0;
    }
    return (uint8_t)bytes->all.data[bytes->at++];
}

uint16_t bytes_u16(struct bytes *bytes);
uint32_t bytes_u32(struct bytes *bytes);
uint64_t bytes_u64(struct bytes *bytes);

/* Moves over `length` bytes. */
static inline void bytes_skip(struct bytes *bytes, uint64_t length)
{
    if (bytes->failed || length > bytes->all.length - bytes->at)
        bytes->failed = true;
    else
        bytes->at += (size_t)length;
}

/* A number of `width` bytes: 1, 2, 4 or 8; any other width fails. */
uint64_t bytes_unsigned(struct bytes *bytes, unsigned width);

/* LEB128 (DWARF 5, §7.6) of any length; one that does not fit 64 bits fails. */
uint64_t bytes_long_uleb128(struct bytes *bytes);
int64_t bytes_long_sleb128(struct bytes *bytes);

/* Whether the next number is one byte of LEB128, as most are. */
static inline bool bytes_is_short_leb128(const struct bytes *bytes)
{
    return !bytes->failed && bytes->at < bytes->all.length && (bytes->all.data[bytes->at] & 0x80) == 0;
}

static inline uint64_t bytes_uleb128(struct bytes *bytes)
{
    return bytes_is_short_leb128(bytes) ? (uint8_t)bytes->all.data[bytes->at++] : bytes_long_uleb128(bytes);
}

static inline int64_t bytes_sleb128(struct bytes *bytes)
{
    enum { SIGN = 0x40, RANGE = 0x80 };
    int64_t value = 0;

    if (!bytes_is_short_leb128(bytes))
        return bytes_long_sleb128(bytes);
    value = (uint8_t)bytes->all.data[bytes->at++];
    return value & SIGN ? value - RANGE : value;
}

/* Up to the next NUL, which must be there and is taken too; the slice is without it. */
struct slice bytes_string(struct bytes *bytes);

#endif
