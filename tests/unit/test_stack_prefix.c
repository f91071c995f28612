#include "cmocka_all.h"

#include <string.h>

#include "base/compiler.h"
#include "collect/stack_prefix.h"

struct fixture {
    struct profile profile;
    struct stack_prefix prefix;
};

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    profile_init(&fixture.profile);
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    stack_prefix_done(&f->prefix);
    profile_done(&f->profile);
    return 0;
}

/* The stack of these calls, a letter each, the innermost first. */
static uint32_t add(struct fixture *f, const char *calls)
{
    struct unwind_frame frames[8] = {0};
    size_t count = strlen(calls);

    assert_in_range(count, 0, ARRAY_COUNT(frames));
    for (size_t i = 0; i < count; i++)
        frames[i].place = profile_location(&f->profile, PROFILE_NONE, (uint64_t)calls[i]);
    return stack_prefix_add(&f->prefix, &f->profile, frames, count);
}

/* The calls of a stack as `add` takes them. */
static void assert_calls(struct fixture *f, uint32_t stack, const char *expected)
{
    const struct profile *profile = &f->profile;

    for (; *expected; expected++) {
        assert_int_not_equal(stack, PROFILE_NONE);
        assert_int_equal(profile->locations.items[profile->stacks.items[stack].location].svma, *expected);
        stack = profile->stacks.items[stack].parent;
    }
    assert_int_equal(stack, PROFILE_NONE);
}

static void any_stack_after_any_other_has_its_own_calls(void **state)
{
    static const char *const stacks[] = {"cba",  "dcba", "ba", "cba", "",    "a",    "b",
                                         "aaaa", "aaa",  "ba", "ca",  "dba", "dcba", "dcbb"};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(stacks); i++)
        for (size_t j = 0; j < ARRAY_COUNT(stacks); j++) {
            assert_calls(f, add(f, stacks[i]), stacks[i]);
            assert_calls(f, add(f, stacks[j]), stacks[j]);
        }
}

static void the_same_calls_are_one_stack(void **state)
{
    struct fixture *f = *state;
    uint32_t first = add(f, "cba");
    uint32_t outer = add(f, "ba");

    assert_int_equal(f->profile.stacks.count, 3);
    assert_int_equal(add(f, "cba"), first);
    add(f, "x");
    assert_int_equal(add(f, "cba"), first);
    assert_int_equal(add(f, "ba"), outer);
    assert_int_equal(f->profile.stacks.count, 4);
    assert_int_equal(add(f, ""), PROFILE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_stack_after_any_other_has_its_own_calls, begin, end),
        cmocka_unit_test_setup_teardown(the_same_calls_are_one_stack, begin, end),
    };

    return cmocka_run_group_tests_name("stack prefix", tests, NULL, NULL);
}
