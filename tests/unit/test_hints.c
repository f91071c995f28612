/* Each hint at twice and at half its threshold, and where it comes from. */
#include "cmocka_all.h"

#include <stdio.h>

#include "hint_teller.h"
#include "hints/hint_rules.h"
#include "hints/hints.h"
#include "profile_builder.h"

/* One stack for each kind that a call tells; "own a parse" is where it comes from. */
static const struct {
    enum hint_kind kind;
    const char *path;
} signs[] = {
    {HINT_DROP, "own a parse > std core core::ptr::drop_in_place<alloc::string::String>"},
    {HINT_DROP, "own a parse > std core core::ptr::drop_glue<alloc::string::String>"},
    {HINT_DROP, "own a parse > std alloc <alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop > own a x"},
    {HINT_ALLOCATION, "own a parse > c libc.so.6 malloc > c libc.so.6 _int_malloc"},
    {HINT_ALLOCATION, "own a parse > c libc.so.6 cfree"},
    {HINT_ALLOCATION, "own a parse > own a <a::Counted as core::alloc::global::GlobalAlloc>::alloc > "
                      "c libc.so.6 malloc"},
    {HINT_COPY, "own a parse > c libc.so.6 __memmove_avx_unaligned_erms"},
    {HINT_CLONE,
     "own a parse > std alloc <alloc::string::String as core::clone::Clone>::clone > c libc.so.6 f"},
    {HINT_GROWTH, "own a parse > std alloc alloc::raw_vec::RawVec<T,A>::grow_one > c libc.so.6 realloc"},
    {HINT_SIP_HASH, "own a parse > std core <core::hash::sip::Hasher<S> as core::hash::Hasher>::write"},
    {HINT_FORMAT, "own a parse > std alloc alloc::fmt::format > std core core::fmt::write"},
    {HINT_UNWIND,
     "own a parse > std std std::panicking::begin_panic > c libgcc_s.so.1 _Unwind_RaiseException"},
    {HINT_UTF8, "own a parse > std core core::str::converts::from_utf8"},
    {HINT_LOCK, "own a parse > std std std::sys::sync::mutex::futex::Mutex::lock_contended"},
    {HINT_LOCK, "own a parse > c libc.so.6 pthread_rwlock_unlock"},
    {HINT_WAKEUPS,
     "own a parse > std std std::sync::poison::condvar::Condvar::wait + std std std::sys::futex_wait"},
    {HINT_WAKEUPS, "own a parse > std std <std::sys::sync::condvar::futex::Condvar>::notify_one"},
    {HINT_WAKEUPS, "own a parse > std std std::thread::park > c libc.so.6 syscall"},
    {HINT_WAKEUPS, "own a parse > std std <std::thread::thread::Thread>::unpark > c libc.so.6 syscall"},
    {HINT_WAKEUPS, "own a parse > c libc.so.6 __pthread_cond_wait > kernel [kernel] schedule"},
    {HINT_UNBUFFERED, "own a parse > c libc.so.6 write > kernel [kernel] entry_SYSCALL_64"},
    {HINT_NEW_MEMORY, "own a parse > kernel [kernel] asm_exc_page_fault > kernel [kernel] clear_page_erms"},
    {HINT_REGEX,
     "own a parse > dep regex_automata regex_automata::meta::regex::Builder::build_many > std core f"},
    {HINT_REGEX, "own a parse > dep regex_syntax regex_syntax::hir::translate::Translator::translate"},
    {HINT_REGEX,
     "own a parse > dep regex_automata <regex_automata::meta::regex::Builder>::build_many > std core f"},
    {HINT_REGEX, "own a parse > dep regex_syntax <regex_syntax::hir::translate::Translator>::translate"},
    {HINT_LOCK, "own a parse > dep parking_lot <parking_lot::raw_mutex::RawMutex>::lock_slow"},
    {HINT_LOCK, "own a parse > std std <std::sync::poison::mutex::Mutex<alloc::vec::Vec<u8>>>::lock"},
    {HINT_LOCK, "own a parse > std std std::sync::poison::mutex::Mutex<T>::lock"},
    {HINT_WAKEUPS, "own a parse > dep mio <mio::waker::Waker>::wake"},
    {HINT_CLOCK, "own a parse > std std <std::time::Instant>::now"},
    {HINT_CLOCK, "own a parse > std std <std::time::Instant>::now::{closure#0}"},
    {HINT_THREADS,
     "own a parse > c libc.so.6 pthread_create > c libc.so.6 clone3 > kernel [kernel] kernel_clone"},
    {HINT_CLOCK, "own a parse > std std std::time::Instant::now > c [vdso] __vdso_clock_gettime"},
    {HINT_CLOCK, "own a parse > c libc.so.6 clock_gettime"},
    {HINT_ROUNDING,
     "own a parse > std compiler_builtins compiler_builtins::math::full_availability::roundf::roundf + std "
     "compiler_builtins compiler_builtins::math::libm_math::generic::trunc::trunc_status::<f32>"},
    {HINT_ROUNDING,
     "own a parse > std compiler_builtins compiler_builtins::math::full_availability::fmaf::fmaf"},
    {HINT_ROUNDING, "own a parse > std a floorf"},
    {HINT_DEBUG_BUILD, "own a parse > std core core::ub_checks::maybe_is_aligned"},
    {HINT_DEBUG_BUILD, "own a parse > std core <core::ops::range::Range<usize> as "
                       "core::iter::range::RangeIteratorImpl>::spec_next"},
    {HINT_DEBUG_BUILD,
     "own a parse > std core <core::ops::range::Range<A> as core::iter::traits::iterator::Iterator>::next"},
    {HINT_LOCK, "own a parse > std core core::ptr::drop_in_place<std::sync::poison::mutex::MutexGuard<u64>>"},
    {HINT_BOUNDS_CHECK, "own a parse + std core <usize as core::slice::index::SliceIndex<[T]>>::index"},
    {HINT_BOUNDS_CHECK,
     "own a parse + std core core::slice::index::<impl core::ops::index::Index<I> for [T]>::index"},
    {HINT_BOUNDS_CHECK,
     "own a parse + std alloc <alloc::vec::Vec<T,A> as core::ops::index::IndexMut<I>>::index_mut"},
    {HINT_BOUNDS_CHECK,
     "own a parse + std alloc <alloc::vec::Vec<u8> as core::ops::index::Index<usize>>::index"},
    {HINT_BOUNDS_CHECK, "own a parse + std core <[u8] as core::ops::index::Index<usize>>::index"},
};

