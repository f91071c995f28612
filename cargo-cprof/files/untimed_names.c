#include "files/untimed_names.h"

#include <inttypes.h>

#include "base/units.h"
#include "cli/command.h"

static void warn_of_damaged_lines(const struct options *options, const struct jit_damage *damage,
                                  const struct profile *profile)
{
    SCOPED(text_done) struct text where = {0};

    text_add(&where, profile_text(profile, damage->path));
    if (damage->file_count > 1)
        text_format(&where, " and %zu other file%s", damage->file_count - 1,
                    damage->file_count == 2 ? "" : "s");
    command_warn(options,
                 "%" PRIu64 " record%s of lines in %s cannot be read: the code that %s of has names alone",
                 damage->record_count, damage->record_count == 1 ? "" : "s", text_string(&where),
                 damage->record_count == 1 ? "it is" : "they are");
}

void untimed_names_warn(const struct options *options, const struct jit_doubts *doubts,
                        const struct profile *profile)
{
    enum { LEAST_PERCENT = 1 };
    uint64_t whole = profile->series.items[0].samples.count;
    SCOPED(text_done) struct text share = {0};

    if (doubts->damaged_lines.record_count > 0)
        warn_of_damaged_lines(options, &doubts->damaged_lines, profile);
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
