#include "facts/quality.h"

#include <inttypes.h>

#include "base/units.h"

/* Why a stack may end early, and what to do when many do. */
struct cut_reason {
    const char *what; /* NULL: it is whole */
    const char *remedy;
};

static const struct cut_reason cut_reasons[STACK_END_COUNT] = {
    [STACK_CUT_BY_COPY] =
        {"deeper than what is copied of a stack",
         "perf copies 8 KiB of each unless it is asked for more, 65,528 bytes at most (perf record "
         "--call-graph dwarf,65528); cargo cprof reads the rest of those that are deeper"},
    [STACK_CUT_NO_RULE] =
        {"code without unwind information",
         "code is read, and best where the file has symbols: do not strip it; build C with "
         "-fasynchronous-unwind-tables, Rust with -Cforce-unwind-tables=yes; or record with "
         "--call-graph fp"},
    [STACK_CUT_BAD] = {"unwind information that leads nowhere",
                       "assembly may move its stack without telling how, and files may be changed meanwhile"},
    [STACK_CUT_DEEP] = {"more frames than are kept", "the innermost 16,384 are"},
    [STACK_NO_USER] = {"taken without the program's stack",
                       "the kernel gives none of threads that are ending or in the middle of an exec, "
                       "and of 32-bit programs the "
                       "innermost function alone: --call-graph fp has their callers"},
    [STACK_CUT_CHANGED] =
        {"deeper than what is copied of a stack, changed before the rest was read",
         "a higher frequency (-F) may have the rest read in time; --call-graph fp needs no copy of them "
         "where the program keeps frame pointers, as what cargo builds for it does, but follows the "
         "innermost 127 calls alone unless kernel.perf_event_max_stack is more"},
    [STACK_CUT_UNREAD] =
        {"deeper than what is copied of a stack, and the rest could not be read",
         "a process must be of the same user and not have forbidden it (PR_SET_DUMPABLE), and "
         "kernel.yama.ptrace_scope be 0 unless cargo-cprof starts it; --root reads all, and "
         "--call-graph fp needs to read none"},
    [STACK_CUT_HANDLER] =
        {"in a signal handler on a stack of its own, what it interrupted being on another",
         "samples bring one stack, and the other is read a little later, if it is still the "
         "same then; without SA_ONSTACK, where the program can do without, handlers stay on it"},
    [STACK_CUT_LENGTH] =
        {"deeper than the 9 MiB that are read of a stack",
         "the innermost calls are there; --call-graph fp keeps the innermost 127, or as many "
         "as kernel.perf_event_max_stack says"},
    [STACK_CUT_SWITCH] =
        {"on a stack of its own, as of a coroutine or made by stacker, its callers being on another",
         "samples bring one stack; to where unwind information leads over the other is read a little later, "
         "if it "
         "is still the same then; --call-graph fp leads over where the code between has frame pointers"},
    [STACK_CUT_MADE] = {"code made at run time",
                        "of x86-64 it is read while its process runs, up to where it returns, of which "
                        "some has none; frame pointers lead through it where it has them: java "
                        "-XX:+PreserveFramePointer, Cranelift's setting preserve_frame_pointers, a Python "
                        "built with -fno-omit-frame-pointer"},
    [STACK_CUT_NO_FILE] = {"code of a file that could not be read any more",
                           "files that are removed or replaced are read if a sample meets them before, and "
                           "with --root as long as their process runs; one that is started anew has its "
                           "stacks; of perf.data --symfs names the folder that has it"},
    [STACK_CUT_DENIED] =
        {"code of a file that may not be read",
         "it belongs to other users: record with --root; the capability cap_sys_ptrace alone "
         "has their programs read, but no library in a folder that is closed to us"},
    [STACK_CUT_OTHERS] = {"in processes of other users, of which we may not see what code is where",
                          "record with --root, or give cargo-cprof the capability cap_sys_ptrace"},
    [STACK_CUT_BEYOND_LIMIT] = {"code of a file that could not be opened beside so many others",
                                "each program and library takes one open file: allow more, ulimit -n"},
    [STACK_CUT_OUTSIDE] = {"of processes outside of this container",
                           "the kernel does not tell which they are: record on the host, or in a container "
                           "that has the host's processes (docker run --pid=host)"},
    [STACK_CUT_GONE] =
        {"deeper than what is copied of a stack, and gone by an exit or exec before the rest was "
         "read",
         "--call-graph fp needs no copy of them where the program keeps frame pointers, as what cargo builds "
         "for it does; what runs for longer is read in time"},
    [STACK_LOST] = {"without a stack, for which there was no room",
                    "--call-graph dwarf,4096 copies less of each, so that more find room"},
    [STACK_CUT_ABSENT] =
        {"taken as the stack grew, of which nothing could be copied",
         "page faults by which a stack gets more memory bring none of it; --call-graph fp has "
         "their callers where the program keeps frame pointers"},
    [STACK_CUT_CALLS] = {"more calls than are followed by frame pointers",
                         "--call-graph dwarf follows 16,384, fp as many as it is given and "
                         "kernel.perf_event_max_stack allows: 127 unless that was changed"},
};

