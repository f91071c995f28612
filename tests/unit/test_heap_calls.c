/* Whose memory it is: calls that hand it on, allocators that are a program's own, and what chance may make of
 * it. */
#include "cmocka_all.h"

#include <math.h>

#include "changes/heap_spread.h"
#include "hints/hints.h"
#include "profile/totals.h"
#include "profile_builder.h"
#include "symbolize/heap_calls.h"
#include "symbolize/own_allocator.h"
#include "tree/path_tree.h"

static void calls_that_hand_memory_on_are_known_by_name(void **state)
{
    (void)state;
    assert_true(heap_call_is(SLICE("alloc::alloc::alloc")));
    assert_true(heap_call_is(SLICE("<alloc::alloc::Global as core::alloc::Allocator>::allocate")));
    assert_true(heap_call_is(SLICE("<alloc::raw_vec::RawVecInner>::try_allocate_in")));
    assert_true(heap_call_is(SLICE("alloc::raw_vec::finish_grow")));
    assert_true(heap_call_is(SLICE("__rustc::__rust_alloc")));
    assert_true(heap_call_is(SLICE("allocator_api2::stable::alloc::global::Global::alloc_impl")));
    assert_true(heap_call_is(SLICE("<allocator_api2::stable::alloc::global::Global as "
                                   "allocator_api2::stable::alloc::Allocator>::allocate")));
    assert_false(heap_call_is(SLICE("allocator_api2::stable::vec::Vec<T,A>::reserve")));
    assert_true(heap_call_is(SLICE("<app::Counting as core::alloc::global::GlobalAlloc>::alloc")));
    assert_true(heap_call_is(SLICE("operator new(unsigned long)")));
    assert_true(heap_call_is(SLICE("std::__new_allocator<int>::allocate(unsigned long, void const*)")));
    assert_true(
        heap_call_is(SLICE("std::_Vector_base<int, std::allocator<int> >::_M_allocate(unsigned long)")));
    assert_false(heap_call_is(SLICE("std::vector<int, std::allocator<int> >::reserve(unsigned long)")));
    assert_false(heap_call_is(SLICE("<alloc::vec::Vec<u8, alloc::alloc::Global>>::with_capacity")));
    assert_false(heap_call_is(SLICE("alloc::boxed::Box<T>::new")));
    assert_false(heap_call_is(SLICE("app::alloc::arena")));
}

