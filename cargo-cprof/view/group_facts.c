#include "view/group_facts.h"

#include "facts/quality.h"
#include "facts/series_unit.h"
#include "view/tasks.h"

#define RECORD_CALLERS "record it with --call-graph dwarf, which is the default"

static const struct profile_series *series_of(const struct profile *profile, uint32_t series)
{
    return &profile->series.items[series];
}

/* Whether it is known who called what was sampled, of anything. */
static bool has_callers(const struct profile *profile)
{
    for (size_t i = 0; i < profile->stacks.count; i++)
        if (profile->stacks.items[i].parent != PROFILE_NONE)
            return true;
    return false;
}

static int refuse(enum group_key key, const char *why, struct error *err)
{
    return error_set(err, ERROR_MISSING, "--by %s: %s", group_key_name(key), why);
}

/* --- Folded stacks ------------------------------------------------------------------------------- */

/* They are names of functions, below that of a thread. */
static int check_folded(enum group_key key, struct error *err)
{
    static const char *const untold[GROUP_KEY_COUNT] = {
        [GROUP_DSO] = "folded stacks do not tell programs and libraries",
        [GROUP_FILE] = "folded stacks do not tell source files",
        [GROUP_LINE] = "folded stacks do not tell lines",
        [GROUP_PROCESS] = "folded stacks do not tell processes",
        [GROUP_TID] = "folded stacks do not tell threads of one name apart",
        [GROUP_PID] = "folded stacks do not tell processes",
    };

    if (!untold[key])
        return 0;
    error_hint(err, "a .cprof does, recorded with -o FILE.cprof; these tell --by function, crate, module and "
                    "thread");
    return refuse(key, untold[key], err);
}

/* --- System calls -------------------------------------------------------------------------------- */

static bool has_kernel(const struct profile *profile)
{
    for (size_t i = 0; i < profile->functions.count; i++)
        if (profile->functions.items[i].category == CATEGORY_KERNEL)
            return true;
    return false;
}

/* What others recorded tells no more of the kernel than its functions, and not when it began. */
static bool knows_kernel(const struct profile *profile, uint32_t series)
{
    return has_kernel(profile) || profile->started_ns > 0 || quality_is_known(series_of(profile, series));
}

static int check_system_calls(const struct profile *profile, uint32_t series, struct error *err)
{
    const struct profile_series *of = series_of(profile, series);

    if (series_is_folded(profile, series)) {
        if (has_kernel(profile))
            return 0;
        error_hint(err, "a .cprof does, recorded with -o FILE.cprof; of perf's, inferno-collapse-perf "
                        "--kernel marks the kernel's functions");
        return refuse(GROUP_SYSCALL,
                      "folded stacks in which no function is marked as the kernel's (_[k]) do not tell "
                      "system calls",
                      err);
    }
    if (of->heap != HEAP_EVENT_NONE) {
        error_hint(err, "time in system calls is in samples of CPU time, and where threads wait in those of "
                        "off-cpu");
        return refuse(GROUP_SYSCALL, "memory is asked for in the program: no such sample is in the kernel",
                      err);
    }
    if (of->is_user_only) {
        error_hint(err, "record it without --no-kernel, where kernel.perf_event_paranoid is 1, or as root");
        return refuse(GROUP_SYSCALL, "the kernel's part was not sampled", err);
    }
    if (!knows_kernel(profile, series)) {
        error_hint(err, "a .cprof does, recorded with -o FILE.cprof");
        return refuse(GROUP_SYSCALL,
                      "a profile of pprof without the kernel's functions does not tell system calls", err);
    }
    if (has_callers(profile))
        return 0;
    error_hint(err, RECORD_CALLERS);
    return refuse(GROUP_SYSCALL,
                  "system calls are seen among callers, which were not recorded (--call-graph none)", err);
}

/* --- Tasks --------------------------------------------------------------------------------------- */

/* Whether debug information told of a program's code. */
static bool has_lines(const struct profile *profile)
{
    for (size_t i = 0; i < profile->frames.count; i++)
        if (profile->frames.items[i].line > 0 &&
            profile->functions.items[profile->frames.items[i].function].category == CATEGORY_OWN)
            return true;
    return false;
}

/* Whether stacks were followed by frame pointers, which the program may not have. */
static bool may_lack_callers(const struct profile_series *series)
{
    return series->samples.count > 0 && series->ended_counts[STACK_UNCHECKED] > series->samples.count / 2;
}

static void explain_no_futures(const struct profile *profile, uint32_t series, struct error *err)
{
    if (may_lack_callers(&profile->series.items[series]))
        error_hint(
            err,
            "futures are seen among callers, and it was recorded without unwind information (--call-graph "
            "fp): " RECORD_CALLERS);
    else if (has_lines(profile))
        error_hint(err,
                   "the program has debug information: none of what was sampled is an async fn or block");
    else
        error_hint(err, "debug information tells async fns and blocks from other closures, when a profile is "
                        "recorded: keep one as .cprof of a program that has it (debug = 1)");
}

static int check_futures(const struct profile *profile, uint32_t series, enum group_key key,
                         struct error *err)
{
    if (!has_callers(profile) && !series_is_folded(profile, series)) {
        error_hint(err, RECORD_CALLERS);
        return refuse(key, "futures are seen among callers, which were not recorded (--call-graph none)",
                      err);
    }
    if (tasks_are_told(profile))
        return 0;
    explain_no_futures(profile, series, err);
    return refuse(key, "the profile tells of no future", err);
}

/* --- All of them --------------------------------------------------------------------------------- */

static int check(const struct profile *profile, uint32_t series, enum group_key key, struct error *err)
{
    if (series_is_folded(profile, series) && check_folded(key, err) < 0)
        return -1;
    if (key == GROUP_SYSCALL)
        return check_system_calls(profile, series, err);
    return key == GROUP_TASK || key == GROUP_FUTURE ? check_futures(profile, series, key, err) : 0;
}

int group_facts_check(const struct profile *profile, uint32_t series, const struct grouping *grouping,
                      struct error *err)
{
    for (size_t i = 0; i < grouping->key_count && profile->stacks.count > 0; i++)
        if (check(profile, series, grouping->keys[i], err) < 0)
            return -1;
    return 0;
}