static uint64_t whole_count(const struct profile_series *series)
{
    return series->ended_counts[STACK_COMPLETE] + series->ended_counts[STACK_COMPLETED];
}

static uint64_t ended_count(const struct profile_series *series)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < STACK_END_COUNT; i++)
        sum += i == STACK_UNCHECKED ? 0 : series->ended_counts[i];
    return sum;
}

bool quality_is_known(const struct profile_series *series)
{
    return ended_count(series) + series->ended_counts[STACK_UNCHECKED] + series->lost_count > 0;
}

uint64_t quality_cut_count(const struct profile_series *series)
{
    return ended_count(series) - whole_count(series);
}

bool quality_lost_many(const struct profile_series *series)
{
    enum { MANY = 100 };
    uint64_t lost = series_all_lost(series);

    return lost > 0 && lost > (lost + series_all_kept(series)) / MANY;
}

void quality_add_loss(struct text *text, const struct profile_series *series, bool is_of_waits)
{
    uint64_t lost = series_all_lost(series);
    uint64_t all = lost + series_all_kept(series);

    if (!quality_lost_many(series))
        return;
    text_add_string(text, "lost: ");
    units_add_count(text, lost);
    text_add_string(text, " of ");
    units_add_count(text, all);
    text_add_string(text, is_of_waits ? " waits" : " samples");
    text_add_string(text, series_is_part(series) ? " of the whole recording (" : " (");
    units_add_percent(text, lost, all);
    text_add_string(text, "): the machine could not keep up; ");
    text_add_string(text, is_of_waits ? "--call-graph dwarf,1024 or fp costs less, and may cut more stacks\n"
                          : series->frequency_hz ? "a lower frequency (-F) loses less\n"
                                                 : "sampling more seldom (a larger -c) loses less\n");
}

void quality_add_damage(struct text *text, uint64_t damaged_count)
{
    const bool is_one = damaged_count == 1;

    text_format(text,
                "%" PRIu64 " record%s could not be read, and what was told behind %s then is left out, too",
                damaged_count, is_one ? "" : "s", is_one ? "it" : "them");
}

void quality_add(struct text *text, const struct profile_series *series)
{
    uint64_t ended = ended_count(series);
    uint64_t unchecked = series->ended_counts[STACK_UNCHECKED];

    if (!quality_is_known(series))
        return;
    units_add_count(text, series->lost_count);
    text_add_string(text, " lost");
    /* Of stacks of which some are not known to be whole, none of the others need be: what is cut is told. */
    if (whole_count(series) > 0 || (ended > 0 && unchecked == 0)) {
        text_add_string(text, ", ");
        units_add_percent(text, whole_count(series), ended);
        text_add_string(text, " of stacks complete");
    }
    if (unchecked > 0)
        text_add_string(text, whole_count(series) > 0 ? ", whether the others are is not known"
                              : ended > 0             ? ", whether other stacks are complete is not known"
                                                      : ", whether stacks are complete is not known");
    text_add_byte(text, '\n');
    if (series->ended_counts[STACK_COMPLETED] > 0) {
        text_add_string(text, "  completed: ");
        units_add_count(text, series->ended_counts[STACK_COMPLETED]);
        text_add_string(
            text, " deeper than what is copied of a stack, or on several, the rest read a little later\n");
    }
    for (size_t i = 0; i < STACK_END_COUNT; i++) {
        if (!cut_reasons[i].what || series->ended_counts[i] == 0)
            continue;
        text_add_string(text, "  cut: ");
        units_add_count(text, series->ended_counts[i]);
        text_format(text, " %s\n", cut_reasons[i].what);
    }
}

static const struct cut_reason *likeliest_reason(const struct profile_series *series)
{
    size_t most = STACK_CUT_BY_COPY;

    for (size_t i = 0; i < STACK_END_COUNT; i++)
        if (cut_reasons[i].what && series->ended_counts[i] > series->ended_counts[most])
            most = i;
    return &cut_reasons[most];
}

/* A wait is read while it lasts, and has no frequency. */
static const char *remedy_of(const struct cut_reason *reason, bool is_of_waits)
{
    return is_of_waits && reason == &cut_reasons[STACK_CUT_CHANGED]
               ? "--call-graph dwarf,65528 copies more of each; what waits for longer is read in time"
               : reason->remedy;
}

bool quality_add_warning(struct text *text, const struct profile_series *series, bool is_of_waits)
{
    enum { ENOUGH_PERCENT = 95 };
    uint64_t unchecked = series->ended_counts[STACK_UNCHECKED];
    uint64_t all = ended_count(series) + unchecked;
    uint64_t cut = quality_cut_count(series);
    const struct cut_reason *reason = likeliest_reason(series);

    if ((all - cut) * 100 >= all * ENOUGH_PERCENT)
        return false;
    text_add_string(text, unchecked > 0 ? "" : "only ");
    units_add_percent(text, unchecked > 0 ? cut : all - cut, all);
    text_add_string(text, unchecked > 0 ? " of stacks end before their thread's start, mostly"
                                        : " of stacks reach their thread's start, the others mostly end");
    text_format(text, " for this reason: %s; %s", reason->what, remedy_of(reason, is_of_waits));
    return true;
}
