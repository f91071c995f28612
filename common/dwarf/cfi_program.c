#include "dwarf/cfi_program.h"

#include <dwarf.h>
#include <elf.h>

/*
 * DWARF for the Arm 64-bit architecture, "Call frame instructions": what is known of signatures, set or, as
 * by DW_CFA_AARCH64_negate_ra_state, changed; of those that are also of the place where they are made.
 */
enum { CFA_AARCH64_SET_RA_STATE = 0x2b, CFA_AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c };

/* Real code remembers one state, some hand-written assembly two. */
enum { MOST_REMEMBERED = 32 };

/* One run of a program. */
struct machine {
    struct bytes cursor;
    const struct cfi_common *common;
    const struct cfi_sink *sink; /* NULL while common instructions run */
    struct cfi_row row;
    bool is_changed; /* `row` is not in the table yet */
    bool is_done;    /* behind the entry's end */
    struct cfi_row remembered[MOST_REMEMBERED];
    size_t remembered_count;
};

static bool says_the_same(const struct cfi_row *a, const struct cfi_row *b)
{
    return a->cfa_rule == b->cfa_rule && a->cfa_register == b->cfa_register &&
           a->cfa_offset == b->cfa_offset && a->return_rule == b->return_rule &&
           a->return_offset == b->return_offset && a->frame_rule == b->frame_rule &&
           a->frame_offset == b->frame_offset && a->base_rule == b->base_rule &&
           a->base_offset == b->base_offset && a->is_signal_frame == b->is_signal_frame &&
           a->has_signed_return_address == b->has_signed_return_address;
}

/* Adds the row at `svma`, unless the one before it in this entry says the same. */
static void flush_row(struct machine *machine)
{
    struct cfi *cfi = machine->sink->cfi;
    const struct cfi_row *last = cfi->rows.count > 0 ? &cfi->rows.items[cfi->rows.count - 1] : NULL;
    bool is_first = machine->row.svma == machine->sink->start;

    if (machine->is_changed && (is_first || !last || !says_the_same(last, &machine->row)))
        *vec_add(&cfi->rows) = machine->row;
    machine->is_changed = false;
}

static void advance_to(struct machine *machine, uint64_t svma)
{
    if (!machine->sink || svma < machine->row.svma) {
        machine->cursor.failed = true;
        return;
    }
    if (svma == machine->row.svma)
        return;
    flush_row(machine);
    machine->row.svma = svma;
    machine->is_done = svma >= machine->sink->end;
    machine->is_changed = true;
}

static void advance(struct machine *machine, uint64_t delta)
{
    advance_to(machine, machine->row.svma + delta * machine->common->code_alignment);
}

/* An offset that fits no row makes the rule one that is not understood. */
static bool fits(int64_t offset)
{
    return offset >= INT32_MIN && offset <= INT32_MAX;
}

static void set_register(struct machine *machine, uint64_t number, enum cfi_register_rule rule,
                         int64_t offset)
{
    if (!fits(offset)) {
        rule = CFI_OTHER;
        offset = 0;
    }
    if (number == machine->common->return_register) {
        machine->row.return_rule = (uint8_t)rule;
        machine->row.return_offset = (int32_t)offset;
    } else if (number == machine->common->frame_register) {
        machine->row.frame_rule = (uint8_t)rule;
        machine->row.frame_offset = (int32_t)offset;
    } else if (number == machine->common->base_register) {
        machine->row.base_rule = (uint8_t)rule;
        machine->row.base_offset = (int32_t)offset;
    }
}

/* Back to what the common instructions said. */
static void restore_register(struct machine *machine, uint64_t number)
{
    const struct cfi_row *initial = &machine->common->initial;

    if (number == machine->common->return_register) {
        machine->row.return_rule = initial->return_rule;
        machine->row.return_offset = initial->return_offset;
    } else if (number == machine->common->frame_register) {
        machine->row.frame_rule = initial->frame_rule;
        machine->row.frame_offset = initial->frame_offset;
    } else if (number == machine->common->base_register) {
        machine->row.base_rule = initial->base_rule;
        machine->row.base_offset = initial->base_offset;
    }
}

