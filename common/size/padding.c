#include "size/padding.h"

#include "base/bytes.h"
#include "base/compiler.h"
#include "elf/constants.h"

/* One instruction that fills space, on machines whose instructions are words. */
struct filler {
    uint16_t machine;
    uint8_t width;    /* bytes */
    uint8_t boundary; /* addresses it stands at are multiples of this */
    uint32_t value;
};

/* No-operation as assemblers emit it, and the trap that lld fills code with. */
static const struct filler fillers[] = {
    {EM_AARCH64, 4, 4, 0xd503201f},  /* nop */
    {EM_AARCH64, 4, 4, 0xd4200020},  /* brk #1 */
    {EM_ARM, 4, 4, 0xe320f000},      /* nop */
    {EM_ARM, 4, 4, 0xe1a00000},      /* mov r0, r0 */
    {EM_ARM, 2, 2, 0xd4d4},          /* half of lld's trap, which it begins where Thumb code ends */
    {EM_ARM, 2, 2, 0xbf00},          /* Thumb nop */
    {EM_ARM, 2, 2, 0x46c0},          /* Thumb mov r8, r8 */
    {EM_RISCV, 4, 2, 0x00000013},    /* nop */
    {EM_RISCV, 2, 2, 0x0001},        /* c.nop */
    {EM_PPC64, 4, 4, 0x60000000},    /* nop */
    {EM_PPC64, 4, 4, 0x7fe00008},    /* trap */
    {EM_PPC, 4, 4, 0x60000000},      /* nop */
    {EM_PPC, 4, 4, 0x7fe00008},      /* trap */
    {EM_S390, 2, 2, 0x0707},         /* nopr %r7 */
    {EM_S390, 2, 2, 0x0700},         /* nopr */
    {EM_MIPS, 4, 4, 0x04170001},     /* sigrie 1 */
    {EM_SPARCV9, 4, 4, 0x01000000},  /* nop */
    {EM_LOONGARCH, 4, 4, 0x03400000} /* andi $zero, $zero, 0 */
};

static bool is_x86(uint16_t machine)
{
    return machine == EM_X86_64 || machine == EM_386;
}

static bool is_known(uint16_t machine)
{
    for (size_t i = 0; i < ARRAY_COUNT(fillers); i++)
        if (fillers[i].machine == machine)
            return true;
    return is_x86(machine);
}

/*
 * Length of a ModRM operand in memory: the byte itself, SIB and displacement (Intel SDM volume 2,
 * §2.1.3), 0 when it is none that a no-operation has.
 */
static size_t operand_length(struct slice code)
{
    uint8_t modrm = code.length > 0 ? (uint8_t)code.data[0] : 0xff;
    unsigned mode = modrm >> 6;
    bool has_sib = (modrm & 7) == 4;
    size_t displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;

    if (mode == 3 || (mode == 0 && (modrm & 7) == 5))
        return 0;
    return 1 + has_sib + displacement;
}

/* "lea 0(%esi), %esi" in its lengths and "mov %esi, %esi": 32-bit assemblers' fillers. */
static size_t old_x86_filler_length(struct slice code)
{
    static const struct slice forms[] = {
        SLICE("\x8d\xb4\x26\0\0\0\0"), SLICE("\x8d\xb6\0\0\0\0"), SLICE("\x8d\x74\x26\0"),
        SLICE("\x8d\x76\0"),           SLICE("\x89\xf6"),
    };

    for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
        if (slice_starts_with(code, forms[i]))
            return forms[i].length;
    return 0;
}

/*
 * Length of the filler that `code` starts with, 0 when it is none: int3, nop (90) and the long
 * nop (0f 1f /0), both behind any operand-size and segment prefixes.
 */
