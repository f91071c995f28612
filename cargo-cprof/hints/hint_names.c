#include "hints/hint_names.h"

#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "base/text.h"
#include "facts/global_allocator.h"
#include "facts/other_allocator.h"
#include "facts/signal_return.h"
#include "hints/hint_rules.h"
#include "rust/drop_glue.h"

enum match { MATCH_IS, MATCH_STARTS, MATCH_ENDS, MATCH_HAS };

/* Names of Rust 1.60 to 1.95, glibc 2.36 and the Itanium unwinder; versions of memcpy have the processor
 * behind. */
static const struct {
    enum hint_kind kind;
    enum match match;
    const char *part;
} signs[] = {
    {HINT_DROP, MATCH_HAS, " as core::ops::drop::Drop>::drop"},
    {HINT_ALLOCATION, MATCH_IS, "malloc"},
    {HINT_ALLOCATION, MATCH_IS, "__libc_malloc"},
    {HINT_ALLOCATION, MATCH_IS, "_int_malloc"},
    {HINT_ALLOCATION, MATCH_IS, "calloc"},
    {HINT_ALLOCATION, MATCH_IS, "__libc_calloc"},
    {HINT_ALLOCATION, MATCH_IS, "realloc"},
    {HINT_ALLOCATION, MATCH_IS, "__libc_realloc"},
    {HINT_ALLOCATION, MATCH_IS, "_int_realloc"},
    {HINT_ALLOCATION, MATCH_IS, "free"},
    {HINT_ALLOCATION, MATCH_IS, "cfree"},
    {HINT_ALLOCATION, MATCH_IS, "__libc_free"},
    {HINT_ALLOCATION, MATCH_IS, "_int_free"},
    {HINT_ALLOCATION, MATCH_IS, "malloc_consolidate"},
    {HINT_ALLOCATION, MATCH_IS, "posix_memalign"},
    {HINT_ALLOCATION, MATCH_STARTS, "__rust_alloc"},
    {HINT_ALLOCATION, MATCH_STARTS, "__rust_dealloc"},
    {HINT_ALLOCATION, MATCH_STARTS, "__rust_realloc"},
    {HINT_ALLOCATION, MATCH_STARTS, "__rdl_"},
    {HINT_ALLOCATION, MATCH_STARTS, "alloc::alloc::"},
    {HINT_COPY, MATCH_STARTS, "__memcpy_"},
    {HINT_COPY, MATCH_STARTS, "__memmove_"},
    {HINT_COPY, MATCH_IS, "memcpy"},
    {HINT_COPY, MATCH_IS, "memmove"},
    {HINT_CLONE, MATCH_HAS, " as core::clone::Clone>::clone"},
    {HINT_CLONE, MATCH_HAS, "core::clone::impls::"},
    {HINT_CLONE, MATCH_ENDS, "::to_owned"},
    {HINT_GROWTH, MATCH_HAS, "::do_reserve_and_handle"},
    {HINT_GROWTH, MATCH_HAS, "raw_vec::finish_grow"},
    {HINT_GROWTH, MATCH_ENDS, "::grow_one"},
    {HINT_GROWTH, MATCH_ENDS, "::grow_amortized"},
    {HINT_GROWTH, MATCH_ENDS, "::reserve_for_push"},
    {HINT_SIP_HASH, MATCH_HAS, "core::hash::sip::"},
    {HINT_SIP_HASH, MATCH_HAS, "std::hash::random::DefaultHasher"},
    {HINT_SIP_HASH, MATCH_HAS, "hash_map::DefaultHasher"},
    {HINT_FORMAT, MATCH_STARTS, "core::fmt::"},
    {HINT_FORMAT, MATCH_STARTS, "alloc::fmt::format"},
    {HINT_FORMAT, MATCH_HAS, " as core::fmt::Display>::fmt"},
    {HINT_FORMAT, MATCH_HAS, " as core::fmt::Debug>::fmt"},
    {HINT_UNWIND, MATCH_STARTS, "std::panicking::begin_panic"},
    {HINT_UNWIND, MATCH_STARTS, "std::panicking::rust_panic"},
    {HINT_UNWIND, MATCH_STARTS, "std::panicking::panic_with_hook"},
    {HINT_UNWIND, MATCH_IS, "_Unwind_RaiseException"},
    {HINT_UNWIND, MATCH_IS, "_Unwind_Resume"},
    {HINT_UTF8, MATCH_HAS, "core::str::converts::from_utf8"},
    {HINT_UTF8, MATCH_HAS, "core::str::validations::run_utf8_validation"},
    {HINT_UTF8, MATCH_HAS, "from_utf8_lossy"},
    {HINT_LOCK, MATCH_HAS, "pthread_mutex_"},
    {HINT_LOCK, MATCH_HAS, "pthread_rwlock_"},
    {HINT_LOCK, MATCH_HAS, "std::sys::sync::mutex::"},
    {HINT_LOCK, MATCH_HAS, "std::sys::sync::rwlock::"},
    {HINT_LOCK, MATCH_HAS, "std::sync::poison::mutex::Mutex<T>::lock"},
    {HINT_LOCK, MATCH_HAS, "std::sync::mutex::Mutex<T>::lock"},
    {HINT_LOCK, MATCH_STARTS, "parking_lot"},
    {HINT_WAKEUPS, MATCH_HAS, "std::sys::sync::condvar::"},
    {HINT_WAKEUPS, MATCH_HAS, "condvar::Condvar::"},
    {HINT_WAKEUPS, MATCH_HAS, "std::sys::sync::thread_parking::"},
    {HINT_WAKEUPS, MATCH_HAS, "std::sys_common::thread_parker::"},
    {HINT_WAKEUPS, MATCH_HAS, "std::sys::unix::thread_parker::"},
    {HINT_WAKEUPS, MATCH_IS, "std::thread::park"},
    {HINT_WAKEUPS, MATCH_IS, "std::thread::functions::park"},
    {HINT_WAKEUPS, MATCH_ENDS, "::Thread::unpark"},
    {HINT_WAKEUPS, MATCH_HAS, "mio::waker::Waker::wake"},
    {HINT_WAKEUPS, MATCH_HAS, "pthread_cond_"},
    {HINT_WAKEUPS, MATCH_IS, "sem_wait"},
    {HINT_WAKEUPS, MATCH_IS, "sem_post"},
    {HINT_WAKEUPS, MATCH_STARTS, "__new_sem_"},
    {HINT_UNBUFFERED, MATCH_IS, "read"},
    {HINT_UNBUFFERED, MATCH_IS, "__libc_read"},
    {HINT_UNBUFFERED, MATCH_IS, "__read"},
    {HINT_UNBUFFERED, MATCH_IS, "write"},
    {HINT_UNBUFFERED, MATCH_IS, "__libc_write"},
    {HINT_UNBUFFERED, MATCH_IS, "__write"},
    {HINT_NEW_MEMORY, MATCH_ENDS, "exc_page_fault"},
    {HINT_NEW_MEMORY, MATCH_IS, "do_user_addr_fault"},
    {HINT_NEW_MEMORY, MATCH_IS, "do_page_fault"},
    {HINT_NEW_MEMORY, MATCH_IS, "handle_mm_fault"},
    {HINT_REGEX, MATCH_STARTS, "regex_syntax::ast::"},
    {HINT_REGEX, MATCH_STARTS, "regex_syntax::hir::"},
    {HINT_REGEX, MATCH_STARTS, "regex_syntax::parser::"},
    {HINT_REGEX, MATCH_STARTS, "regex_automata::meta::regex::Builder::build"},
    {HINT_REGEX, MATCH_STARTS, "regex_automata::nfa::thompson::compiler::"},
    {HINT_REGEX, MATCH_STARTS, "regex::exec::ExecBuilder::build"},
    {HINT_THREADS, MATCH_IS, "pthread_create"},
    {HINT_THREADS, MATCH_IS, "__pthread_create"},
    {HINT_CLOCK, MATCH_IS, "clock_gettime"},
    {HINT_CLOCK, MATCH_IS, "gettimeofday"},
    {HINT_CLOCK, MATCH_STARTS, "__vdso_"},
    {HINT_CLOCK, MATCH_STARTS, "std::time::Instant::now"},
    {HINT_CLOCK, MATCH_STARTS, "std::time::SystemTime::now"},
    {HINT_ROUNDING, MATCH_STARTS, "compiler_builtins::math::full_availability::ceil"},
    {HINT_ROUNDING, MATCH_STARTS, "compiler_builtins::math::full_availability::floor"},
    {HINT_ROUNDING, MATCH_STARTS, "compiler_builtins::math::full_availability::fma::"},
    {HINT_ROUNDING, MATCH_STARTS, "compiler_builtins::math::full_availability::fmaf::"},
    {HINT_ROUNDING, MATCH_STARTS, "compiler_builtins::math::full_availability::rint"},
    {HINT_ROUNDING, MATCH_STARTS, "compiler_builtins::math::full_availability::round"},
    {HINT_ROUNDING, MATCH_STARTS, "compiler_builtins::math::full_availability::trunc"},
    {HINT_ROUNDING, MATCH_IS, "ceil"},
    {HINT_ROUNDING, MATCH_IS, "ceilf"},
    {HINT_ROUNDING, MATCH_IS, "floor"},
    {HINT_ROUNDING, MATCH_IS, "floorf"},
    {HINT_ROUNDING, MATCH_IS, "fma"},
    {HINT_ROUNDING, MATCH_IS, "fmaf"},
    {HINT_ROUNDING, MATCH_IS, "round"},
    {HINT_ROUNDING, MATCH_IS, "roundf"},
    {HINT_ROUNDING, MATCH_IS, "trunc"},
    {HINT_ROUNDING, MATCH_IS, "truncf"},
    {HINT_DEBUG_BUILD, MATCH_ENDS, "::precondition_check"},
    {HINT_DEBUG_BUILD, MATCH_STARTS, "core::ub_checks::"},
    {HINT_DEBUG_BUILD, MATCH_STARTS, "core::iter::range::"},
    {HINT_BOUNDS_CHECK, MATCH_HAS, " as core::slice::index::SliceIndex<"},
    {HINT_BOUNDS_CHECK, MATCH_STARTS, "core::slice::index::"},
    {HINT_BOUNDS_CHECK, MATCH_HAS, "] as core::ops::index::Index"},
};

