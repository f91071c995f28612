#include "sampler/perf/denied.h"

#include <errno.h>
#include <string.h>

#include "sampler/perf/setting.h"
#include "target/capabilities.h"

/* Levels that refuse it, and the one to set (perf_event_open(2); the kernel's
 * Documentation/admin-guide/perf-security). */
static const char *what_allows(enum sampler_scope scope)
{
    return scope == SAMPLER_MACHINE
               ? "whole processors take 0, set by `sudo sysctl kernel.perf_event_paranoid=0`"
               : "one's own programs take 2 or less, the kernel's part of them 1, set by `sudo sysctl "
                 "kernel.perf_event_paranoid=1`";
}

int denied_explain(int cause, enum sampler_scope scope, struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    struct slice level = setting_read("perf_event_paranoid", &content);

    error_hint(err,
               "kernel.perf_event_paranoid is %.*s: %s, or give cargo-cprof the capabilities: %s; in a "
               "container: `--cap-add PERFMON --security-opt seccomp=unconfined`; WSL 1 has no perf events, "
               "WSL 2 has (cpu-clock)",
               SLICE_ARGUMENTS(level.length > 0 ? level : SLICE("unknown")), what_allows(scope),
               scope == SAMPLER_MACHINE ? GIVE_CAPABILITIES(CAPABILITIES_TO_WATCH)
                                        : GIVE_CAPABILITIES(CAPABILITIES_TO_SAMPLE));
    return error_set(err, ERROR_DENIED, "the system refuses perf events: perf_event_open: %s",
                     strerror(cause));
}
