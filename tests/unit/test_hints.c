/* Each hint at twice and at half its threshold, and where it comes from. */
#include "cmocka_all.h"

#include <stdio.h>

#include "hints/hint_rules.h"
#include "hints/hints.h"
#include "profile_builder.h"

enum { WHOLE = 10000 };

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
    {HINT_UNBUFFERED, "own a parse > c libc.so.6 write > kernel [kernel] entry_SYSCALL_64"},
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

/* What is told of a profile of WHOLE samples, `count` of them with the stack. */
static void tell(const char *path, uint64_t count, struct text *out)
{
    struct profile profile;

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, slice_of(path), count);
    profile_builder_add(&profile, 0, SLICE("own a main > own a compute"), WHOLE - count);
    hints_add(out, &profile, 0);
    profile_done(&profile);
}

static bool has(const struct text *text, const char *part)
{
    return slice_find(text_slice(text), slice_of(part)) < text->length;
}

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

static void plain_work_gets_no_hint(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a main > own a parse > dep rx rx::find", 5000, &told);
    assert_int_equal(told.length, 0);
}

static void the_first_room_of_a_vec_is_no_growth(void **state)
{
#define RESERVE "own a f + std alloc alloc::vec::Vec<T,A>::reserve > std alloc alloc::raw_vec::finish_grow"
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell(RESERVE
         " + std alloc <alloc::alloc::Global as core::alloc::Allocator>::allocate > c libc.so.6 malloc",
         9000, &told);
    tell(RESERVE, 9000, &told);
    assert_false(has(&told, "growth"));
    tell(RESERVE " > dep std __rustc::__rust_realloc > c app _rjem_rallocx", 9000, &told);
    assert_true(has(&told, "hint (growth): 90.0%"));
#undef RESERVE
}

static void buffered_and_large_transfers_are_no_unbuffered_ones(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f > std std std::io::buffered::bufwriter::BufWriter<W>::flush_buf > c libc.so.6 write", 9000,
         &told);
    tell("own a f > c libc.so.6 read > kernel [kernel] ksys_read > kernel [kernel] _copy_to_iter", 9000,
         &told);
    tell("own a f > c libc.so.6 read > kernel [kernel] vfs_read > kernel [kernel] iowrite16", 9000, &told);
    tell("own a f > c libc.so.6 read > [kernel]", 9000, &told);
    tell("own a f > c libc.so.6 read > kernel [kernel] vfs_read > kernel [kernel] read_zero", 9000, &told);
    assert_false(has(&told, "unbuffered"));
    tell("own a f > c libc.so.6 read > kernel [kernel] vfs_read > kernel [kernel] rw_verify_area", 9000,
         &told);
    assert_true(has(&told, "hint (unbuffered): 90.0%"));
}

/* std's stdout flushes its buffer at each line, as println! in a loop finds out. */
static void lines_written_one_by_one_are_unbuffered_unless_something_gathers_them(void **state)
{
#define SHIM                                                                                                 \
    "std std <std::io::buffered::linewriter::LineWriter<W> as std::io::Write>::write_all > "                 \
    "std std <std::io::buffered::linewritershim::LineWriterShim<W> as std::io::Write>::write_all"
#define FLUSH "std std std::io::buffered::bufwriter::BufWriter<W>::flush_buf"
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f > std std std::io::stdio::_print > " SHIM " > " FLUSH " > c libc.so.6 write", 9000, &told);
    assert_true(has(&told, "hint (unbuffered): 90.0%"));
    text_clear(&told);
    tell("own a f > " FLUSH " > " SHIM " > c libc.so.6 write", 9000, &told);
    tell("own a f > std std std::io::buffered::bufwriter::BufWriter<LineWriterShim<W>>::flush_buf > c "
         "libc.so.6 write",
         9000, &told);
    tell("own a f > std std <std::io::buffered::linewriter::LineWriter<W> as std::io::Write>::flush > " FLUSH
         " > c libc.so.6 write",
         9000, &told);
    tell("own a f > " SHIM " > c libc.so.6 write > kernel [kernel] copy_page_from_iter", 9000, &told);
    tell("own a f > " SHIM
         " > std std <std::io::buffered::bufwriter::BufWriter<W>>::write_all_cold > c libc.so.6 write",
         9000, &told);
    assert_false(has(&told, "unbuffered"));
#undef SHIM
#undef FLUSH
}

