#include "cmocka_all.h"

#include <errno.h>

#include "sampler/perf/attributes.h"

static const struct sampler_request if_allowed = {.kernel = SAMPLER_KERNEL_IF_ALLOWED};

static struct perf_event_attr attributes_of_event(const struct sampler_event_kind *event)
{
    const struct attributes_wish wish = {.request = &if_allowed};

    return attributes_of(&wish, event, true);
}

static void the_most_precise_is_as_precise_as_the_machine_has_it(void **state)
{
    const struct sampler_event_kind event = {.name = "cycles:P", .is_most_precise = true};
    struct perf_event_attr attributes = attributes_of_event(&event);

    (void)state;
    for (unsigned precise = SAMPLER_MOST_PRECISE; precise > 0; precise--) {
        assert_int_equal(attributes.precise_ip, precise);
        assert_true(attributes_ask_for_less(&attributes, &if_allowed, &event, EOPNOTSUPP));
    }
    assert_int_equal(attributes.precise_ip, 0);
    assert_false(attributes_ask_for_less(&attributes, &if_allowed, &event, EOPNOTSUPP));
}

static void what_was_asked_for_exactly_is_not_made_less(void **state)
{
    const struct sampler_event_kind event = {.name = "cycles:pp", .precise = 2};
    struct perf_event_attr attributes = attributes_of_event(&event);

    (void)state;
    assert_int_equal(attributes.precise_ip, 2);
    assert_false(attributes_ask_for_less(&attributes, &if_allowed, &event, EOPNOTSUPP));
    assert_int_equal(attributes.precise_ip, 2);
}

static void the_kernel_is_left_out_where_it_may_be_and_what_is_new_where_it_is_unknown(void **state)
{
    const struct sampler_event_kind event = {.name = "cpu-clock"};
    struct perf_event_attr attributes = attributes_of_event(&event);

    (void)state;
    assert_true(attributes_ask_for_less(&attributes, &if_allowed, &event, EACCES));
    assert_true(attributes.exclude_kernel);
    assert_false(attributes_ask_for_less(&attributes, &if_allowed, &event, EACCES));
    assert_true(attributes_ask_for_less(&attributes, &if_allowed, &event, EINVAL));
    assert_int_equal(attributes.read_format, 0);
    assert_true(attributes_ask_for_less(&attributes, &if_allowed, &event, EINVAL));
    assert_false(attributes.build_id);
    assert_false(attributes_ask_for_less(&attributes, &if_allowed, &event, EINVAL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_precise_is_as_precise_as_the_machine_has_it),
        cmocka_unit_test(what_was_asked_for_exactly_is_not_made_less),
        cmocka_unit_test(the_kernel_is_left_out_where_it_may_be_and_what_is_new_where_it_is_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
