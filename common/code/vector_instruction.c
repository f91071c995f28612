#include "code/vector_instruction.h"

#include "base/bytes.h"

/* Of those in the map 0F, the ones that end with a byte of their own. */
static bool has_immediate(uint8_t opcode)
{
    return (opcode >= 0x70 && opcode <= 0x73) || (opcode >= 0xc2 && opcode <= 0xc6 && opcode != 0xc3);
}

bool vector_instruction_read(struct slice bytes, struct vector_instruction *out)
{
    struct bytes cursor = bytes_of(bytes, false);
    uint8_t prefix = bytes_u8(&cursor);
    uint8_t map = prefix == 0xc5 ? 1 : bytes_u8(&cursor) & (prefix == 0xc4 ? 0x1f : 0x07);
    struct vector_instruction found = {0};
    uint8_t opcode = 0;
    uint8_t modrm = 0;
    uint8_t base = 0;

    if ((prefix != 0xc4 && prefix != 0xc5 && prefix != 0x62) || map < 1 || map > 3)
        return false;
    bytes_skip(&cursor, prefix == 0x62 ? 2 : 1);
    opcode = bytes_u8(&cursor);
    if (map != 1 || opcode != 0x77) { /* VZEROUPPER, VZEROALL: no operands */
        modrm = bytes_u8(&cursor);
        base = modrm & 7;
        if (modrm >> 6 != 3 && base == 4)
            base = bytes_u8(&cursor) & 7;
        found.is_relative = (modrm & 0xc7) == 0x05;
        if (modrm >> 6 == 1)
            bytes_u8(&cursor);
        else if (modrm >> 6 == 2 || (modrm >> 6 == 0 && base == 5))
            found.displacement = (int32_t)bytes_u32(&cursor);
        if (map == 3 || (map == 1 && has_immediate(opcode)))
            bytes_u8(&cursor);
    }
    if (cursor.failed)
        return false;
    found.length = cursor.at;
    *out = found;
    return true;
}