/*
 * Signs that are what a type with arguments has, or a trait for it: maps have indices too, and ranges traits
 * of anybody's.
 */
static const struct {
    enum hint_kind kind;
    const char *type;
    const char *part;
} signs_of_types[] = {
    {HINT_DEBUG_BUILD, "<core::ops::range::Range<", "> as core::iter::range::"},
    {HINT_DEBUG_BUILD, "<core::ops::range::Range<", "> as core::iter::traits::iterator::Iterator>::next"},
    {HINT_DEBUG_BUILD, "<core::ops::range::Range<", "> as core::iter::traits::double_ended::"},
    {HINT_BOUNDS_CHECK, "<alloc::vec::Vec<", "> as core::ops::index::Index"},
    {HINT_LOCK, "<std::sync::poison::mutex::Mutex<", ">>::lock"},
    {HINT_LOCK, "<std::sync::mutex::Mutex<", ">>::lock"},
};

const uint32_t hint_kinds_of_innermost = 1U << HINT_COPY | 1U << HINT_DEBUG_BUILD;

const uint32_t hint_kinds_of_panics = 1U << HINT_DROP | 1U << HINT_ALLOCATION | 1U << HINT_COPY |
                                      1U << HINT_CLONE | 1U << HINT_GROWTH | 1U << HINT_SIP_HASH |
                                      1U << HINT_FORMAT | 1U << HINT_UTF8 | 1U << HINT_LOCK |
                                      1U << HINT_UNBUFFERED | 1U << HINT_NEW_MEMORY;