static void what_c_calls_after_malloc_hands_memory_on(void **state)
{
    static const char *const names[] = {
        "sqlite3MemMalloc",  "dbMallocRawFinish", "sqlite3DbMallocZero",
        "ZSTD_customCalloc", "git__malloc",       "aws_lc_0_25_0_OPENSSL_malloc",
        "CRYPTO_zalloc",     "g_realloc_n",       "xcalloc.constprop.0"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (!heap_call_is(slice_of(names[i])))
            fail_msg("%s", names[i]);
    assert_false(heap_call_is(SLICE("sqlite3BtreeOpen")));
    assert_false(heap_call_is(SLICE("memory_for_rows")));
    assert_false(heap_call_is(SLICE("app::malloc_counts::read")));
}

static void allocators_are_known_by_their_functions(void **state)
{
    (void)state;
    assert_string_equal(own_allocator_with(SLICE("_rjem_malloc")), "jemalloc");
    assert_string_equal(own_allocator_with(SLICE("mi_malloc_aligned")), "mimalloc");
    assert_string_equal(own_allocator_with(SLICE("sdallocx")), "jemalloc");
    assert_null(own_allocator_with(SLICE("malloc_usable_size")));
    assert_true(own_allocator_may_tell(slice_of(own_allocator_with(SLICE("mallctl")))));
    assert_false(own_allocator_may_tell(slice_of(own_allocator_with(SLICE("malloc")))));
}

static uint64_t self_of(const struct profile *profile, const struct totals *totals, const char *name)
{
    for (size_t i = 0; i < profile->functions.count; i++)
        if (slice_is(profile_text(profile, profile->functions.items[i].name), name))
            return totals->functions[i].self;
    return UINT64_MAX;
}

/* A profile whose only series is of the heap. */
static void heap_profile_init(struct profile *profile)
{
    profile_builder_init(profile);
    profile->series.items[0].heap = HEAP_EVENT_COUNT;
}

static void what_std_asks_for_is_its_callers_own(void **state)
{
    SCOPED(profile_done) struct profile profile = {0};
    SCOPED(totals_done) struct totals totals = {0};

    (void)state;
    heap_profile_init(&profile);
    profile_builder_add(
        &profile, 0, SLICE("own app main > dep serde parse > std alloc to_vec > std alloc with_capacity"), 3);
    profile_builder_add(&profile, 0, SLICE("own app main + std alloc Box::new"), 2);
    profile_builder_add(&profile, 0, SLICE("std std rt > std std init"), 1);
    profile_builder_finish(&profile);
    totals_compute(&profile, 0, WEIGHT_SAMPLES, &totals);
    assert_int_equal(self_of(&profile, &totals, "parse"), 3);
    assert_int_equal(self_of(&profile, &totals, "main"), 2);
    assert_int_equal(self_of(&profile, &totals, "init"), 1); /* nobody else's */
    assert_int_equal(self_of(&profile, &totals, "to_vec"), 0);
}

/* As a panic's backtrace does: std has gcc's library walk the stack, which calls std. */
static void what_the_c_library_asks_for_in_between_is_its_callers_too(void **state)
{
    static const char *const files[] = {"libgcc_s.so.1", "libc.so.6", "libc-2.31.so", "ld-linux-x86-64.so.2"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
        SCOPED(profile_done) struct profile profile = {0};
        SCOPED(totals_done) struct totals totals = {0};
        SCOPED(text_done) struct text stack = {0};

        text_format(&stack, "own app fails > std std print > c %s _Unwind_Backtrace > std std frame",
                    files[i]);
        heap_profile_init(&profile);
        profile_builder_add(&profile, 0, text_slice(&stack), 3);
        profile_builder_add(&profile, 0, SLICE("own app main > c libssl.so.3 new > std alloc to_vec"), 2);
        profile_builder_finish(&profile);
        totals_compute(&profile, 0, WEIGHT_SAMPLES, &totals);
        assert_int_equal(self_of(&profile, &totals, "fails"), 3);
        assert_int_equal(self_of(&profile, &totals, "new"), 2);
    }
}

static uint64_t self_in(const struct profile *profile, const struct call_tree *tree, const char *name)
{
    for (size_t i = 0; i < tree->nodes.count; i++)
        if (slice_is(profile_text(profile, tree->nodes.items[i].name), name))
            return tree->nodes.items[i].weights.self;
    return UINT64_MAX;
}

static void trees_say_what_tables_say(void **state)
{
    SCOPED(profile_done) struct profile profile = {0};
    SCOPED(call_tree_done) struct call_tree tree = {0};
    SCOPED(call_tree_done) struct call_tree as_they_are = {0};

    (void)state;
    heap_profile_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main > std alloc to_vec + std alloc with_capacity"), 3);
    profile_builder_add(&profile, 0, SLICE("std std rt > std std init"), 1);
    profile_builder_finish(&profile);
    path_tree_make(&profile, 0, CALLS_BY_TOTAL, &(struct path_choice){.gives_to_own = true}, &tree);
    assert_int_equal(self_in(&profile, &tree, "main"), 3);
    assert_int_equal(self_in(&profile, &tree, "with_capacity"), 0);
    assert_int_equal(self_in(&profile, &tree, "init"), 1);
    path_tree_make(&profile, 0, CALLS_BY_TOTAL, &(struct path_choice){0}, &as_they_are);
    assert_int_equal(self_in(&profile, &as_they_are, "with_capacity"), 3);
}

static void of_time_it_is_that_of_the_innermost(void **state)
{
    SCOPED(profile_done) struct profile profile = {0};
    SCOPED(totals_done) struct totals totals = {0};

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main > std alloc to_vec"), 3);
    profile_builder_finish(&profile);
    totals_compute(&profile, 0, WEIGHT_SAMPLES, &totals);
    assert_int_equal(self_of(&profile, &totals, "to_vec"), 3);
    assert_int_equal(self_of(&profile, &totals, "main"), 0);
}

/* The name of the innermost function of the only sample. */
static struct slice innermost(const struct profile *profile)
{
    SCOPED(sample_cursor_done)
    struct sample_cursor cursor = sample_cursor_of(&profile->series.items[0].samples);
    struct profile_sample sample;
    uint32_t location = 0;

    assert_true(sample_cursor_next(&cursor, &sample));
    location = profile->stacks.items[sample.stack].location;
    return profile_text(
        profile, profile->functions
                     .items[profile->frames.items[profile->locations.items[location].first_frame].function]
                     .name);
}

static bool is_innermost_after(const char *path, const char *name)
{
    SCOPED(profile_done) struct profile profile = {0};
    struct error err = {0};

    heap_profile_init(&profile);
    profile_builder_add(&profile, 0, slice_of(path), 1);
    profile_builder_finish(&profile);
    assert_int_equal(heap_calls_leave_out(&profile, &err), 0);
    return slice_is(innermost(&profile), name);
}

static void calls_that_hand_memory_on_are_left_out_of_stacks(void **state)
{
    static const char *const paths[] = {
        "own app main > std alloc to_vec > std alloc alloc::raw_vec::finish_grow > std alloc "
        "alloc::alloc::alloc",
        "own app main > std alloc to_vec + std alloc alloc::alloc::alloc",
        "own app main > std alloc to_vec",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(paths); i++)
        assert_true(is_innermost_after(paths[i], "to_vec"));
    /* There is nobody else that it is of. */
    assert_true(is_innermost_after("std alloc alloc::alloc::alloc", "alloc::alloc::alloc"));
}

static bool is_time_in_after(const char *path, const char *name)
{
    SCOPED(profile_done) struct profile profile = {0};
    struct error err = {0};

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, slice_of(path), 1);
    profile_builder_set_library(&profile, SLICE(HEAP_LIBRARY_NAME));
    profile_add_series(&profile, SLICE("heap-peak"), SLICE("bytes"), 0);
    profile.series.items[1].heap = HEAP_EVENT_PEAK;
    profile_builder_finish(&profile);
    assert_int_equal(heap_calls_leave_out(&profile, &err), 0);
    return slice_is(innermost(&profile), name);
}