static void each_hint_shows_at_twice_its_threshold_and_not_at_half(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(signs); i++) {
        const struct hint_rule *rule = &hint_rules[signs[i].kind];
        SCOPED(text_done) struct text twice = {0};
        SCOPED(text_done) struct text half = {0};
        char expected[128];

        tell(signs[i].path, WHOLE / 100 * rule->least_percent * 2, &twice);
        tell(signs[i].path, WHOLE / 100 * rule->least_percent / 2, &half);
        snprintf(expected, sizeof(expected), "hint (%s): %u.0%% %s, %u.0%% in parse\n  ", rule->name,
                 rule->least_percent * 2, rule->what, rule->least_percent * 2);
        if (!has(&twice, expected))
            fail_msg("%s: not \"%s\" in \"%s\"", signs[i].path, expected, text_string(&twice));
        snprintf(expected, sizeof(expected), "hint (%s)", rule->name);
        if (has(&half, expected))
            fail_msg("%s at half its threshold: \"%s\"", signs[i].path, text_string(&half));
    }
}

/* What is told of a profile that mostly allocates so, and may be of a recording of the heap. */
static void tell_of_allocations(const char *path, const char *allocator, struct text *out)
{
    struct profile profile;

    text_clear(out);
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, slice_of(path), 1000);
    profile.heap_lacks.allocator = profile_string(&profile, slice_of(allocator));
    hints_add(out, &profile, 0);
    assert_true(has(out, "with_capacity"));
    profile_done(&profile);
}