const uint32_t hint_kinds_of_memory = 1U << HINT_ALLOCATION | 1U << HINT_GROWTH | 1U << HINT_NEW_MEMORY;

/*
 * The path of a function as legacy mangling has it: in v0's a method is `<crate::Type>::method`, where
 * legacy's is `crate::Type::method`. What a trait has for a type is `<T as Trait>::f` in both, and begins
 * with the type's path here. Of the name, or owned by `room`.
 */
static struct slice legacy_path(struct slice name, struct text *room)
{
    struct slice path = slice_range(name, slice_starts_with(name, SLICE("<")), name.length);
    size_t end = slice_find(path, SLICE(">::"));
    struct slice type = slice_range(path, 0, end);

    if (path.length == name.length || end == path.length || slice_has(type, SLICE(" as ")))
        return path;
    text_add(room, type);
    text_add(room, slice_range(path, end + 1, path.length));
    return text_slice(room);
}

static bool matches(struct slice name, enum match match, struct slice part)
{
    switch (match) {
    case MATCH_IS:
        return slice_equal(name, part);
    case MATCH_STARTS:
        return slice_starts_with(name, part);
    case MATCH_ENDS:
        return slice_ends_with(name, part);
    default:
        return slice_has(name, part);
    }
}

/* Whether a guard is named, and by its type or the module around it that what it guards is a lock. */
static bool names_lock_guard(struct slice name)
{
    static const char *const parts[] = {"Mutex", "Lock", "mutex::", "::lock::"};
    const struct slice guard = SLICE("Guard");
    size_t end = 0;

    for (; (end = slice_find(name, guard)) < name.length;
         name = slice_range(name, end + guard.length, name.length)) {
        size_t start = end;

        while (start > 0 && !strchr("<>()[]{}&,; ", name.data[start - 1]))
            start--;
        if (slice_has_any(slice_range(name, start, end), parts, ARRAY_COUNT(parts)))
            return true;
    }
    return false;
}

