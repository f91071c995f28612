/*
 * Any registers, any stack, any rules: the walk ends, stays within its frames and goes up the stack. A walk
 * that comes after another one finds what it finds without.
 *
 * Input: the values of instruction, stack and frame pointer, 16 rules of 16 bytes, then the stack, whose
 * first bytes tell which of its bytes is another one in a second walk.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "unwind/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RULES = 16 };

struct rules {
    struct cfi_row rows[RULES];
    struct slice section; /* where their expressions are */
};

static void require(bool holds)
{
    if (!holds)
        abort();
}

static struct cfi_row read_row(struct bytes *input)
{
    struct cfi_row row = {0};
    uint8_t flags = 0;

    row.cfa_offset = (int16_t)bytes_u16(input);
    row.return_offset = (int32_t)bytes_u32(input);
    row.frame_offset = (int16_t)bytes_u16(input);
    row.cfa_rule = bytes_u8(input);
    row.cfa_register = bytes_u8(input);
    row.return_rule = bytes_u8(input) & 0xf;
    row.frame_rule = bytes_u8(input) & 0xf;
    row.base_offset = row.frame_offset + 8;
    flags = bytes_u8(input);
    row.is_signal_frame = flags & 1;
    row.has_signed_return_address = flags >> 1 & 1;
    row.base_rule = flags >> 4;
    bytes_take(input, 3);
    return row;
}

static void find(void *context, uint64_t address, struct unwind_rule *out)
{
    const struct rules *rules = context;

    *out = (struct unwind_rule){.row = rules->rows[address % RULES],
                                .section = rules->section,
                                .is_code = address % 5 != 0,
                                .is_inferred = address % 7 == 0,
                                .return_register = (uint32_t)(address >> 8 & 0xff)};
}

static bool read_outside(void *context, uint64_t address, uint64_t *out)
{
    (void)context;
    *out = address * UINT64_C(0x9e3779b97f4a7c15) >> 8;
    return address % 3 != 0;
}

static void check(const struct unwinder *unwinder, const struct rules *rules)
{
    require(unwinder->frame_count > 0 && unwinder->frame_count <= UNWIND_MOST_FRAMES);
    for (size_t i = 1; i + 1 < unwinder->frame_count; i++) {
        const struct unwind_frame *frame = &unwinder->frames[i];
        bool was_interrupted = rules->rows[frame[-1].address % RULES].is_signal_frame;

        /* What a signal has interrupted may have its return address in a register, and nothing on the stack.
         */
        if (!rules->rows[frame->address % RULES].is_signal_frame)
            require(was_interrupted ? frame->cfa >= frame[-1].cfa : frame->cfa > frame[-1].cfa);
    }
}

static void check_same(const struct unwinder *a, const struct unwinder *b)
{
    require(a->frame_count == b->frame_count);
    for (size_t i = 0; i < a->frame_count; i++)
        require(a->frames[i].address == b->frames[i].address && a->frames[i].cfa == b->frames[i].cfa);
}

/* One byte of the stack changes, and the instruction within the same rule: what comes behind may repeat. */
static void check_second_walk(struct unwinder *unwinder, const struct unwind_request *first)
{
    struct unwind_request request = *first;
    struct registers registers = *first->registers;
    struct unwinder fresh;
    size_t length = request.stack.length;
    char *stack = malloc(length + 1);
    uint16_t at = 0;

    if (length > sizeof(at)) {
        memcpy(&at, request.stack.data, sizeof(at));
        memcpy(stack, request.stack.data, length);
        stack[at % length] ^= 1;
    }
    request.stack = (struct slice){stack, length > sizeof(at) ? length : 0};
    request.registers = &registers;
    registers.values[REGISTERS_IP] += RULES;
    unwinder_init(&fresh);
    require(unwind(unwinder, &request) == unwind(&fresh, &request));
    check_same(unwinder, &fresh);
    unwinder_done(&fresh);
    free(stack);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes input = bytes_of((struct slice){(const char *)data, size}, false);
    struct registers registers = {.known = UINT64_MAX};
    struct rules rules;
    struct unwinder unwinder;
    struct unwind_request request = {
        .registers = &registers, .find = find, .context = &rules, .generation = 1};

    registers.values[REGISTERS_IP] = bytes_u64(&input);
    registers.values[REGISTERS_SP] = bytes_u64(&input);
    registers.values[REGISTERS_FP] = bytes_u64(&input);
    for (size_t i = 0; i < RULES; i++)
        rules.rows[i] = read_row(&input);
    request.stack_start = registers.values[REGISTERS_SP];
    request.stack = bytes_take(&input, bytes_left(&input));
    rules.section = request.stack;
    unwinder_init(&unwinder);
    (void)unwind(&unwinder, &request);
    check(&unwinder, &rules);
    check_second_walk(&unwinder, &request);
    request.read = read_outside;
    (void)unwind(&unwinder, &request);
    check(&unwinder, &rules);
    check_second_walk(&unwinder, &request);
    unwinder_done(&unwinder);
    return 0;
}