static void another_allocator_is_advised_only_where_the_program_has_none(void **state)
{
    static const char advice[] =
        "with_capacity), borrow instead of owning; where it is the system's, another "
        "allocator (mimalloc, jemalloc) is a quick try\n";
    static const char *const others[] = {
        "own a parse > std alloc __rustc::__rust_alloc > own a _rjem_malloc",
        "own a parse > std alloc __rustc::__rust_dealloc > c a mi_free",
        "own a parse > dep mi <mimalloc::MiMalloc as core::alloc::global::GlobalAlloc>::alloc > c a malloc",
        "own a parse > c a malloc > c a je_arena_malloc_hard",
    };
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell_of_allocations("own a parse > c libc.so.6 malloc", "", &told);
    assert_true(has(&told, advice));
    tell_of_allocations("own mi mi::parse > c libc.so.6 malloc", "", &told);
    assert_true(has(&told, advice));
    tell_of_allocations("own mi_app mi_app::parse > c libc.so.6 malloc", "", &told);
    assert_true(has(&told, advice));
    for (size_t i = 0; i < ARRAY_COUNT(others); i++) {
        tell_of_allocations(others[i], "", &told);
        assert_false(has(&told, "mimalloc, jemalloc"));
    }
    tell_of_allocations("own a parse > c libc.so.6 malloc", "jemalloc", &told);
    assert_false(has(&told, "mimalloc, jemalloc"));
}

static void an_allocator_that_is_put_in_front_of_the_systems_is_known_by_its_file(void **state)
{
    SCOPED(text_done) struct text told = {0};
    struct profile profile;

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own a parse > c libjemalloc.so.2 malloc"), 1000);
    profile_builder_set_library(&profile, SLICE("/usr/lib/libjemalloc.so.2"));
    hints_add(&told, &profile, 0);
    assert_true(has(&told, "hint (allocation)"));
    assert_false(has(&told, "mimalloc, jemalloc"));
    profile_done(&profile);
}

/* As in a program without debug information, where __rust_alloc jumps to the allocator and has no frame. */
static void an_allocator_that_is_linked_in_allocates_by_its_names_alone(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell_of_allocations(
        "own a parse > c a mi_theap_malloc_zero_aligned_at_generic > c a _mi_page_malloc_zero", "", &told);
    assert_true(
        has(&told, "hint (allocation): 100.0% of samples allocate or free memory, 100.0% in parse\n"));
    tell_of_allocations("own a parse > c a _rjem_je_large_dalloc", "", &told);
    assert_true(has(&told, "hint (allocation)"));
}

static void what_begins_as_an_allocators_names_alone_does_not(void **state)
{
    SCOPED(text_done) struct text told = {0};
    struct profile profile;

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own a parse > c a mi_write_row"), 1000);
    hints_add(&told, &profile, 0);
    assert_false(has(&told, "hint (allocation)"));
    profile_done(&profile);
}

/* Who asked for memory is not who hands it on, but a lock that is taken on the way is the allocator's own. */
static void an_allocators_lock_is_its_own(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a parse > own a <a::Locked as core::alloc::global::GlobalAlloc>::alloc > "
         "std std std::sys::sync::mutex::futex::Mutex::lock_contended",
         10000, &told);
    assert_true(has(&told, "100.0% in <a::Locked as core::alloc::global::GlobalAlloc>::alloc\n"));
}

static void one_hot_inlined_function_is_told_with_what_std_inlines_into_it(void **state)
{
    SCOPED(text_done) struct text full = {0};
    SCOPED(text_done) struct text half = {0};
    SCOPED(text_done) struct text plain = {0};

    (void)state;
    tell("own a f + own a digit + std core <u64>::wrapping_mul", 10000, &full);
    assert_true(has(&full,
                    "hint (hot-inlined): 100.0% of samples are in one function that is inlined, so that "
                    "its callers seem to be slow, 100.0% in digit\n"));
    tell("own a f + own a digit + std core <u64>::wrapping_mul", 2500, &half);
    tell("own a f + std core <u64>::wrapping_mul", 10000, &plain);
    tell("own a f + own a digit > own a g", 10000, &plain);
    assert_false(has(&half, "hot-inlined"));
    assert_false(has(&plain, "hot-inlined"));
}

/* Each has a quarter: together they are over the threshold, none is by itself. */
static void several_warm_inlined_functions_are_no_hot_one(void **state)
{
    SCOPED(text_done) struct text told = {0};
    struct profile profile;

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own a f + own a one"), 2500);
    profile_builder_add(&profile, 0, SLICE("own a f + own a two"), 2500);
    profile_builder_add(&profile, 0, SLICE("own a f + own a three"), 2500);
    profile_builder_add(&profile, 0, SLICE("own a f"), 2500);
    hints_add(&told, &profile, 0);
    assert_false(has(&told, "hot-inlined"));
    profile_done(&profile);
}