static void writing_what_is_formatted_is_no_formatting(void **state)
{
    SCOPED(text_done) struct text told = {0};
    struct profile profile;

    (void)state;
    tell("own a f > std core core::fmt::write > std std <std::fs::File as std::io::Write>::write > c "
         "libc.so.6 write",
         9000, &told);
    assert_true(has(&told, "hint (unbuffered): 90.0%"));
    assert_false(has(&told, "formatting"));
    text_clear(&told);
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own a f > std core core::fmt::write > c libc.so.6 write"), 5000);
    profile_builder_add(&profile, 0, SLICE("own a f > std core core::fmt::write"), 5000);
    hints_add(&told, &profile, 0);
    assert_true(has(&told, "hint (formatting): 50.0% of samples format text, 50.0% in f\n"));
    profile_done(&profile);
}

static void inlined_steps_are_no_debug_build(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f + std core core::iter::range::next", 9000, &told);
    assert_false(has(&told, "debug-build"));
}

static void traits_of_others_for_ranges_are_no_debug_build(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a main > own a <core::ops::range::Range<usize> as a::Sieve>::primes", 9000, &told);
    tell("own a main > dep rand <core::ops::range::Range<T> as "
         "rand::distr::uniform::SampleRange<T>>::sample_single",
         9000, &told);
    tell("own a main > std core <core::ops::range::Range<u64> as "
         "core::iter::traits::iterator::Iterator>::fold",
         9000, &told);
    assert_int_equal(told.length, 0);
}

static void calls_of_index_and_stds_own_ones_are_no_bounds_checks(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f > std core <usize as core::slice::index::SliceIndex<[T]>>::index", 9000, &told);
    tell("own a f + std core <usize as core::slice::index::SliceIndex<[T]>>::index > c libc.so.6 f", 9000,
         &told);
    tell("own a f + std core <usize as core::slice::index::SliceIndex<[T]>>::index + own a g", 9000, &told);
    tell("own a f + std core core::slice::sort::f + std core <usize as "
         "core::slice::index::SliceIndex<[T]>>::index",
         9000, &told);
    tell("own a f + std std <std::collections::hash::map::HashMap<K,V,S> as "
         "core::ops::index::Index<&Q>>::index",
         9000, &told);
    assert_false(has(&told, "bounds-checks"));
}

static void what_std_inlines_into_a_check_belongs_to_it(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f + std core <usize as core::slice::index::SliceIndex<[T]>>::index + std core <usize>::lt",
         9000, &told);
    assert_true(has(&told, "hint (bounds-checks): 90.0%"));
}

static void unlocking_is_no_drop(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f > std std <std::sync::poison::mutex::MutexGuard<T> as core::ops::drop::Drop>::drop", 9000,
         &told);
    assert_true(has(&told, "hint (locks): 90.0%"));
    assert_false(has(&told, "hint (drop)"));
}

/* Each of the names alone, as a function that the user's code calls and all samples are in. */
static void tell_of_calls(const char *const *names, size_t count, const char *expected,
                          const char *unexpected)
{
    for (size_t i = 0; i < count; i++) {
        SCOPED(text_done) struct text path = {0};
        SCOPED(text_done) struct text told = {0};

        text_format(&path, "own a f > std alloc %s", names[i]);
        tell(text_string(&path), 9000, &told);
        if (expected && !has(&told, expected))
            fail_msg("%s: not \"%s\" in \"%s\"", names[i], expected, text_string(&told));
        if (has(&told, unexpected))
            fail_msg("%s: \"%s\" in \"%s\"", names[i], unexpected, text_string(&told));
    }
}

static void guards_of_locks_are_known_by_their_type_or_module(void **state)
{
    static const char *const names[] = {
        "core::ptr::drop_in_place<std::sync::poison::mutex::MutexGuard<u64>>",
        "core::ptr::drop_in_place::<lock_api::rwlock::RwLockReadGuard<parking_lot::raw_rwlock::RawRwLock, "
        "u8>>",
        "core::ptr::drop_in_place<core::option::Option<tokio::sync::mutex::OwnedMutexGuard<u64>>>",
        "<std::sync::reentrant_lock::ReentrantLockGuard<T> as core::ops::drop::Drop>::drop",
        "<async_lock::mutex::MutexGuardArc<T> as core::ops::drop::Drop>::drop",
        "<dlmalloc::global::lock::Guard as core::ops::drop::Drop>::drop",
    };

    (void)state;
    tell_of_calls(names, ARRAY_COUNT(names), "hint (locks): 90.0%", "hint (drop)");
}

