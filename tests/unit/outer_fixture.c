#include "outer_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

size_t outer_fixture_read(void *context, uint64_t start, size_t length, char *out)
{
    struct outer_fixture *f = context;
    uint64_t end = STACK_START + f->frame_count * FRAME_BYTES;

    f->read_count++;
    if (f->is_gone || start >= end)
        return 0;
    for (size_t i = 0; i < length; i++) {
        if (start + i >= end)
            return i;
        out[i] = start + i < STACK_START ? 0 : ((const char *)f->memory)[start + i - STACK_START];
    }
    return length;
}

static void find(void *context, uint64_t address, struct unwind_rule *out)
{
    (void)context;
    if (address >= BARE_CALL && address < OUTERMOST) {
        *out = (struct unwind_rule){.place = (uint32_t)address, .is_code = true};
        return;
    }
    *out = (struct unwind_rule){
        .row = {.cfa_rule = CFI_CFA_REGISTER,
                .cfa_register = REGISTERS_SP,
                .cfa_offset = address >= WIDE_CALL && address < OUTERMOST ? WIDE_BYTES : FRAME_BYTES,
                .return_rule = address >= OUTERMOST ? CFI_UNDEFINED : CFI_AT_CFA,
                .return_offset = -8,
                .frame_rule = CFI_SAME},
        .place = (uint32_t)address,
        .is_code = true};
}

void outer_fixture_fill(struct outer_fixture *f, size_t frames, uint64_t call)
{
    f->frame_count = frames;
    for (size_t i = 0; i < frames; i++) {
        f->memory[(i + 1) * FRAME_WORDS - 1] = i + 1 == frames ? OUTERMOST + 1 : call + 1;
        f->memory[i * FRAME_WORDS] = i;
    }
}

void outer_fixture_sample(struct outer_fixture *f)
{
    memcpy(f->copy, f->memory, COPY_BYTES);
}

struct outer_result outer_fixture_walk(struct outer_fixture *f)
{
    struct outer_request request = {
        .walk = {.registers = &f->registers,
                 .stack_start = f->registers.values[REGISTERS_SP],
                 .stack = {f->copy, f->copy_bytes},
                 .find = find,
                 .context = f,
                 .generation = 1},
        .may_call = f->may_call,
        .thread = THREAD,
        .is_cut = true,
        .is_of_wait = f->is_of_wait,
        .context = f,
    };

    return outer_unwind(&f->outer, &request, &f->unwinder);
}

int outer_fixture_set_up(void **state)
{
    struct outer_fixture *f = memory_new(1, sizeof(*f));

    unwinder_init(&f->unwinder);
    outer_init(&f->outer, outer_fixture_read);
    outer_begin_round(&f->outer);
    f->registers.known = UINT64_MAX;
    f->registers.values[REGISTERS_IP] = CALL;
    f->registers.values[REGISTERS_SP] = STACK_START;
    f->memory = memory_new(MOST_FRAMES, FRAME_BYTES);
    f->copy = memory_new(COPY_BYTES, 1);
    f->copy_bytes = COPY_BYTES;
    outer_fixture_fill(f, 2000, CALL);
    outer_fixture_sample(f);
    *state = f;
    return 0;
}

int outer_fixture_tear_down(void **state)
{
    struct outer_fixture *f = *state;

    unwinder_done(&f->unwinder);
    outer_done(&f->outer);
    free(f->memory);
    free(f->copy);
    free(f);
    return 0;
}

void assert_completed(struct outer_fixture *f, size_t frames)
{
    struct outer_result result = outer_fixture_walk(f);

    assert_int_equal(result.outcome, OUTER_COMPLETED);
    assert_int_equal(result.end, UNWIND_COMPLETE);
    assert_int_equal(result.known_count, KNOWN_FRAMES);
    assert_int_equal(f->unwinder.frame_count, frames + 1);
    assert_int_equal(f->unwinder.frames[frames].address, OUTERMOST);
}

void assert_cut(struct outer_fixture *f, enum outer_outcome outcome)
{
    struct outer_result result = outer_fixture_walk(f);

    assert_int_equal(result.outcome, outcome);
    assert_int_equal(result.end, UNWIND_UNREADABLE);
    assert_int_equal(f->unwinder.frame_count, KNOWN_FRAMES);
    assert_int_equal(f->unwinder.frames[KNOWN_FRAMES - 1].cfa, 0);
    assert_int_equal(f->unwinder.frames[KNOWN_FRAMES - 2].cfa,
                     STACK_START + (KNOWN_FRAMES - 1) * FRAME_BYTES);
}

struct outer_candidate agree(struct outer_fixture *f, unsigned rounds)
{
    struct outer_result result = {0};

    for (unsigned i = 0; i < rounds; i++) {
        outer_begin_round(&f->outer);
        result = outer_fixture_walk(f);
        assert_int_equal(result.outcome, OUTER_COMPLETED);
    }
    return result.candidate;
}
