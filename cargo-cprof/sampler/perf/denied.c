#include "sampler/perf/denied.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "sampler/capabilities.h"
#include "sampler/perf/setting.h"

/*
 * The highest level of kernel.perf_event_paranoid that allows it (perf_event_open(2); the kernel's
 * Documentation/admin-guide/perf-security).
 */
static int64_t level_for(enum sampler_scope scope)
{
    return scope == SAMPLER_MACHINE ? 0 : 2;
}

static const char *what_allows(enum sampler_scope scope)
{
    return scope == SAMPLER_MACHINE
               ? "whole processors take 0, set by `sudo sysctl kernel.perf_event_paranoid=0`"
               : "one's own programs take 2 or less, the kernel's part of them 1, set by `sudo sysctl "
                 "kernel.perf_event_paranoid=1`";
}

/* Whether system calls are filtered here (proc(5), /proc/PID/status). */
static bool is_filtered(void)
{
    enum { MOST_BYTES = 64 << 10 };
    SCOPED(text_done) struct text status = {0};
    struct error unread = {0};

    return file_read("/proc/self/status", MOST_BYTES, &status, &unread) == 0 &&
           slice_has(text_slice(&status), SLICE("\nSeccomp:\t2\n"));
}

/* False where the setting is no number. */
static bool read_level(struct slice setting, int64_t *level)
{
    struct scan scan = scan_of(setting);
    bool is_negative = scan_byte(&scan, '-');
    uint64_t number = 0;

    if (!scan_decimal(&scan, &number))
        return false;
    *level = is_negative ? -(int64_t)number : (int64_t)number;
    return true;
}

/* Whether the level is not what refuses it. */
static bool is_allowed(struct slice setting, enum sampler_scope scope)
{
    int64_t level = 0;

    return geteuid() == 0 || (read_level(setting, &level) && level <= level_for(scope));
}

void denied_add_rights(struct slice setting, enum sampler_scope scope, struct text *hint)
{
    enum { HIGHEST_OF_LINUX = 2 };
    int64_t level = 0;

    text_format(hint, "kernel.perf_event_paranoid is %.*s: %s, or record as root: --root (compare: by sudo)",
                SLICE_ARGUMENTS(setting.length > 0 ? setting : SLICE("unknown")), what_allows(scope));
    if (!read_level(setting, &level) || level <= HIGHEST_OF_LINUX)
        text_format(hint, ", or give cargo-cprof the capabilities: %s",
                    scope == SAMPLER_MACHINE ? GIVE_CAPABILITIES(CAPABILITIES_TO_WATCH)
                                             : GIVE_CAPABILITIES(CAPABILITIES_TO_SAMPLE));
}

#define FOR_CONTAINERS "`--cap-add PERFMON --security-opt seccomp=unconfined`"

int denied_explain(int cause, enum sampler_scope scope, struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    SCOPED(text_done) struct text hint = {0};
    struct slice level = setting_read("perf_event_paranoid", &content);

    if (is_filtered()) {
        text_add_string(&hint, "system calls are filtered here (seccomp), as containers and sandboxes do: "
                               "start the container with " FOR_CONTAINERS ", or record outside of it");
        if (!is_allowed(level, scope)) {
            text_add_string(&hint, "; ");
            denied_add_rights(level, scope, &hint);
        }
    } else if (cause == ENOSYS) {
        text_add_string(&hint, "this kernel has none (CONFIG_PERF_EVENTS), as gVisor and WSL 1; WSL 2 has "
                               "cpu-clock");
    } else {
        denied_add_rights(level, scope, &hint);
        text_add_string(&hint, "; in a container: " FOR_CONTAINERS);
    }
    error_hint(err, "%s", text_string(&hint));
    return error_set(err, ERROR_DENIED, "the system refuses perf events: perf_event_open: %s",
                     strerror(cause));
}