/*
 * Whether a type is named that does the rest of something when it is dropped: it moves what is left of a Vec,
 * or calls what was put off. What it drops thereby has drop glue of its own.
 */
static bool names_unfinished_work(struct slice name)
{
    static const char *const parts[] = {"::Drain",   "::Splice",      "::ExtractIf",
                                        "::PeekMut", "::ScopeGuard<", "::DropGuard<"};

    return slice_has_any(name, parts, ARRAY_COUNT(parts));
}

/* Without debug information nothing else tells of one that is linked in: __rust_alloc jumps there. */
static bool names_other_allocation(struct slice name)
{
    static const char *const parts[] = {"alloc", "free"};

    /* C of somebody else's may begin with the same letters. */
    return other_allocator_has(name) && slice_has_any(name, parts, ARRAY_COUNT(parts));
}

uint32_t hint_kinds_of_name(struct slice name)
{
    uint32_t kinds = drop_glue_path_length(name) > 0 ? 1U << HINT_DROP : 0;
    struct text room = {0};
    struct slice path = {0};

    /* glibc's own name for what it calls itself. */
    slice_skip(&name, SLICE("__GI_"));
    /* Of Rust 1.95 what stands between std and the allocator is mangled as others are. */
    slice_skip(&name, SLICE("__rustc::"));
    path = legacy_path(name, &room);
    for (size_t i = 0; i < ARRAY_COUNT(signs); i++)
        if (matches(path, signs[i].match, slice_of(signs[i].part)))
            kinds |= 1U << signs[i].kind;
    text_done(&room);
    for (size_t i = 0; i < ARRAY_COUNT(signs_of_types); i++)
        if (slice_starts_with(name, slice_of(signs_of_types[i].type)) &&
            slice_has(name, slice_of(signs_of_types[i].part)))
            kinds |= 1U << signs_of_types[i].kind;
    if (names_other_allocation(name))
        kinds |= 1U << HINT_ALLOCATION;
    /* What a lock's guard does when it is dropped is to unlock. */
    if (kinds >> HINT_DROP & 1 && names_lock_guard(name))
        kinds = (kinds & ~(1U << HINT_DROP)) | 1U << HINT_LOCK;
    if (kinds >> HINT_DROP & 1 && names_unfinished_work(name))
        kinds &= ~(1U << HINT_DROP);
    return kinds;
}

static bool is_buffer(struct slice name)
{
    static const char *const parts[] = {"io::buffered::",      "io::Read::read_to_end",
                                        "default_read_to_end", "std::fs::read",
                                        "std::fs::write",      "io::copy",
                                        "BufReader",           "BufWriter"};

    return slice_has_any(name, parts, ARRAY_COUNT(parts));
}

static bool is_line_writer(struct slice name)
{
    bool writes_lines = slice_has(name, SLICE("linewritershim::LineWriterShim<")) ||
                        slice_has(name, SLICE("linewriter::LineWriter<"));

    /* A BufWriter around one has it among its type's arguments. */
    return writes_lines && !slice_has(name, SLICE("BufWriter<")) && !slice_ends_with(name, SLICE("::flush"));
}

