/* What looks like a cost that a hint is about, and is none or another one. */
#include "cmocka_all.h"

#include "hint_teller.h"
#include "hints/hints.h"
#include "profile_builder.h"

static void plain_work_gets_no_hint(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a main > own a parse > dep rx rx::find", 5000, &told);
    assert_int_equal(told.length, 0);
}

static void faults_of_files_are_no_new_memory(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f > kernel [kernel] asm_exc_page_fault > kernel [kernel] do_read_fault > kernel [kernel] f",
         9000, &told);
    assert_false(has(&told, "new-memory"));
}

static void what_events_of_a_recording_cost_a_new_thread_is_not_the_programs(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f > c libc.so.6 pthread_create > kernel [kernel] kernel_clone > kernel [kernel] copy_process "
         "> "
         "kernel [kernel] perf_event_init_task > kernel [kernel] inherit_event",
         9000, &told);
    assert_false(has(&told, "threads"));
}

static void a_file_that_is_closed_as_it_is_dropped_is_no_memory_to_keep(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f + std core core::ptr::drop_in_place<std::fs::File> > c libc.so.6 close > "
         "kernel [kernel] __x64_sys_close",
         9000, &told);
    assert_false(has(&told, "drop"));
    tell("own a f + dependency memmap2 core::ptr::drop_in_place<memmap2::Mmap> > c libc.so.6 munmap", 9000,
         &told);
    assert_false(has(&told, "drop"));
    tell("own a f + std core core::ptr::drop_in_place<std::fs::File> > c libc.so.6 free", 9000, &told);
    assert_true(has(&told, "hint (drop): 90.0%"));
}

/* A \\w that needs Unicode asks the parser's tables as it searches. */
static void searches_build_no_expressions(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f > dep regex_automata regex_automata::meta::strategy::Core::search > "
         "dep regex_syntax regex_syntax::try_is_word_character",
         9000, &told);
    assert_false(has(&told, "regex"));
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

