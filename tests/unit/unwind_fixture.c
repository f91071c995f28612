#include "unwind_fixture.h"

#include <stdlib.h>

#include "base/memory.h"

static void find(void *context, uint64_t address, struct unwind_rule *out)
{
    struct fixture *f = context;
    uint64_t index = address >> 8;

    f->find_count++;
    *out = (struct unwind_rule){.section = f->section,
                                .is_code = address >= 0x100 && address < f->code_end,
                                .return_register = 30,
                                .place = (uint32_t)index};
    if (index < RULES) {
        out->row = f->rows[index];
        out->is_made = f->made >> index & 1;
        out->is_inferred = f->inferred >> index & 1;
        out->moved_stack = f->moved_stack >> index & 1;
        out->fp_is_callers = f->fp_is_callers >> index & 1;
    }
}

static bool is_before_entry(void *context, uint64_t address)
{
    struct fixture *f = context;

    f->entry_count++;
    return address == f->before_entry;
}

bool unwind_fixture_is_call(void *context, uint64_t call, uint64_t callee)
{
    const struct fixture *f = context;

    return callee >> 8 == f->callees[call >> 8];
}

bool unwind_fixture_read(void *context, uint64_t address, uint64_t *out)
{
    struct fixture *f = context;

    if (address != 0x9000 || f->outside == 0)
        return false;
    *out = f->outside;
    return true;
}

int unwind_fixture_set_up(void **state)
{
    struct fixture *f = memory_new(1, sizeof(*f));

    unwinder_init(&f->unwinder);
    f->registers.known = UINT64_MAX;
    f->registers.values[REGISTERS_IP] = 0x110;
    f->registers.values[REGISTERS_SP] = STACK_START;
    f->registers.values[REGISTERS_FP] = 0xf00d;
    f->request = (struct unwind_request){
        .registers = &f->registers,
        .stack_start = STACK_START,
        .stack = {(const char *)f->stack, sizeof(f->stack)},
        .find = find,
        .is_before_entry = is_before_entry,
        .context = f,
        .read_context = f,
        .generation = 1,
    };
    *state = f;
    return 0;
}

int unwind_fixture_tear_down(void **state)
{
    struct fixture *f = *state;

    unwinder_done(&f->unwinder);
    free(f);
    return 0;
}

struct cfi_row frame_of(int words)
{
    return (struct cfi_row){.cfa_rule = CFI_CFA_REGISTER,
                            .cfa_register = REGISTERS_SP,
                            .cfa_offset = 8 * words,
                            .return_rule = CFI_AT_CFA,
                            .return_offset = -8,
                            .frame_rule = CFI_SAME};
}

struct cfi_row outermost(void)
{
    return (struct cfi_row){
        .cfa_rule = CFI_CFA_REGISTER, .cfa_register = REGISTERS_SP, .return_rule = CFI_UNDEFINED};
}

void assert_walk(struct fixture *f, enum unwind_end end, const uint64_t *addresses, size_t count)
{
    f->request.generation++; /* rules may have changed */
    assert_int_equal(unwind(&f->unwinder, &f->request), end);
    assert_int_equal(f->unwinder.frame_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(f->unwinder.frames[i].address, addresses[i]);
        assert_int_equal(f->unwinder.frames[i].place, addresses[i] >> 8);
    }
}