static bool is_full_buffer(struct slice name)
{
    return slice_has(name, SLICE("BufWriter<")) && slice_ends_with(name, SLICE("_cold"));
}

/* Of Linux 5.10 to 6.12 on x86-64 and AArch64. */
static bool is_call_cost(struct slice name, uint32_t kinds)
{
    static const struct {
        enum match match;
        const char *part;
    } signs_of_calls[] = {
        {MATCH_STARTS, "entry_SYSCALL_64"},
        {MATCH_STARTS, "do_syscall_64"},
        {MATCH_IS, "x64_sys_call"},
        {MATCH_STARTS, "syscall_"},
        {MATCH_STARTS, "el0"},
        {MATCH_STARTS, "do_el0_svc"},
        {MATCH_STARTS, "invoke_syscall"},
        {MATCH_HAS, "_sys_read"},
        {MATCH_HAS, "_sys_write"},
        {MATCH_IS, "ksys_read"},
        {MATCH_IS, "ksys_write"},
        {MATCH_IS, "vfs_read"},
        {MATCH_IS, "vfs_write"},
        {MATCH_IS, "rw_verify_area"},
        {MATCH_HAS, "fdget"},
        {MATCH_HAS, "file_permission"},
        {MATCH_STARTS, "new_sync_"},
        {MATCH_HAS, "fsnotify"},
        {MATCH_HAS, "x86_indirect_thunk"},
        {MATCH_ENDS, "_return_thunk"},
        {MATCH_IS, "write_null"},
    };

    if (kinds >> HINT_UNBUFFERED & 1)
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(signs_of_calls); i++)
        if (matches(name, signs_of_calls[i].match, slice_of(signs_of_calls[i].part)))
            return true;
    return false;
}

static bool is_realloc(struct slice name)
{
    static const char *const parts[] = {"realloc", "rallocx", "Allocator>::grow", "Allocator::grow"};

    return slice_has_any(name, parts, ARRAY_COUNT(parts));
}

/* Of Linux 5.10 to 6.12. */
static bool is_other_fault(struct slice name)
{
    static const char *const starts[] = {"do_fault",        "do_read_fault", "do_cow_fault",
                                         "do_shared_fault", "filemap_",      "do_wp_page",
                                         "wp_page_copy",    "do_swap_page",  "do_numa_page"};

    return slice_starts_with_any(name, starts, ARRAY_COUNT(starts));
}

/* Of the C library; musl's and glibc's names. */
static bool is_file_call(struct slice name)
{
    static const char *const calls[] = {"close",  "__close",  "shutdown", "write", "writev",
                                        "unlink", "unlinkat", "rmdir",    "fsync", "fdatasync"};

    return slice_is_any(name, calls, ARRAY_COUNT(calls));
}

/* Of a file that is mapped, which the system takes long to unmap. */
static bool is_mapped_file(struct slice name)
{
    static const char *const types[] = {"<memmap2::Mmap>", "<memmap::Mmap>"};

    return slice_has_any(name, types, ARRAY_COUNT(types));
}

uint32_t hint_roles_of_name(struct slice name, uint32_t kinds)
{
    return (is_call_cost(name, kinds) ? HINT_ROLE_CALL_COST : 0) | (is_buffer(name) ? HINT_ROLE_BUFFER : 0) |
           (is_line_writer(name) ? HINT_ROLE_LINE_WRITER : 0) |
           (is_full_buffer(name) ? HINT_ROLE_FULL_BUFFER : 0) | (is_realloc(name) ? HINT_ROLE_REALLOC : 0) |
           (is_other_fault(name) ? HINT_ROLE_OTHER_FAULT : 0) |
           (slice_is(name, "perf_event_init_task") ? HINT_ROLE_RECORDERS : 0) |
           (is_file_call(name) || is_mapped_file(name) ? HINT_ROLE_FILE_CALL : 0) |
           (signal_return_is(name) ? HINT_ROLE_SIGNAL_RETURN : 0) |
           (global_allocator_has(name) ? HINT_ROLE_ALLOCATOR : 0);
}