static void set_cfa(struct machine *machine, enum cfi_cfa_rule rule, uint64_t number, int64_t offset)
{
    if (!fits(offset) || number > UINT16_MAX) {
        rule = CFI_CFA_OTHER;
        offset = 0;
    }
    machine->row.cfa_rule = (uint8_t)rule;
    machine->row.cfa_register = (uint16_t)number;
    machine->row.cfa_offset = (int32_t)offset;
}

static int64_t factored(const struct machine *machine, int64_t value)
{
    return (int64_t)((uint64_t)value * (uint64_t)machine->common->data_alignment);
}

static int64_t take_factored(struct machine *machine)
{
    return factored(machine, (int64_t)bytes_uleb128(&machine->cursor));
}

static int64_t take_factored_signed(struct machine *machine)
{
    return factored(machine, bytes_sleb128(&machine->cursor));
}

/* DW_OP_breg N, offset: sets both and is true; leaves the cursor behind it. */
static bool take_based_address(struct bytes *expression, uint8_t *number, int64_t *offset)
{
    uint8_t operation = bytes_u8(expression);

    if (expression->failed || operation < DW_OP_breg0 || operation > DW_OP_breg31)
        return false;
    *number = operation - DW_OP_breg0;
    *offset = bytes_sleb128(expression);
    return !expression->failed;
}

/*
 * What linkers write for the PLT: rsp + 8 + ((rip & 15) >= N) * 8, where N is the offset behind
 * the push in an entry. Gives N, or 0 when it is another expression.
 */
static uint8_t plt_threshold(struct bytes expression)
{
    uint8_t number = 0;
    int64_t offset = 0;
    uint8_t threshold = 0;

    if (!take_based_address(&expression, &number, &offset) || offset != 0 ||
        bytes_u8(&expression) != DW_OP_lit15 || bytes_u8(&expression) != DW_OP_and)
        return 0;
    threshold = bytes_u8(&expression) - DW_OP_lit0;
    if (threshold > 15 || !slice_equal(bytes_take(&expression, bytes_left(&expression)),
                                       SLICE("\x2a\x33\x24\x22"))) /* ge, lit3, shl, plus */
        return 0;
    return threshold;
}

/* A block of bytes, and where its length stands in the section. */
struct expression {
    struct slice content;
    int64_t offset;
};

static struct expression take_expression(struct machine *machine)
{
    int64_t offset = (int64_t)machine->cursor.at;
    uint64_t length = bytes_uleb128(&machine->cursor);

    return (struct expression){bytes_take(&machine->cursor, length), offset};
}

/* The usual forms are rules of their own; all others are left to who walks the stack. */
static void set_cfa_expression(struct machine *machine, struct expression block)
{
    struct bytes expression = bytes_of(block.content, machine->cursor.big_endian);
    uint8_t number = 0;
    int64_t offset = 0;
    uint8_t threshold = 0;

    set_cfa(machine, CFI_CFA_EXPRESSION, 0, block.offset);
    if (!take_based_address(&expression, &number, &offset) || !fits(offset))
        return;
    threshold = machine->common->machine == EM_X86_64 ? plt_threshold(expression) : 0;
    if (bytes_left(&expression) == 0)
        set_cfa(machine, CFI_CFA_REGISTER, number, offset);
    else if (threshold > 0)
        set_cfa(machine, CFI_CFA_PLT, threshold, offset);
    else if (bytes_u8(&expression) == DW_OP_deref && bytes_left(&expression) == 0)
        set_cfa(machine, CFI_CFA_MEMORY, number, offset);
}

