#include "view/runtime_calls.h"

#include "base/memory.h"

/* What is before the program's own code on each stack. */
static const char *const whole_names[] = {
    "_start",
    "__libc_start_main",
    "__libc_start_main_impl",
    "__libc_start_call_main",
    "main",
    "clone",
    "__clone",
    "clone3",
    "__clone3",
    "start_thread",
    "__rust_try",
};

/* Behind a "<" or "&" that an impl or a reference begins with. */
static const char *const starts[] = {
    "std::rt::",
    "std::sys::backtrace::__rust_begin_short_backtrace",
    "std::sys_common::backtrace::__rust_begin_short_backtrace",
    "std::panicking::catch_unwind",
    "std::panicking::try",
    "std::panic::catch_unwind",
    "std::thread::",
    "std::sys::thread::",
    "std::sys::pal::unix::thread::",
    "core::ops::function::Fn",
    "core::panic::unwind_safe::AssertUnwindSafe",
    "core::future::",
    "core::pin::Pin",
    "tokio::runtime::",
    "tokio::task::",
    "tokio::park::",
    "tokio::loom::",
    "tokio::time::timeout::",
    "tokio::util::",
    "futures_util::",
    "futures_core::",
    "futures_executor::",
    "tracing::instrument::",
    "futures_lite::",
    "async_executor::",
    "async_global_executor::",
    "async_io::driver::",
    "async_io::reactor::",
    "async_std::rt::",
    "async_std::task::",
    "async_task::",
    "blocking::",
    "smol::spawn::",
    "rayon_core::",
    "rayon::iter::plumbing::",
};

static const char *const parts[] = {
    " as core::ops::function::FnOnce<",
    " as core::ops::function::FnMut<",
    " as core::ops::function::Fn<",
};

bool runtime_calls_has(struct slice name)
{
    struct slice inner = name;

    while (inner.length > 0 && (inner.data[0] == '<' || inner.data[0] == '&'))
        inner = slice_range(inner, 1, inner.length);
    return slice_is_any(name, whole_names, ARRAY_COUNT(whole_names)) ||
           slice_starts_with_any(inner, starts, ARRAY_COUNT(starts)) ||
           slice_has_any(name, parts, ARRAY_COUNT(parts));
}

bool *runtime_calls_of(const struct profile *profile)
{
    bool *chosen = memory_new(profile->functions.count + 1, sizeof(bool));

    for (size_t i = 0; i < profile->functions.count; i++)
        chosen[i] = profile->functions.items[i].category != CATEGORY_OWN &&
                    runtime_calls_has(profile_text(profile, profile->functions.items[i].name));
    return chosen;
}