static size_t x86_filler_length(uint16_t machine, struct slice code)
{
    enum { LONGEST_INSTRUCTION = 15 };
    size_t prefixes = 0;
    size_t operand = 0;
    struct slice rest;

    if (code.length > 0 && code.data[0] == '\xcc')
        return 1;
    while (prefixes < code.length && prefixes < LONGEST_INSTRUCTION &&
           (code.data[prefixes] == '\x66' || code.data[prefixes] == '\x2e' || code.data[prefixes] == '\x3e'))
        prefixes++;
    rest = slice_range(code, prefixes, code.length);
    if (slice_starts_with(rest, SLICE("\x90")))
        return prefixes + 1;
    if (machine == EM_386 && old_x86_filler_length(rest) > 0)
        return prefixes + old_x86_filler_length(rest);
    if (!slice_starts_with(rest, SLICE("\x0f\x1f")) || rest.length < 3 || (rest.data[2] & 0x38) != 0)
        return 0;
    operand = operand_length(slice_range(rest, 2, rest.length));
    if (operand == 0 || prefixes + 2 + operand > LONGEST_INSTRUCTION || 2 + operand > rest.length)
        return 0;
    return prefixes + 2 + operand;
}

/* AArch64, RISC-V and today's ARM (BE8) keep instructions little-endian in big-endian files. */
static bool has_big_endian_code(const struct padding_style *style)
{
    return style->big_endian && style->machine != EM_AARCH64 && style->machine != EM_RISCV &&
           style->machine != EM_ARM;
}

static size_t word_filler_length(const struct padding_style *style, struct slice code, uint64_t svma)
{
    for (size_t i = 0; i < ARRAY_COUNT(fillers); i++) {
        const struct filler *filler = &fillers[i];
        struct bytes cursor = bytes_of(code, has_big_endian_code(style));

        if (filler->machine == style->machine && svma % filler->boundary == 0 &&
            bytes_unsigned(&cursor, filler->width) == filler->value && !cursor.failed)
            return filler->width;
    }
    return 0;
}

/* Length of the one filler at the start of `code`, which stands at `svma`; 0 when it is none. */
static size_t filler_length(const struct padding_style *style, struct slice code, uint64_t svma)
{
    if (!style->is_code)
        return 0;
    if (is_x86(style->machine))
        return x86_filler_length(style->machine, code);
    return word_filler_length(style, code, svma);
}

/* How far fillers reach from the start, zeros counted as such or not. */
static size_t leading_length(const struct padding_style *style, struct slice gap, uint64_t svma,
                             bool zeros_too)
{
    size_t at = 0;

    while (at < gap.length) {
        size_t length = filler_length(style, slice_range(gap, at, gap.length), svma + at);

        if (length == 0 && zeros_too && gap.data[at] == '\0')
            length = 1;
        if (length == 0)
            break;
        at += length;
    }
    return at;
}

/* The lowest offset not below `start` from which fillers reach exactly to the end. */
static size_t trailing_start(const struct padding_style *style, struct slice gap, uint64_t svma, size_t start)
{
    const uint32_t in_reach = 0xffff; /* no filler is longer than 16 bytes */
    uint32_t reaches = 1;             /* bit k: from k bytes past the current offset fillers reach the end */
    size_t lowest = gap.length;

    for (size_t at = gap.length; at-- > start && (reaches & in_reach) != 0;) {
        size_t length = filler_length(style, slice_range(gap, at, gap.length), svma + at);

        reaches <<= 1;
        if (length > 0 && reaches >> length & 1) {
            reaches |= 1;
            lowest = at;
        }
    }
    return lowest;
}

struct padding_split padding_split(const struct padding_style *style, struct slice gap, uint64_t gap_svma)
{
    struct padding_split split = {gap.length, gap.length};

    if (leading_length(style, gap, gap_svma, true) == gap.length)
        return split;
    if (style->is_code && !is_known(style->machine) && gap.length < PADDING_LONGEST_GUESS &&
        (gap_svma + gap.length) % 4 == 0)
        return split;
    split.content_start = leading_length(style, gap, gap_svma, false);
    split.content_end = trailing_start(style, gap, gap_svma, split.content_start);
    return split;
}
