/*
 * Any memory, changing in any way while samples are taken and walked: the walks end, what is completed has
 * more frames than its copy told, and in the end there is a verdict of each.
 *
 * Input: steps, each a byte and what it takes; see step().
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "unwind/outer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STACK_START = 0x10000, WORDS = 2048, MOST_STEPS = 400, THREADS = 2 };

/* Other stacks, to which words of sixteen bits may lead. */
enum { OTHERS_START = 0x4000, OTHER_WORDS = 1024 };

struct candidates {
    struct outer_candidate items[MOST_STEPS];
    size_t count;
};

struct process {
    struct outer outer;
    struct unwinder unwinder;
    struct candidates candidates;
    uint64_t memory[WORDS];
    uint64_t older[WORDS]; /* when the last round began */
    uint64_t others[OTHER_WORDS];
    bool is_gone;
};

static void require(bool holds)
{
    if (!holds)
        abort();
}

static bool may_call(void *context, uint64_t call, uint64_t callee)
{
    (void)context;
    return (call ^ callee) % 3 != 0;
}

static size_t read_memory(void *context, uint64_t start, size_t length, char *out)
{
    const struct process *process = context;
    bool is_other = start < STACK_START;
    const char *memory = (const char *)(is_other ? process->others : process->memory);
    size_t size = is_other ? sizeof(process->others) : sizeof(process->memory);
    uint64_t offset = start - (is_other ? OTHERS_START : STACK_START);

    if (process->is_gone || offset >= size)
        return 0;
    if (length > size - offset)
        length = size - offset;
    memcpy(out, memory + offset, length);
    return length;
}

/* Frames of 1 to 32 words, but where a word of the stack tells the CFA. */
static void find(void *context, uint64_t address, struct unwind_rule *out)
{
    (void)context;
    *out = (struct unwind_rule){.row = {.cfa_rule = address % 8 == 3 ? CFI_CFA_MEMORY : CFI_CFA_REGISTER,
                                        .cfa_register = REGISTERS_SP,
                                        .cfa_offset = 8 * (1 + (int)(address % 32)),
                                        .return_rule = address % 16 == 15 ? CFI_UNDEFINED : CFI_AT_CFA,
                                        .return_offset = -8,
                                        .frame_rule = CFI_SAME,
                                        .is_signal_frame = address % 64 == 33},
                                .is_code = true};
}

static void sample(struct process *process, struct bytes *input)
{
    uint8_t kind = bytes_u8(input);
    const uint64_t *stack = kind & THREADS ? process->older : process->memory;
    uint16_t address = bytes_u16(input);
    size_t first = bytes_u16(input) % WORDS;
    size_t length = bytes_u16(input) % (sizeof(process->memory) - first * 8 + 1);
    struct registers registers = {.known = UINT64_MAX};
    struct outer_request request = {
        .walk = {.registers = &registers,
                 .stack_start = STACK_START + first * 8,
                 .stack = {(const char *)&stack[first], length},
                 .find = find,
                 .context = process,
                 .generation = 1},
        .may_call = may_call,
        .thread = kind % THREADS,
        .is_cut = length > 0,
        .context = process,
    };
    struct outer_result result;

    registers.values[REGISTERS_IP] = address;
    registers.values[REGISTERS_SP] = request.walk.stack_start;
    result = outer_unwind(&process->outer, &request, &process->unwinder);
    require(process->unwinder.frame_count > 0);
    if (result.outcome != OUTER_COMPLETED)
        return;
    require(result.end == UNWIND_COMPLETE || result.end == UNWIND_DEEP);
    require(result.known_count > 0 && result.known_count <= process->unwinder.frame_count);
    process->candidates.items[process->candidates.count++] = result.candidate;
}

static void settle(struct process *process)
{
    for (size_t i = 0; i < process->candidates.count; i++)
        require(outer_verdict(&process->outer, &process->candidates.items[i], true) != OUTER_OPEN);
    process->candidates.count = 0;
}

static void fill(struct process *process, struct bytes *input)
{
    size_t distance = 1 + bytes_u8(input);
    uint16_t value = bytes_u16(input);

    for (size_t i = distance - 1; i < WORDS; i += distance)
        process->memory[i] = value;
}

static void change_other(struct process *process, struct bytes *input)
{
    size_t index = bytes_u16(input) % OTHER_WORDS;

    process->others[index] = bytes_u16(input);
}

static void step(struct process *process, struct bytes *input)
{
    switch (bytes_u8(input) % 9) {
    case 0: { /* a word changes */
        size_t index = bytes_u16(input) % WORDS;

        process->memory[index] = bytes_u16(input);
        break;
    }
    case 1: /* all words at a distance do */
        fill(process, input);
        break;
    case 2:
        process->is_gone = !process->is_gone;
        break;
    case 3:
        outer_end_thread(&process->outer, bytes_u8(input));
        break;
    case 4:
    case 5:
        outer_begin_round(&process->outer);
        memcpy(process->older, process->memory, sizeof(process->older));
        /* Verdicts are asked for in time. */
        if (process->candidates.count > 0 &&
            process->outer.round - process->candidates.items[0].round >= OUTER_MOST_ROUNDS)
            settle(process);
        break;
    case 6:
        change_other(process, input);
        break;
    default:
        sample(process, input);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes input = bytes_of((struct slice){(const char *)data, size}, false);
    struct process *process = calloc(1, sizeof(*process));

    if (!process)
        return 0;
    unwinder_init(&process->unwinder);
    outer_init(&process->outer, read_memory);
    for (unsigned i = 0; i < MOST_STEPS && bytes_left(&input) > 0; i++)
        step(process, &input);
    settle(process);
    outer_done(&process->outer);
    unwinder_done(&process->unwinder);
    free(process);
    return 0;
}
