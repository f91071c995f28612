#include "cmocka_all.h"

#include "criterion/timed_part.h"
#include "profile_fixture.h"

#define BENCHER "dep criterion criterion::bencher::Bencher<M>::"
#define BATCHED "own app main > " BENCHER "iter_batched > "
#define DROPPED "own app main > " BENCHER "iter_with_large_drop > " BENCHER
#define EXTEND "std alloc <alloc::vec::Vec<T,A> as core::iter::traits::collect::Extend<T>>::extend > "
#define COLLECT "std core core::iter::traits::iterator::Iterator::collect > "

static void add(struct profile_fixture *f, const char *path, uint64_t count)
{
    profile_builder_add(&f->profile, 0, slice_of(path), count);
}

/* So many samples are of an iteration's time; 0: that is not told. */
static void assert_timed(struct profile_fixture *f, uint64_t expected)
{
    uint64_t all = f->profile.series.items[0].samples.count;
    bool is_told = false;

    assert_int_equal(timed_part_keep(&f->profile, &is_told, &f->err), 0);
    assert_int_equal(is_told, expected > 0);
    assert_int_equal(f->profile.series.items[0].samples.count, expected > 0 ? expected : all);
}

static void what_iter_does_not_call_is_left_out(void **state)
{
    struct profile_fixture *f = *state;

    add(f, "own app main > own app prepare", 400);
    add(f, "own app main > " BENCHER "iter > own app work", 70);
    add(f, "own app main > <criterion::bencher::Bencher<criterion::WallTime>>::iter::<u64, F> > own app work",
        20);
    add(f, "own app main > " BENCHER "iter", 3);
    add(f, "", 5);
    assert_timed(f, 93);
}

static void of_batches_only_the_routine_is_timed(void **state)
{
    struct profile_fixture *f = *state;

    add(f, BATCHED COLLECT "own app prepare", 700);
    add(f, BATCHED EXTEND "own app work", 180);
    add(f, BATCHED EXTEND "std core core::ptr::drop_in_place<T>", 10);
    add(f, BATCHED "std core core::ptr::drop_in_place<T> > c libc.so.6 free", 30);
    add(f, BATCHED "std core core::ptr::drop_glue<T> > c libc.so.6 free", 10);
    add(f, "own app main > " BENCHER "iter_batched_ref > " EXTEND "own app work", 10);
    assert_timed(f, 200);
}

static void where_set_up_and_routine_are_called_alike_nothing_is_told(void **state)
{
    struct profile_fixture *f = *state;

    add(f, BATCHED EXTEND "own app work", 90);
    add(f, BATCHED "own app bench::{{closure}} > own app work", 10);
    assert_timed(f, 90);
    add(f, BATCHED "own app bench::{{closure}} > own app work", 11);
    assert_timed(f, 0);
}

static void what_calls_batches_is_as_good_as_they_are(void **state)
{
    struct profile_fixture *f = *state;

    add(f, DROPPED "iter_batched > " EXTEND BENCHER "iter_with_large_drop::{{closure}} > own app work", 60);
    add(f, DROPPED "iter_batched > std core core::ptr::drop_in_place<T>", 40);
    assert_timed(f, 60);
}

static void what_a_benchmark_times_itself_is_not_told(void **state)
{
    struct profile_fixture *f = *state;

    add(f, "own app main > " BENCHER "iter_custom > own app work", 100);
    assert_timed(f, 0);
}

static void without_criterion_nothing_is_told(void **state)
{
    struct profile_fixture *f = *state;

    add(f, "own app main > own app Bencher<M>::iter > own app work", 100);
    assert_timed(f, 0);
}

static void other_threads_may_do_the_work(void **state)
{
    struct profile_fixture *f = *state;
    uint32_t worker = profile_add_thread(&f->profile, 100, 101, SLICE("worker"));

    add(f, "own app main > dep criterion criterion::bencher::AsyncBencher<A,M>::iter > own app wait", 100);
    profile_builder_add(&f->profile, worker, SLICE("std std start > own app work"), 11);
    assert_timed(f, 100);
    profile_builder_add(&f->profile, worker, SLICE("std std start > own app work"), 12);
    assert_timed(f, 0);
}

static void the_kernel_is_missed_where_it_was_not_sampled(void **state)
{
    struct profile_fixture *f = *state;

    add(f, "own app main > " BENCHER "iter > own app work", 1000);
    f->profile.series.items[0].is_user_only = true;
    f->profile.cpu_ns = 1200000000;
    assert_timed(f, 0);
    f->profile.cpu_ns = 1020000000;
    assert_timed(f, 1000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, profile_fixture_set_up, profile_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_iter_does_not_call_is_left_out),
        TEST(of_batches_only_the_routine_is_timed),
        TEST(where_set_up_and_routine_are_called_alike_nothing_is_told),
        TEST(what_calls_batches_is_as_good_as_they_are),
        TEST(what_a_benchmark_times_itself_is_not_told),
        TEST(without_criterion_nothing_is_told),
        TEST(other_threads_may_do_the_work),
        TEST(the_kernel_is_missed_where_it_was_not_sampled),
    };

    return cmocka_run_group_tests_name("timed part", tests, NULL, NULL);
}
