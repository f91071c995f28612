#include "preload/linked/instruction.h"

#include <stdbool.h>
#include <string.h>

/* What follows an opcode. */
enum shape {
    NONE,
    OTHER = 1, /* not known here */
    MODRM = 2,
    IMM8 = 4,
    IMM16 = 8,
    IMMZ = 16, /* 32 bits, or 16 */
    IMMV = 32, /* 64 bits, 32 or 16 */
    FAR = 64,  /* an address */
    REL8 = 128,
    REL32 = 256,
};

enum { MOST_BYTES = 15, OPERAND_SIZE = 0x66, ADDRESS_SIZE = 0x67, WIDE = 8, RIP_RELATIVE = 5, HAS_SIB = 4 };

struct reader {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    bool is_short; /* it ends before the instruction does */
    bool has_small_operands;
    bool has_small_addresses;
    bool is_wide;
};

static uint8_t take(struct reader *reader)
{
    if (reader->at >= reader->size) {
        reader->is_short = true;
        return 0;
    }
    return reader->bytes[reader->at++];
}

static bool is_between(uint8_t opcode, uint8_t first, uint8_t last)
{
    return opcode >= first && opcode <= last;
}

/* --- Opcodes ------------------------------------------------------------------------------------------- */

static unsigned arithmetic_shape(uint8_t opcode)
{
    static const uint16_t shapes[] = {MODRM, MODRM, MODRM, MODRM, IMM8, IMMZ, OTHER, OTHER};

    return shapes[opcode & 7];
}

/* From 0x60 to 0x9f. */
static unsigned middle_shape(uint8_t opcode)
{
    if (is_between(opcode, 0x70, 0x7f))
        return REL8;
    if (is_between(opcode, 0x84, 0x8e) || opcode == 0x63)
        return MODRM;
    switch (opcode) {
    case 0x68:
        return IMMZ;
    case 0x6a:
        return IMM8;
    case 0x69:
    case 0x81:
        return MODRM | IMMZ;
    case 0x6b:
    case 0x80:
    case 0x83:
        return MODRM | IMM8;
    case 0x8f:
        return MODRM;
    default:
        return opcode < 0x68 || opcode == 0x82 || opcode == 0x9a ? OTHER : NONE;
    }
}

/* From 0xa0 to 0xcf. */
static unsigned upper_shape(uint8_t opcode)
{
    if (opcode < 0xa4)
        return FAR;
    if (is_between(opcode, 0xb0, 0xb7))
        return IMM8;
    if (is_between(opcode, 0xb8, 0xbf))
        return IMMV;
    switch (opcode) {
    case 0xa8:
    case 0xcd:
        return IMM8;
    case 0xa9:
        return IMMZ;
    case 0xc0:
    case 0xc1:
    case 0xc6:
        return MODRM | IMM8;
    case 0xc2:
    case 0xca:
        return IMM16;
    case 0xc7:
        return MODRM | IMMZ;
    case 0xc8:
        return IMM16 | IMM8;
    case 0xce:
        return OTHER;
    default:
        return NONE;
    }
}

/* From 0xd0 on. Those of 0xf6 and 0xf7 with a number are told by their ModRM byte. */
static unsigned last_shape(uint8_t opcode)
{
    if (is_between(opcode, 0xd0, 0xd3) || is_between(opcode, 0xd8, 0xdf) || is_between(opcode, 0xf6, 0xf7) ||
        opcode >= 0xfe)
        return MODRM;
    if (is_between(opcode, 0xe0, 0xe3) || opcode == 0xeb)
        return REL8;
    if (is_between(opcode, 0xe4, 0xe7))
        return IMM8;
    if (opcode == 0xe8 || opcode == 0xe9)
        return REL32;
    return is_between(opcode, 0xd4, 0xd6) || opcode == 0xea || opcode == 0xf0 || opcode == 0xf2 ||
                   opcode == 0xf3
               ? OTHER
               : NONE;
}

static unsigned first_map_shape(uint8_t opcode)
{
    if (opcode < 0x40)
        return arithmetic_shape(opcode);
    if (opcode < 0x60)
        return opcode < 0x50 ? OTHER : NONE; /* a second REX prefix */
    if (opcode < 0xa0)
        return middle_shape(opcode);
    return opcode < 0xd0 ? upper_shape(opcode) : last_shape(opcode);
}

/* Behind 0x0f, and of VEX's and EVEX's first map. */
static unsigned second_map_shape(uint8_t opcode)
{
    if (is_between(opcode, 0x80, 0x8f))
        return REL32;
    if (is_between(opcode, 0x05, 0x09) || opcode == 0x0b || opcode == 0x0e ||
        is_between(opcode, 0x30, 0x35) || opcode == 0x37 || opcode == 0x77 ||
        is_between(opcode, 0xa0, 0xa2) || is_between(opcode, 0xa8, 0xaa) || is_between(opcode, 0xc8, 0xcf))
        return NONE;
    if (is_between(opcode, 0x70, 0x73) || opcode == 0x0f || opcode == 0xa4 || opcode == 0xac ||
        opcode == 0xba || opcode == 0xc2 || is_between(opcode, 0xc4, 0xc6))
        return MODRM | IMM8;
    if (opcode == 0x04 || opcode == 0x0a || opcode == 0x0c || is_between(opcode, 0x20, 0x27) ||
        opcode == 0x36 || is_between(opcode, 0x38, 0x3f) || opcode == 0x78 || opcode == 0x79 ||
        is_between(opcode, 0x7a, 0x7b) || is_between(opcode, 0xa6, 0xa7))
        return OTHER;
    return MODRM;
}

