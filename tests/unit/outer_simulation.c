#include "outer_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "unwind/outer.h"

/*
 * The stack: frames of FRAME_WORDS words, the return address the last of them. A sample from down there
 * brings the innermost KNOWN_FRAMES. From FIRST_OF_CALLER on are the callers. When the thread is up, it has
 * called something else from the frame SHALLOW_FRAME or FAR_FRAME, and below stands what it left there.
 */
enum {
    STACK_START = 0x1000000,
    FRAME_WORDS = 16,
    FRAME_BYTES = 8 * FRAME_WORDS,
    FRAMES = 28,
    STACK_WORDS = FRAMES * FRAME_WORDS,
    KNOWN_FRAMES = 16,
    SHALLOW_FRAME = 18,
    FIRST_OF_CALLER = 20,
    FAR_FRAME = 26,
    COPY_BYTES = KNOWN_FRAMES * FRAME_BYTES,
    CALL = 0x1000,
    CALLERS = 0x2000, /* of the first kind; those of the other are 0x1000 further on */
    SHALLOW_CALL = 0x5000,
    OUTERMOST = 0x9000,
    THREAD = 0,
};

/* One sample that has not been looked at. */
struct taken {
    uint64_t stack[STACK_WORDS];
    bool is_deep;
    bool is_other;
};

struct waiting {
    struct outer_claim claim;
    bool is_wrong;
    bool is_over;
};

struct run {
    const struct simulation *simulation;
    struct unwinder unwinder;
    struct outer outer;
    uint64_t random;
    double now;
    double until; /* what the thread does now ends then */
    bool is_deep;
    bool is_other;
    uint64_t stack[STACK_WORDS];
    struct taken *samples;
    VEC(struct waiting) waiting;
    size_t first_waiting;
    struct simulated result;
};

/* From 0 on, below 1 (splitmix64). */
static double any(struct run *run)
{
    uint64_t z = run->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) / (double)(UINT64_C(1) << 53);
}

static void go_down(struct run *run)
{
    run->is_other = any(run) < run->simulation->other_share;
    for (size_t i = 0; i < FRAMES; i++) {
        uint64_t call = i < FIRST_OF_CALLER ? CALL : CALLERS + (run->is_other ? 0x1000 : 0) + i;

        run->stack[i * FRAME_WORDS] = run->simulation->is_shown ? run->is_other : 0;
        run->stack[(i + 1) * FRAME_WORDS - 1] = (i + 1 == FRAMES ? OUTERMOST : call) + 1;
    }
}

static size_t shallow_frame(const struct run *run)
{
    return run->simulation->goes_far ? FAR_FRAME : SHALLOW_FRAME;
}

static void go_up(struct run *run)
{
    run->stack[shallow_frame(run) * FRAME_WORDS - 1] = SHALLOW_CALL + 1;
}

static void advance(struct run *run, double now)
{
    while (run->until <= now) {
        double mean = run->is_deep ? run->simulation->shallow_time : run->simulation->deep_time;

        run->is_deep = !run->is_deep;
        if (run->is_deep)
            go_down(run);
        else
            go_up(run);
        run->until += -mean * log(1 - any(run));
    }
    run->now = now;
}

/* To read takes some 5 us, at 4,000 samples a second. */
static size_t read_memory(void *context, uint64_t start, size_t length, char *out)
{
    struct run *run = context;
    uint64_t end = STACK_START + sizeof(run->stack);
    size_t count = start < end && length > end - start ? end - start : length;

    if (start < STACK_START || start >= end)
        return 0;
    if (!run->simulation->is_frozen)
        advance(run, run->now + 0.02);
    memcpy(out, (const char *)run->stack + (start - STACK_START), count);
    return count;
}

static void find(void *context, uint64_t address, struct unwind_rule *out)
{
    (void)context;
    *out = (struct unwind_rule){.row = {.cfa_rule = CFI_CFA_REGISTER,
                                        .cfa_register = REGISTERS_SP,
                                        .cfa_offset = FRAME_BYTES,
                                        .return_rule = address >= OUTERMOST ? CFI_UNDEFINED : CFI_AT_CFA,
                                        .return_offset = -8,
                                        .frame_rule = CFI_SAME},
                                .place = (uint32_t)address};
}

static void walk(struct run *run, const struct taken *taken)
{
    size_t first = taken->is_deep ? 0 : shallow_frame(run);
    struct registers registers = {.known = UINT64_MAX};
    struct outer_request request = {
        .walk = {.registers = &registers,
                 .stack_start = STACK_START + first * FRAME_BYTES,
                 .stack = {(const char *)&taken->stack[first * FRAME_WORDS],
                           taken->is_deep ? COPY_BYTES : (FRAMES - first) * FRAME_BYTES},
                 .find = find,
                 .context = run,
                 .generation = 1},
        .thread = THREAD,
        .is_cut = true,
        .context = run,
    };
    struct outer_result result;
    bool is_other = false;

    registers.values[REGISTERS_IP] = taken->is_deep ? CALL : SHALLOW_CALL;
    registers.values[REGISTERS_SP] = request.walk.stack_start;
    result = outer_unwind(&run->outer, &request, &run->unwinder);
    run->result.deep_count += taken->is_deep;
    if (!taken->is_deep || result.outcome != OUTER_COMPLETED)
        return;
    is_other = run->unwinder.frames[FIRST_OF_CALLER + 1].address >= CALLERS + 0x1000;
    *vec_add(&run->waiting) = (struct waiting){
        result.claim,
        is_other != taken->is_other,
        run->unwinder.frames[shallow_frame(run)].address == SHALLOW_CALL,
    };
}

static void settle(struct run *run, bool is_final)
{
    while (run->first_waiting < run->waiting.count) {
        const struct waiting *first = &run->waiting.items[run->first_waiting];
        enum outer_verdict verdict = outer_verdict(&run->outer, first->claim, is_final);

        if (verdict == OUTER_OPEN)
            return;
        run->result.kept_count += verdict == OUTER_KEEP;
        run->result.wrong_count += verdict == OUTER_KEEP && first->is_wrong;
        run->result.over_count += verdict == OUTER_KEEP && first->is_over;
        run->first_waiting++;
    }
}

static void look(struct run *run, unsigned sample_count)
{
    double next = run->now + 1;

    if (!run->simulation->is_frozen)
        advance(run, run->now + any(run) * 0.5);
    outer_begin_look(&run->outer);
    for (unsigned i = 0; i < sample_count; i++)
        walk(run, &run->samples[i]);
    settle(run, false);
    if (run->now > next)
        return;
    advance(run, next);
}

struct simulated simulation_run(const struct simulation *simulation)
{
    struct run run = {.simulation = simulation, .random = 1};
    unsigned count = 0;

    run.samples = memory_new(simulation->look_length, sizeof(*run.samples));
    unwinder_init(&run.unwinder);
    outer_init(&run.outer, read_memory);
    go_down(&run);
    for (unsigned i = 0; i < simulation->sample_count; i++) {
        struct taken *taken = &run.samples[count++];

        taken->is_deep = run.is_deep;
        taken->is_other = run.is_other;
        memcpy(taken->stack, run.stack, sizeof(run.stack));
        if (count < simulation->look_length) {
            advance(&run, run.now + 1);
            continue;
        }
        look(&run, count);
        count = 0;
    }
    settle(&run, true);
    vec_done(&run.waiting);
    outer_done(&run.outer);
    unwinder_done(&run.unwinder);
    free(run.samples);
    return run.result;
}
