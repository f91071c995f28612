#include "cmocka_all.h"

#include "collect/known_rules.h"

static int begin(void **state)
{
    static struct known_rules rules;

    rules = (struct known_rules){0};
    *state = &rules;
    return 0;
}

static int end(void **state)
{
    known_rules_done(*state);
    return 0;
}

static struct unwind_rule rule_of(uint32_t place)
{
    return (struct unwind_rule){.place = place, .row = {.cfa_offset = (int32_t)place + 1}};
}

static void add(struct known_rules *rules, uint32_t location)
{
    struct unwind_rule rule = rule_of(location);

    known_rules_add(rules, location, &rule);
}

static void nothing_is_known_at_first(void **state)
{
    assert_null(known_rules_find(*state, 0));
    add(*state, 1);
    assert_null(known_rules_find(*state, 0));
}

static void a_rule_is_found_by_its_location(void **state)
{
    for (uint32_t location = 0; location < 1000; location++)
        add(*state, location);
    for (uint32_t location = 0; location < 1000; location++) {
        const struct unwind_rule *rule = known_rules_find(*state, location);

        assert_non_null(rule);
        assert_int_equal(rule->row.cfa_offset, location + 1);
    }
}

/* There may be many more locations than have room. */
static void another_location_is_never_taken_for_the_one_asked_for(void **state)
{
    enum { LOCATIONS = 100000, STEP = 3 };
    uint32_t known = 0;

    for (uint32_t location = 0; location < LOCATIONS; location += STEP)
        add(*state, location);
    for (uint32_t location = 0; location < LOCATIONS; location++) {
        const struct unwind_rule *rule = known_rules_find(*state, location);

        if (!rule)
            continue;
        assert_int_equal(location % STEP, 0);
        assert_int_equal(rule->place, location);
        known++;
    }
    assert_in_range(known, 1000, LOCATIONS / STEP - 1);
    assert_non_null(known_rules_find(*state, (LOCATIONS - 1) / STEP * STEP));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_known_at_first, begin, end),
        cmocka_unit_test_setup_teardown(a_rule_is_found_by_its_location, begin, end),
        cmocka_unit_test_setup_teardown(another_location_is_never_taken_for_the_one_asked_for, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
