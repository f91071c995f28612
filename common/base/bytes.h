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

/* How many bytes are left; 0 after a failure. */
size_t bytes_left(const struct bytes *bytes);

/* Moves to `offset` from the start. */
void bytes_seek(struct bytes *bytes, uint64_t offset);

/* `length` bytes as they are; the empty slice after a failure. */
struct slice bytes_take(struct bytes *bytes, uint64_t length);

uint8_t bytes_u8(struct bytes *bytes);
uint16_t bytes_u16(struct bytes *bytes);
uint32_t bytes_u32(struct bytes *bytes);
uint64_t bytes_u64(struct bytes *bytes);

/* A number of `width` bytes: 1, 2, 4 or 8; any other width fails. */
uint64_t bytes_unsigned(struct bytes *bytes, unsigned width);

/* LEB128 (DWARF 5, §7.6); one that does not fit 64 bits fails. */
uint64_t bytes_uleb128(struct bytes *bytes);
int64_t bytes_sleb128(struct bytes *bytes);

/* Up to the next NUL, which must be there and is taken too; the slice is without it. */
struct slice bytes_string(struct bytes *bytes);

#endif