/* A register saved at an address; relative to the register that the CFA comes from in signal frames. */
static void set_register_expression(struct machine *machine, uint64_t number, struct expression block)
{
    struct bytes expression = bytes_of(block.content, machine->cursor.big_endian);
    uint8_t base = 0;
    int64_t offset = 0;

    if (take_based_address(&expression, &base, &offset) && bytes_left(&expression) == 0 && fits(offset) &&
        machine->row.cfa_rule == CFI_CFA_MEMORY && base == machine->row.cfa_register)
        set_register(machine, number, CFI_AT_BASE, offset);
    else
        set_register(machine, number, CFI_AT_EXPRESSION, block.offset);
}

static void remember(struct machine *machine)
{
    if (machine->remembered_count == MOST_REMEMBERED)
        machine->cursor.failed = true;
    else
        machine->remembered[machine->remembered_count++] = machine->row;
}

/* Everything but the place goes back to what it was. */
static void recall(struct machine *machine)
{
    uint64_t svma = machine->row.svma;

    if (machine->remembered_count == 0) {
        machine->cursor.failed = true;
        return;
    }
    machine->row = machine->remembered[--machine->remembered_count];
    machine->row.svma = svma;
}

static void run_cfa(struct machine *machine, uint8_t instruction)
{
    struct bytes *cursor = &machine->cursor;
    uint64_t number = machine->row.cfa_register;

    switch (instruction) {
    case DW_CFA_def_cfa:
        number = bytes_uleb128(cursor);
        set_cfa(machine, CFI_CFA_REGISTER, number, (int64_t)bytes_uleb128(cursor));
        break;
    case DW_CFA_def_cfa_sf:
        number = bytes_uleb128(cursor);
        set_cfa(machine, CFI_CFA_REGISTER, number, take_factored_signed(machine));
        break;
    case DW_CFA_def_cfa_register:
        set_cfa(machine, CFI_CFA_REGISTER, bytes_uleb128(cursor), machine->row.cfa_offset);
        break;
    case DW_CFA_def_cfa_offset:
        set_cfa(machine, CFI_CFA_REGISTER, number, (int64_t)bytes_uleb128(cursor));
        break;
    case DW_CFA_def_cfa_offset_sf:
        set_cfa(machine, CFI_CFA_REGISTER, number, take_factored_signed(machine));
        break;
    case DW_CFA_def_cfa_expression:
        set_cfa_expression(machine, take_expression(machine));
        break;
    default: /* not one that this version knows: what follows has no meaning */
        cursor->failed = true;
        break;
    }
}

static void run_register(struct machine *machine, uint8_t instruction)
{
    struct bytes *cursor = &machine->cursor;
    uint64_t number = bytes_uleb128(cursor);

    switch (instruction) {
    case DW_CFA_offset_extended:
        set_register(machine, number, CFI_AT_CFA, take_factored(machine));
        break;
    case DW_CFA_offset_extended_sf:
        set_register(machine, number, CFI_AT_CFA, take_factored_signed(machine));
        break;
    case DW_CFA_GNU_negative_offset_extended:
        set_register(machine, number, CFI_AT_CFA, (int64_t)(0 - (uint64_t)take_factored(machine)));
        break;
    case DW_CFA_val_offset:
        set_register(machine, number, CFI_IS_CFA, take_factored(machine));
        break;
    case DW_CFA_val_offset_sf:
        set_register(machine, number, CFI_IS_CFA, take_factored_signed(machine));
        break;
    case DW_CFA_restore_extended:
        restore_register(machine, number);
        break;
    case DW_CFA_undefined:
        set_register(machine, number, CFI_UNDEFINED, 0);
        break;
    case DW_CFA_same_value:
        set_register(machine, number, CFI_SAME, 0);
        break;
    case DW_CFA_register:
        set_register(machine, number, CFI_IN_REGISTER, (int64_t)bytes_uleb128(cursor));
        break;
    case DW_CFA_expression:
        set_register_expression(machine, number, take_expression(machine));
        break;
    default: /* DW_CFA_val_expression */
        set_register(machine, number, CFI_IS_EXPRESSION, take_expression(machine).offset);
        break;
    }
}

