#include "code/aarch64.h"

#include "base/bytes.h"

enum { REGISTERS = 32, NO_REGISTER = 31, INSTRUCTION_BYTES = 4, CALLED_MAY_CHANGE = 19 };

/* What is known of the registers while instructions are read in order. */
struct reader {
    const struct disassemble_request *request;
    struct code_references *out;
    uint64_t svma; /* of the instruction */
    uint64_t page[REGISTERS];
    uint32_t has_page; /* a bit a register */
};

static uint32_t field(uint32_t instruction, unsigned shift, unsigned width)
{
    return instruction >> shift & ((1U << width) - 1);
}

/* A field of `width` bits as a signed number. */
static uint64_t extended(uint64_t value, unsigned width)
{
    uint64_t sign = (uint64_t)1 << (width - 1);

    return (value ^ sign) - sign;
}

static void refer(const struct reader *reader, uint64_t target)
{
    if (target >= reader->request->targets_start && target < reader->request->targets_end)
        *vec_add(&reader->out->items) = (struct code_reference){reader->svma, target, false};
}

static bool holds_page(const struct reader *reader, uint32_t number)
{
    return number != NO_REGISTER && reader->has_page >> number & 1;
}

static void forget(struct reader *reader, uint32_t number)
{
    reader->has_page &= ~(1U << number);
}

/* ADR and ADRP. */
static void read_address(struct reader *reader, uint32_t instruction)
{
    uint32_t target = field(instruction, 0, 5);
    uint64_t offset = extended((uint64_t)field(instruction, 5, 19) << 2 | field(instruction, 29, 2), 21);

    forget(reader, target);
    if (instruction >> 31 == 0) {
        refer(reader, reader->svma + offset);
        return;
    }
    reader->page[target] = (reader->svma & ~(uint64_t)0xfff) + (offset << 12);
    reader->has_page |= 1U << target;
}

/* ADD (immediate) of 64 bits. */
static void read_add(struct reader *reader, uint32_t instruction)
{
    uint32_t from = field(instruction, 5, 5);
    uint64_t offset = (uint64_t)field(instruction, 10, 12) << (field(instruction, 22, 1) ? 12 : 0);

    if (holds_page(reader, from))
        refer(reader, reader->page[from] + offset);
    forget(reader, field(instruction, 0, 5));
}

/* How many bytes a load or store with an unsigned offset moves, as a power of 2. */
static unsigned access_shift(uint32_t instruction)
{
    bool is_vector = field(instruction, 26, 1);

    return is_vector && field(instruction, 30, 2) == 0 && field(instruction, 23, 1)
               ? 4
               : field(instruction, 30, 2);
}

/*
 * What exclusive and atomic accesses put into registers: what was in memory, or whether it was done. Those
 * that compare have it in the register that they compare with.
 */
static void forget_of_atomic(struct reader *reader, uint32_t instruction)
{
    bool is_exclusive = (instruction & 0x3f000000) == 0x08000000; /* CAS and CASP, too */
    bool is_operation = (instruction & 0x3b200c00) == 0x38200000; /* LDADD, SWP and the like */
    uint32_t target = field(instruction, 0, 5);
    uint32_t compared = field(instruction, 16, 5);

    if (is_operation || is_exclusive)
        forget(reader, target);
    if (!is_exclusive)
        return;
    forget(reader, field(instruction, 10, 5));
    forget(reader, compared);
    forget(reader, compared | 1); /* of CASP, which takes them in pairs from an even one on */
}

static void read_access(struct reader *reader, uint32_t instruction)
{
    uint32_t base = field(instruction, 5, 5);
    bool is_vector = field(instruction, 26, 1);
    bool is_literal = field(instruction, 27, 3) == 3 && field(instruction, 24, 2) == 0;
    bool has_offset = field(instruction, 27, 3) == 7 && field(instruction, 24, 2) == 1;
    bool is_pair = field(instruction, 27, 3) == 5;
    bool is_store = !is_literal && field(instruction, 22, 2) == 0;

    if (is_literal)
        refer(reader, reader->svma + extended((uint64_t)field(instruction, 5, 19) << 2, 21));
    else if (has_offset && holds_page(reader, base))
        refer(reader,
              reader->page[base] + ((uint64_t)field(instruction, 10, 12) << access_shift(instruction)));
    forget_of_atomic(reader, instruction);
    /* Before and after indexed forms change their base. */
    if (!is_literal && !has_offset)
        forget(reader, base);
    if (is_store || is_vector)
        return;
    forget(reader, field(instruction, 0, 5));
    if (is_pair)
        forget(reader, field(instruction, 10, 5));
}

/* Branches, exceptions and system instructions, of which some read a system register into one of ours. */
static void read_branch(struct reader *reader, uint32_t instruction)
{
    bool is_immediate = (instruction & 0x7c000000) == 0x14000000;
    bool is_register = (instruction & 0xfe000000) == 0xd6000000;
    bool is_call = is_immediate ? instruction >> 31 : field(instruction, 21, 1);

    if (instruction >> 24 == 0xd5)
        forget(reader, field(instruction, 0, 5));
    else if (is_immediate || is_register)
        reader->has_page &= is_call ? ~((1U << CALLED_MAY_CHANGE) - 1) : 0;
}

static void read_instruction(struct reader *reader, uint32_t instruction)
{
    if ((instruction & 0x1f000000) == 0x10000000)
        read_address(reader, instruction);
    else if ((instruction & 0xff800000) == 0x91000000)
        read_add(reader, instruction);
    else if ((instruction & 0x0a000000) == 0x08000000)
        read_access(reader, instruction);
    else if ((instruction & 0x1c000000) == 0x14000000)
        read_branch(reader, instruction);
    else
        forget(reader, field(instruction, 0, 5));
}

void aarch64_references(const struct disassemble_request *request, const struct code_bytes *code,
                        struct code_references *out)
{
    struct reader reader = {.request = request, .out = out, .svma = code->svma};
    struct bytes cursor = bytes_of(code->bytes, false);

    while (bytes_left(&cursor) >= INSTRUCTION_BYTES) {
        read_instruction(&reader, bytes_u32(&cursor));
        reader.svma += INSTRUCTION_BYTES;
    }
}
