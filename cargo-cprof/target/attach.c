#include "target/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "proc/pid_namespace.h"
#include "proc/proc_walk.h"
#include "process/living_thread.h"
#include "sampler/capabilities.h"

/* What /proc/PID/status says (proc(5)). */
struct status {
    pid_t process;
    uid_t user;
};

static bool read_status(pid_t pid, struct status *out)
{
    enum { MOST_BYTES = 64 << 10 };
    SCOPED(text_done) struct text content = {0};
    struct error unread = {0};
    char path[64];
    struct scan scan;
    struct slice line;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    if (file_read(path, MOST_BYTES, &content, &unread) < 0)
        return false;
    scan = scan_of(text_slice(&content));
    *out = (struct status){.process = pid};
    while (scan_line(&scan, &line)) {
        struct scan words = scan_of(line);
        uint64_t number = 0;

        if (scan_text(&words, "Tgid:\t") && scan_decimal(&words, &number))
            out->process = (pid_t)number;
        else if (scan_text(&words, "Uid:\t") && scan_decimal(&words, &number))
            out->user = (uid_t)number;
    }
    return true;
}

static int explain_denied(pid_t pid, uid_t user, struct error *err)
{
    const struct passwd *entry = getpwuid(user);
    char number[32];

    if (geteuid() == 0)
        error_hint(err,
                   "in most containers root lacks the capability CAP_SYS_PTRACE: start it with --cap-add "
                   "SYS_PTRACE --cap-add PERFMON, or run cargo cprof outside of it; where root has it "
                   "(CapEff in /proc/self/status) a user namespace or a security module forbids it");
    else
        error_hint(
            err,
            "watch it as root: cargo cprof exec --root --pid %d; or give cargo-cprof the capabilities: "
            "%s",
            (int)pid, GIVE_CAPABILITIES(CAPABILITIES_TO_WATCH));
    if (user == geteuid())
        return error_set(err, ERROR_DENIED,
                         "process %d does not let itself be looked at: it was started with other rights, or "
                         "asked for that",
                         (int)pid);
    snprintf(number, sizeof(number), "%u", (unsigned)user);
    return error_set(err, ERROR_DENIED,
                     "process %d belongs to user %s: the system does not let us look at it", (int)pid,
                     entry ? entry->pw_name : number);
}

int attach_check_proc(struct error *err)
{
    if (pid_namespace_has_proc())
        return 0;
    error_hint(err, "start it with a /proc of its own: unshare --mount-proc cargo cprof ...");
    return error_set(err, ERROR_MISSING,
                     "/proc is that of another PID namespace, or none: it does not tell of the processes in "
                     "here by their numbers");
}

int attach_check(pid_t *pid, struct error *err)
{
    struct status status;
    SCOPED(file_close_descriptor) int maps = -1;
    char path[64];

    if (!read_status(*pid, &status)) {
        error_hint(err, "`pgrep -l NAME` tells the processes of a program");
        return error_set(err, ERROR_MISSING, "there is no process %d", (int)*pid);
    }
    if (living_thread((uint32_t)*pid) == 0)
        return error_set(err, ERROR_MISSING, "process %d has ended, its parent has not taken notice yet",
                         (int)*pid);
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)*pid);
    maps = open(path, O_RDONLY | O_CLOEXEC);
    if (maps < 0 && (errno == EACCES || errno == EPERM))
        return explain_denied(*pid, status.user, err);
    *pid = status.process;
    return 0;
}

void attach_add_threads(pid_t pid, struct pids *out)
{
    SCOPED(proc_walk_done) struct proc_walk threads = proc_walk_threads((uint32_t)pid);

    for (uint32_t tid = proc_walk_next(&threads); tid; tid = proc_walk_next(&threads))
        *vec_add(out) = (pid_t)tid;
}
