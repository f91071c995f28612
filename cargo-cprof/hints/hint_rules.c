#include "hints/hint_rules.h"

const struct hint_rule hint_rules[HINT_KIND_COUNT] = {
    [HINT_DROP] = {"drop", 15, "of samples drop values",
                   "keep values that are made again and again and clear them, or hold many small ones in one "
                   "place (an arena, indices); what lives to the end need not be dropped (std::mem::forget)"},
    [HINT_ALLOCATION] = {"allocation", 15, "of samples allocate or free memory",
                         "reuse buffers, make room at once (with_capacity), borrow instead of owning"},
    [HINT_COPY] = {"copy", 10, "of samples copy memory",
                   "pass large values by reference or Box, write into the buffer that is needed in the end"},
    [HINT_CLONE] = {"clone", 10, "of samples clone values", "borrow, share (Rc, Arc, Cow) or move them"},
    [HINT_GROWTH] =
        {"growth", 5, "of samples enlarge a Vec or String",
         "make room at once: with_capacity, reserve, or collect from an iterator that knows its size"},
    [HINT_SIP_HASH] = {"hashing", 5, "of samples are SipHash, the standard HashMap's",
                       "keys that nobody hostile chooses may be hashed faster: rustc-hash, ahash, foldhash"},
    [HINT_FORMAT] =
        {"formatting", 15, "of samples format text",
         "write numbers with itoa or ryu, push_str instead of format!, and format only what is shown"},
    [HINT_UNWIND] =
        {"panics", 5, "of samples raise or unwind panics or C++ exceptions",
         "return a Result where it is expected to happen: a panic costs microseconds, where RUST_BACKTRACE "
         "has it write its backtrace milliseconds"},
    [HINT_UTF8] = {"utf8", 5, "of samples check that bytes are UTF-8",
                   "work on &[u8] (the crate bstr), or check large pieces once instead of each line"},
    [HINT_LOCK] =
        {"locks", 10, "of samples take or wait for locks",
         "hold locks for less, one for each part of the data, or gather per thread and join at the end"},
    [HINT_WAKEUPS] =
        {"wakeups", 20, "of samples put threads to sleep and wake them",
         "hand over more at a time, or do small pieces where they are asked for: each that goes to another "
         "thread and back, by a channel, a pool or spawn_blocking (as tokio's fs does), costs microseconds"},
    [HINT_UNBUFFERED] =
        {"unbuffered", 20, "of samples are what calling read and write costs, whatever they move",
         "wrap files and standard streams in BufReader or BufWriter; println! writes each line by itself, "
         "writeln! to BufWriter::new(stdout().lock()) many at once"},
    [HINT_NEW_MEMORY] =
        {"new-memory", 15,
         "of samples are the kernel's, making room as memory is written to for the first time",
         "keep buffers for the next time; -e page-faults tells who writes there first"},
    [HINT_REGEX] =
        {"regex", 10, "of samples build regular expressions",
         "each need be built only once (std::sync::LazyLock, or outside of the loop); most of it is "
         "often what Unicode adds: [0-9] is less than \\d, (?-u:\\w) than \\w"},
    [HINT_THREADS] = {"threads", 5, "of samples start threads",
                      "let threads live on and hand them work: rayon, a pool, a channel"},
    [HINT_CLOCK] = {"clock", 5, "of samples ask for the time",
                    "ask once for several steps and hand it on; where milliseconds are enough the kernel's "
                    "coarse clock is quicker (the crate coarsetime)"},
    [HINT_ROUNDING] = {"rounding", 10,
                       "of samples are in calls of floor, ceil, round, trunc or mul_add, each one "
                       "instruction of newer processors",
                       "build for these: RUSTFLAGS=-Ctarget-cpu=x86-64-v2 (x86-64-v3 for mul_add), or native "
                       "for this machine"},
    [HINT_DEBUG_BUILD] = {"debug-build", 5, "of samples are in checks and steps that only a debug build has",
                          "profile an optimised build: cargo cprof, or --release"},
    [HINT_RECURSION] = {"recursion", 25, "of samples are 50 calls or deeper in one function",
                        "a loop with a stack of its own costs less than deep calls"},
    [HINT_BOUNDS_CHECK] = {"bounds-checks", 15, "of samples are where indices of slices and Vecs are checked",
                           "iterate (iter, zip, chunks_exact, windows) instead of counting, or slice once to "
                           "the length that the "
                           "loop needs"},
    [HINT_HOT_INLINED] =
        {"hot-inlined", 50,
         "of samples are in one function that is inlined, so that its callers seem to be slow",
         "its lines tell where: annotate FILE.cprof; #[inline(never)] on it (of C "
         "__attribute__((noinline))), "
         "for a while, tells its callers apart"},
    [HINT_NO_LINES] =
        {"no-debug-info", 20, "of samples in the program have no line and no inlined calls",
         "build with debug information, and keep it: debug = 1 and strip = false in the profile and its "
         "overrides (package, build-override)"},
    [HINT_IDLE] =
        {"idle", 80, "of the time it ran it did not compute",
         "it waited, for input, for others or for time to pass, which is not in these samples; recorded with "
         "--off-cpu they tell what for, and where"},
};

const char *const hint_allocator_remedies[HINT_KIND_COUNT] = {
    [HINT_ALLOCATION] = "where it is the system's, another allocator (mimalloc, jemalloc) is a quick try",
    [HINT_NEW_MEMORY] = ("what is freed in large pieces goes back to the kernel, which another allocator "
                         "(mimalloc, jemalloc) does less often"),
};

const char *hint_remedy(const struct profile *profile, enum hint_kind kind)
{
    if (kind != HINT_NO_LINES)
        return hint_rules[kind].remedy;
    for (size_t i = 0; i < profile->functions.count; i++) {
        enum category category = profile->functions.items[i].category;

        if (category == CATEGORY_OWN || category == CATEGORY_DEPENDENCY || category == CATEGORY_STD)
            return hint_rules[kind].remedy;
    }
    /* Without a name of Rust's nobody knows what the program is written in. */
    return "build with debug information, and keep it: Rust with debug = 1 and strip = false in the profile "
           "and its overrides (package, build-override), C with -g and without -s";
}
