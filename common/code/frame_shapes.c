#include "code/frame_shapes.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "code/frame_state.h"
#include "code/x86_64.h"

enum { MOST_PASSES = 8 };

/* What is known before an instruction. */
struct flow {
    bool is_known; /* false: no way that leads here was seen */
    struct frame_state state;
};

struct follower {
    const struct code_bytes *function;
    struct frame_shapes *out;
    struct flow flow;
    struct frame_shape last; /* that was noted */
    VEC(struct flow) flows;  /* what is known where jumps lead */
    uint32_t *flow_at; /* owned; by byte of the function: the index in flows plus 1; 0: no jump leads there */
    struct flow table; /* where the last jump through a table or register stands */
    bool takes_table;  /* it is known of code that nothing else is known of */
    bool is_behind_call;
    int compared; /* the register that the instruction before compared the stack pointer with; -1: none */
    size_t unknown_count; /* instructions in this pass */
};

static void follower_done(struct follower *follower)
{
    vec_done(&follower->flows);
    free(follower->flow_at);
}

void frame_shapes_done(struct frame_shapes *shapes)
{
    vec_done(&shapes->items);
}

/* --- Shapes --------------------------------------------------------------------------------------------- */

static void tell_by_register(struct frame_shape *shape, int number, int32_t offset)
{
    shape->is_known = true;
    shape->cfa_register = (uint8_t)number;
    shape->cfa_offset = offset;
}

/* The CFA by an address that the aligned frame keeps, which is not to lie below the stack pointer. */
static void tell_by_memory(struct frame_shape *shape, const struct frame_state *state)
{
    const struct frame_place *sp = &state->registers[FRAME_RSP];
    const struct frame_place *fp = &state->registers[FRAME_RBP];

    if (state->home.base != FRAME_ALIGNED || (sp->base == FRAME_ALIGNED && state->home.offset < sp->offset))
        return;
    if (fp->base == FRAME_ALIGNED)
        tell_by_register(shape, FRAME_RBP, state->home.offset - fp->offset);
    else if (sp->base == FRAME_ALIGNED)
        tell_by_register(shape, FRAME_RSP, state->home.offset - sp->offset);
    shape->is_in_memory = shape->is_known;
    shape->stored_below = shape->is_known ? -state->at_home.offset : 0;
}

static void tell_cfa(struct frame_shape *shape, const struct frame_state *state)
{
    const struct frame_place *registers = state->registers;

    if (registers[FRAME_RBP].base == FRAME_CFA)
        tell_by_register(shape, FRAME_RBP, -registers[FRAME_RBP].offset);
    else if (registers[FRAME_RSP].base == FRAME_CFA)
        tell_by_register(shape, FRAME_RSP, -registers[FRAME_RSP].offset);
    else
        tell_by_memory(shape, state);
    for (int i = 0; i < FRAME_REGISTERS && !shape->is_known; i++)
        if (registers[i].base == FRAME_CFA && registers[i].offset <= 0)
            tell_by_register(shape, i, -registers[i].offset);
}

/* What is stored at a place that the shape's register does not tell is as good as lost. */
static struct frame_register register_of(const struct frame_callers_value *value,
                                         const struct frame_state *state, const struct frame_shape *shape)
{
    const struct frame_place *known = &state->registers[shape->cfa_register];

    if (value->saved != FRAME_STORED)
        return (struct frame_register){.saved = value->saved};
    if (value->place.base == FRAME_CFA)
        return (struct frame_register){.saved = FRAME_STORED, .offset = value->place.offset};
    if (!shape->is_in_memory || known->base != value->place.base)
        return (struct frame_register){.saved = FRAME_LOST};
    return (struct frame_register){FRAME_STORED, true, value->place.offset - known->offset};
}

static struct frame_shape shape_of(const struct flow *flow, uint64_t svma)
{
    struct frame_shape shape = {.svma = svma};

    if (!flow->is_known)
        return shape;
    shape.is_followed = true;
    tell_cfa(&shape, &flow->state);
    shape.frame = register_of(&flow->state.callers[FRAME_POINTER], &flow->state, &shape);
    shape.base = register_of(&flow->state.callers[BASE_POINTER], &flow->state, &shape);
    return shape;
}

/* --- Jumps ---------------------------------------------------------------------------------------------- */

/*
 * A loop that touches each page of a large frame moves the stack pointer until it is what another register
 * holds. Of others that move it nobody knows how often.
 */
static void leave_loop(struct follower *follower, const struct x86_64_instruction *jump, uint64_t target)
{
    const struct frame_shape *start = frame_shapes_find(follower->out, target);
    struct frame_state *state = &follower->flow.state;
    struct frame_shape now = shape_of(&follower->flow, target);

    if (jump->info.mnemonic == ZYDIS_MNEMONIC_JNZ && follower->compared >= 0 &&
        state->registers[follower->compared].base != FRAME_NOWHERE)
        frame_state_set_stack_pointer(state, state->registers[follower->compared]);
    else if (start && start->cfa_register == FRAME_RSP && now.is_known && now.cfa_register == FRAME_RSP &&
             now.cfa_offset != start->cfa_offset)
        frame_state_set_stack_pointer(state, (struct frame_place){0});
}

