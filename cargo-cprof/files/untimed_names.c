#include "files/untimed_names.h"

#include "base/units.h"
#include "cli/command.h"

static void warn_of_inlined_lines(const struct options *options)
{
    command_warn(options,
                 "lines of code that V8 has optimized (JS:*) may be of another file than is shown: what it "
                 "has inlined from other scripts has there the name of the function's own; node "
                 "--no-turbo-inlining inlines nothing");
}

void untimed_names_warn(const struct options *options, const struct jit_doubts *doubts,
                        const struct profile *profile)
{
    enum { LEAST_PERCENT = 1 };
    uint64_t whole = profile->series.items[0].samples.count;
    SCOPED(text_done) struct text share = {0};

    if (doubts->has_inlined_lines)
        warn_of_inlined_lines(options);
    if (doubts->untimed_count == 0 || doubts->untimed_count * 100 < whole * LEAST_PERCENT)
        return;
    units_add_percent(&share, doubts->untimed_count, whole);
    command_warn(
        options,
        "%s of samples were taken in code made at run time at addresses where other code was before, or "
        "is since: /tmp/perf-PID.map has no times, so they have the last name; jitdump files do "
        "(node --perf-prof, ProfilingStrategy::JitDump of wasmtime)",
        text_string(&share));
}