static void what_the_recorder_takes_is_told_as_the_recorders(void **state)
{
#define RECORDER "own app main > c " HEAP_LIBRARY_NAME " noted"

    (void)state;
    assert_true(is_time_in_after(RECORDER " > c libc.so.6 malloc_usable_size", "noted"));
    assert_true(is_time_in_after(RECORDER " > kernel [kernel] do_syscall > kernel [kernel] read", "noted"));
    assert_true(is_time_in_after(RECORDER " > kernel [vdso] clock_gettime", "noted"));
    assert_true(is_time_in_after(RECORDER " > c libc.so.6 __restore_rt > own app handle", "handle"));
    assert_true(is_time_in_after(RECORDER " > c libc.so.6 __libc_malloc", "__libc_malloc"));
    assert_true(is_time_in_after(RECORDER " > c libc.so.6 malloc > kernel [kernel] fault", "fault"));
    assert_true(is_time_in_after("own app main > c libc.so.6 malloc_usable_size", "malloc_usable_size"));
#undef RECORDER
}

/* It stands before malloc, and would not without --heap. */
static void what_the_recorder_of_the_heap_takes_is_no_cost(void **state)
{
    SCOPED(text_done) struct text told = {0};
    struct profile profile;

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own a main > c " HEAP_LIBRARY_NAME " malloc"),
                        HINT_LEAST_SAMPLES);
    profile_builder_set_library(&profile, SLICE(HEAP_LIBRARY_NAME));
    hints_add(&told, &profile, 0);
    assert_int_equal(told.length, 0);
    profile_builder_add(&profile, 0,
                        SLICE("own a main > c " HEAP_LIBRARY_NAME " malloc > c libc.so.6 malloc"),
                        HINT_LEAST_SAMPLES);
    hints_add(&told, &profile, 0);
    assert_true(slice_starts_with(text_slice(&told), SLICE("hint (allocation): 50.0%")));
    profile_done(&profile);
}

