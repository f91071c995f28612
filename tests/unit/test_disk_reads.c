/* When what was read from disks is told of as what may have changed two runs. */
#include "change_fixture.h"

#include "changes/disk_reads.h"
#include "profile_builder.h"

#define MIB (UINT64_C(1) << 20)

static void set_disk(struct change_fixture *f, uint64_t before, uint64_t after)
{
    f->before.disk_bytes = before;
    f->after.disk_bytes = after;
    f->before.run_count = f->after.run_count = 1;
}

static void set_event(struct change_fixture *f, const char *event, const char *unit)
{
    struct profile *sides[] = {&f->before, &f->after};

    for (size_t i = 0; i < ARRAY_COUNT(sides); i++) {
        struct profile_series *series = &sides[i]->series.items[0];

        series->event = profile_string(sides[i], slice_of(event));
        series->unit = profile_string(sides[i], slice_of(unit));
        series->frequency_hz = 0;
    }
}

/* What the kernel does for main, in samples of 1 ms, beside 1,000 of main's own. */
static void fill(struct change_fixture *f, uint64_t before, uint64_t after)
{
    profile_builder_add(&f->before, 0, SLICE("own app main"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app main"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own app main > kernel [kernel] filemap_read"), before);
    profile_builder_add(&f->after, 0, SLICE("own app main > kernel [kernel] filemap_read"), after);
}

static enum joined_side side_of(struct change_fixture *f, enum measure_kind kind)
{
    const struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};

    change_fixture_compare(f, kind, JOINED_BY_FUNCTION);
    return disk_reads_side(parts, &f->changes);
}

static void assert_side(struct change_fixture *f, enum joined_side expected)
{
    assert_int_equal(side_of(f, MEASURE_CPU), expected);
    assert_int_equal(side_of(f, MEASURE_SHARE), expected);
}

static void the_side_that_read_much_more_is_told_where_its_kernel_took_more(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 100, 300);
    set_disk(f, 0, 300 * MIB);
    assert_side(f, JOINED_AFTER);
    set_disk(f, 140 * MIB, 300 * MIB);
    assert_side(f, JOINED_AFTER);
    set_disk(f, 300 * MIB, 0);
    assert_side(f, JOINED_SIDES);
}

static void the_side_before_is_told_likewise(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 300, 100);
    set_disk(f, 300 * MIB, 0);
    assert_side(f, JOINED_BEFORE);
    set_disk(f, 0, 300 * MIB);
    assert_side(f, JOINED_SIDES);
}

static void sides_that_read_alike_are_not_told_of(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 100, 300);
    set_disk(f, 0, 0);
    assert_side(f, JOINED_SIDES);
    set_disk(f, 290 * MIB, 300 * MIB);
    assert_side(f, JOINED_SIDES);
    set_disk(f, 160 * MIB, 300 * MIB);
    assert_side(f, JOINED_SIDES);
}

/* As of a profile that another tool wrote, or a process that ran before. */
static void what_is_not_known_is_not_told_of(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 100, 300);
    set_disk(f, UINT64_MAX, 300 * MIB);
    assert_side(f, JOINED_SIDES);
    set_disk(f, 0, UINT64_MAX);
    assert_side(f, JOINED_SIDES);
    set_disk(f, 0, 300 * MIB);
    f->after.run_count = 0;
    assert_side(f, JOINED_SIDES);
}

static void what_is_read_counts_by_run(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 100, 300);
    set_disk(f, 100 * MIB, 300 * MIB);
    f->after.run_count = 3;
    assert_int_equal(side_of(f, MEASURE_SHARE), JOINED_SIDES);
    f->after.run_count = 1;
    assert_int_equal(side_of(f, MEASURE_SHARE), JOINED_AFTER);
}

static void a_kernel_that_took_as_much_was_not_moved(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 200, 210);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app fresh"), 1000);
    set_disk(f, 0, 300 * MIB);
    assert_int_equal(side_of(f, MEASURE_CPU), JOINED_SIDES);
}

/* Limits are held against that, whoever took it. */
static void cpu_time_in_all_counts_where_the_kernel_may_have_taken_it(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main > kernel [kernel] filemap_read"), 100);
    profile_builder_add(&f->after, 0, SLICE("own app main > kernel [kernel] filemap_read"), 125);
    profile_builder_add(&f->before, 0, SLICE("own app main"), 300);
    profile_builder_add(&f->after, 0, SLICE("own app main"), 305);
    set_disk(f, 0, 300 * MIB);
    assert_int_equal(side_of(f, MEASURE_CPU), JOINED_AFTER);
    assert_int_equal(f->changes.told_count, 0);
    assert_int_equal(side_of(f, MEASURE_SHARE), JOINED_SIDES);
    profile_builder_add(&f->after, 0, SLICE("own app main"), 30);
    assert_int_equal(side_of(f, MEASURE_CPU), JOINED_SIDES);
}