/* On AArch64 the number of SPARC's window save says that the return address is signed from here on. */
static void run_window_save(struct machine *machine)
{
    if (machine->common->machine == EM_AARCH64)
        machine->row.has_signed_return_address ^= 1;
    else
        set_register(machine, machine->common->return_register, CFI_OTHER, 0);
}

/* Of other machines nobody knows them: what follows has no meaning. */
static void run_sign_state(struct machine *machine, uint8_t instruction)
{
    struct bytes *cursor = &machine->cursor;

    if (machine->common->machine != EM_AARCH64) {
        cursor->failed = true;
    } else if (instruction == CFA_AARCH64_NEGATE_RA_STATE_WITH_PC) {
        machine->row.has_signed_return_address ^= 1;
    } else {
        machine->row.has_signed_return_address = bytes_uleb128(cursor) != 0;
        bytes_sleb128(cursor); /* how far the signing instruction is */
    }
}

static void run_other(struct machine *machine, uint8_t instruction)
{
    struct bytes *cursor = &machine->cursor;

    switch (instruction) {
    case DW_CFA_nop:
        break;
    case DW_CFA_set_loc:
        advance_to(machine, bytes_unsigned(cursor, machine->common->address_bytes));
        break;
    case DW_CFA_advance_loc1:
        advance(machine, bytes_u8(cursor));
        break;
    case DW_CFA_advance_loc2:
        advance(machine, bytes_u16(cursor));
        break;
    case DW_CFA_advance_loc4:
        advance(machine, bytes_u32(cursor));
        break;
    case DW_CFA_MIPS_advance_loc8:
        advance(machine, bytes_u64(cursor));
        break;
    case DW_CFA_remember_state:
        remember(machine);
        break;
    case DW_CFA_restore_state:
        recall(machine);
        break;
    case DW_CFA_GNU_window_save:
        run_window_save(machine);
        break;
    case CFA_AARCH64_SET_RA_STATE:
    case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC:
        run_sign_state(machine, instruction);
        break;
    case DW_CFA_GNU_args_size:
        bytes_uleb128(cursor);
        break;
    default:
        run_cfa(machine, instruction);
        break;
    }
}

static void run_instruction(struct machine *machine)
{
    uint8_t instruction = bytes_u8(&machine->cursor);
    uint8_t operand = instruction & 0x3f;

    switch (instruction & 0xc0) {
    case DW_CFA_advance_loc:
        advance(machine, operand);
        return;
    case DW_CFA_offset:
        set_register(machine, operand, CFI_AT_CFA, take_factored(machine));
        return;
    case DW_CFA_restore:
        restore_register(machine, operand);
        return;
    default:
        break;
    }
    switch (instruction) {
    case DW_CFA_offset_extended:
    case DW_CFA_offset_extended_sf:
    case DW_CFA_GNU_negative_offset_extended:
    case DW_CFA_val_offset:
    case DW_CFA_val_offset_sf:
    case DW_CFA_restore_extended:
    case DW_CFA_undefined:
    case DW_CFA_same_value:
    case DW_CFA_register:
    case DW_CFA_expression:
    case DW_CFA_val_expression:
        run_register(machine, instruction);
        break;
    default:
        run_other(machine, instruction);
        break;
    }
}

static bool run(struct machine *machine)
{
    while (bytes_left(&machine->cursor) > 0 && !machine->is_done)
        run_instruction(machine);
    return !machine->cursor.failed;
}

bool cfi_program_run_common(struct bytes program, struct cfi_common *common)
{
    struct machine machine = {.cursor = program, .common = common, .row = common->initial};
    bool is_whole = run(&machine);

    common->initial = machine.row;
    return is_whole;
}

bool cfi_program_run(struct bytes program, const struct cfi_common *common, const struct cfi_sink *sink)
{
    struct machine machine = {
        .cursor = program, .common = common, .sink = sink, .row = common->initial, .is_changed = true};
    bool is_whole = false;

    machine.row.svma = sink->start;
    is_whole = run(&machine);
    if (!machine.is_done)
        flush_row(&machine);
    return is_whole;
}
