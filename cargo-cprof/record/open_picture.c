#include "record/open_picture.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "proc/spawn.h"

enum { WAIT_MS = 3000 };

/* Whether the process ends while we wait. A kernel that cannot tell (before 5.3) is waited for. */
static bool ends_soon(pid_t pid)
{
    SCOPED(file_close_descriptor) int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd watched = {.fd = descriptor, .events = POLLIN};

    return descriptor < 0 || poll(&watched, 1, WAIT_MS) > 0;
}

int open_picture(const char *path, struct error *err)
{
    const char *const argv[] = {"xdg-open", path, NULL};
    const struct spawn what = {.argv = argv, .input = SPAWN_NULL, .output = SPAWN_NULL, .error = SPAWN_NULL};
    struct process process;
    struct process_status status = {0};

    if (spawn_start(&what, &process, err) < 0) {
        error_hint(err, "install xdg-utils, or open %s in a browser yourself", path);
        return -1;
    }
    if (!ends_soon(process.pid))
        return 0;
    error_hint(err, "open %s in a browser yourself", path);
    return process_wait(&process, &status, err) < 0 ? -1 : process_check("xdg-open", status, err);
}
