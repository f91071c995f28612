#include "sampler/perf/denied.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/scan.h"

/* What /proc says, without white space around it; empty when it cannot be read. */
static struct slice read_small(const char *path, struct text *content)
{
    enum { MOST_BYTES = 4096 };
    struct error unread = {0};

    if (file_read(path, MOST_BYTES, content, &unread) < 0)
        return (struct slice){0};
    return slice_trim(text_slice(content));
}

int denied_explain(int cause, struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    struct slice level = read_small("/proc/sys/kernel/perf_event_paranoid", &content);

    error_hint(
        err,
        "kernel.perf_event_paranoid is %.*s: with more than 2 allow it by `sudo sysctl "
        "kernel.perf_event_paranoid=1`, or give cargo-cprof the capability: `sudo setcap cap_perfmon+ep "
        "\"$(command -v cargo-cprof)\"`; in a container: `--cap-add PERFMON --security-opt "
        "seccomp=unconfined`; WSL 1 has no perf events, WSL 2 has (cpu-clock)",
        SLICE_ARGUMENTS(level.length > 0 ? level : SLICE("unknown")));
    return error_set(err, ERROR_DENIED, "the system refuses perf events: perf_event_open: %s",
                     strerror(cause));
}
