#include "cmocka_all.h"

#include <stdlib.h>

#include "collect/kernel_calls.h"

/* Few addresses and callers, so that most calls were seen before, and more pairs than are remembered. */
static void any_call_after_any_other_has_its_own_stack(void **state)
{
    enum { CALLS = 50000, ADDRESSES = 97, CALLERS = 61 };
    static struct kernel_calls calls;
    struct profile profile;
    unsigned chance = 1;

    (void)state;
    calls = (struct kernel_calls){0};
    profile_init(&profile);
    for (int i = 0; i < CALLS; i++) {
        uint64_t address = (uint64_t)rand_r(&chance) % ADDRESSES * 0x10001;
        uint32_t number = (uint32_t)rand_r(&chance) % CALLERS;
        uint32_t caller = number < profile.stacks.count ? number : PROFILE_NONE;
        uint32_t stack = kernel_calls_add(&calls, &profile, caller, address);
        const struct profile_location *location = NULL;

        assert_in_range(stack, 0, profile.stacks.count - 1);
        assert_int_equal(profile.stacks.items[stack].parent, caller);
        location = &profile.locations.items[profile.stacks.items[stack].location];
        assert_true(location->svma == address);
        assert_int_equal(profile.modules.items[location->module].kind, MODULE_KERNEL);
    }
    assert_true(profile.stacks.count > KERNEL_CALLS_RECENT);
    assert_int_equal(profile.modules.count, 1);
    profile_done(&profile);
}

static void a_sample_has_its_calls_or_where_it_was(void **state)
{
    static const uint64_t addresses[] = {0xffffffff81000010, 0xffffffff81000020};
    static struct kernel_calls calls;
    struct sample_raw sample = {.address = 0xffffffff81000030, .in_kernel = true};
    struct profile profile;
    uint32_t stack = PROFILE_NONE;

    (void)state;
    calls = (struct kernel_calls){0};
    profile_init(&profile);
    assert_int_equal(kernel_calls_add_all(&calls, &profile, &sample, &stack), 1);
    assert_true(profile.locations.items[profile.stacks.items[stack].location].svma == sample.address);
    sample.kernel_calls = (struct slice){(const char *)addresses, sizeof(addresses)};
    stack = PROFILE_NONE;
    assert_int_equal(kernel_calls_add_all(&calls, &profile, &sample, &stack), 2);
    assert_true(profile.locations.items[profile.stacks.items[stack].location].svma == addresses[0]);
    assert_int_equal(profile.stacks.items[profile.stacks.items[stack].parent].parent, PROFILE_NONE);
    profile_done(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_call_after_any_other_has_its_own_stack),
        cmocka_unit_test(a_sample_has_its_calls_or_where_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