/* What is known here is known where a jump leads to; what was known first counts. */
static void note_jump(struct follower *follower, const struct x86_64_instruction *instruction)
{
    const struct code_bytes *function = follower->function;
    uint64_t target = 0;
    uint64_t offset = 0;

    if (!follower->flow.is_known || !x86_64_jumps(instruction))
        return;
    if (!x86_64_target(instruction, &target)) {
        if (!frame_state_is_as_at_start(&follower->flow.state)) /* or the function is left for another one */
            follower->table = follower->flow;
        return;
    }
    offset = target - function->svma;
    if (offset >= function->bytes.length)
        return;
    if (!follower->flow_at[offset]) {
        *vec_add(&follower->flows) = follower->flow;
        follower->flow_at[offset] = (uint32_t)follower->flows.count;
    }
    if (target <= instruction->svma)
        leave_loop(follower, instruction, target);
}

/*
 * What is known at this address beside what the instruction before tells, which counts unless it was a call:
 * that may never come back, and what follows is then reached by jumps alone.
 */
static void take_jump(struct follower *follower, uint64_t svma)
{
    uint32_t number = follower->flow_at[svma - follower->function->svma];

    if (follower->flow.is_known && !follower->is_behind_call)
        return;
    if (number > 0 && number <= follower->flows.count)
        follower->flow = follower->flows.items[number - 1];
    else if (!follower->flow.is_known && follower->takes_table)
        follower->flow = follower->table;
    follower->unknown_count += !follower->flow.is_known;
}

/* --- The function --------------------------------------------------------------------------------------- */

static bool is_same_register(const struct frame_register *a, const struct frame_register *b)
{
    return a->saved == b->saved && a->is_by_register == b->is_by_register && a->offset == b->offset;
}

static bool is_same_shape(const struct frame_shape *a, const struct frame_shape *b)
{
    return a->is_followed == b->is_followed && a->is_known == b->is_known &&
           a->is_in_memory == b->is_in_memory && a->cfa_register == b->cfa_register &&
           a->cfa_offset == b->cfa_offset && a->stored_below == b->stored_below &&
           is_same_register(&a->frame, &b->frame) && is_same_register(&a->base, &b->base);
}

static void note_shape(struct follower *follower, uint64_t svma)
{
    struct frame_shape shape = shape_of(&follower->flow, svma);

    if (is_same_shape(&shape, &follower->last))
        return;
    *vec_add(&follower->out->items) = shape;
    follower->last = shape;
}

/* One instruction. Of what is none, nothing behind it is known. */
static void go_over(struct follower *follower, struct x86_64_reader *reader, struct code_bytes *left)
{
    const struct x86_64_instruction *instruction = &reader->instruction;

    if (!x86_64_next(reader, left)) {
        follower->flow.is_known = false;
        follower->is_behind_call = false;
        follower->compared = -1;
        x86_64_skip(left, 1);
        return;
    }
    frame_state_change(&follower->flow.state, instruction);
    note_jump(follower, instruction);
    follower->flow.is_known = follower->flow.is_known && x86_64_goes_on(instruction);
    follower->is_behind_call = instruction->info.mnemonic == ZYDIS_MNEMONIC_CALL;
    follower->compared = frame_state_compared(instruction);
}

/* Goes through the function from its start to its end. */
static void pass(struct follower *follower, struct x86_64_reader *reader)
{
    struct code_bytes left = *follower->function;

    follower->out->items.count = 0;
    follower->last = (struct frame_shape){.cfa_offset = -1}; /* like none */
    follower->unknown_count = 0;
    follower->compared = -1;
    follower->flow = (struct flow){.is_known = true, .state = frame_state_at_start()};
    while (left.bytes.length > 0) {
        take_jump(follower, left.svma);
        note_shape(follower, left.svma);
        go_over(follower, reader, &left);
    }
    follower->flow.is_known = false;
    note_shape(follower, left.svma);
}

/* Jumps that lead back tell of code that was passed without knowing: once more, while that makes more known.
 */
static void pass_again(struct follower *follower, struct x86_64_reader *reader)
{
    size_t before = SIZE_MAX;

    for (int i = 0; i < MOST_PASSES && follower->unknown_count > 0 && follower->unknown_count < before; i++) {
        before = follower->unknown_count;
        pass(follower, reader);
    }
}

static void follow(struct follower *follower, struct x86_64_reader *reader)
{
    pass(follower, reader);
    pass_again(follower, reader);
    follower->takes_table = follower->table.is_known;
    if (follower->takes_table)
        pass_again(follower, reader);
}

int frame_shapes_read(const struct code_bytes *function, struct frame_shapes *out, struct error *err)
{
    struct x86_64_reader reader;
    struct code_bytes part = *function;
    SCOPED(follower_done) struct follower follower = {.function = &part, .out = out};

    if (x86_64_load(&reader, err) < 0)
        return -1;
    part.bytes = slice_range(part.bytes, 0, FRAME_SHAPES_MOST_BYTES);
    follower.flow_at = memory_new(part.bytes.length + 1, sizeof(*follower.flow_at));
    follow(&follower, &reader);
    return 0;
}

bool frame_shape_is_by_stack(const struct frame_shape *shape)
{
    return shape->is_known && !shape->is_in_memory &&
           (shape->cfa_register == FRAME_RSP || shape->cfa_register == FRAME_RBP);
}

const struct frame_shape *frame_shapes_at(const struct frame_shapes *shapes, uint64_t svma)
{
    size_t low = SEARCH_AFTER(shapes->items.items, shapes->items.count, svma, svma);

    return low > 0 && shapes->items.items[low - 1].is_followed ? &shapes->items.items[low - 1] : NULL;
}

const struct frame_shape *frame_shapes_find(const struct frame_shapes *shapes, uint64_t svma)
{
    const struct frame_shape *shape = frame_shapes_at(shapes, svma);

    return shape && shape->is_known ? shape : NULL;
}