static void what_was_all_told_is_as_it_is(void **state)
{
    struct profile_series series = {.heap = HEAP_EVENT_BYTES};
    struct heap_spread spread = {.series = &series};
    struct profile_sample sample = {.time_ns = 5, .value = 1000};

    (void)state;
    assert_int_equal(heap_spread_next(&spread, &sample), 0);
    assert_true(heap_spread_of(1000, 0) == 0);
}

static void the_mean_of_runs_varies_less_than_each(void **state)
{
    struct profile_series series = {.heap = HEAP_EVENT_PEAK};
    struct heap_spread one = {.series = &series, .run_count = 1};
    struct heap_spread ten = {.series = &series, .run_count = 10};
    struct profile_sample of_one = {.time_ns = 5, .value = 6000};
    struct profile_sample of_ten = {.time_ns = 5, .value = 600};

    (void)state;
    *vec_add(&series.intervals) = (struct heap_interval){1, 5000};
    assert_true(heap_spread_next(&one, &of_one) > 1000000);
    assert_int_equal(heap_spread_next(&ten, &of_ten), heap_spread_next(&one, &of_one) / 100);
    vec_done(&series.intervals);
}

/* Drawn 200,000 times: values have the variance that they tell themselves, in the mean. */
static void what_a_sample_stands_for_varies_by_as_much_as_is_told(void **state)
{
    enum { TIMES = 200000 };
    const double interval = 1000;
    const double sizes[] = {10, 300, 1000, 5000, 100000};
    uint64_t random = 88172645463325252ULL;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        double chance = -expm1(-sizes[i] / interval);
        double value = sizes[i] / chance;
        double exact = sizes[i] * sizes[i] * (1 - chance) / chance;
        double told = 0;

        for (int n = 0; n < TIMES; n++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            if ((double)(random >> 11) * 0x1p-53 < chance)
                told += heap_spread_of(value, interval);
        }
        assert_true(fabs(told / TIMES - exact) <= exact * 0.1 + 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_hand_memory_on_are_known_by_name),
        cmocka_unit_test(what_c_calls_after_malloc_hands_memory_on),
        cmocka_unit_test(allocators_are_known_by_their_functions),
        cmocka_unit_test(what_std_asks_for_is_its_callers_own),
        cmocka_unit_test(what_the_c_library_asks_for_in_between_is_its_callers_too),
        cmocka_unit_test(trees_say_what_tables_say),
        cmocka_unit_test(of_time_it_is_that_of_the_innermost),
        cmocka_unit_test(calls_that_hand_memory_on_are_left_out_of_stacks),
        cmocka_unit_test(what_the_recorder_takes_is_told_as_the_recorders),
        cmocka_unit_test(what_the_recorder_of_the_heap_takes_is_no_cost),
        cmocka_unit_test(what_was_all_told_is_as_it_is),
        cmocka_unit_test(the_mean_of_runs_varies_less_than_each),
        cmocka_unit_test(what_a_sample_stands_for_varies_by_as_much_as_is_told),
    };

    return cmocka_run_group_tests_name("heap calls", tests, NULL, NULL);
}
