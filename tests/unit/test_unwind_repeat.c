/* Walks that come after others through the same calls, with the same rules. */
#include "unwind_fixture.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, unwind_fixture_set_up, unwind_fixture_tear_down)

/*
 * 1 is called by 2, that by 3, and so on; the outermost is 6. 3 stores the frame pointer, and 5 has its frame
 * by it: seven words at 10.
 */
static void set_up_calls(struct fixture *f)
{
    for (int rule = 1; rule <= 5; rule++) {
        f->rows[rule] = frame_of(2);
        f->stack[2 * rule - 1] = 0x100 * (uint64_t)(rule + 1) + 0x20;
    }
    f->rows[3].frame_rule = CFI_AT_CFA;
    f->rows[3].frame_offset = -16;
    f->rows[5].cfa_register = REGISTERS_FP;
    f->stack[4] = STACK_START + 10 * sizeof(uint64_t);
    f->stack[9] = 0x520;
    f->stack[11] = 0x620;
    f->rows[6] = outermost();
}

static void assert_addresses(struct fixture *f, enum unwind_end end, const uint64_t *addresses, size_t count)
{
    assert_int_equal(unwind(&f->unwinder, &f->request), end);
    assert_int_equal(f->unwinder.frame_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(f->unwinder.frames[i].address, addresses[i]);
}

#define AGAIN(f, end, ...)                                                                                   \
    assert_addresses(f, end, (const uint64_t[]){__VA_ARGS__},                                                \
                     sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void the_same_stack_gives_the_same_calls_again(void **state)
{
    struct fixture *f = *state;

    set_up_calls(f);
    for (int i = 0; i < 3; i++)
        AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
    f->registers.values[REGISTERS_IP] = 0x115;
    AGAIN(f, UNWIND_COMPLETE, 0x115, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
    assert_int_equal(f->unwinder.frames[3].cfa, STACK_START + 64);
    assert_int_equal(f->unwinder.frames[4].cfa, STACK_START + 96);
}

static void a_return_address_that_changed_is_seen(void **state)
{
    struct fixture *f = *state;

    set_up_calls(f);
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
    f->stack[5] = 0x430;
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x42f, 0x51f, 0x61f);
    f->stack[11] = 0x630;
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x42f, 0x51f, 0x62f);
}

static void a_stored_register_that_changed_is_seen_where_it_counts(void **state)
{
    struct fixture *f = *state;

    set_up_calls(f);
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
    /* The frame of 5 is elsewhere now, and so is the return address. */
    f->stack[4] = STACK_START + 20 * sizeof(uint64_t);
    f->stack[21] = 0x640;
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x63f);
    f->stack[4] = STACK_START + 1000 * sizeof(uint64_t);
    AGAIN(f, UNWIND_UNREADABLE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f);
}

static void a_copy_that_ends_earlier_ends_the_walk_earlier(void **state)
{
    struct fixture *f = *state;

    set_up_calls(f);
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
    f->request.stack.length = 6 * sizeof(uint64_t);
    AGAIN(f, UNWIND_UNREADABLE, 0x110, 0x21f, 0x31f, 0x41f);
    f->request.stack.length = sizeof(f->stack);
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
}

static void other_rules_are_another_generation(void **state)
{
    struct fixture *f = *state;

    set_up_calls(f);
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
    f->rows[4] = outermost();
    f->request.generation++;
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f);
}

