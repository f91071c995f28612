/* What the kernel tells of how often events happened, in its forms before and since Linux 6.0. */
#include "cmocka_all.h"

#include <unistd.h>

#include "sampler/perf/event.h"

/* A file that gives these numbers to one reading, as an event does. */
static int numbers_to_read(const uint64_t *numbers, size_t count)
{
    int ends[2];

    assert_return_code(pipe(ends), 0);
    assert_int_equal(write(ends[1], numbers, count * sizeof(*numbers)), count * sizeof(*numbers));
    close(ends[1]);
    return ends[0];
}

static void add_kind(struct event_set *set, uint64_t read_format)
{
    *vec_add(&set->kinds) = (struct event_kind){.attributes = {.read_format = read_format}};
}

static void add_event(struct event_set *set, uint32_t kind, const uint64_t *numbers, size_t count)
{
    *vec_add(&set->items) = (struct event){.descriptor = numbers_to_read(numbers, count), .kind = kind};
}

static void what_happened_and_what_was_lost_are_summed_by_kind(void **state)
{
    struct event_set set = {0};
    struct sampler_counts counts = {0};

    (void)state;
    add_kind(&set, READ_FORMAT_LOST);
    add_kind(&set, READ_FORMAT_LOST);
    add_event(&set, 0, (const uint64_t[]){1000, 2}, 2);
    add_event(&set, 1, (const uint64_t[]){70000, 9}, 2);
    add_event(&set, 0, (const uint64_t[]){30, 1}, 2);
    assert_true(event_set_tells_lost(&set, 0));
    assert_true(event_set_count(&set, 0, &counts));
    assert_int_equal(counts.happened, 1030);
    assert_int_equal(counts.lost, 3);
    event_set_done(&set);
}

static void before_linux_6_0_it_is_told_how_often_alone(void **state)
{
    struct event_set set = {0};
    struct sampler_counts counts = {0};

    (void)state;
    add_kind(&set, 0);
    add_event(&set, 0, (const uint64_t[]){1000}, 1);
    add_event(&set, 0, (const uint64_t[]){30}, 1);
    assert_false(event_set_tells_lost(&set, 0));
    assert_true(event_set_count(&set, 0, &counts));
    assert_int_equal(counts.happened, 1030);
    assert_int_equal(counts.lost, 0);
    event_set_done(&set);
}

static void what_cannot_be_read_leaves_the_result_as_it_was(void **state)
{
    struct event_set set = {0};
    struct sampler_counts counts = {.happened = 42};

    (void)state;
    add_kind(&set, READ_FORMAT_LOST);
    add_event(&set, 0, (const uint64_t[]){1000}, 1);
    assert_false(event_set_count(&set, 0, &counts));
    assert_int_equal(counts.happened, 42);
    event_set_done(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_happened_and_what_was_lost_are_summed_by_kind),
        cmocka_unit_test(before_linux_6_0_it_is_told_how_often_alone),
        cmocka_unit_test(what_cannot_be_read_leaves_the_result_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