static void a_transfer_whose_callers_are_cut_may_go_through_a_buffer(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("c libc.so.6 write", 9000, &told);
    tell("c libc.so.6 read > kernel [kernel] vfs_read > kernel [kernel] rw_verify_area", 9000, &told);
    assert_false(has(&told, "unbuffered"));
    tell("dep a a::f > c libc.so.6 write", 9000, &told);
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

/* With parking_lot the waiting itself goes through what its locks are made of. */
static void a_lock_that_a_wait_takes_again_is_of_waking_up(void **state)
{
    static const char *const waits[] = {
        "own a f > std std <std::sys::sync::condvar::futex::Condvar>::wait > std std "
        "<std::sys::sync::mutex::futex::Mutex>::lock_contended",
        "own a f > dep parking_lot parking_lot::condvar::Condvar::wait_until_internal > dep parking_lot_core "
        "parking_lot_core::parking_lot::park",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(waits); i++) {
        SCOPED(text_done) struct text told = {0};

        tell(waits[i], 9000, &told);
        assert_true(has(&told, "hint (wakeups): 90.0%"));
        assert_false(has(&told, "hint (locks)"));
    }
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

/* It interrupts whatever there is, which has called nothing of it. */
static void what_a_signals_handler_does_is_not_of_what_it_interrupts(void **state)
{
#define HANDLER " > own a handle > own a work"
    static const char *const returns[] = {"c libc.so.6 __restore_rt", "c libc.so.6 __restore",
                                          "c [vdso] __kernel_rt_sigreturn",
                                          "c libc.so.6 <signal handler called>"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(returns); i++) {
        SCOPED(text_done) struct text path = {0};
        SCOPED(text_done) struct text told = {0};

        text_format(&path, "own a f > c libc.so.6 clock_gettime > %s" HANDLER, returns[i]);
        tell(text_string(&path), 9000, &told);
        assert_int_equal(told.length, 0);
        text_format(&path, " > c libc.so.6 malloc");
        tell(text_string(&path), 9000, &told);
        assert_false(has(&told, "clock"));
        assert_true(
            has(&told, "hint (allocation): 90.0% of samples allocate or free memory, 90.0% in work\n"));
    }
#undef HANDLER
}

static void a_handler_is_no_place_in_the_program_without_a_line_of_what_it_interrupts(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("bare own a f > bare c a __restore_rt > bare c a handle", 9000, &told);
    assert_false(has(&told, "no-debug-info"));
    tell("bare own a f > bare c a handle", 9000, &told);
    assert_true(has(&told, "no-debug-info"));
}

static void deep_stacks_below_a_handler_are_no_recursion_of_its(void **state)
{
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text told = {0};

    (void)state;
    for (int i = 0; i < HINT_RECURSION_DEPTH; i++)
        text_add_string(&path, i == 0 ? "own a visit" : " > own a visit");
    text_add_string(&path, " > c libc.so.6 __restore_rt > own a handle");
    tell(text_string(&path), 9000, &told);
    assert_int_equal(told.length, 0);
}

/* The message, the backtrace and what they are written with are there because of the panic. */
static void what_a_panic_does_is_of_panics_alone(void **state)
{
#define PANIC "std std std::panicking::panic_with_hook > own a hook"
#define GROWTH "std alloc alloc::raw_vec::finish_grow > c libc.so.6 realloc"
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell("own a f > " PANIC " > std core core::fmt::write > " GROWTH, 9000, &told);
    tell("own a f > " PANIC " > std core core::ptr::drop_in_place<gimli::Unit> > c libc.so.6 free", 9000,
         &told);
    tell("own a f > " PANIC " > c libc.so.6 write", 9000, &told);
    assert_true(has(&told,
                    "hint (panics): 90.0% of samples raise or unwind panics or C++ exceptions, 90.0% in "
                    "f\n"));
    assert_false(has(&told, "formatting"));
    assert_false(has(&told, "allocation"));
    assert_false(has(&told, "growth"));
    assert_false(has(&told, "drop"));
    assert_false(has(&told, "unbuffered"));
    text_clear(&told);
    tell("own a f > std core core::fmt::write > own a show > " PANIC " > std core core::fmt::write", 9000,
         &told);
    assert_true(has(&told, "hint (formatting): 90.0% of samples format text, 90.0% in f\n"));
    text_clear(&told);
    tell("own a f > std alloc alloc::raw_vec::finish_grow > " PANIC " > " GROWTH, 9000, &told);
    assert_false(has(&told, "growth"));
#undef PANIC
#undef GROWTH
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_work_gets_no_hint),
        cmocka_unit_test(faults_of_files_are_no_new_memory),
        cmocka_unit_test(what_events_of_a_recording_cost_a_new_thread_is_not_the_programs),
        cmocka_unit_test(a_file_that_is_closed_as_it_is_dropped_is_no_memory_to_keep),
        cmocka_unit_test(searches_build_no_expressions),
        cmocka_unit_test(the_first_room_of_a_vec_is_no_growth),
        cmocka_unit_test(buffered_and_large_transfers_are_no_unbuffered_ones),
        cmocka_unit_test(a_transfer_whose_callers_are_cut_may_go_through_a_buffer),
        cmocka_unit_test(lines_written_one_by_one_are_unbuffered_unless_something_gathers_them),
        cmocka_unit_test(writing_what_is_formatted_is_no_formatting),
        cmocka_unit_test(inlined_steps_are_no_debug_build),
        cmocka_unit_test(traits_of_others_for_ranges_are_no_debug_build),
        cmocka_unit_test(calls_of_index_and_stds_own_ones_are_no_bounds_checks),
        cmocka_unit_test(what_std_inlines_into_a_check_belongs_to_it),
        cmocka_unit_test(unlocking_is_no_drop),
        cmocka_unit_test(a_lock_that_a_wait_takes_again_is_of_waking_up),
        cmocka_unit_test(guards_of_locks_are_known_by_their_type_or_module),
        cmocka_unit_test(guards_of_other_things_are_no_locks),
        cmocka_unit_test(what_does_the_rest_of_its_work_when_it_is_dropped_is_no_drop),
        cmocka_unit_test(what_a_signals_handler_does_is_not_of_what_it_interrupts),
        cmocka_unit_test(a_handler_is_no_place_in_the_program_without_a_line_of_what_it_interrupts),
        cmocka_unit_test(deep_stacks_below_a_handler_are_no_recursion_of_its),
        cmocka_unit_test(what_a_panic_does_is_of_panics_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