static void a_walk_that_begins_deeper_goes_on_through_known_calls(void **state)
{
    struct fixture *f = *state;
    uint64_t deeper[STACK_WORDS + 2] = {0};

    set_up_calls(f);
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
    f->rows[7] = frame_of(2);
    for (size_t i = 0; i < STACK_WORDS; i++)
        deeper[i + 2] = f->stack[i];
    deeper[1] = 0x111;
    f->request.stack = (struct slice){(const char *)deeper, sizeof(deeper)};
    f->request.stack_start = STACK_START - 16;
    f->registers.values[REGISTERS_SP] = STACK_START - 16;
    f->registers.values[REGISTERS_IP] = 0x710;
    AGAIN(f, UNWIND_COMPLETE, 0x710, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
    f->request.thread = 1;
    AGAIN(f, UNWIND_COMPLETE, 0x710, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
}

static void a_deep_recursion_is_as_deep_again(void **state)
{
    enum { CALLS = 6000 };
    struct fixture *f = *state;
    static uint64_t deep[2 * CALLS];

    f->rows[2] = frame_of(2);
    f->rows[3] = outermost();
    for (size_t i = 0; i < CALLS; i++)
        deep[2 * i + 1] = i + 1 < CALLS ? 0x220 : 0x320;
    f->request.stack = (struct slice){(const char *)deep, sizeof(deep)};
    f->registers.values[REGISTERS_IP] = 0x210;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(unwind(&f->unwinder, &f->request), UNWIND_COMPLETE);
        assert_int_equal(f->unwinder.frame_count, CALLS + 1);
        assert_int_equal(f->unwinder.frames[CALLS].address, 0x31f);
        assert_int_equal(f->unwinder.frames[CALLS - 1].cfa, STACK_START + sizeof(deep));
    }
    deep[2 * 5000 + 1] = 0x320; /* far out */
    assert_int_equal(unwind(&f->unwinder, &f->request), UNWIND_COMPLETE);
    assert_int_equal(f->unwinder.frame_count, 5002);
}

/* What lies outside of the copy may be another one each time. */
static void memory_beyond_the_copy_is_read_each_time(void **state)
{
    struct fixture *f = *state;

    set_up_calls(f);
    f->rows[4].return_offset = 0x9000 - (STACK_START + 64);
    f->request.read = unwind_fixture_read;
    f->outside = 0x520;
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
    f->outside = 0x620;
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x61f);
    f->outside = 0;
    AGAIN(f, UNWIND_UNREADABLE, 0x110, 0x21f, 0x31f, 0x41f);
}

/* Memory that goes on where a copy of three calls ends. */
struct beyond {
    const struct fixture *f;
    uint64_t end;          /* of what can be read */
    size_t known_at_first; /* frames that the walk had found when it first read here; 0: it did not */
};

static bool read_beyond(void *context, uint64_t address, uint64_t *out)
{
    struct beyond *beyond = context;

    if (beyond->known_at_first == 0)
        beyond->known_at_first = beyond->f->unwinder.frame_count;
    if (address >= beyond->end)
        return false;
    *out = beyond->f->stack[(address - STACK_START) / sizeof(*out)];
    return true;
}

static void calls_beyond_the_copy_are_gone_through_again_with_the_memory_of_now(void **state)
{
    struct fixture *f = *state;
    struct beyond beyond = {.f = f, .end = STACK_START + sizeof(f->stack)};

    set_up_calls(f);
    f->request.stack.length = 6 * sizeof(uint64_t);
    f->request.read = read_beyond;
    f->request.read_context = &beyond;
    for (int i = 0; i < 3; i++) {
        beyond.known_at_first = 0;
        AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x61f);
        assert_int_equal(beyond.known_at_first, 4);
    }
    f->stack[11] = 0x630;
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x62f);
    beyond.end = STACK_START + 11 * sizeof(uint64_t);
    AGAIN(f, UNWIND_UNREADABLE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f);
    /* What was read before is in the copy now, and the other way round. */
    beyond.end = STACK_START + sizeof(f->stack);
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x62f);
    f->request.stack.length = 10 * sizeof(uint64_t);
    beyond.known_at_first = 0;
    AGAIN(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f, 0x62f);
    assert_int_equal(beyond.known_at_first, 5);
    f->request.read = NULL;
    AGAIN(f, UNWIND_UNREADABLE, 0x110, 0x21f, 0x31f, 0x41f, 0x51f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_stack_gives_the_same_calls_again),
        TEST(a_return_address_that_changed_is_seen),
        TEST(a_stored_register_that_changed_is_seen_where_it_counts),
        TEST(a_copy_that_ends_earlier_ends_the_walk_earlier),
        TEST(other_rules_are_another_generation),
        TEST(a_walk_that_begins_deeper_goes_on_through_known_calls),
        TEST(a_deep_recursion_is_as_deep_again),
        TEST(memory_beyond_the_copy_is_read_each_time),
        TEST(calls_beyond_the_copy_are_gone_through_again_with_the_memory_of_now),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