/* Of VEX's and EVEX's maps: 1 is the one behind 0x0f, 2 behind 0x0f 0x38, 3 behind 0x0f 0x3a. */
static unsigned vector_map_shape(unsigned map, uint8_t opcode)
{
    unsigned shape = second_map_shape(opcode);

    switch (map) {
    case 1:
        return shape == REL32 || opcode == 0x0f ? OTHER : shape;
    case 2:
    case 5:
    case 6:
        return MODRM;
    case 3:
        return MODRM | IMM8;
    default:
        return OTHER;
    }
}

/* --- Parts --------------------------------------------------------------------------------------------- */

static uint8_t skip_prefixes(struct reader *reader)
{
    static const uint8_t prefixes[] = {0x26,         0x2e,         0x36, 0x3e, 0x64, 0x65,
                                       OPERAND_SIZE, ADDRESS_SIZE, 0xf0, 0xf2, 0xf3};
    uint8_t byte = take(reader);

    for (size_t i = 0; i < sizeof(prefixes);) {
        if (byte != prefixes[i++])
            continue;
        reader->has_small_operands |= byte == OPERAND_SIZE;
        reader->has_small_addresses |= byte == ADDRESS_SIZE;
        byte = take(reader);
        i = 0;
    }
    if (is_between(byte, 0x40, 0x4f)) {
        reader->is_wide = byte & WIDE;
        byte = take(reader);
    }
    return byte;
}

/* Takes VEX's or EVEX's bytes and the opcode. */
static unsigned vector_shape(struct reader *reader, uint8_t byte)
{
    unsigned map = 1;

    if (byte != 0xc5)
        map = take(reader) & (byte == 0xc4 ? 0x1f : 7);
    take(reader);
    if (byte == 0x62)
        take(reader);
    return vector_map_shape(map, take(reader));
}

static unsigned opcode_shape(struct reader *reader, uint8_t *opcode)
{
    uint8_t byte = skip_prefixes(reader);

    *opcode = byte;
    if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
        return vector_shape(reader, byte);
    if (byte != 0x0f)
        return first_map_shape(byte);
    byte = take(reader);
    if (byte != 0x38 && byte != 0x3a)
        return second_map_shape(byte);
    take(reader);
    return byte == 0x38 ? MODRM : MODRM | IMM8;
}

/* The ModRM byte and what it asks for. Returns where the distance from the end is, or 0. */
static size_t take_operand(struct reader *reader, uint8_t *modrm)
{
    unsigned mode = 0;
    unsigned base = 0;
    size_t at = 0;

    *modrm = take(reader);
    mode = *modrm >> 6;
    base = *modrm & 7;
    if (mode == 3)
        return 0;
    at = mode == 0 && base == RIP_RELATIVE ? reader->at : 0;
    if (base == HAS_SIB)
        base = take(reader) & 7;
    if (mode == 1)
        reader->at += 1;
    else if (mode == 2 || base == RIP_RELATIVE)
        reader->at += 4;
    return at;
}

static size_t number_bytes(const struct reader *reader, unsigned shape)
{
    size_t small = reader->has_small_operands ? 2 : 4;
    size_t bytes = (shape & (IMM8 | REL8) ? 1 : 0) + (shape & IMM16 ? 2 : 0) + (shape & REL32 ? 4 : 0);

    if (shape & IMMZ)
        bytes += reader->is_wide ? 4 : small;
    if (shape & IMMV)
        bytes += reader->is_wide ? 8 : small;
    if (shape & FAR)
        bytes += reader->has_small_addresses ? 4 : 8;
    return bytes;
}

/* 0xf6 and 0xf7 with a number are `test`, 0xc6 and 0xc7 may be of transactions, and 0x8f of AMD's XOP. */
static unsigned shape_by_modrm(unsigned shape, uint8_t opcode, uint8_t modrm)
{
    if (opcode == 0xc6 || opcode == 0xc7)
        return modrm == 0xf8 ? OTHER : shape;
    if (opcode == 0x8f)
        return (modrm >> 3 & 7) > 0 ? OTHER : shape;
    if ((opcode != 0xf6 && opcode != 0xf7) || (modrm >> 3 & 7) > 1)
        return shape;
    return shape | (opcode == 0xf6 ? IMM8 : IMMZ);
}

struct instruction instruction_read(const uint8_t *bytes, size_t size)
{
    struct reader reader = {.bytes = bytes, .size = size < MOST_BYTES ? size : MOST_BYTES};
    struct instruction out = {0};
    uint8_t opcode = 0;
    uint8_t modrm = 0;
    unsigned shape = opcode_shape(&reader, &opcode);

    if (shape & MODRM) {
        out.distance_at = (uint8_t)take_operand(&reader, &modrm);
        out.relative = out.distance_at ? INSTRUCTION_DATA : INSTRUCTION_PLACELESS;
        shape = shape_by_modrm(shape, opcode, modrm);
    }
    if (shape & (REL8 | REL32)) {
        out.distance_at = (uint8_t)reader.at;
        out.relative = shape & REL8     ? INSTRUCTION_SHORT_JUMP
                       : opcode == 0xe8 ? INSTRUCTION_CALL
                                        : INSTRUCTION_JUMP;
    }
    reader.at += number_bytes(&reader, shape);
    if ((shape & OTHER) || reader.is_short || reader.at > reader.size ||
        (reader.has_small_operands && (shape & REL32)))
        return (struct instruction){0};
    out.length = (uint8_t)reader.at;
    return out;
}

int64_t instruction_distance(const struct instruction *instruction, const uint8_t *bytes)
{
    int32_t far = 0;

    if (instruction->relative == INSTRUCTION_PLACELESS)
        return 0;
    if (instruction->relative == INSTRUCTION_SHORT_JUMP)
        return (int8_t)bytes[instruction->distance_at];
    memcpy(&far, bytes + instruction->distance_at, sizeof(far));
    return far;
}