/* What is told of a profile of plain work whose stacks have ended so. */
static void tell_of_ends(const char *path, enum stack_end end, uint64_t count, struct text *out)
{
    struct profile profile;

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, slice_of(path), 1000);
    profile.series.items[0].ended_counts[end] = count;
    profile.series.items[0].ended_counts[STACK_COMPLETE] = end == STACK_UNCHECKED ? 0 : 1000 - count;
    hints_add(out, &profile, 0);
    profile_done(&profile);
}

static void where_most_callers_are_missing_that_is_said(void **state)
{
    SCOPED(text_done) struct text cut = {0};
    SCOPED(text_done) struct text short_ones = {0};
    SCOPED(text_done) struct text others = {0};

    (void)state;
    tell_of_ends("own a compute > own a step", STACK_CUT_NO_RULE, 501, &cut);
    assert_true(has(&cut,
                    "hints take callers, and 50.1% of stacks are cut: costs may be larger than told here, "
                    "or not told at all\n"));
    tell_of_ends("own a a::compute > own a a::step", STACK_UNCHECKED, 1000, &short_ones);
    assert_true(has(&short_ones, "hints take callers, and 100.0% of stacks end after one or two calls: "));
    tell_of_ends("own a compute > own a step", STACK_CUT_NO_RULE, 500, &others);
    tell_of_ends("own a a > own a b > own a c > own a d", STACK_UNCHECKED, 1000, &others);
    tell("own a a::compute > own a a::step", 5000, &others); /* nobody knows how they ended */
    assert_false(has(&others, "hints take callers"));
}

static void deep_recursion_shows_at_its_depth(void **state)
{
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text deep = {0};
    SCOPED(text_done) struct text shallow = {0};

    (void)state;
    for (int i = 0; i < HINT_RECURSION_DEPTH - 1; i++)
        text_add_string(&path, i ? " > own a visit" : "own a visit");
    tell(text_string(&path), 5000, &shallow);
    text_add_string(&path, " > own a visit");
    tell(text_string(&path), 5000, &deep);
    assert_false(has(&shallow, "recursion"));
    assert_true(has(
        &deep, "hint (recursion): 50.0% of samples are 50 calls or deeper in one function, 50.0% in visit"));
    text_clear(&deep);
    tell(text_string(&path), 1250, &deep);
    assert_false(has(&deep, "recursion"));
}

static void code_without_a_name_is_not_one_function_that_calls_itself(void **state)
{
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text told = {0};

    (void)state;
    for (int i = 0; i < HINT_RECURSION_DEPTH; i++)
        text_add_string(&path, i ? " > [app]" : "[app]");
    tell(text_string(&path), 5000, &told);
    assert_false(has(&told, "recursion"));
}

static void assert_idle(uint64_t wall_ns, uint64_t cpu_ns, uint64_t run_delay_ns, bool expected)
{
    SCOPED(text_done) struct text told = {0};
    struct profile profile;

    profile_builder_init(&profile);
    profile.wall_ns = wall_ns;
    profile.cpu_ns = cpu_ns;
    profile.run_delay_ns = run_delay_ns;
    hints_add(&told, &profile, 0);
    assert_int_equal(has(&told, "hint (idle)"), expected);
    profile_done(&profile);
}

static void a_program_that_mostly_waits_is_told_so(void **state)
{
    (void)state;
    assert_idle(10000000000, 1000000000, 0, true);
    assert_idle(10000000000, 4000000000, 0, false);
    assert_idle(500000000, 1000000, 0, false);
    assert_idle(10000000000, 0, 0, false);
}

static void waiting_for_a_processor_is_no_idling(void **state)
{
    (void)state;
    assert_idle(10000000000, 1000000000, 500000000, true);
    assert_idle(10000000000, 1000000000, 4000000000, false);
    assert_idle(10000000000, 1000000000, UINT64_MAX, false);
}