static void a_little_more_cpu_time_in_all_does_not_count(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 200, 240);
    set_disk(f, 0, 300 * MIB);
    assert_int_equal(side_of(f, MEASURE_CPU), JOINED_SIDES);
}

/* A read of a page takes some 30 us at most, and the kernel took 2 s more. */
static void a_little_does_not_explain_a_lot(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 100, 2100);
    set_disk(f, 0, 20 * MIB);
    assert_int_equal(side_of(f, MEASURE_CPU), JOINED_SIDES);
    set_disk(f, 0, 30 * MIB);
    assert_int_equal(side_of(f, MEASURE_CPU), JOINED_AFTER);
}

static void less_than_a_program_itself_is_not_told_of(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 10, 40);
    set_disk(f, 0, MIB - 512);
    assert_side(f, JOINED_SIDES);
    set_disk(f, 0, 3 * MIB);
    assert_side(f, JOINED_AFTER);
}

/* None of them alone, as a kernel does one thing in many functions. */
static void the_kernels_functions_count_together(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app main"), 1000);
    for (unsigned i = 0; i < 30; i++) {
        SCOPED(text_done) struct text path = {0};

        text_format(&path, "own app main > kernel [kernel] f%u", i);
        profile_builder_add(&f->before, 0, text_slice(&path), 3);
        profile_builder_add(&f->after, 0, text_slice(&path), 9);
    }
    set_disk(f, 0, 300 * MIB);
    assert_int_equal(side_of(f, MEASURE_CPU), JOINED_AFTER);
    assert_int_equal(f->changes.itself_count, 0);
}

/* Of which the sum is what it was. */
static void a_function_of_the_kernels_counts_alone(void **state)
{
    struct change_fixture *f = *state;

    fill(f, 500, 400);
    profile_builder_add(&f->after, 0, SLICE("own app main > kernel [kernel] submit_bio"), 100);
    set_disk(f, 0, 300 * MIB);
    assert_side(f, JOINED_AFTER);
}

static void the_kernels_part_that_was_not_sampled_counts(void **state)
{
    struct change_fixture *f = *state;
    struct profile *sides[] = {&f->before, &f->after};

    for (size_t i = 0; i < ARRAY_COUNT(sides); i++) {
        profile_builder_add(sides[i], 0, SLICE("own app main"), 1000);
        sides[i]->series.items[0].is_user_only = true;
        sides[i]->cpu_ns = UINT64_C(1100000000) + i * 500000000;
        sides[i]->user_ns = UINT64_C(1000000000);
    }
    set_disk(f, 0, 300 * MIB);
    assert_int_equal(side_of(f, MEASURE_CPU), JOINED_AFTER);
    assert_int_equal(side_of(f, MEASURE_SHARE), JOINED_SIDES);
}

static void waits_and_faults_are_told_of_wherever_they_are(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main"), 10);
    profile_builder_add(&f->after, 0, SLICE("own app main"), 100);
    set_disk(f, 0, 300 * MIB);
    set_event(f, "off-cpu", "us");
    assert_int_equal(side_of(f, MEASURE_WAITS), JOINED_AFTER);
    set_event(f, "major-faults:u", "major-faults");
    assert_int_equal(side_of(f, MEASURE_COUNT), JOINED_AFTER);
    set_event(f, "cs", "context-switches");
    assert_int_equal(side_of(f, MEASURE_COUNT), JOINED_AFTER);
    set_event(f, "instructions", "instructions");
    assert_int_equal(side_of(f, MEASURE_COUNT), JOINED_SIDES);
    set_event(f, "syscalls:sys_enter_write", "syscalls:sys_enter_write");
    assert_int_equal(side_of(f, MEASURE_COUNT), JOINED_SIDES);
    set_event(f, "alloc-count", "allocations");
    assert_int_equal(side_of(f, MEASURE_COUNT), JOINED_SIDES);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, change_fixture_set_up, change_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_side_that_read_much_more_is_told_where_its_kernel_took_more),
        TEST(the_side_before_is_told_likewise),
        TEST(sides_that_read_alike_are_not_told_of),
        TEST(what_is_not_known_is_not_told_of),
        TEST(what_is_read_counts_by_run),
        TEST(a_kernel_that_took_as_much_was_not_moved),
        TEST(cpu_time_in_all_counts_where_the_kernel_may_have_taken_it),
        TEST(a_little_more_cpu_time_in_all_does_not_count),
        TEST(a_little_does_not_explain_a_lot),
        TEST(less_than_a_program_itself_is_not_told_of),
        TEST(the_kernels_functions_count_together),
        TEST(a_function_of_the_kernels_counts_alone),
        TEST(the_kernels_part_that_was_not_sampled_counts),
        TEST(waits_and_faults_are_told_of_wherever_they_are),
    };

    return cmocka_run_group_tests_name("disk_reads", tests, NULL, NULL);
}