static void guards_of_other_things_are_no_locks(void **state)
{
    static const char *const names[] = {
        "core::ptr::drop_in_place<tokio::runtime::context::blocking::BlockGuard<u8>>",
        "core::ptr::drop_in_place<clock::Guard<u8>>",
        "<crossbeam_epoch::guard::Guard as core::ops::drop::Drop>::drop",
    };

    (void)state;
    tell_of_calls(names, ARRAY_COUNT(names), "hint (drop): 90.0%", "hint (locks)");
}

/* A Vec's drain moves what is behind it, a scope's guard calls what it was given. */
static void what_does_the_rest_of_its_work_when_it_is_dropped_is_no_drop(void **state)
{
    static const char *const names[] = {
        "core::ptr::drop_in_place<alloc::vec::drain::Drain<u64>>",
        "core::ptr::drop_in_place<core::iter::adapters::map::Map<alloc::string::Drain,f>>",
        "<<alloc::vec::drain::Drain<T,A> as core::ops::drop::Drop>::drop::DropGuard<T,A> as "
        "core::ops::drop::Drop>::drop",
        "core::ptr::drop_in_place<hashbrown::scopeguard::ScopeGuard<hashbrown::raw::RawTableInner,f>>",
        "<scopeguard::ScopeGuard<T,F,S> as core::ops::drop::Drop>::drop",
        "<alloc::vec::splice::Splice<I,A> as core::ops::drop::Drop>::drop",
    };
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell_of_calls(names, ARRAY_COUNT(names), NULL, "hint (");
    tell("own a f > std core core::ptr::drop_in_place<alloc::vec::drain::Drain<alloc::string::String>> > "
         "std core core::ptr::drop_in_place<[alloc::string::String]>",
         9000, &told);
    assert_true(has(&told, "hint (drop): 90.0%"));
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
    assert_true(
        has(&told, "Rust with debug = 1 and strip = false in the profile, C with -g and without -s\n"));
    text_clear(&told);
    profile_builder_add(&profile, 0, SLICE("own a main"), 900);
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
        cmocka_unit_test(plain_work_gets_no_hint),
        cmocka_unit_test(the_first_room_of_a_vec_is_no_growth),
        cmocka_unit_test(buffered_and_large_transfers_are_no_unbuffered_ones),
        cmocka_unit_test(lines_written_one_by_one_are_unbuffered_unless_something_gathers_them),
        cmocka_unit_test(writing_what_is_formatted_is_no_formatting),
        cmocka_unit_test(inlined_steps_are_no_debug_build),
        cmocka_unit_test(traits_of_others_for_ranges_are_no_debug_build),
        cmocka_unit_test(calls_of_index_and_stds_own_ones_are_no_bounds_checks),
        cmocka_unit_test(what_std_inlines_into_a_check_belongs_to_it),
        cmocka_unit_test(unlocking_is_no_drop),
        cmocka_unit_test(guards_of_locks_are_known_by_their_type_or_module),
        cmocka_unit_test(guards_of_other_things_are_no_locks),
        cmocka_unit_test(what_does_the_rest_of_its_work_when_it_is_dropped_is_no_drop),
        cmocka_unit_test(one_hot_inlined_function_is_told_with_what_std_inlines_into_it),
        cmocka_unit_test(several_warm_inlined_functions_are_no_hot_one),
        cmocka_unit_test(deep_recursion_shows_at_its_depth),
        cmocka_unit_test(a_program_that_mostly_waits_is_told_so),
        cmocka_unit_test(waiting_for_a_processor_is_no_idling),
        cmocka_unit_test(missing_lines_of_the_program_are_told),
        cmocka_unit_test(missing_lines_of_c_code_are_told_where_its_caller_has_none),
        cmocka_unit_test(few_samples_tell_nothing),
        cmocka_unit_test(the_heaviest_come_first_and_not_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