static void missing_lines_of_the_program_are_told(void **state)
{
    SCOPED(text_done) struct text told = {0};
    struct profile profile;
    uint32_t function = 0;
    struct profile_sample sample = {.value = 1};

    (void)state;
    profile_builder_init(&profile);
    function =
        profile_function(&profile, (struct profile_function){.name = profile_string(&profile, SLICE("f"))});
    profile_set_frames(&profile, profile_location(&profile, 0, 16),
                       &(struct profile_frame){.function = function}, 1);
    sample.stack = profile_stack(&profile, PROFILE_NONE, 0);
    for (int i = 0; i < 300; i++)
        profile_add_sample(&profile, 0, sample);
    profile_builder_finish(&profile);
    hints_add(&told, &profile, 0);
    assert_true(has(&told, "hint (no-debug-info): 100.0%"));
    assert_true(has(&told, "Rust with debug = 1 and strip = false in the profile and its overrides "
                           "(package, build-override), C with -g and without -s\n"));
    text_clear(&told);
    profile_builder_add(&profile, 0, SLICE("own a main"), 900);
    hints_add(&told, &profile, 0);
    assert_true(has(&told, "hint (no-debug-info): 25.0%"));
    text_clear(&told);
    profile_builder_add(&profile, 0, SLICE("own a main"), 400);
    hints_add(&told, &profile, 0);
    assert_false(has(&told, "no-debug-info"));
    profile_done(&profile);
}

static void missing_lines_of_c_code_are_told_where_its_caller_has_none(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a main > own a parse > bare c app malloc > bare c app __bin_chunk", 9000, &told);
    assert_false(has(&told, "no-debug-info"));
    tell("bare own a main > bare own a parse > bare c app ZSTD_compress > bare c app HUF_compress", 9000,
         &told);
    assert_true(has(&told, "hint (no-debug-info): 90.0%"));
    text_clear(&told);
    tell("bare own a main > c app work", 9000, &told);
    assert_false(has(&told, "no-debug-info"));
}

static void few_samples_tell_nothing(void **state)
{
    SCOPED(text_done) struct text told = {0};
    struct profile profile;

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own a main > c libc.so.6 malloc"), HINT_LEAST_SAMPLES - 1);
    hints_add(&told, &profile, 0);
    assert_int_equal(told.length, 0);
    profile_builder_add(&profile, 0, SLICE("own a main > c libc.so.6 malloc"), 1);
    hints_add(&told, &profile, 0);
    assert_true(has(&told, "hint (allocation): 100.0%"));
    profile_done(&profile);
}

static void the_heaviest_come_first_and_not_too_many(void **state)
{
    SCOPED(text_done) struct text told = {0};
    struct profile profile;
    size_t count = 0;

    (void)state;
    profile_builder_init(&profile);
    for (size_t i = 0; i < ARRAY_COUNT(signs); i++)
        profile_builder_add(&profile, 0, slice_of(signs[i].path), 1000 + i * 500);
    hints_add(&told, &profile, 0);
    for (size_t i = 0; i < told.length; i++)
        count += slice_starts_with(slice_range(text_slice(&told), i, told.length), SLICE("hint ("));
    assert_in_range(count, 1, HINTS_MOST);
    profile_done(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_hint_shows_at_twice_its_threshold_and_not_at_half),
        cmocka_unit_test(another_allocator_is_advised_only_where_the_program_has_none),
        cmocka_unit_test(an_allocator_that_is_put_in_front_of_the_systems_is_known_by_its_file),
        cmocka_unit_test(an_allocator_that_is_linked_in_allocates_by_its_names_alone),
        cmocka_unit_test(what_begins_as_an_allocators_names_alone_does_not),
        cmocka_unit_test(an_allocators_lock_is_its_own),
        cmocka_unit_test(one_hot_inlined_function_is_told_with_what_std_inlines_into_it),
        cmocka_unit_test(several_warm_inlined_functions_are_no_hot_one),
        cmocka_unit_test(where_most_callers_are_missing_that_is_said),
        cmocka_unit_test(deep_recursion_shows_at_its_depth),
        cmocka_unit_test(code_without_a_name_is_not_one_function_that_calls_itself),
        cmocka_unit_test(a_program_that_mostly_waits_is_told_so),
        cmocka_unit_test(waiting_for_a_processor_is_no_idling),
        cmocka_unit_test(missing_lines_of_the_program_are_told),
        cmocka_unit_test(missing_lines_of_c_code_are_told_where_its_caller_has_none),
        cmocka_unit_test(few_samples_tell_nothing),
        cmocka_unit_test(the_heaviest_come_first_and_not_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
